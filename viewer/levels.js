// levels.js - the table of the counters on screen, below the totals and of the same time.
import { $, element, link, nameParts, renew, swatch } from "./elements.js";
import { count, moment, number, quantity, rounded } from "./text.js";

const HEADS = { Counter: "", Min: "", Mean: "", Max: "", Samples: "wide" }; // and their classes

// The whole label and the exact values are in tips: names that differ at their ends get the room.
function lineOf(app, { side, row, n, least, mean, most, at, leastAt, isRough }) {
  const { unit, name } = side.about.rows[row], label = side.rowLabel(row), exactly = (value) => quantity(value, unit, number);
  const { title, domain } = side.nameIn(name, false), of = [side.processOf(row), domain].filter(Boolean).join(", ");
  const to = (value, ns, which) => Object.assign(link(() => app.lookAt(side, ns, `${label}: ${which} ${exactly(value)}, at ${moment(ns)}`),
    quantity(value, unit, rounded)), { title: `${exactly(value)}\nGo to it, at ${moment(ns)}` });
  const cells = [
    element("span", { className: "name", title: label }, swatch(side.rgb[name]), ...nameParts(title),
      ...(of ? [element("span", { className: "domain" }, of)] : [])),
    to(least, leastAt, "least"), element("span", { title: exactly(mean) }, (isRough ? "\u2248 " : "") + quantity(mean, unit, rounded)),
    to(most, at, "most"), count(n)];
  return element("tr", {}, ...Object.values(HEADS).map((className, k) => element("td", { className }, cells[k])));
}

// `spanOf(side)` is that time.
export async function showLevels(app, spanOf) {
  const found = await Promise.all(app.timelines.map(async ({ picture, side }) => {
    const rows = picture.drawn.filter(({ place: { kind, row } }) => kind === "counter" && (app.spanRows?.includes(row) ?? true))
      .map(({ place }) => place.row);
    const levels = rows.length ? await side.source.counters({ ...spanOf(side), rows: [...new Set(rows)] }) : [];
    return levels.map((level) => ({ ...level, side }));
  }));
  const lines = found.flat().map((level) => lineOf(app, level)), box = $("levels");
  const heads = Object.entries(HEADS).map(([text, className]) => element("th", { scope: "col", className }, text));
  box.hidden = !lines.length;
  renew(box, lines.length ? [element("h2", {}, "Counters"), element("table", { "aria-label": "Counters" },
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines))] : []);
}
