// inside.js - how an occurrence differs from the others of its name: what its time was made of, and
// its parts, beside the median.
import { element, headOf, nameButton } from "./elements.js";
import { formInTable, withoutIds } from "./names.js";
import { STATE_WORDS, WHAT } from "./states.js";
import { count, duration } from "./text.js";

const LEAST_OCCURRENCES = 3; // as the source
const MOST_LINES = 8;
const LEAST_SHARE = 0.01; // of the occurrence: smaller differences of parts that are small are left out

// Of a part of an answer (README.md): its name, the GPU, or the time outside of children.
export function partText(side, { name, gpu, isSelf }, isFolded) {
  return isSelf ? "itself" : gpu ? `On ${gpu}` : side.nameIn(name, isFolded).title;
}

export function differenceText(ns) { return ns ? `${ns > 0 ? "+" : "\u2212"}${duration(Math.abs(ns))}` : "same"; }

// What an occurrence is beside. `isOutermost`: others are inside these.
export function besideText({ title }, { n, isOutermost }) {
  return `${count(n)} ${isOutermost ? "outermost " : ""}${formInTable(withoutIds(title))}`;
}

function hasParts(found) { return found?.some(({ isSelf }) => !isSelf); } // else it is all itself

function saysMore(found) { return hasParts(found) || found?.states; } // than how long it took

export class Inside {
  constructor(app) { this.app = app; }

  // The answer, and whether it is about all names that differ in numbers: `step 6` by itself occurs once,
  // and is then beside all steps (`isOfKind`), as a highlight is.
  async of(item) {
    const { side, name, row, start, tie } = item;
    if (!side.about.isComplete) return null;
    const ask = async (isFolded) => Object.assign(await side.source.inside({ name, row, start, tie, isFolded }), { isFolded });
    const found = await ask(this.app.isFoldingOf(item));
    if (found.n >= LEAST_OCCURRENCES || found.isFolded) return found;
    const all = await ask(true);
    if (saysMore(all)) item.isOfKind = true;
    return all;
  }

  // For screen readers: how long the item is beside the median.
  spoken({ side, name, start, end }, found) {
    if (!found?.length && !found?.states) return "";
    const by = Math.round(end - start - found.median);
    const text = by ? `${duration(Math.abs(by))} ${by < 0 ? "less than" : "more than"}` : "as long as";
    return `, ${text} the median of ${besideText(side.nameIn(name, found.isFolded), found)}`;
  }

  table(item, found) {
    const length = item.end - item.start, all = { ns: length, median: found?.median };
    const isShown = ({ ns, median }) => Math.max(ns, median) >= length * LEAST_SHARE;
    const states = (found?.states || []).filter(isShown);
    if (!saysMore(found)) return null;
    const parts = found.filter((part) => isShown(part) && hasParts(found));
    const lines = parts.slice(0, MOST_LINES), more = parts.length - lines.length + (found.more || 0);
    const table = element("table", { "aria-label": "Difference from the median" },
      headOf(["Part", "This", "Median", "Difference"]),
      element("tbody", {}, this.line(element("span", {}, "In all"), all, length * LEAST_SHARE),
        ...states.map((state) => this.line(element("span", { title: WHAT }, STATE_WORDS[state.state]), state, length * LEAST_SHARE)),
        ...lines.map((part) => this.line(this.name(item, found, part), part, length * LEAST_SHARE))));
    const of = `${found.isRough ? "\u2248 " : ""}${besideText(item.side.nameIn(item.name, found.isFolded), found)}`;
    return element("div", { className: "inside" }, element("h3", {}, `Beside the median of ${of}`), table,
      ...(more > 0 ? [element("p", { className: "faint" }, `${count(more)} smaller`)] : []));
  }

  line(name, { ns, median }, least) {
    const difference = Math.round(ns - median), tr = element("tr", {}, element("td", {}, name),
      ...[duration(ns), duration(median), differenceText(difference)].map((text) => element("td", {}, text)));
    if (Math.abs(difference) >= least) tr.lastChild.className = difference > 0 ? "more" : "less";
    return tr;
  }

  name(item, { isFolded }, part) {
    const { side } = item;
    if (part.name >= 0 && part.calls) return nameButton(side.nameIn(part.name, isFolded), () => this.select(item, part));
    return element("span", {}, partText(side, part, isFolded));
  }

  // Selects the first child of that name.
  async select({ side, row, start, end, tie }, { name }) {
    const { app } = this, filter = { thread: side.rowLabel(row) };
    const found = await side.source.next({ name, after: start, row, tie, by: 1, filter, isFolded: true });
    if (found && found.start < end) app.select({ ...found, side });
  }
}
