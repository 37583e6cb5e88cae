// states.js - when threads were on a processor, preempted or blocked: a strip above the rows of each,
// the tip there, and the words of the panel.
//
//   strip  ____________####....____    its height is divided as the time of a pixel is:
//          ####____########....####    # on a processor, . preempted, _ blocked
import { $, element, headOf, renew } from "./elements.js";
import { duration, percent } from "./text.js";
import { firstAt } from "./tiles.js";

export const STATE_WORDS = { on: "on a processor", preempted: "preempted", blocked: "blocked" };
const STATES = Object.keys(STATE_WORDS); // from the lower edge of a strip
const LAYERS = 4; // lines of a strip, one above the other

export const WHAT = "On a processor: it computed. Preempted: it could have gone on, but others had the processor. " +
  "Blocked: it waited for something else, and then, perhaps, to get a processor again. " +
  "Unknown: switches were lost or not recorded.";

// An item of a tile, {start, end, on, preempted, blocked}, in ns.
function splitIn(tile, i) {
  return { start: tile.start[i], end: tile.start[i + 1] ?? tile.end,
    ...Object.fromEntries(STATES.map((state) => [state, tile[state]?.[i] || 0])) };
}

function unknownOf({ start, end, on, preempted, blocked }) { return end - start - on - preempted - blocked; }

// By row: the whole of a span as one item. Those of which nothing is known are left out.
export async function splitsOf(source, span, rows) {
  const tiles = rows.length ? await source.states({ ...span, pixels: 1, rows }) : [];
  return new Map(tiles.filter((tile) => STATES.some((state) => tile[state])).map((tile) => [tile.row, splitIn(tile, 0)]));
}

// "on a processor 3.1 ms, preempted 0, blocked 1.2 ms"
export function splitText(item) {
  const unknown = unknownOf(item), text = (ns) => (ns ? duration(ns) : "0");
  return [...STATES.map((state) => `${STATE_WORDS[state]} ${text(item[state])}`),
    ...(unknown ? [`unknown ${text(unknown)}`] : [])].join(", ");
}

// "on a processor 62 %, blocked 38 %"
export function sharesText(item) {
  const all = item.end - item.start, parts = [...STATES.map((state) => [STATE_WORDS[state], item[state]]), ["unknown", unknownOf(item)]];
  return parts.filter(([, ns]) => ns).map(([word, ns]) => (ns === all ? word : `${word} ${percent(ns / all)}`)).join(", ");
}

// That of a strip at a time, if any is known.
export function stateAt(pieces, t) {
  for (const { tile, from, to } of pieces) {
    const i = t >= from && t < to ? tile.start.findLastIndex((start) => start <= t) : -1;
    const split = i >= 0 && splitIn(tile, i);
    if (split && unknownOf(split) < split.end - split.start) return split;
  }
  return null;
}

// Parts of three colors, as a pixel of an image.
function mixed(a, one, b, two, c, three) {
  const all = a + b + c, part = (shift) => ((one >> shift & 255) * a + (two >> shift & 255) * b + (three >> shift & 255) * c) / all;
  return (Math.round(all * 255) << 24 | part(0) << 16 | part(8) << 8 | part(16)) >>> 0;
}

export class Strips {
  constructor(picture) {
    this.picture = picture;
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
  }

  draw(c) {
    const { canvas, context, picture } = this, { view, ratio } = picture, width = Math.max(1, picture.width - view.left);
    const strips = picture.drawn.filter(({ place }) => place.kind === "states");
    if (!strips.length) return;
    const image = context.createImageData(Math.round(width * ratio), strips.length * LAYERS);
    this.pixels = new Uint32Array(image.data.buffer);
    this.shares = STATES.map(() => new Float32Array(image.width)); // of each column
    strips.forEach(({ pieces }, k) => {
      for (const shares of this.shares) shares.fill(0);
      for (const piece of pieces) this.addPiece(piece, image.width);
      this.color(k * LAYERS * image.width, image.width);
    });
    Object.assign(canvas, { width: image.width, height: image.height });
    context.putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    picture.inAreas(c, { x: view.left, width }, (_, area) => strips.forEach(({ place, y }, k) => {
      if (place.area === area) c.drawImage(canvas, 0, k * LAYERS, image.width, LAYERS, view.left, y, width, place.height);
    }));
  }

  addPiece({ tile, from, to }, width) {
    const { shares, picture: { view, side } } = this, zero = view.from - side.shift, scale = width / (view.to - view.from);
    const begin = Math.max(zero, from), finish = Math.min(view.to - side.shift, to), columns = STATES.map((state) => tile[state]);
    for (let i = Math.max(0, firstAt(tile, begin) - 1); i < tile.start.length && tile.start[i] < finish; i++) {
      const start = tile.start[i], end = tile.start[i + 1] ?? tile.end;
      const x0 = (Math.max(begin, start) - zero) * scale, x1 = Math.min((Math.min(finish, end) - zero) * scale, width);
      for (let x = Math.floor(x0); x < x1; x++) {
        const part = (Math.min(x1, x + 1) - Math.max(x0, x)) / (end - start);
        for (let k = 0; k < columns.length; k++) if (columns[k]) shares[k][x] += columns[k][i] * part;
      }
    }
  }

  // Stacks the shares of each column; what is unknown is transparent, above them.
  color(at, width) {
    const { pixels, shares: [on, preempted, blocked], picture: { color } } = this;
    for (let x = 0; x < width; x++) {
      const one = on[x] * LAYERS, two = one + preempted[x] * LAYERS, three = two + blocked[x] * LAYERS;
      for (let layer = 0; layer < three && layer < LAYERS; layer++) { // from the lower one
        const top = layer + 1, a = Math.min(top, Math.max(layer, one)), b = Math.min(top, Math.max(layer, two)), c = Math.min(top, three);
        pixels[at + (LAYERS - top) * width + x] = mixed(a - layer, color.on, b - a, color.preempted, c - b, color.blocked);
      }
    }
  }
}

function threadLine({ side, row, split }) {
  const all = split.end - split.start, label = side.rowLabel(row), process = side.processOf(row);
  const share = (ns) => element("span", { title: `${percent(ns / all)} of the time` }, ns ? duration(ns) : "0");
  const part = (className, text) => element("span", { className }, text), at = label.search(/\d*$/);
  const cells = [element("span", { className: "name", title: label }, part("head", label.slice(0, at)), part("tail", label.slice(at)),
    ...(process ? [element("span", { className: "domain" }, process)] : [])),
  ...STATES.map((state) => share(split[state])), share(unknownOf(split))];
  return element("tr", {}, ...cells.map((cell, k) => element("td", { className: k > STATES.length ? "wide" : "" }, cell)));
}

// A table of the threads on screen, below the totals and of the same time, spanOf(side).
export async function showStates(app, spanOf) {
  const found = await Promise.all(app.timelines.map(async ({ picture, side }) => {
    const { rows: chosen, ...span } = spanOf(side), groupOf = (row) => side.about.rows[row].group;
    const groups = chosen && new Set(chosen.map(groupOf));
    const rows = [...new Set(picture.drawn.filter(({ place: { kind } }) => kind === "states").map(({ place }) => place.of))]
      .filter((row) => groups?.has(groupOf(row)) ?? true);
    return [...await splitsOf(side.source, span, rows)].map(([row, split]) => ({ side, row, split }));
  }));
  const lines = found.flat().map(threadLine), box = $("states"), head = headOf(["Thread", "On CPU", "Preempted", "Blocked", "Unknown"]);
  const [, ...heads] = head.querySelectorAll("th");
  heads.pop().className = "wide";
  heads.forEach((each, k) => each.prepend(element("i", { className: `swatch ${STATES[k]}` })));
  box.hidden = !lines.length;
  renew(box, lines.length ? [element("h2", { title: WHAT }, "Threads"), element("table", { "aria-label": "Threads on processors" },
    head, element("tbody", {}, ...lines))] : []);
}
