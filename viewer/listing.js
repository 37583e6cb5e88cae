// listing.js - shows the items on screen as a table, for those who cannot see them.
import { valueText } from "./counters.js";
import { element, headOf, nameButton, renew } from "./elements.js";
import { count, duration, moment } from "./text.js";
import { itemOf } from "./tiles.js";

const MOST = 500;

function kindOf(row, item) {
  if (row.kind === "m") return item.n > 1 ? `${count(item.n)} marks` : "mark";
  if (row.kind === "c") return item.n > 1 ? `${count(item.n)} samples` : "sample";
  if (item.n > 1) return `${count(item.n)} ranges, named after the longest`;
  if (row.kind === "a") return "call of CUDA";
  if (row.kind === "r") return "range, on its stream";
  return item.isOpen ? "open range" : row.kind === "s" ? "start/end range" : `range, level ${row.level}`;
}

function lengthOf({ start, end, n, covered }) {
  const length = duration(end - start);
  return n > 1 && covered !== null ? `${duration(covered)} within ${length}` : length;
}

async function itemsOf(app, side) {
  const { view, filter } = app, rows = [];
  const from = view.from - side.shift, to = view.to - side.shift;
  for (const { place } of app.pictureOf(side).drawn) {
    if (place.kind === "folded") rows.push(...place.rows);
    else if (place.row !== undefined) rows.push(place.row);
  }
  const tiles = await side.source.tile({ from, to, pixels: 200, rows: [...new Set(rows)], filter });
  return tiles.flatMap((tile) => Array.from(tile.start, (start, i) => ({
    side, ...itemOf(tile, i), covered: tile.covered ? tile.covered[i] : null,
  }))).filter(({ start, end }) => start < to && end >= from);
}

function line(app, item, key) {
  const { side } = item, row = side.about.rows[item.row];
  const isPlace = item.n > 1 || row.kind === "c";
  const name = nameButton(side.nameIn(item.name), () => (isPlace ? app.fill(item) : app.pick(item)));
  name.dataset.name = key;
  const length = row.kind === "c" ? valueText(item, row.unit)
    : row.kind === "m" ? "" : lengthOf(item);
  return element("tr", {}, element("td", {}, name), element("td", {}, kindOf(row, item)),
    element("td", {}, moment(item.start)), element("td", {}, length),
    element("td", {}, side.rowLabel(item.row)),
    ...(app.sides.length > 1 ? [element("td", {}, side.about.title)] : []));
}

// Several items of a row can begin at the same time, so that their keys are numbered.
function linesOf(app, items) {
  const seen = new Map();
  return items.map((item) => {
    const place = `${app.sides.indexOf(item.side)}/${item.row}/${item.start}`;
    const nth = seen.get(place) || 0;
    seen.set(place, nth + 1);
    return line(app, item, `${place}/${nth}`);
  });
}

export async function showListing(app, box) {
  const found = (await Promise.all(app.sides.map((side) => itemsOf(app, side)))).flat();
  found.sort((a, b) => a.start + a.side.shift - b.start - b.side.shift);
  const heads = ["Name", "What", "Start", "Duration or value", "Thread"];
  if (app.sides.length > 1) heads.push("Trace");
  const all = count(found.length);
  renew(box, [
    element("p", {}, found.length > MOST ? `The first ${MOST} of ${all} items on screen: zoom in to see more.`
      : `${all} items on screen.`),
    element("table", { "aria-label": "Items on screen" }, headOf(heads), element("tbody", {}, ...linesOf(app, found.slice(0, MOST))))], true);
}
