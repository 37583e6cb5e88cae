// totals.js - the table of totals by name, sorted by a column.
import { copyMenu } from "./copy.js";
import { $, element, link, nameButton, renew } from "./elements.js";
import { formsInTable } from "./names.js";
import { count, duration } from "./text.js";

const MOST_ROWS = 200;

// Each has `say`, the text of a cell, and, if they are not the column's own member of a row, `of`, what it
// is sorted by, and `figures`, what is copied.
const COLUMNS = {
  name: { title: "Name", of: (r) => r.title },
  total: { title: "Total", say: (r) => duration(r.total) },
  self: { title: "Self", say: (r) => duration(Math.max(0, r.self)) },
  calls: { title: "Calls", say: (r) => count(r.calls), figures: { Calls: (r) => r.calls } },
  average: { title: "Average", isWide: true, say: (r) => duration(r.average) },
  p95: { title: "p95", isWide: true, say: (r) => (r.p95 === undefined ? "" : (r.isP95Rough ? "\u2248 " : "") + duration(r.p95)) },
  max: { title: "Max", isWide: true, say: (r) => duration(r.max) },
};

// Of two traces: a bound is not copied, because a figure does not say that it is one.
const ofBoth = (title, unit, of) => ({
  [`${title} before${unit}`]: ({ before }) => before?.[of], [`${title} after${unit}`]: ({ after }) => after?.[of],
});
const COMPARED = {
  name: COLUMNS.name,
  calls: { title: "Calls", of: (r) => r.after?.calls, say: (r) => bothCalls(r.before, r.after), figures: ofBoth("Calls", "", "calls") },
  before: { title: "Before", of: (r) => r.before?.average, say: (r) => averageText(r.before), figures: ofBoth("Total", " (ns)", "total") },
  after: { title: "After", of: (r) => r.after?.average, say: (r) => averageText(r.after), figures: ofBoth("Average", " (ns)", "average") },
  change: { title: "Change", of: (r) => Math.abs(r.effect), say: (r) => changeText(r),
    figures: { "Change of the average (ns)": (r) => (r.isLeast ? undefined : r.change) } },
};

function averageText(part) {
  if (part === null) return "\u2013";
  return "most" in part ? `\u2264 ${duration(part.most)}` : duration(part.average);
}

// In few digits, to leave room for the name: 1.2K.
function bothCalls(...parts) {
  const texts = (short) => parts.map((part) => (part === null ? "0" : part.calls ? short(part.calls) : "?"));
  const [before, after] = texts((n) => n.toLocaleString("en", { notation: "compact" })), [all, allAfter] = texts(count);
  return all === allAfter ? before : (before === after ? [all, allAfter] : [before, after]).join(" \u2192 ");
}

function changeText({ before, after, change, isLeast }) {
  if (!after) return "gone";
  if (!before) return "new";
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
    $("zoom-span").after(copyMenu(() => this.copied()));
  }

  show(rows, isCompared) {
    this.rows = rows;
    this.columns = isCompared ? COMPARED : COLUMNS;
    if (!(this.by in this.columns)) this.by = isCompared ? "change" : "total";
    renew($("columns"), Object.keys(this.columns).map((column) => this.heading(column)));
    const { of = (r) => r[this.by] } = this.columns[this.by], sign = this.down ? -1 : 1;
    this.sorted = rows.slice().sort((a, b) => {
      const x = of(a) ?? -1, y = of(b) ?? -1;
      return (x < y ? -1 : x > y ? 1 : 0) * sign || b.total - a.total;
    });
    const shown = this.sorted.slice(0, MOST_ROWS), forms = formsInTable(shown.map((row) => row.title));
    renew($("table"), shown.map((row) => this.line({ ...row, form: forms.get(row.title) })));
    const more = rows.length - Math.min(rows.length, MOST_ROWS) + (rows.more || 0);
    $("more").textContent = [
      rows.length ? "" : this.app.nothingHere(),
      more ? `${count(more)} more ${more === 1 ? "name" : "names"}` : "",
      rows.isRough ? "\u2248 Short ranges are merged; zoom in for exact values" : "",
    ].filter(Boolean).join("; ");
  }

  heading(column) {
    const isBy = column === this.by, { title, isWide } = this.columns[column];
    const arrow = element("span", { "aria-hidden": "true" }, isBy ? (this.down ? " \u25be" : " \u25b4") : "");
    const button = link(() => {
      this.down = isBy ? !this.down : column !== "name";
      this.by = column;
      this.show(this.rows, this.app.sides.length > 1);
    }, title, arrow);
    const order = isBy ? (this.down ? "descending" : "ascending") : "none";
    const th = element("th", { scope: "col", "aria-sort": order, className: isWide ? "wide" : "" }, button);
    th.dataset.name = column;
    return th;
  }

  line(row) {
    const first = nameButton(row, () => this.app.selectName(row.label));
    const tr = element("tr", {}, element("td", {}, first), ...Object.values(this.columns).slice(1)
      .map(({ isWide, say }) => element("td", { className: isWide ? "wide" : "" }, say(row))));
    tr.dataset.name = row.label;
    if (this.columns === COMPARED) tr.lastChild.className = row.effect > 0 ? "more" : row.effect < 0 ? "less" : "";
    return tr;
  }

  // All rows that the source sent, times in ns.
  copied() {
    const figures = Object.entries(this.columns).slice(1).flatMap(([column, { title, figures: own }]) =>
      Object.entries(own || { [`${title} (ns)`]: (row) => row[column] }));
    const number = (value) => (value == null ? "" : Math.round(value));
    return {
      heads: ["Name", "Domain", ...figures.map(([head]) => head)],
      rows: this.sorted.map((row) => [row.message, row.domain, ...figures.map(([, of]) => number(of(row)))]),
    };
  }
}
