// callers.js - the paths that lead to the selected name, or to its kind: the flame graph from below.
// Paths of a long trace take a while to sum up, so that the source is asked once the list is open.
import { element, link } from "./elements.js";
import { formInTable } from "./names.js";
import { callsText, count, duration } from "./text.js";

const MOST_PATHS = 12;

export class Callers {
  constructor(app) {
    this.app = app;
    this.isOpen = false;
  }

  async of(item) {
    const made = element("details", { className: "relatives", open: this.isOpen },
      element("summary", {}, "Callers"), ...(this.isOpen ? await this.list(item) : []));
    made.ontoggle = async () => {
      if (made.open === this.isOpen) return;
      this.isOpen = made.open;
      if (made.open && !made.querySelector("ol")) made.append(...await this.list(item));
    };
    return made;
  }

  async list({ side, name }) {
    const { summed: filter, isFolding: isFolded } = this.app, [from, to] = this.app.spanOrWhole(side);
    const nodes = await side.source.flame({ from, to, filter, isFolded });
    const labelOfNode = (number) => side.kindOf(number, isFolded);
    const found = nodes.filter((node) => labelOfNode(node.name) === labelOfNode(name))
      .sort((a, b) => b.total - a.total);
    const lines = found.slice(0, MOST_PATHS).map((node) => {
      const above = [];
      for (let at = nodes[node.parent]; at; at = nodes[at.parent]) above.push(at.name);
      const text = above.map((each) => formInTable(side.nameIn(each, isFolded).title)).join(" \u2039 ") || "(outermost)";
      const button = link(() => this.app.showPath([name, ...above].reverse().map(labelOfNode)), text);
      Object.assign(button, { title: text, className: "link head" });
      return element("li", {}, button,
        element("span", {}, `${nodes.isRough ? "\u2248 " : ""}${duration(node.total)}, ${callsText(node.calls)}`));
    });
    const more = found.length - lines.length;
    return [element("ol", {}, ...lines), ...(more ? [element("p", { className: "faint" }, `${count(more)} more`)] : [])];
  }
}
