// occurrences.js - the longest ranges of the selected name, or of its kind if numbers are folded, in
// the selected time or the whole trace.
import { element, headOf, link, nameParts } from "./elements.js";
import { numbersIn } from "./names.js";
import { count, duration, shortMoment } from "./text.js";

export class Occurrences {
  constructor(app) {
    this.app = app;
    this.key = null;
  }

  async of(item) {
    const { app } = this, { side } = item, { summed: filter } = app, isFolded = app.isFoldingOf(item);
    const [from, to] = app.spanOrWhole(side);
    const key = JSON.stringify([app.sides.indexOf(side), side.kindOf(item.name, isFolded), from, to, app.scope, isFolded]);
    if (key !== this.key) {
      const found = await side.source.occurrences({ name: item.name, from, to, filter, isFolded });
      this.key = key;
      this.section = this.make(side, found, isFolded);
    }
    this.mark(item);
    this.top = this.section ? this.section.lastChild.scrollTop : 0;
    return this.section;
  }

  // Scrolls the list to where it was, and on to the selection.
  reveal() {
    const box = this.section?.lastChild, own = box?.querySelector("[aria-current]");
    if (!box) return;
    box.scrollTop = this.top;
    if (!own) return;
    const { top, bottom } = own.getBoundingClientRect(), below = box.getBoundingClientRect().bottom;
    const above = box.querySelector("th").getBoundingClientRect().bottom; // the heads stay at the top
    if (bottom > below) box.scrollTop += bottom - below + 4;
    if (top < above) box.scrollTop += top - above - 4;
  }

  focus() { this.section?.querySelector("tbody button[tabindex='0']").focus(); }

  mark({ row, start }) {
    const buttons = this.section ? [...this.section.querySelectorAll("tbody button")] : [];
    const own = buttons.find((each) => each.dataset.name === `${row},${start}`);
    for (const button of buttons) {
      if (button === own) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      button.tabIndex = button === (own || buttons[0]) ? 0 : -1; // one stop of Tab; then arrow keys
    }
  }

  make(side, found, isFolded) {
    if (found.length < 2) return null;
    const isInside = found.some(({ parent }) => parent >= 0);
    const isOfSeveral = new Set(found.map(({ row }) => side.processOf(row))).size > 1; // processes
    const heads = ["Duration", "Start", ...(isOfSeveral ? ["Process"] : []), ...(isFolded ? ["Numbers"] : []), ...(isInside ? ["Inside"] : [])];
    const table = element("table", { "aria-label": "Occurrences" }, headOf(heads),
      element("tbody", {}, ...found.map((each) => this.line(side, each, { isFolded, isInside, isOfSeveral }))));
    const where = (this.app.span ? " in the selected time" : "") + (this.app.summed ? " that match" : "");
    const all = `${found.isRough ? "\u2248 " : ""}${count(found.n)}`;
    const some = found.length < found.n ? `the ${count(found.length)} longest of ${all}` : all;
    const box = element("div", { className: "occurrences", tabIndex: -1 }, table);
    box.onkeydown = (e) => this.step(e);
    return element("div", {}, element("h3", {}, `Occurrences${where}: ${some}`), box);
  }

  line(side, each, { isFolded, isInside, isOfSeveral }) {
    const { row, start, end, name, tie } = each, isOne = each.n === 1;
    const button = link(() => (isOne ? this.app.select({ side, row, start, end, name, tie, isOfKind: isFolded && !this.app.isFolding })
      : this.app.fill({ side, ...each })), `${isOne ? "" : "\u2248 "}${duration(each.longest)}`);
    const line = element("tr", {}, element("td", {}, button), element("td", {}, shortMoment(start)),
      ...(isOfSeveral ? [element("td", {}, side.processOf(row))] : []),
      ...(isFolded ? [element("td", { title: side.titles[name] }, numbersIn(side.titles[name]))] : []),
      ...(isInside ? [each.parent < 0 ? element("td") : this.name(side.titles[each.parent])] : []));
    button.dataset.name = `${row},${start}`;
    return line;
  }

  name(title) { return element("td", { title }, element("span", { className: "name" }, ...nameParts(title))); }

  step(e) {
    const buttons = [...this.section.querySelectorAll("tbody button")], at = buttons.indexOf(e.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[e.key];
    if (to === undefined || at < 0) return;
    e.preventDefault();
    e.stopPropagation();
    if (!buttons[to]) return;
    buttons[to].focus();
    buttons[to].click();
  }
}
