// occurrences.js - the longest ranges of the selected name, in the selected time or the whole trace.
// With folded numbers, those of all names that differ only in numbers.
import { element } from "./elements.js";
import { count, duration, moment } from "./text.js";

export class Occurrences {
  constructor(app) {
    this.app = app;
    this.key = null;
  }

  // The section for a range; the same element as before if it lists the same.
  async of(item) {
    const { app } = this, { side } = item, isFolded = app.isFolding;
    const [from, to] = app.span ? app.span.map((t) => t - side.shift) : [side.about.first, side.about.last];
    const key = JSON.stringify([app.sides.indexOf(side), item.name, from, to, isFolded]);
    if (key !== this.key) {
      const found = await side.source.occurrences({ name: item.name, from, to, isFolded });
      this.key = key;
      this.section = this.make(side, found, isFolded);
    }
    this.mark(item);
    return this.section;
  }

  // Shows which line is the selected range.
  mark({ row, start }) {
    for (const line of this.section ? this.section.querySelectorAll("tbody tr") : []) {
      const isOwn = line.dataset.place === `${row},${start}`;
      const button = line.firstChild.firstChild;
      if (isOwn) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  make(side, found, isFolded) {
    if (found.length < 2) return null;
    const heads = ["Duration", "Start", ...(isFolded ? ["Name"] : []), "Inside"];
    const table = element("table", {}, element("thead", {}, element("tr", {},
      ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...found.map((each) => this.line(side, each, isFolded))));
    const where = this.app.span ? "in the selected time" : "";
    const some = found.length < found.n ? `the ${count(found.length)} longest of ${count(found.n)}` : count(found.n);
    const title = `Occurrences ${where}: ${some}${found.isRough ? " \u2248" : ""}`.replace(" :", ":");
    const box = element("div", { className: "occurrences", tabIndex: -1 }, table);
    box.onkeydown = (e) => this.step(e);
    return element("div", {}, element("h3", {}, title), box);
  }

  line(side, each, isFolded) {
    const button = element("button", { className: "link" }, `${each.n > 1 ? "\u2248 " : ""}${duration(each.longest)}`);
    const { row, start, end, name, tie } = each;
    button.onclick = () => (each.n > 1 ? this.app.fill({ side, ...each })
      : this.app.select({ side, row, start, end, name, tie }));
    const line = element("tr", {}, element("td", {}, button), element("td", {}, moment(start, 3)),
      ...(isFolded ? [element("td", {}, side.titles[name])] : []),
      element("td", {}, each.parent < 0 ? "" : side.titles[each.parent]));
    line.dataset.place = `${row},${start}`;
    return line;
  }

  // The arrow keys go to the next line, and select its range.
  step(e) {
    const by = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[e.key];
    const line = by && e.target.closest("tr")?.[by];
    if (!by) return;
    e.preventDefault();
    e.stopPropagation();
    if (!line) return;
    const button = line.querySelector("button");
    button.focus();
    button.click();
  }
}
