// totals.js - the table of totals by name, sorted by a column.
import { copyMenu } from "./copy.js";
import { $, element, link, nameButton, renew } from "./elements.js";
import { count, duration } from "./text.js";

const MOST_ROWS = 200;

const COLUMNS = {
  name: { title: "Name" }, total: { title: "Total", say: (r) => duration(r.total) },
  self: { title: "Self", say: (r) => duration(Math.max(0, r.self)) },
  calls: { title: "Calls", say: (r) => count(r.calls) },
  average: { title: "Average", isWide: true, say: (r) => duration(r.average) },
  p95: { title: "p95", isWide: true, say: (r) => (r.p95 === undefined ? "" : (r.isP95Rough ? "\u2248 " : "") + duration(r.p95)) },
  max: { title: "Max", isWide: true, say: (r) => duration(r.max) },
  before: { title: "Before", say: (r) => sideText(r.total) },
  other: { title: "After", say: (r) => sideText(r.other) },
  change: { title: "Change", say: (r) => changeText(r) },
};

// The total of a name in one of two traces: a time; null if the trace has no such name; {most} if
// only an upper bound is known.
function sideText(total) {
  if (total === null) return "\u2013";
  return typeof total === "number" ? duration(total) : `\u2264 ${duration(total.most)}`;
}

function changeText({ total, other, change, isLeast }) {
  if (other === null) return "gone";
  if (total === null) return "new";
  if (change === null) return "?";
  if (!change) return "same";
  const least = !isLeast ? "" : change > 0 ? "\u2265 " : "\u2264 ";
  return `${least}${change > 0 ? "+" : "\u2212"}${duration(Math.abs(change))}`;
}

export class Totals {
  constructor(app) {
    this.app = app;
    this.by = "total";
    this.down = true;
    this.rows = [];
    $("scope").after(copyMenu(() => this.copied()));
  }

  show(rows, isCompared) {
    this.rows = rows;
    const columns = this.columns = isCompared ? ["name", "before", "other", "change"]
      : ["name", "total", "self", "calls", "average", "p95", "max"];
    if (!columns.includes(this.by)) this.by = isCompared ? "change" : "total";
    renew($("columns"), columns.map((column) => this.heading(column)));
    const known = (total) => (typeof total === "number" ? total : -1);
    const value = (r) => (column === "name" ? r.title
      : column === "change" ? (r.change === null ? -1 : Math.abs(r.change))
        : known(column === "before" ? r.total : r[column]));
    const column = this.by, sign = this.down ? -1 : 1;
    this.sorted = rows.slice().sort((a, b) => {
      const x = value(a), y = value(b);
      return (x < y ? -1 : x > y ? 1 : 0) * sign || known(b.total) - known(a.total);
    });
    renew($("table"), this.sorted.slice(0, MOST_ROWS).map((row) => this.line(row, columns)));
    const more = rows.length - Math.min(rows.length, MOST_ROWS) + (rows.more || 0);
    $("more").textContent = [
      rows.length ? "" : this.app.nothingHere(),
      more ? `${count(more)} more ${more === 1 ? "name" : "names"}` : "",
      rows.isRough ? "\u2248 Short ranges are merged; zoom in for exact values" : "",
    ].filter(Boolean).join("; ");
  }

  heading(column) {
    const isBy = column === this.by, { title } = COLUMNS[column];
    const arrow = element("span", { "aria-hidden": "true" }, isBy ? (this.down ? " \u25be" : " \u25b4") : "");
    const button = link(() => {
      this.down = isBy ? !this.down : column !== "name";
      this.by = column;
      this.show(this.rows, this.app.sides.length > 1);
    }, title, arrow);
    const order = isBy ? (this.down ? "descending" : "ascending") : "none";
    const th = element("th", { scope: "col", "aria-sort": order, className: COLUMNS[column].isWide ? "wide" : "" }, button);
    th.dataset.name = column;
    return th;
  }

  line(row, columns) {
    const first = nameButton(row, () => this.app.selectName(row.label));
    const tr = element("tr", {}, element("td", {}, first),
      ...columns.slice(1).map((column) =>
        element("td", { className: COLUMNS[column].isWide ? "wide" : "" }, COLUMNS[column].say(row))));
    tr.dataset.name = row.label;
    if ("change" in row) tr.lastChild.className = row.change > 0 ? "more" : row.change < 0 ? "less" : "";
    return tr;
  }

  // All rows that the source sent, times in ns.
  copied() {
    const number = (total) => (typeof total === "number" ? Math.round(total) : total?.most ?? "");
    const columns = this.columns.slice(1), head = (column) => COLUMNS[column].title + (column === "calls" ? "" : " (ns)");
    return {
      heads: ["Name", "Domain", ...columns.map(head)],
      rows: this.sorted.map((row) => [row.message, row.domain,
        ...columns.map((column) => number(column === "before" ? row.total : row[column]))]),
    };
  }
}
