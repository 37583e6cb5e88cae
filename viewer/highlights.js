// highlights.js - where to look first, while nothing is selected: the slowest of what the program
// repeats and what grew in them, what only some of them have, and when GPUs were idle.
import { $, element, link, nameParts, renew } from "./elements.js";
import { differenceText, besideText, partText } from "./inside.js";
import { cut, formInTable, withoutIds } from "./names.js";
import { count, duration, percent, shortMoment } from "./text.js";

const whole = (text) => element("span", { className: "tail" }, text); // however little room there is

const MOST_TEXT = 300; // characters of a tip
const MOST_GPUS = 4; // those that were idle for the greatest share

export class Highlights {
  constructor(app) {
    this.app = app;
    this.asked = null; // the answer of the trace, once it is complete
    this.gaps = []; // the longest of each GPU
  }

  // Of one whole trace that does not grow: a comparison has its own answer, and a live trace no usual time.
  async show() {
    const { app } = this, [side] = app.sides, { about } = side, box = $("highlights");
    const isThere = app.sides.length === 1 && about.isComplete && !about.isLive;
    if (isThere) this.asked ??= side.source.highlights().catch((error) => { this.asked = null; throw error; });
    const answer = isThere && await this.asked;
    if (answer && !this.gaps.length) {
      this.gaps = answer.gpus.flatMap(({ label, gaps }) => gaps.map((gap) => ({ ...gap, label })));
      if (this.gaps.length) app.redrawOver();
    }
    const parts = answer && !app.selected && !app.isFiltered ? this.parts(side, answer) : [];
    box.hidden = !parts.length;
    renew(box, parts.length ? [element("h2", {}, "Highlights"), ...parts] : []);
  }

  parts(side, { step, gpus }) {
    const groupOf = ({ row }) => side.about.groups[side.about.rows[row].group];
    const processes = new Map(side.about.processes.map(({ pid, label }) => [pid, label]));
    const known = gpus.map((gpu) => ({ ...gpu, process: groupOf(gpu).pid, share: gpu.to > gpu.from ? gpu.idle / (gpu.to - gpu.from) : 0 }));
    const isOne = new Set(known.map(({ process }) => process)).size < 2, most = known.sort((a, b) => b.share - a.share);
    const nameOf = ({ label, process }) => (isOne ? label : `${label} of ${processes.get(process) || process % 2 ** 24}`);
    return [...(step ? this.ofSteps(side, step) : []),
      ...most.filter(({ gaps }) => gaps.length).slice(0, MOST_GPUS).map((gpu) => this.ofGpu(side, { ...gpu, label: nameOf(gpu) }))];
  }

  list(title, lines) {
    return element("div", { className: "relatives" }, element("h3", {}, title), element("ol", {}, ...lines));
  }

  // `where` are texts: the first is shown, all are in the tip and what screen readers say.
  line(text, title, note, onclick, where = []) {
    const [process] = where, button = link(onclick, process ? `${text}, ${process}` : text), all = where.filter(Boolean);
    Object.assign(button, { title: [all.join(", "), title].filter(Boolean).join("\n"), className: "link head" });
    if (all.length) button.setAttribute("aria-label", [text, ...all].join(", "));
    return element("li", {}, button, element("span", { className: "name" }, ...note));
  }

  // Of which process and thread an occurrence is, where there are several.
  whereOf(side, row) {
    const { rows, groups } = side.about, { group } = rows[row], { pid } = groups[group];
    const isOther = (each, number) => "ps".includes(each.kind) && each.group !== group && groups[each.group].pid === pid && !side.isStream(number);
    return [side.processOf(row), rows.some(isOther) ? side.rowLabel(row) : ""];
  }

  ofSteps(side, step) {
    const { name, n, median, isRough, slow, rare } = step, all = besideText(side.nameIn(name, true), step), rough = isRough ? "\u2248 " : "";
    const names = slow.map((item) => formInTable(withoutIds(side.nameIn(item.name, false).title)));
    const isApart = new Set(names).size === names.length; // else a time says which it is
    const steps = slow.map((item, k) => ({ ...item, form: isApart ? names[k] : `at ${shortMoment(item.start)}` }))
      .sort((a, b) => b.end - b.start - (a.end - a.start)).map(({ part, form, isOpen, ...item }) => {
        const over = `${isOpen ? "open, at least " : ""}${differenceText(item.end - item.start - median)}`;
        const text = part ? cut(partText(side, part, true), MOST_TEXT) : "";
        const what = part ? `${text} ${duration(part.ns)}, usually ${rough}${duration(part.median)}\n` : "";
        const note = part ? [whole(`${over}: `), ...nameParts(text), whole(` ${differenceText(part.ns - part.median)}`)] : [over];
        return this.line(form, `${what}Zoom to it`, note, () => this.goTo({ ...item, side, isOfKind: true }), this.whereOf(side, item.row));
      });
    const made = [this.list(`Slowest of ${all}: median ${duration(median)}`, steps)];
    if (!slow.length) made[0].append(element("p", { className: "faint" }, "None is more than 10 % longer"));
    if (rare.length) {
      made.push(this.list(`Only in some of ${all}`, rare.map((part) => {
        const text = cut(partText(side, part, true), MOST_TEXT);
        return this.line(formInTable(text), `${text}\nZoom to where it is longest`,
          [part.of === n ? `in ${count(part.with)}, ${duration(part.ns)} in all` : `in ${percent(part.with / part.of)}`],
          () => this.goTo({ ...part.longest, side }), this.whereOf(side, part.longest.row));
      })));
    }
    return made;
  }

  ofGpu(side, { label, from, to, idle, share, isRough, gaps }) {
    return this.list(`${label} idle for ${isRough ? "\u2265 " : ""}${duration(idle)} of ${duration(to - from)} (${percent(share)})`,
      gaps.map((gap) => {
        const { start, end } = gap, [where, what] = this.meanwhile(side, gap);
        return this.line(`${duration(end - start)} at ${shortMoment(start)}`, `${where} ${what}\nZoom to it`, nameParts(what),
          () => this.goToGap(side, { ...gap, label }));
      }));
  }

  // What the thread did whose work ended a gap.
  meanwhile(side, { start, end, thread, name, ns }) {
    const isMost = name >= 0 && ns * 2 > end - start;
    return [thread < 0 ? "" : side.threadLabel(thread),
      isMost ? `in ${formInTable(side.nameIn(name, false).title)}` : thread < 0 ? "" : "mostly in no range"];
  }

  // Its button goes, and keys continue where the answer is.
  async goTo(item) {
    const { app } = this;
    app.fill(item);
    app.select(item);
    await app.details.showing;
    const { activeElement: held, body } = document;
    if (app.selected === item && (held === body || $("highlights").contains(held))) $("details").focus();
  }

  goToGap(side, gap) {
    const { app } = this, { start, end, row, label } = gap;
    $("said").textContent = `${label} idle for ${duration(end - start)} at ${shortMoment(start)}: ${this.meanwhile(side, gap).join(" ")}`;
    app.spanOver({ side, start, end });
    app.fill({ side, start, end });
    app.reveal({ side, row, start, end });
  }
}
