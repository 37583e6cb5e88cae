// draw.js - draws one trace on a canvas: rows of ranges (bars.js), marks, counters, the axis, and
// the lines over them. Names of groups are buttons over the canvas (timeline.js).
//
//   | base   | axis                      |  axisHeight()
//   | labels | pinned rows (area.js)     |
//   |        | other rows                |
//            view.left
import { Area } from "./area.js";
import { drawLinks } from "./arrows.js";
import { drawAxis, drawGrid, drawRuler, drawSpan } from "./axis.js";
import { Bars } from "./bars.js";
import { counterLabel, drawCounter, sampleNear, valueAt } from "./counters.js";
import { drawMarks } from "./marks.js";
import { contextOf } from "./elements.js";
import { drawIdle, idleAt } from "./idle.js";
import { filterOf } from "./rows.js";
import { axisHeight, px, rowSize } from "./size.js";
import { Strips, stateAt } from "./states.js";
import { count } from "./text.js";
import { firstAt, isOpenAt, itemOf } from "./tiles.js";

const NEAR = 4; // pixels within which the pointer finds an item
const MOST_PINNED = 0.4; // of the height
const COLORS = ["paper", "ink", "faint", "line", "band", "accent", "window", "warn", "edge"];
const SHARED = ["on", "preempted", "blocked"]; // colors as numbers

export class Picture {
  // `title` is empty unless the page compares two traces.
  constructor(canvas, side, view, title) {
    Object.assign(this, { canvas, side, view, title });
    this.width = this.height = 0;
    this.areas = [new Area(), new Area()];
    this.bars = new Bars(this);
    this.strips = new Strips(this);
    this.recolor();
  }

  resize() {
    this.ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
  }

  recolor() {
    const css = getComputedStyle(document.documentElement);
    const valueOf = (name) => css.getPropertyValue(`--${name}`).trim();
    this.color = Object.fromEntries([...COLORS.map((name) => [name, valueOf(name)]),
      ...SHARED.map((name) => [name, parseInt(valueOf(name).slice(1), 16)])]);
  }

  // Divides the height below the axis between the pinned rows and the others. Returns whether all are on
  // screen.
  fit() {
    const { areas: [pinned, others] } = this.side.layout, y = axisHeight();
    const bottom = y + Math.min(pinned.height, Math.max(0, (this.height - y) * MOST_PINNED));
    this.areas[0].fit(pinned, y, bottom);
    this.areas[1].fit(others, bottom, Math.max(bottom, this.height));
    return pinned.height + others.height <= this.height - y;
  }

  reveal(place) {
    const area = place && this.areas[place.area];
    if (place && (place.y < area.top || place.y + 60 > area.top + area.room)) area.scroll(place.y - area.room / 2 - area.top);
  }

  get drawn() { return this.areas.flatMap(({ drawn }) => drawn); }

  x(ns) { return this.view.x(ns + this.side.shift); }
  time(x) { return this.view.time(x) - this.side.shift; }

  // Where ranges never closed end in the picture, with a torn edge: behind the last event, in the
  // margin of the view.
  get openUntil() { return this.side.about.last + this.view.margin; }

  // --- Where rows are ---

  areaAt(y) { return this.areas[+(y >= this.areas[1].y)]; }

  placeOf(row) {
    return this.side.layout.places.find((each) => each.row === row || each.rows?.includes(row));
  }

  headerOf(row) {
    const { group } = this.placeOf(row) || {};
    return this.side.layout.places.find((each) => each.group.groups?.includes(group));
  }

  firstRowOf(thread) {
    return this.side.layout.places.find(({ about }) => about?.thread === thread)?.row;
  }

  // --- Drawing ---

  // `shown`: {selected, hovered, span, ruler, links, gaps, find, isWanted}. `links` relates the selection to
  // the work of GPUs, `gaps` are the longest of these, `find` is the text of the search; isWanted[name] is 1 if a name contains it.
  draw(shown) {
    const { side, view, width, height } = this; // asking the canvas would cost a layout
    const c = contextOf(this.canvas, { clientWidth: width, clientHeight: height });
    this.shown = shown;
    c.fillStyle = this.color.paper;
    c.fillRect(0, 0, this.width, this.height);
    for (const tiles of [side.tiles, side.states]) tiles.begin(view.from - side.shift, view.to - side.shift, view.pixel / this.ratio);
    this.fit();
    for (const area of this.areas) this.collect(area);
    this.inAreas(c, { x: 0, width }, (area) => this.drawHeaders(c, area));
    this.drawWindows(c);
    drawGrid(c, this);
    this.bars.draw(c);
    this.strips.draw(c);
    this.inAreas(c, { x: view.left, width: width - view.left }, (area) => {
      drawIdle(c, this, area);
      for (const drawn of area.drawn) this.drawOver(c, drawn);
      this.drawGaps(c, area);
    });
    const { selected, links } = shown;
    if (links && selected.side === side) drawLinks(c, this, selected, links);
    this.inAreas(c, { x: 0, width: view.left }, (area) => this.drawLabels(c, area));
    this.drawMore(c);
    this.drawBorders(c);
    drawSpan(c, this);
    drawAxis(c, this);
    drawRuler(c, this);
    side.tiles.fetch();
    side.states.fetch();
  }

  inAreas(c, { x, width }, draw) {
    this.areas.forEach((area, k) => {
      if (!area.room) return;
      c.save();
      c.beginPath();
      c.rect(x, area.y, width, area.room);
      c.clip();
      draw(area, k);
      c.restore();
    });
  }

  // Collects the places on screen, each with the tiles that there are: {place, y, pieces, hits}. `hits`
  // are those of the items that match a search, or null. A folded group has them by row in `within`.
  collect(area) {
    area.drawn = area.visible(area.places).map((place) => {
      const y = area.screenY(place), within = place.kind === "folded" && place.rows.map((row) => this.pieces(place, row));
      return within ? { place, y, ...within[0], within } : { place, y, ...this.pieces(place, place.row) };
    });
  }

  pieces(place, row) {
    const pieces = [], { tiles, states } = this.side;
    if (place.kind === "states") states.each(place.of, null, (tile, from, to) => pieces.push({ tile, from, to }));
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
    return isWanted && find && !filter?.name ? filterOf({ ...filter, name: find }) : null;
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

  drawHeaders(c, area) {
    c.fillStyle = this.color.band;
    for (const { place, y } of area.drawn) if (place.kind === "header") c.fillRect(0, y, this.width, place.height);
    c.fillStyle = this.color.line;
    for (const group of area.visible(area.groups)) c.fillRect(0, Math.round(area.screenY(group)) - 1, this.width, 1);
  }

  // Of counters, below their names, which stay on screen while their rows scroll off it.
  drawLabels(c, area) {
    const { view: { left }, bars: { ruler } } = this, groups = area.visible(area.groups);
    c.fillStyle = this.color.faint;
    ruler.use(c.font);
    for (const { place, y, pieces } of area.drawn) {
      if (place.kind !== "counter" || place.height < px(40)) continue;
      const { top, height } = area.heading(groups.find(({ group }) => group === place.group));
      const middle = Math.max(y + place.height / 2 + px(10), area.y + top + height + px(8));
      if (middle + px(7) > y + place.height) continue;
      c.fillText(ruler.fit(counterLabel(place.about, pieces), left - px(34)), px(26), middle);
    }
  }

  drawMore(c) {
    const { more, places } = this.side.layout, [, area] = this.areas;
    const y = area.screenY({ y: area.height - px(8) - rowSize("row") / 2 });
    if (!more || !places.length || y < area.y) return;
    c.fillStyle = this.color.faint;
    c.fillText(`${count(more)} more ${more === 1 ? "thread" : "threads"}: no matches`, px(26), y);
  }

  // Of the names, and of the pinned rows; these have a bar at the right if not all are on screen.
  drawBorders(c) {
    const { width, height, areas: [pinned] } = this, { y, room, top } = pinned, share = room / pinned.height;
    c.fillStyle = this.color.line;
    c.fillRect(this.view.left - 1, y, 1, height);
    c.fillStyle = this.color.faint;
    if (room) c.fillRect(0, y + room - 1, width, 1);
    if (share < 1) c.fillRect(width - px(4), y + top * share, px(3), room * share);
  }

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

  drawGaps(c, { drawn }) {
    const { gaps } = this.side.about;
    if (!gaps?.length) return;
    c.fillStyle = this.color.warn;
    const spans = new Map();
    for (const { place, y } of drawn) {
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

  placeAt(y) { return this.areaAt(y).drawn.find((d) => y >= d.y && y < d.y + d.place.height); }

  // The numbers of the rows that a drag from one height to another is over; null if it is no higher than one,
  // which a drag in time may well be, or over all of them. What is folded counts with all that is in it.
  rowsBetween(top, bottom) {
    const { groups } = this.side.layout, inGroup = (group) => group.rows || group.groups.flatMap(inGroup);
    const isFolded = (group) => groups.find((each) => each.group === group).isFolded;
    const over = this.drawn.filter(({ place, y }) => y < bottom && y + place.height > top);
    const rows = new Set(over.flatMap(({ place: { group, row } }) => (isFolded(group) ? inGroup(group) : row ?? [])));
    const all = new Set(groups.flatMap(({ group }) => inGroup(group)));
    return bottom - top > rowSize("row") && rows.size && rows.size < all.size ? [...rows].sort((a, b) => a - b) : null;
  }

  // The item nearest to a point of the screen, {side, row, start, end, ...}, or null.
  at(x, y) {
    const found = x >= this.view.left && y >= axisHeight() ? this.placeAt(y) : null;
    if (!found) return null;
    const t = this.time(x), near = NEAR * this.view.pixel;
    const gap = idleAt(this, found.place, x) || this.gapAt(found.place, t, near), pieces = this.piecesAt(found, y);
    if (gap || !pieces.length) return gap;
    if (found.place.kind === "states") {
      const state = stateAt(pieces, t);
      return state && { side: this.side, kind: "t", row: found.place.of, ...state, n: 1 };
    }
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
    return within[Math.floor((y - top) / place.height * within.length)].pieces;
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

  // The time there; of an edge within 6 pixels.
  snap(x, y) {
    const item = this.at(x, y);
    if (!item || "cgt".includes(item.kind)) return this.view.time(x);
    const edge = [item.start, item.end].find((t) => Math.abs(this.x(t) - x) <= 6);
    return edge === undefined ? this.view.time(x) : edge + this.side.shift;
  }
}
