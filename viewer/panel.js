// panel.js - the panel beside the picture: details of the selection, and the table of sums by name
// of the span or of the time on screen, sorted by a column.
import { $, element, nameButton, refill, renew, swatch } from "./elements.js";
import { count, duration, moment, visible } from "./text.js";

const MOST_ROWS = 200, MOST_CHILDREN = 12;

// --- The table --------------------------------------------------------------------------

const COLUMNS = {
  name: { title: "Name" }, total: { title: "Total", say: (r) => duration(r.total) },
  self: { title: "Self", say: (r) => duration(Math.max(0, r.self)) },
  calls: { title: "Calls", say: (r) => count(r.calls) },
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

export class Sums {
  constructor(app) {
    this.app = app;
    this.by = "total";
    this.down = true;
    this.rows = [];
  }

  show(rows, isCompared) {
    this.rows = rows;
    const columns = isCompared ? ["name", "before", "other", "change"] : ["name", "total", "self", "calls"];
    if (!columns.includes(this.by)) this.by = isCompared ? "change" : "total";
    renew($("columns"), columns.map((column) => this.heading(column)));
    const known = (total) => (typeof total === "number" ? total : -1);
    const value = (r) => (column === "name" ? r.title
      : column === "change" ? (r.change === null ? -1 : Math.abs(r.change))
        : known(column === "before" ? r.total : r[column]));
    const column = this.by, sign = this.down ? -1 : 1;
    const sorted = rows.slice().sort((a, b) => {
      const x = value(a), y = value(b);
      return (x < y ? -1 : x > y ? 1 : 0) * sign || known(b.total) - known(a.total);
    });
    renew($("table"), sorted.slice(0, MOST_ROWS).map((row) => this.line(row, columns)));
    const more = rows.length - Math.min(rows.length, MOST_ROWS) + (rows.more || 0);
    $("more").textContent = [
      rows.length ? "" : this.app.nothingHere(),
      more ? `${count(more)} more ${more === 1 ? "name" : "names"}` : "",
      rows.isRough ? "\u2248 Short ranges are merged; zoom in for exact values" : "",
    ].filter(Boolean).join("; ");
  }

  heading(column) {
    const isBy = column === this.by, { title } = COLUMNS[column];
    const arrow = isBy ? (this.down ? " \u25be" : " \u25b4") : "";
    const button = element("button", { className: "link" }, title, arrow);
    button.onclick = () => {
      this.down = isBy ? !this.down : column !== "name";
      this.by = column;
      this.show(this.rows, this.app.sides.length > 1);
    };
    const order = isBy ? (this.down ? "descending" : "ascending") : "none";
    const th = element("th", { scope: "col", "aria-sort": order }, button);
    th.dataset.name = column;
    return th;
  }

  line(row, columns) {
    const first = nameButton(row, true);
    first.onclick = () => this.app.selectName(row.label);
    const tr = element("tr", {}, element("td", {}, first),
      ...columns.slice(1).map((column) => element("td", {}, COLUMNS[column].say(row))));
    tr.dataset.name = row.label;
    if ("change" in row) tr.lastChild.className = row.change > 0 ? "more" : row.change < 0 ? "less" : "";
    return tr;
  }
}

// --- The selection ----------------------------------------------------------------------

// A payload as an element: its value, or a list of its fields.
function valueOf(value) {
  if (value === null || typeof value !== "object") return document.createTextNode(visible(String(value)));
  const list = element("dl", { className: "fields" });
  for (const [key, each] of Object.entries(value)) {
    list.append(element("dt", {}, key), element("dd", {}, valueOf(each)));
  }
  return list;
}

function histogram({ histogram: bars, median }, length) {
  const width = 300, height = 56, most = Math.max(1, ...bars.map((bar) => bar.n));
  const svg = (tag, properties) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
    return made;
  };
  const made = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img",
    "aria-label": bars.map((bar) => `${duration(bar.from)} to ${duration(bar.to)}: ${bar.n}`).join("; ") });
  const step = width / Math.max(1, bars.length);
  bars.forEach((bar, i) => {
    const tall = bar.n ? Math.max(2, bar.n / most * (height - 2)) : 0;
    const isOwn = (i === 0 || length >= bar.from) && (length < bar.to || i === bars.length - 1);
    const box = svg("rect", { x: i * step, y: height - tall, width: Math.max(1, step - 1), height: tall,
      class: isOwn ? "own" : "" });
    box.append(svg("title", {}));
    box.lastChild.textContent = `${duration(bar.from)} to ${duration(bar.to)}: ${count(bar.n)}`;
    made.append(box);
  });
  return element("figure", {}, made, element("figcaption", {},
    element("span", {}, duration(bars[0].from)), element("span", {}, `median ${duration(median)}`),
    element("span", {}, duration(bars[bars.length - 1].to))));
}

export class Details {
  constructor(app) {
    this.app = app;
  }

  async show(item) {
    const box = $("details"), asked = this.asked = {};
    if (!item && box.contains(document.activeElement)) this.app.current.canvas.focus();
    box.hidden = !item;
    if (!item) return;
    const { side } = item, { source } = side;
    const [about, spread] = await Promise.all([
      source.details({ row: item.row, start: item.start, tie: item.tie }), source.instances({ name: item.name })]);
    if (asked !== this.asked) return; // another was selected meanwhile
    if (!about) {
      box.hidden = true;
      return;
    }
    if (item.end !== about.end) this.app.redrawOver(); // the trace has grown
    Object.assign(item, { end: about.end, isOpen: about.isOpen, occurrence: about.occurrence || 1 });
    const isMark = side.about.rows[item.row].kind === "m";
    const parts = [this.heading(item), this.list(item, about, spread, isMark)];
    if (!isMark && spread.n > 1) parts.push(histogram(spread, about.end - about.start));
    parts.push(this.relatives(side, "Parents", about.parents || []),
      this.relatives(side, "Children", about.children || []));
    // Buttons act on their item, so that the old ones may stay only if it is the same item.
    const shown = parts.filter(Boolean);
    if (this.item === item) renew(box, shown);
    else refill(box, ...shown);
    this.item = item;
  }

  heading(item) {
    const { app } = this, { side } = item;
    const button = (text, title, act) => {
      const made = element("button", { title }, text);
      made.onclick = act;
      return made;
    };
    const tools = element("div", { className: "row" },
      button("\u25c0", "Previous occurrence (P)", () => app.neighbour(-1)),
      button("\u25b6", "Next occurrence (N)", () => app.neighbour(1)),
      button("Zoom", "Zoom to this range (F)", () => app.fill(item)),
      button("Select time", "Select the time of this range (X)", () => app.spanOver(item)),
      button("\u00d7", "Clear selection (Esc)", () => app.select(null)));
    if (app.sides.length > 1) {
      tools.prepend(button("Align", "Align both traces here", () => app.alignAt(item)));
    }
    return element("div", {}, element("h2", {}, swatch(side.rgb[item.name]), side.titles[item.name]), tools);
  }

  list(item, about, spread, isMark) {
    const { side } = item, list = element("dl");
    const say = (term, ...what) => list.append(element("dt", {}, term), element("dd", {}, ...what));
    const { domain } = side.about.names[item.name];
    if (domain) say("Domain", visible(domain));
    say("Start", moment(about.start));
    if (!isMark) {
      const length = duration(about.end - about.start), { n = 1, covered } = about;
      if (n > 1) {
        say("Ranges", `${count(n)} ranges merged, named after the longest`);
        say("Duration", `${duration(covered)} in total, within ${length}`);
      } else {
        say("Duration", about.isOpen ? `Not closed; at least ${length}` : length);
      }
    }
    if (!isMark && spread.n > 1) {
      say("Occurrences", count(spread.n));
      say("Min, median", `${duration(spread.min)}, ${duration(spread.median)}`);
      say("p95, max", `${duration(spread.p95)}, ${duration(spread.max)}`);
    }
    say("Thread", side.rowLabel(item.row));
    const isThere = (value) => value !== null && value !== undefined;
    if (isThere(about.endThread)) say("Ended on", side.threadLabel(about.endThread));
    if (isThere(about.category)) say("Category", visible(about.category));
    if (isThere(about.value)) say("Payload", String(about.value));
    for (const payload of about.payloads || []) {
      say(payload.schema || "Payload", valueOf("value" in payload ? payload.value : payload));
    }
    return list;
  }

  relatives(side, title, list) {
    if (!list.length) return null;
    const made = element("ol", {});
    for (const each of list.slice(0, MOST_CHILDREN)) {
      const button = nameButton(side.nameIn(each.name), true);
      button.onclick = () => this.app.select({ side, ...each });
      made.append(element("li", {}, button, element("span", {}, duration(each.end - each.start))));
    }
    const more = list.length > MOST_CHILDREN ? `: ${MOST_CHILDREN} of ${count(list.length)}` : "";
    return element("div", { className: "relatives" }, element("h3", {}, title + more), made);
  }
}
