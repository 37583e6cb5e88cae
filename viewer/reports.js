// reports.js - the pane with the reports of `rangeline stats`, and what `analyze` and `diff` print: one
// table, its rows by any column.
import { element, headOf, link, renew } from "./elements.js";
import { count, visible } from "./text.js";

const USUAL_REPORT = "nvtx_sum";
const OF_BOTH = "diff"; // the report of two traces
const FIRST_KINDS = ["findings", OF_BOTH]; // in the list of reports
const NAMES = ["Name", "Range"]; // the columns that name ranges
const SAVED_AS = { CSV: "csv", JSON: "json", Markdown: "markdown" };

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export class Reports {
  constructor(app, box) {
    this.app = app;
    this.text = USUAL_REPORT; // NAME or NAME:ARGUMENT
    this.sort = null; // a header; null: the report's own order
    this.shown = null; // what the table below is the answer to
    this.last = null; // the report shown before
    this.kinds = null; // all reports, once they are known
    this.choice = element("select", { "aria-label": "Report", onchange: () => this.changeKind() });
    this.written = ""; // in the next, not by the user
    this.argument = element("input", { type: "search", autocomplete: "off", "aria-label": "Argument of the report" });
    this.argument.onchange = () => this.choose(this.choice.value, (this.written = this.argument.value));
    this.trace = element("select", { "aria-label": "Trace", onchange: () => app.redraw() },
      ...app.sides.map(({ about }, k) => element("option", { value: k }, visible(about.title))));
    this.trace.hidden = app.sides.length < 2;
    this.saving = element("select", { "aria-label": "Save the report", onchange: () => this.save() },
      element("option", { value: "" }, "Save"), ...Object.keys(SAVED_AS).map((format) => element("option", {}, format)));
    this.said = element("span", { role: "status" });
    this.details = element("p");
    this.about = element("details", {}, element("summary", {}, "What it lists"), this.details);
    this.table = element("table", { "aria-label": "Rows of the report" });
    this.nAsked = 0; // rows that the user wants to see; 0: as many as come at once
    this.more = link(() => {
      this.nAsked = this.nShown + 1;
      this.ask(this.nShown);
    }, "Show more");
    box.append(element("div", { className: "tools" }, this.choice, this.argument, this.trace, this.saving, this.said),
      this.about, this.table, this.more);
  }

  get isThere() { return this.app.sides.every(({ about }) => about.hasReports); }
  get isOfBoth() { return this.text === OF_BOTH; }
  get side() { return this.app.sides[this.isOfBoth ? 0 : Number(this.trace.value)]; }

  // What is written for another report does not stay.
  changeKind() {
    this.argument.value = this.written = "";
    this.choose(this.choice.value);
  }

  choose(name, argument = "") {
    this.text = argument ? `${name}:${argument}` : name;
    this.sortBy(null);
  }

  sortBy(header) {
    this.sort = header;
    this.nAsked = 0;
    this.more.hidden = true; // of what is still there
    this.app.changing();
  }

  // From an address: null is the usual report.
  set(text, sort) {
    this.text = text || USUAL_REPORT;
    this.sort = sort;
    this.nAsked = 0;
  }

  async listKinds() {
    this.kinds = await this.app.sides[0].source.reports();
    const option = ({ name, title, help }) => element("option", { value: name, title: help }, title);
    const ofGpus = ({ name }) => /cuda|gpu|kern|nccl/.test(name), others = (kind) => !ofGpus(kind);
    const isFirst = ({ name }) => FIRST_KINDS.includes(name);
    renew(this.choice, [...this.kinds.filter(isFirst).map(option),
      ...[["Ranges, marks and counters", others], ["GPU work", ofGpus]].map(([label, fits]) =>
        element("optgroup", { label }, ...this.kinds.filter((kind) => fits(kind) && !isFirst(kind)).map(option)))]);
  }

  // Asks if something else is to be shown than before.
  async show() {
    const { text, sort, isOfBoth } = this, sides = isOfBoth ? this.app.sides : [this.side];
    const read = sides.map(({ about }) => [about.events, about.isComplete]);
    const key = JSON.stringify([text, sort, this.trace.value, read]);
    if (key === this.shown) return;
    this.shown = key;
    this.more.hidden = true;
    this.trace.hidden = isOfBoth || this.app.sides.length < 2;
    if (isOfBoth && text !== this.last) this.about.open = true; // it counts what the table does not list, too
    this.last = text;
    if (!this.kinds) await this.listKinds().catch((error) => this.fail(error));
    const [name, ...rest] = text.split(":"), kind = this.kinds.find((each) => each.name === name);
    this.choice.value = name;
    this.setArgument(rest.join(":"));
    this.argument.hidden = !kind || !(kind.takesRange || kind.words);
    this.argument.placeholder = kind?.takesRange ? "Name of a range" : kind?.words || "";
    await this.ask(0);
  }

  async ask(first) {
    const asked = this.asked = {}, { text, sort } = this;
    this.said.textContent = "Reading\u2026";
    try {
      const answer = await this.side.source.report({ text, sort, first: first || null });
      if (asked === this.asked) this.take(answer, first);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
  }

  fail(error) {
    this.shown = null;
    this.said.textContent = "Out of date";
    throw error;
  }

  // Not while the user writes something else there.
  setArgument(text) {
    const { argument } = this;
    if (document.activeElement === argument && argument.value !== this.written) return;
    argument.value = this.written = text;
  }

  take({ refused, isReading, argument, subject, details, n, columns = [], rows = [], views = [] }, first) {
    const lines = rows.map((row, i) => element("tr", {}, ...row.map((cell, k) => this.cell(cell, columns[k], views[first + i]))));
    this.nShown = first + rows.length;
    this.table.className = views.length ? "sentences" : "";
    if (first) {
      this.table.tBodies[0].append(...lines);
    } else {
      const head = headOf(columns.map((column) => this.heading(column)));
      columns.forEach(({ header, isText, canSort }, k) => {
        const th = head.rows[0].cells[k];
        th.className = isText ? "text" : "";
        if (canSort) th.setAttribute("aria-sort", header === this.sort ? "other" : "none");
      });
      renew(this.table, [head, element("tbody", {}, ...lines)], true);
    }
    this.about.hidden = !details;
    this.details.textContent = details || "";
    this.more.hidden = !(this.nShown < n);
    this.saving.hidden = !n;
    if (!this.argument.hidden && argument !== undefined) this.setArgument(argument);
    this.said.textContent = isReading ? "Waiting until the trace has been read\u2026" : refused ? visible(refused)
      : n ? `${count(n)} ${n === 1 ? "row" : "rows"}${this.nShown < n ? `, of which ${count(this.nShown)} are shown` : ""}`
        : `The ${this.isOfBoth ? "traces have" : "trace has"} no ${subject}${argument ? `: ${visible(argument)}` : ""}.`;
    if (this.nShown < Math.min(this.nAsked, n)) this.ask(this.nShown);
  }

  isInPicture(name) {
    const sides = this.isOfBoth ? this.app.sides : [this.side];
    return sides.some((side) => side.numberOf(name) !== undefined);
  }

  // What may be the name of the range in a cell: of a path, `step > load`, its end, which may be the longer
  // one if names contain " > ".
  namesIn(text) {
    if (this.isOfBoth) return text.split(" > ").map((each, i, all) => all.slice(i).join(" > ")).reverse();
    const whole = text.replace(/^:/, "");
    return [whole, whole.replace(/  \(.*open\)$/, "")];
  }

  // A name that the picture has leads there, and so does a finding.
  cell(text, { header, isText }, view) {
    const shown = visible(text), properties = { title: text.length > 40 ? shown : "", className: isText ? "text" : "" };
    if (view && header === "Finding") {
      return element("td", properties, link(() => this.app.showPlace(this.side, `#${view}`), shown));
    }
    const name = NAMES.includes(header) && this.namesIn(text.trim()).find((each) => this.isInPicture(each));
    if (!name) return element("td", properties, shown);
    const before = this.isOfBoth ? text.slice(0, text.trimEnd().length - name.length) : ""; // the link is to any range of the name
    return element("td", properties, visible(before), link(() => this.app.selectName(name), visible(text.slice(before.length))));
  }

  // A second click returns to the report's own order.
  heading({ header, canSort }) {
    if (!canSort) return header;
    const isBy = header === this.sort, arrow = element("span", { "aria-hidden": "true" }, isBy ? " \u25be" : "");
    return link(() => this.sortBy(isBy ? null : header), header, arrow);
  }

  async save() {
    const format = SAVED_AS[this.saving.value], { text, sort } = this;
    this.saving.value = "";
    const { text: saved, n, nSaved } = await this.side.source.report({ text, sort, format }), [name] = text.split(":");
    if (saved === undefined) return;
    download(`${name}.${format === "markdown" ? "md" : format}`, saved);
    if (nSaved < n) this.said.textContent = `Saved are the first ${count(nSaved)} of ${count(n)} rows: \`rangeline ${this.isOfBoth ? "diff -f csv" : `stats -r ${name} -f ${format}`}\` prints all.`;
  }
}
