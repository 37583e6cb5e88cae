// draw.js - draws one trace on a canvas: rows of ranges, marks, and counters. Ranges that are
// narrower than a pixel are merged into a bar whose opacity is the share of time that they cover;
// none is omitted.
//
//   +--------+---------------------------+
//   |        | axis                      |  AXIS
//   | labels | rows                      |
//   +--------+---------------------------+
//     view.left
import { FONT, axis, count, cut, duration, hex, inkOn, visible } from "./text.js";
import { counterLabel, drawCounter, sampleNear, valueAt } from "./counters.js";
import { Lines } from "./lines.js";
import { filterOf, firstPlace } from "./rows.js";
import { firstAt, isOpenAt, itemOf } from "./tiles.js";

export const AXIS = 26;
const BAR = 17; // pixels of a row's height
const WIDEST_CROWD = 1.5; // pixels; wider ranges are separated from the next
const NEAR = 4; // pixels within which the pointer finds an item
const LEAST_COUNTED = 60; // pixels; wider merged items show how many ranges they are

// The distance of ticks in ns: 1, 2 or 5 times a power of 10, and at least 110 pixels.
function step(span, pixels) {
  const least = span / Math.max(1, pixels) * 110;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((each) => each >= least));
}

export class Picture {
  // `title` is empty unless the page compares two traces.
  constructor(canvas, side, view, title) {
    Object.assign(this, { canvas, side, view, title });
    this.lines = new Lines();
    this.texts = new Map(); // a cache: text -> {shown: as printed, width}
    this.top = this.width = this.height = 0;
    this.drawn = [];
    this.recolor();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.ratio = ratio;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
  }

  recolor() {
    const css = getComputedStyle(document.documentElement);
    this.color = {};
    for (const name of ["paper", "ink", "faint", "line", "band", "accent", "window", "warn"]) {
      this.color[name] = css.getPropertyValue(`--${name}`).trim();
    }
  }

  scroll(by) {
    const most = Math.max(0, this.side.layout.height - this.height + AXIS + 8);
    this.top = Math.min(most, Math.max(0, this.top + by));
  }

  x(ns) { return this.view.x(ns + this.side.shift); }
  time(x) { return this.view.time(x) - this.side.shift; }

  // Where ranges never closed end in the picture, with a torn edge: behind the last event, in the
  // margin of the view.
  get openUntil() { return this.side.about.last + this.view.margin; }

  // `shown` is the state of the application: {selected, hovered, span, ruler, find, isWanted}.
  // `find` is the text of the search; isWanted[name] is 1 if a name contains it.
  draw(shown) {
    const c = this.canvas.getContext("2d", { alpha: false }), { side, view } = this;
    this.shown = shown;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.color.paper;
    c.fillRect(0, 0, this.width, this.height);
    c.font = FONT;
    c.textBaseline = "middle";
    c.textAlign = "left";
    side.tiles.begin(view.from - side.shift, view.to - side.shift, view.pixel / this.ratio);
    this.drawWindows(c);
    this.drawGrid(c);
    this.collect();
    this.drawLines(c);
    this.clipped(c, () => {
      c.fillStyle = this.color.line;
      for (const { place, y } of this.drawn) {
        if (place.kind === "group") c.fillRect(0, Math.round(y) - 1, this.width, 1);
      }
      for (const drawn of this.drawn) this.drawOver(c, drawn);
      this.drawGaps(c);
    });
    this.drawLabels(c);
    this.drawSpan(c);
    this.drawAxis(c);
    this.drawRuler(c);
    side.tiles.fetch();
  }

  clipped(c, draw) {
    c.save();
    c.beginPath();
    c.rect(this.view.left, AXIS, this.width - this.view.left, this.height);
    c.clip();
    draw();
    c.restore();
  }

  // Collects the places on screen, each with the tiles that are available: {place, y, pieces,
  // hits}. `hits` are the tiles of only the items that match the search, or null.
  collect() {
    const { places } = this.side.layout, bottom = this.top + this.height - AXIS;
    this.drawn = [];
    for (let k = firstPlace(places, this.top); k < places.length && places[k].y < bottom; k++) {
      const place = places[k], pieces = [];
      let hits = null;
      const row = place.kind === "group" ? this.summaryOf(place) : place.row;
      if (row !== undefined) {
        const filter = place.kind === "group" ? place.group.filter : place.filter;
        this.side.tiles.each(row, filter, (tile, from, to) => pieces.push({ tile, from, to }));
        const found = place.kind === "counter" ? null : this.filterOfHits(filter);
        if (found) {
          hits = [];
          this.side.tiles.each(row, found, (tile, from, to) => hits.push({ tile, from, to }));
        }
      }
      this.drawn.push({ place, y: place.y - this.top + AXIS, pieces, hits });
    }
  }

  // The filter that selects the hits of a search. The source has to find them, because a merged
  // item has only the name of its longest range. A filter contains one text: if the user already
  // filters by name, the result is null, and items are hits by the names that they have.
  filterOfHits(filter) {
    const { find, isWanted } = this.shown;
    return isWanted && find && !(filter && filter.name) ? filterOf({ ...filter, name: find }) : null;
  }

  // The row to draw beside the name of a group: its marks or, if it is folded, its first row.
  summaryOf({ group, isFolded }) {
    if (group.marks !== undefined) return group.marks;
    return isFolded && group.rows ? group.rows[0] : undefined;
  }

  // --- Ranges ---------------------------------------------------------------------------

  drawLines(c) {
    const { view, lines } = this, { about } = this.side;
    const left = view.left, width = Math.max(1, this.width - left);
    const rows = this.drawn.filter(({ place, pieces }) => pieces.length && (place.kind === "row" ||
      (place.kind === "group" && about.rows[pieces[0].tile.row].kind !== "m")) &&
      about.rows[pieces[0].tile.row].kind !== "c");
    lines.begin(Math.round(width * this.ratio), rows.length);
    rows.forEach((drawn) => {
      lines.next();
      drawn.labels = [];
      const mayBeHit = (isCrowd) => !(isCrowd && drawn.hits);
      for (const piece of drawn.pieces) this.addPiece(piece, drawn.labels, mayBeHit);
      for (const piece of drawn.hits || []) this.addPiece(piece, []);
      lines.end(this.shown.isWanted ? 0.15 : undefined);
    });
    lines.put();
    c.imageSmoothingEnabled = false;
    rows.forEach(({ place, y }, k) => {
      const height = place.kind === "group" ? 8 : BAR;
      const at = y + (place.height - height) / 2;
      const top = Math.max(AXIS, at);
      if (at + height > top) lines.draw(c, k, left, top, width, at + height - top);
    });
  }

  // Adds the items of a tile to the current line. mayBeHit(isCrowd) says whether an item is a hit
  // because its name is one: not a merged item if tiles of hits are drawn over it.
  addPiece({ tile, from, to }, labels, mayBeHit = () => true) {
    const { view, lines, side } = this, { isWanted } = this.shown, { ratio } = this;
    const begin = Math.max(view.from - side.shift, from), finish = Math.min(view.to - side.shift, to);
    const scale = lines.width / (view.to - view.from), zero = view.from - side.shift;
    const { start, end, name, n, covered, isOpen } = tile, isMark = !end, { openUntil } = this;
    const edge = 0.9 * ratio, right = view.to - side.shift;
    for (let i = Math.max(0, firstAt(tile, begin) - 1); i < start.length && start[i] < finish; i++) {
      let stop = isMark ? start[i] : end[i];
      const isCrowd = n !== undefined && n[i] > 1;
      const isTorn = isOpen !== undefined && isOpen[i] === 1 && !isCrowd && stop <= finish;
      if (isTorn) stop = Math.min(right, Math.max(stop, openUntil));
      if (stop < begin) continue;
      const x0 = (Math.max(start[i], begin) - zero) * scale;
      const x1 = (isTorn ? stop - zero : Math.min(stop, finish) - zero) * scale;
      // A range that continues in the next piece has its whole length here.
      const length = stop <= finish ? x1 - x0 : (Math.min(stop, right) - zero) * scale - x0;
      const own = side.colorOf(tile, i);
      // A range that begins in an earlier piece is labeled there if that piece is on screen.
      const isFirst = start[i] >= from || begin > from;
      const isHit = Boolean(isWanted && isWanted[name[i]] && mayBeHit(isCrowd));
      let weight = isWanted && !isHit ? 0.18 : 1;
      if ((length <= WIDEST_CROWD * ratio && !isTorn) || isCrowd) {
        if (covered && stop > start[i]) weight *= Math.max(0.05, Math.min(1, covered[i] / (stop - start[i])));
        lines.add(x0, x1, own, weight, isHit);
        if (isCrowd && isFirst && length > LEAST_COUNTED * ratio) labels.push([tile, i, own, weight]);
        continue;
      }
      // Space at the right edge separates a range from the next one.
      const hasEdge = !isTorn && stop <= finish;
      lines.add(x0, hasEdge ? Math.max(x0 + 1, x1 - Math.min(edge, length / 4)) : x1, own, weight, isHit);
      if ((length > 22 * ratio && isFirst) || isTorn) labels.push([tile, i, own, weight]);
    }
  }

  // Draws over the bars of a place: names, torn ends, the frame of the selection; marks; a counter.
  drawOver(c, { place, y, pieces, hits, labels }) {
    const kind = place.kind === "group" && pieces.length ? this.side.about.rows[pieces[0].tile.row].kind : "";
    if (place.kind === "counter") this.drawPlot(c, place, y, pieces);
    else if (kind === "m" || (place.kind === "row" && place.about.kind === "m")) {
      this.drawMarks(c, pieces, y + place.height / 2);
      if (hits) this.drawMarks(c, hits, y + place.height / 2);
    } else if (place.kind === "row") {
      for (const [tile, i, color, weight] of labels || []) this.drawName(c, tile, i, color, weight, y);
      this.drawBoxes(c, place, y);
    }
  }

  drawName(c, tile, i, color, weight, y) {
    const { view } = this, item = itemOf(tile, i), isOpen = isOpenAt(tile, i);
    const from = Math.max(view.left, this.x(item.start));
    const to = Math.min(this.width, this.x(isOpen ? this.openUntil : item.end));
    c.fillStyle = weight > 0.6 ? inkOn(color) : item.n > 1 ? this.color.ink : this.color.faint;
    let room = to - from - 8;
    if (isOpen) {
      this.tear(c, to, y);
      const before = i > 0 ? Math.max(view.left, this.x(tile.end[i - 1])) : view.left;
      this.drawOpen(c, this.side.labels[item.name], { from, before, room: room - 6, y: y + 10.5 });
      return;
    }
    if (item.endThread !== null && item.end <= view.to - this.side.shift) {
      const ends = this.fit(c, `\u2192 ${this.side.threadLabel(item.endThread)}`, room / 2);
      if (ends.length > 2) {
        c.textAlign = "right";
        c.fillText(ends, to - 5, y + 10.5);
        c.textAlign = "left";
        room -= c.measureText(ends).width + 8;
      }
    }
    const label = item.n > 1 ? `${count(item.n)} ranges` : this.side.labels[item.name];
    const text = this.fit(c, label, room);
    if (text) c.fillText(text, from + 4, y + 10.5, room + 4);
  }

  // Labels a range as open, without its name if that does not fit, or to the left of it. `before`
  // is where the previous range ends.
  drawOpen(c, name, { from, before, room, y }) {
    const word = " (open)", short = this.fit(c, name, room - c.measureText(word).width);
    if (short || this.fit(c, "open", room) === "open") {
      c.fillText(short ? short + word : "open", from + 4, y);
    } else if (from - before > c.measureText("open").width + 8) {
      c.fillStyle = this.color.faint;
      c.textAlign = "right";
      c.fillText("open", from - 4, y);
      c.textAlign = "left";
    }
  }

  // As much of a text as fits, with an ellipsis; "" if only two characters or fewer do.
  fit(c, text, room) {
    let known = this.texts.get(text);
    if (!known) {
      if (this.texts.size > 20000) this.texts.clear();
      const shown = visible(text);
      this.texts.set(text, known = { shown, width: c.measureText(cut(shown, 400)).width });
    }
    const { shown, width } = known;
    if (width <= room) return shown;
    const n = Math.floor(Math.min(400, shown.length) * (room - 7) / width) - 1;
    return n < 2 ? "" : `${cut(shown, n)}\u2026`;
  }

  // Draws a jagged edge at the end of a range never closed, whose end is unknown.
  tear(c, x, y) {
    const ink = c.fillStyle;
    c.fillStyle = this.color.paper;
    c.beginPath();
    for (let k = 0; k < 4; k++) {
      c.moveTo(x + 1, y + 1 + k * 4.5);
      c.lineTo(x - 5, y + 3.25 + k * 4.5);
      c.lineTo(x + 1, y + 5.5 + k * 4.5);
    }
    c.fill();
    c.fillStyle = ink;
  }

  drawBoxes(c, place, y) {
    const { selected, hovered } = this.shown;
    for (const [item, width, color] of [[hovered, 1, this.color.ink], [selected, 2, this.color.ink]]) {
      if (!item || item.side !== this.side || item.row !== place.row) continue;
      const from = Math.max(this.view.left - 3, this.x(item.start));
      const end = this.x(item.isOpen ? this.openUntil : item.end);
      const to = Math.min(this.width + 3, Math.max(from + 3, end));
      c.strokeStyle = color;
      c.lineWidth = width;
      c.strokeRect(from - 0.5, y + 1, to - from, BAR + 1);
    }
  }

  // --- Marks and counters ---------------------------------------------------------------

  drawMarks(c, pieces, y) {
    const { selected, isWanted } = this.shown, { side } = this;
    let last = -99;
    for (const { tile, from, to } of pieces) {
      for (let i = firstAt(tile, Math.max(from, this.time(this.view.left - 8))); i < tile.start.length; i++) {
        if (tile.start[i] >= to) break;
        const x = this.x(tile.start[i]);
        if (x > this.width + 6) break;
        const isAlone = x - last > 7 && (!tile.n || tile.n[i] === 1);
        const isSelected = selected && selected.side === side &&
          selected.row === tile.row && selected.start === tile.start[i];
        c.globalAlpha = isWanted && !isWanted[tile.name[i]] ? 0.2 : 1;
        c.fillStyle = hex(side.colorOf(tile, i));
        if (!isAlone && !isSelected) {
          if (x - last >= 1) c.fillRect(x - 0.5, y - 5, 1, 10); // a crowd
        } else {
          this.diamond(c, x, y, isSelected);
        }
        c.globalAlpha = 1;
        last = x;
      }
    }
  }

  diamond(c, x, y, isSelected) {
    c.beginPath();
    c.moveTo(x, y - 5);
    c.lineTo(x + 4.5, y);
    c.lineTo(x, y + 5);
    c.lineTo(x - 4.5, y);
    c.closePath();
    c.fill();
    if (!isSelected) return;
    c.strokeStyle = this.color.ink;
    c.lineWidth = 2;
    c.stroke();
  }

  drawPlot(c, place, y, pieces) {
    drawCounter(c, {
      pieces, row: place.about, color: this.side.rgb[place.about.name], view: this.view,
      shift: this.side.shift, y, height: place.height, last: this.side.about.last,
    });
  }

  // --- Background, axis, labels, ruler ----------------------------------------------------

  // Shades the capture windows, unless one of them is the whole trace.
  drawWindows(c) {
    const { windows, first, last } = this.side.about, { left } = this.view;
    if (!windows.length) return;
    const shade = (from, to) => {
      const x = Math.max(left, this.x(from)), end = Math.min(this.width, this.x(to));
      if (end > x) c.fillRect(x, AXIS, end - x, this.height);
    };
    const isWhole = windows.length === 1 && windows[0][0] <= first && windows[0][1] >= last;
    if (isWhole) return;
    c.fillStyle = this.color.window;
    for (const [from, to] of windows) shade(from, to);
  }

  ticks() {
    const { from, to, width, left } = this.view, { shift } = this.side;
    const by = step(to - from, width - left), found = [];
    const first = Math.ceil((from - shift) / by) * by;
    for (let t = first; t <= to - shift && found.length < 99; t += by) found.push(t);
    return { by, found };
  }

  drawGrid(c) {
    c.fillStyle = this.color.line;
    for (const t of this.ticks().found) {
      const x = Math.round(this.x(t));
      if (x >= this.view.left) c.fillRect(x, AXIS, 1, this.height);
    }
  }

  drawAxis(c) {
    const { by, found } = this.ticks(), { left } = this.view;
    const { base, label } = axis(this.time(left), this.time(this.width), by);
    c.fillStyle = this.color.band;
    c.fillRect(0, 0, this.width, AXIS);
    c.fillStyle = this.color.line;
    c.fillRect(0, AXIS - 1, this.width, 1);
    c.fillStyle = this.color.faint;
    const measure = this.measureBox(c);
    for (const t of found) {
      const x = this.x(t), text = label(t), end = x + c.measureText(text).width + 6;
      const isHidden = measure && end > measure.at && x < measure.at + measure.wide;
      if (x >= left && end < this.width && !isHidden) c.fillText(text, x + 4, AXIS / 2);
      if (x >= left) c.fillRect(Math.round(x), AXIS - 7, 1, 6);
    }
    const length = duration(this.view.to - this.view.from);
    const shown = left < 120 ? length : `${length} shown`;
    if (this.title) {
      c.fillStyle = this.color.ink;
      c.font = `600 ${FONT}`;
    }
    c.fillText(this.fit(c, base || this.title || shown, left - 16), 10, AXIS / 2);
    c.font = FONT;
  }

  // The labels of rows. Those of groups are buttons over the canvas (timeline.js).
  drawLabels(c) {
    const room = this.view.left - 32;
    c.save();
    c.beginPath();
    c.rect(0, AXIS, this.view.left, this.height);
    c.clip();
    for (const { place, y, pieces } of this.drawn) {
      if (place.kind === "group") {
        c.fillStyle = this.color.line;
        c.fillRect(0, Math.round(y) - 1, this.width, 1);
        continue;
      }
      if (!place.label) continue;
      c.fillStyle = place.kind === "counter" ? this.color.ink : this.color.faint;
      c.fillText(this.fit(c, place.label, room), 24, y + (place.kind === "counter" ? 15 : 10.5));
      if (place.kind !== "counter") continue;
      c.fillStyle = this.color.faint;
      c.fillText(this.fit(c, counterLabel(place.about, pieces), room), 24, y + 31);
    }
    c.fillStyle = this.color.line;
    c.fillRect(this.view.left - 1, AXIS, 1, this.height);
    c.restore();
  }

  // Marks gaps with a dashed line through the rows of the thread.
  drawGaps(c) {
    const { gaps } = this.side.about;
    if (!gaps || !gaps.length) return;
    c.fillStyle = this.color.warn;
    const spans = new Map();
    for (const { place, y } of this.drawn) {
      if (place.kind !== "row") continue;
      const span = spans.get(place.about.thread) || [y, y];
      spans.set(place.about.thread, [Math.min(span[0], y), Math.max(span[1], y + place.height)]);
    }
    for (const [at, thread] of gaps) {
      const x = this.x(at), span = spans.get(thread);
      if (!span || x < this.view.left || x > this.width) continue;
      for (let y = span[0]; y < span[1]; y += 5) c.fillRect(x - 1, y, 2, 3);
    }
  }

  drawSpan(c) {
    if (!this.shown.span) return;
    const [from, to] = this.shown.span.map((t) => Math.max(this.view.left, this.view.x(t)));
    c.fillStyle = this.color.accent;
    c.globalAlpha = 0.13;
    c.fillRect(from, AXIS, to - from, this.height);
    c.globalAlpha = 1;
    c.fillRect(from, AXIS, 1, this.height);
    c.fillRect(to - 1, AXIS, 1, this.height);
  }

  // The box on the axis with the length of the ruler or the span; null without either.
  measureBox(c) {
    const { ruler, span } = this.shown, ends = ruler || span;
    if (!ends) return null;
    const [from, to] = [...ends].sort((a, b) => a - b).map((t) => this.view.x(t));
    const text = duration(Math.abs(ends[1] - ends[0])), wide = c.measureText(text).width + 12;
    const middle = (Math.max(from, this.view.left) + Math.min(to, this.width)) / 2;
    const at = Math.min(this.width - wide - 2, Math.max(this.view.left, middle - wide / 2));
    return { text, wide, at, from, to };
  }

  // Draws the ruler, or the length of the span, on the axis.
  drawRuler(c) {
    const { ruler } = this.shown, box = this.measureBox(c);
    if (!box) return;
    const { text, wide, at, from, to } = box;
    c.fillStyle = this.color.accent;
    if (ruler) {
      for (const x of [from, to]) if (x >= this.view.left) c.fillRect(Math.round(x), 0, 1, this.height);
    }
    const left = Math.max(from, this.view.left);
    c.fillRect(left, AXIS - 2, Math.max(1, to - left), 2);
    c.beginPath();
    c.roundRect(at, 4, wide, AXIS - 9, 4);
    c.fill();
    c.fillStyle = this.color.paper;
    c.fillText(text, at + 6, AXIS / 2 - 0.5);
  }

  // --- What is under the pointer --------------------------------------------------------

  placeAt(y) { return this.drawn.find((d) => y >= d.y && y < d.y + d.place.height); }

  // The item nearest to a point of the screen, {side, row, start, end, ...}, or null.
  at(x, y) {
    const found = x >= this.view.left && y >= AXIS ? this.placeAt(y) : null;
    if (!found) return null;
    const t = this.time(x), near = NEAR * this.view.pixel;
    const gap = this.gapAt(found.place, t, near);
    if (gap || !found.pieces.length) return gap;
    if (found.place.kind === "counter") return this.sampleAt(found, t, near);
    let best = null, distance = near;
    for (const { tile } of found.pieces) {
      for (let i = firstAt(tile, t + near) - 1, k = 0; i >= 0 && k < 12; i--, k++) {
        const end = isOpenAt(tile, i) ? this.openUntil : tile.end ? tile.end[i] : tile.start[i];
        const away = Math.max(0, tile.start[i] - t, t - end);
        if (away <= distance && (!best || away < distance)) {
          best = { side: this.side, ...itemOf(tile, i), kind: this.side.about.rows[tile.row].kind };
          distance = away;
        }
      }
    }
    return best;
  }

  // The gap of a row's thread near `t`, as an item of kind `g`, or null.
  gapAt(place, t, near) {
    const { gaps } = this.side.about;
    const gap = place.kind === "row" && gaps && gaps.find(([at, thread]) =>
      thread === place.about.thread && Math.abs(at - t) <= near);
    return gap ? { side: this.side, kind: "g", row: place.row, start: gap[0], end: gap[0], lost: gap[2], n: 1 }
      : null;
  }

  // A sample near `t` or, without one, an item with the value that applies between samples.
  sampleAt({ place, pieces }, t, near) {
    const piece = pieces.findLast(({ tile, from }) => from <= t && tile.start.length);
    if (!piece) return null;
    const i = sampleNear(piece.tile, t, near), { name, interpolation } = place.about;
    if (i !== undefined) return { side: this.side, ...itemOf(piece.tile, i), kind: "c" };
    const value = valueAt(piece.tile, t, interpolation);
    return value === undefined ? null
      : { side: this.side, kind: "c", row: place.row, name, start: t, end: t, n: 1, value };
  }

  // The time at a point of the screen; that of an edge of the range there if it is within 6 pixels.
  snap(x, y) {
    const item = this.at(x, y);
    if (!item || item.kind === "c" || item.kind === "g") return this.view.time(x);
    const edge = [item.start, item.end].find((t) => Math.abs(this.x(t) - x) <= 6);
    return edge === undefined ? this.view.time(x) : edge + this.side.shift;
  }
}
