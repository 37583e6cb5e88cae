// draw.js - draws one trace on a canvas: rows of ranges (bars.js), marks, counters, the axis, and
// the lines over them. Names of groups are buttons over the canvas (timeline.js).
//
//   | base   | axis                      |  axisHeight()
//   | labels | rows                      |
//            view.left
import { drawLinks } from "./arrows.js";
import { drawAxis, drawGrid, drawRuler, drawSpan } from "./axis.js";
import { Bars } from "./bars.js";
import { counterLabel, drawCounter, sampleNear, valueAt } from "./counters.js";
import { drawMarks } from "./marks.js";
import { contextOf } from "./elements.js";
import { filterOf, firstPlace } from "./rows.js";
import { axisHeight, px, rowSize } from "./size.js";
import { count } from "./text.js";
import { firstAt, isOpenAt, itemOf } from "./tiles.js";

const NEAR = 4; // pixels within which the pointer finds an item
const COLORS = ["paper", "ink", "faint", "line", "band", "accent", "window", "warn", "edge"];

export class Picture {
  // `title` is empty unless the page compares two traces.
  constructor(canvas, side, view, title) {
    Object.assign(this, { canvas, side, view, title });
    this.top = this.width = this.height = 0;
    this.drawn = [];
    this.bars = new Bars(this);
    this.recolor();
  }

  resize() {
    this.ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
  }

  recolor() {
    const css = getComputedStyle(document.documentElement);
    this.color = Object.fromEntries(COLORS.map((name) => [name, css.getPropertyValue(`--${name}`).trim()]));
  }

  scroll(by) {
    const most = Math.max(0, this.side.layout.height - this.height + axisHeight() + px(8));
    this.top = Math.min(most, Math.max(0, this.top + by));
  }

  x(ns) { return this.view.x(ns + this.side.shift); }
  time(x) { return this.view.time(x) - this.side.shift; }

  // Where ranges never closed end in the picture, with a torn edge: behind the last event, in the
  // margin of the view.
  get openUntil() { return this.side.about.last + this.view.margin; }

  // --- Where rows are ---

  screenY(place) { return place.y - this.top + axisHeight(); }

  placeOf(row) {
    return this.side.layout.places.find((each) => each.row === row || (each.rows && each.rows.includes(row)));
  }

  headerOf(row) {
    const { places } = this.side.layout, place = this.placeOf(row);
    return place && places.findLast(({ kind, y }) => kind === "header" && y < place.y);
  }

  firstRowOf(thread) {
    const place = this.side.layout.places.find(({ about }) => about && about.thread === thread);
    return place && place.row;
  }

  // --- Drawing ---

  // `shown`: {selected, hovered, span, ruler, links, find, isWanted}. `links` relates the selection to
  // the work of GPUs, `find` is the text of the search; isWanted[name] is 1 if a name contains it.
  draw(shown) {
    const { side, view, width, height } = this; // asking the canvas would cost a layout
    const c = contextOf(this.canvas, { clientWidth: width, clientHeight: height });
    this.shown = shown;
    c.fillStyle = this.color.paper;
    c.fillRect(0, 0, this.width, this.height);
    side.tiles.begin(view.from - side.shift, view.to - side.shift, view.pixel / this.ratio);
    this.collect();
    this.drawHeaders(c);
    this.drawWindows(c);
    drawGrid(c, this);
    this.bars.draw(c);
    this.clipped(c, { x: view.left, width: width - view.left }, () => {
      for (const drawn of this.drawn) this.drawOver(c, drawn);
      this.drawGaps(c);
      const { selected, links } = this.shown;
      if (links && selected.side === side) drawLinks(c, this, selected, links);
    });
    this.drawLabels(c);
    this.drawMore(c);
    drawSpan(c, this);
    drawAxis(c, this);
    drawRuler(c, this);
    side.tiles.fetch();
  }

  // Draws below the axis, only in a part of the width.
  clipped(c, { x, width }, draw) {
    c.save();
    c.beginPath();
    c.rect(x, axisHeight(), width, this.height);
    c.clip();
    draw();
    c.restore();
  }

  // Collects the places on screen, each with the tiles that there are: {place, y, pieces, hits}. `hits`
  // are those of the items that match a search, or null. A folded group has them by row in `within`.
  collect() {
    const { places } = this.side.layout, bottom = this.top + this.height - axisHeight();
    this.drawn = [];
    for (let k = firstPlace(places, this.top); k < places.length && places[k].y < bottom; k++) {
      const place = places[k], y = place.y - this.top + axisHeight();
      if (place.kind === "folded") {
        const within = place.rows.map((row) => this.pieces(place, row));
        this.drawn.push({ place, y, ...within[0], within });
      } else {
        this.drawn.push({ place, y, ...this.pieces(place, place.row) });
      }
    }
  }

  pieces(place, row) {
    const pieces = [], { tiles } = this.side;
    if (row === undefined) return { pieces, hits: null };
    tiles.each(row, place.filter, (tile, from, to) => pieces.push({ tile, from, to }));
    const found = place.kind === "counter" ? null : this.filterOfHits(place.filter), hits = [];
    if (found) tiles.each(row, found, (tile, from, to) => hits.push({ tile, from, to }));
    return { pieces, hits: found && hits };
  }

  // The filter that selects the hits of a search, because a merged item has only the name of its
  // longest range. A filter has one text: if the user already filters by name, it is null.
  filterOfHits(filter) {
    const { find, isWanted } = this.shown;
    return isWanted && find && !(filter && filter.name) ? filterOf({ ...filter, name: find }) : null;
  }

  drawOver(c, drawn) {
    const { place, y, pieces, hits } = drawn;
    if (place.kind === "counter") this.drawPlot(c, place, y, pieces);
    else if (place.about && place.about.kind === "m") {
      for (const each of [pieces, hits || []]) drawMarks(c, this, each, y + place.height / 2);
    } else if (place.kind === "row") this.bars.drawOver(c, drawn);
  }

  drawPlot(c, place, y, pieces) {
    drawCounter(c, {
      pieces, row: place.about, color: this.side.rgb[place.about.name], view: this.view,
      shift: this.side.shift, y, height: place.height, last: this.side.about.last,
    });
  }

  drawHeaders(c) {
    for (const { place, y } of this.drawn) {
      c.fillStyle = this.color.band;
      if (place.kind === "header") c.fillRect(0, y, this.width, place.height);
    }
    const { groups } = this.side.layout;
    c.fillStyle = this.color.line;
    for (let k = firstPlace(groups, this.top); k < groups.length; k++) {
      const y = Math.round(groups[k].y - this.top + axisHeight()) - 1;
      if (y > this.height) break;
      c.fillRect(0, y, this.width, 1);
    }
  }

  drawLabels(c) {
    const { view: { left }, bars: { ruler } } = this;
    c.fillStyle = this.color.faint;
    ruler.use(c.font);
    this.clipped(c, { x: 0, width: left }, () => {
      for (const { place, y, pieces } of this.drawn) {
        if (place.kind !== "counter" || place.height < px(40)) continue;
        c.fillText(ruler.fit(counterLabel(place.about, pieces), left - px(28)), px(20), y + place.height / 2 + px(10));
      }
    });
    c.fillStyle = this.color.line;
    c.fillRect(left - 1, axisHeight(), 1, this.height);
  }

  drawMore(c) {
    const { more, height, places } = this.side.layout, y = height - this.top + axisHeight() - rowSize("row") / 2;
    if (!more || !places.length || y < axisHeight()) return;
    c.fillStyle = this.color.faint;
    c.fillText(`${count(more)} more ${more === 1 ? "thread" : "threads"}: no matches`, px(20), y);
  }

  // --- Background, axis, ruler ---

  drawWindows(c) {
    const { windows, first, last } = this.side.about, { left } = this.view;
    const isWhole = windows.length === 1 && windows[0][0] <= first && windows[0][1] >= last;
    if (isWhole) return;
    c.fillStyle = this.color.window;
    for (const [from, to] of windows) {
      const x = Math.max(left, this.x(from)), end = Math.min(this.width, this.x(to));
      if (end > x) c.fillRect(x, axisHeight(), end - x, this.height);
    }
  }

  // A dashed line through the rows of the thread.
  drawGaps(c) {
    const { gaps } = this.side.about;
    if (!gaps?.length) return;
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

  // --- What is under the pointer ---

  placeAt(y) { return this.drawn.find((d) => y >= d.y && y < d.y + d.place.height); }

  // The item nearest to a point of the screen, {side, row, start, end, ...}, or null.
  at(x, y) {
    const found = x >= this.view.left && y >= axisHeight() ? this.placeAt(y) : null;
    if (!found) return null;
    const t = this.time(x), near = NEAR * this.view.pixel;
    const gap = this.gapAt(found.place, t, near), pieces = this.piecesAt(found, y);
    if (gap || !pieces.length) return gap;
    if (found.place.kind === "counter") return this.sampleAt(found, t, near);
    let best = null, distance = near;
    for (const { tile } of pieces) {
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

  piecesAt({ place, y: top, pieces, within }, y) {
    if (!within) return pieces;
    const strip = Math.floor((y - top) / place.height * within.length);
    return within[Math.max(0, Math.min(within.length - 1, strip))].pieces;
  }

  // The gap of a row's thread near `t`, as an item of kind `g`, or null.
  gapAt(place, t, near) {
    const { gaps } = this.side.about;
    const gap = place.kind === "row" && gaps?.find(([at, thread]) =>
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
