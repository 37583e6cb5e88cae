// bars.js - draws ranges: their bars, names, torn ends, and the frames of what is selected. Ranges
// narrower than a pixel become a bar whose opacity is the share of time that they cover.
import { hex, inkOn } from "./colors.js";
import { Lines } from "./lines.js";
import { Ruler } from "./names.js";
import { barFont, font, px, rowSize } from "./size.js";
import { count } from "./text.js";
import { firstAt, isOpenAt, itemOf } from "./tiles.js";

const WIDEST_CROWD = 1.5; // pixels; wider ranges are separated from the next
const LEAST_COUNTED = 60; // pixels; wider merged items show how many ranges they are
const LEAST_NAMED = 22; // pixels; narrower ranges have no name
const TAB = 3; // pixels at the left edge of a range, in the color of its domain

// One of those with the same id stands for a thread.
function idOf({ threads }, thread) { return `${threads[thread]?.pid}/${threads[thread]?.tid}`; }

// Whether an operation of a GPU belongs to a range of a thread.
function belongs({ owner, from, to }, i, { thread, start, end }, about) {
  return from[i] >= start && to[i] <= end && idOf(about, owner[i]) === idOf(about, thread);
}

// From the first operation that was requested in a range to the last, on any GPU.
function spanOfWork({ gpus }) {
  return [Math.min(...gpus.map(({ start }) => start)), Math.max(...gpus.map(({ end }) => end))];
}

export class Bars {
  constructor(picture) {
    this.picture = picture;
    this.lines = new Lines();
    this.ruler = new Ruler(picture.canvas.getContext("2d", { alpha: false }));
  }

  // Each place gets `labels`, the names over it, and `busy`, the time on screen that its first row covers.
  draw(c) {
    const { lines, picture } = this, { view, ratio } = picture;
    const width = Math.max(1, picture.width - view.left), strips = this.strips();
    lines.begin(Math.round(width * ratio), strips.length);
    for (const { drawn, pieces, hits, isFirst } of strips) {
      lines.next();
      const labels = [];
      const busy = pieces.reduce((sum, piece) => sum + this.addPiece(piece, labels, hits), 0);
      if (isFirst) Object.assign(drawn, { labels, busy });
      for (const piece of hits || []) this.addPiece(piece, []);
      lines.end(picture.shown.isWanted ? 0.15 : drawn.place.filter?.name ? 0.6 : undefined);
    }
    lines.put(picture.color.edge);
    c.imageSmoothingEnabled = false;
    picture.inAreas(c, { x: view.left, width }, (_, area) => strips.forEach(({ drawn, at, height }, k) => {
      if (drawn.place.area === area) lines.draw(c, k, { x: view.left, y: at, width, height });
    }));
  }

  // The bars of a row are one strip, those of a folded group a low strip for each of its rows.
  strips() {
    const strips = [], { picture } = this;
    for (const drawn of picture.drawn) {
      const { place, y, pieces, hits } = drawn;
      if (place.kind === "folded") {
        const room = place.height - px(4), height = Math.max(1, Math.floor(room / place.rows.length));
        drawn.within.forEach((each, k) => strips.push({
          drawn, pieces: each.pieces, hits: each.hits, isFirst: k === 0, at: y + px(2) + k * height,
          height: place.rows.length > 1 ? height : room,
        }));
      } else if (place.kind === "row" && place.about.kind !== "m" && pieces.length) {
        const height = rowSize("bar");
        strips.push({ drawn, pieces, hits, isFirst: true, at: y + (place.height - height) / 2, height });
      }
    }
    return strips;
  }

  // Adds the items of a tile to the current line, and returns how many ns of the piece they cover.
  // Merged ones are no hits because of their name if tiles of hits are drawn over them.
  addPiece({ tile, from, to }, labels, hits = null) {
    const { lines, picture } = this, { view, side, ratio } = picture, { isWanted } = picture.shown;
    const begin = Math.max(view.from - side.shift, from), finish = Math.min(view.to - side.shift, to);
    const scale = lines.width / (view.to - view.from), zero = view.from - side.shift;
    const { start, end, name, n, covered, isOpen } = tile, isMark = !end, { openUntil } = picture;
    const edge = 0.9 * ratio, right = view.to - side.shift, isOther = this.othersIn(tile);
    const { isOfWaits, kind } = side.about.rows[tile.row], usual = isOfWaits ? 0.45 : kind === "r" ? 0.7 : 1;
    let busy = 0;
    for (let i = Math.max(0, firstAt(tile, begin) - 1); i < start.length && start[i] < finish; i++) {
      let stop = isMark ? start[i] : end[i];
      const isCrowd = n !== undefined && n[i] > 1;
      const isTorn = isOpen !== undefined && isOpen[i] === 1 && !isCrowd && stop <= finish;
      if (isTorn) stop = Math.min(right, Math.max(stop, openUntil));
      if (stop < begin) continue;
      const share = isCrowd && covered && stop > start[i] ? Math.min(1, covered[i] / (stop - start[i])) : 1;
      busy += (Math.min(stop, finish) - Math.max(start[i], begin)) * share;
      const x0 = (Math.max(start[i], begin) - zero) * scale;
      const x1 = (isTorn ? stop - zero : Math.min(stop, finish) - zero) * scale;
      // A range that continues in the next piece has its whole length here.
      const length = stop <= finish ? x1 - x0 : (Math.min(stop, right) - zero) * scale - x0;
      const own = side.colorOf(tile, i);
      // A range that begins in an earlier piece is labeled there if that piece is on screen.
      const isFirst = start[i] >= from || begin > from;
      const isHit = Boolean(isWanted?.[name[i]]) && !(isCrowd && hits);
      let weight = isWanted && !isHit ? 0.18 : isOther && isOther(i) ? 0.3 : usual;
      if ((length <= WIDEST_CROWD * ratio && !isTorn) || isCrowd) {
        if (share < 1) weight *= Math.max(0.05, share);
        lines.add(x0, x1, own, weight, isHit);
        if (isCrowd && isFirst && length > LEAST_COUNTED * ratio) labels.push([tile, i, own, weight]);
        continue;
      }
      const hasEdge = !isTorn && stop <= finish;
      lines.add(x0, hasEdge ? Math.max(x0 + 1, x1 - Math.min(edge, length / 4)) : x1, own, weight, isHit);
      if ((length > LEAST_NAMED * ratio && isFirst) || isTorn) labels.push([tile, i, own, weight]);
    }
    return busy;
  }

  // Of a stream, while a range with work of GPUs is selected: a function that says whether an item is
  // not of that work; merged ones, if they are not within its time.
  othersIn(tile) {
    const { shown: { selected, links }, side } = this.picture;
    if (!links?.gpus?.length || selected.side !== side || !side.isStream(tile.row) ||
      side.about.rows[tile.row].kind === "r") return null;
    const range = { thread: side.about.rows[selected.row].thread, start: selected.start, end: selected.end };
    const [from, to] = spanOfWork(links);
    return (i) => (tile.n && tile.n[i] > 1 ? tile.end[i] < from || tile.start[i] > to
      : !tile.owner || !belongs(tile, i, range, side.about));
  }

  drawOver(c, { place, y, labels, pieces }) {
    c.font = barFont();
    this.ruler.use(c.font);
    for (const [tile, i, color, weight] of labels || []) this.drawName(c, { tile, i, color, weight, y });
    c.font = font();
    this.drawFrames(c, { place, y, pieces });
  }

  drawName(c, { tile, i, color, weight, y }) {
    const { picture, ruler } = this, { view, side } = picture;
    const item = itemOf(tile, i), isOpen = isOpenAt(tile, i), isOne = item.n === 1;
    const from = Math.max(view.left, picture.x(item.start));
    const to = Math.min(picture.width, picture.x(isOpen ? picture.openUntil : item.end));
    const middle = y + rowSize("row") / 2 + 0.5, ink = weight > 0.6 ? inkOn(color)
      : item.n > 1 ? picture.color.ink : picture.color.faint;
    const tab = isOne && weight === 1 && to - from > px(LEAST_NAMED) ? this.drawTab(c, item, from, y) : 0;
    c.fillStyle = ink;
    let room = to - from - px(8) - tab;
    if (isOpen) {
      this.tear(c, to, y);
      const before = i > 0 ? Math.max(view.left, picture.x(tile.end[i - 1])) : view.left;
      this.drawOpen(c, side.titles[item.name], { from: from + tab, before, room: room - px(6), y: middle });
      return;
    }
    if (item.endThread !== null && item.end <= view.to - side.shift) {
      const ends = ruler.fit(`\u2192 ${side.threadLabel(item.endThread)}`, room / 2);
      if (ends.length > 2) {
        c.textAlign = "right";
        c.fillText(ends, to - px(5), middle);
        c.textAlign = "left";
        room -= ruler.width(ends) + px(8);
      }
    }
    const title = isOne ? side.titles[item.name] : `${count(item.n)} ranges`;
    const text = ruler.fit(title, room), at = from + tab + px(4);
    if (text) c.fillText(text, at, middle, room + px(4));
    if (tab && text === title) this.drawDomain(c, item, { at: at + ruler.width(text) + px(8), room, to, middle });
  }

  // A range of one of several domains has a tab in the color of its domain. Returns its width.
  drawTab(c, item, from, y) {
    const { picture } = this, color = picture.side.tabOf(item.name);
    if (color === null || picture.x(item.start) < picture.view.left) return 0;
    const top = y + (rowSize("row") - rowSize("bar")) / 2;
    c.fillStyle = picture.color.paper;
    c.fillRect(from + px(TAB), top, 1, rowSize("bar"));
    c.fillStyle = hex(color);
    c.fillRect(from, top, px(TAB), rowSize("bar"));
    return px(TAB);
  }

  drawDomain(c, item, { at, to, middle }) {
    const domain = this.picture.side.domainOf(item.name);
    if (!domain || this.ruler.width(domain) > to - at - px(4)) return;
    c.globalAlpha = 0.7;
    c.fillText(domain, at, middle);
    c.globalAlpha = 1;
  }

  // Labels a range as open, without its name if that does not fit, or to the left of it. `before`
  // is where the previous range ends.
  drawOpen(c, title, { from, before, room, y }) {
    const { ruler } = this, word = " (open)", short = ruler.fit(title, room - ruler.width(word));
    if (short || ruler.width("open") <= room) {
      c.fillText(short ? short + word : "open", from + px(4), y);
    } else if (from - before > ruler.width("open") + px(8)) {
      c.fillStyle = this.picture.color.faint;
      c.textAlign = "right";
      c.fillText("open", from - px(4), y);
      c.textAlign = "left";
    }
  }

  tear(c, x, y) {
    const ink = c.fillStyle, step = rowSize("row") / 4.5;
    c.fillStyle = this.picture.color.paper;
    c.beginPath();
    for (let k = 0; k < 4; k++) {
      c.moveTo(x + 1, y + 1 + k * step);
      c.lineTo(x - px(5), y + 1 + (k + 0.5) * step);
      c.lineTo(x + 1, y + 1 + (k + 1) * step);
    }
    c.fill();
    c.fillStyle = ink;
  }

  // Of the row of ranges on a stream, those that the selected one has there.
  projectedIn(place, pieces) {
    const { shown: { selected, links }, side } = this.picture;
    if (place.about.kind !== "r" || selected?.side !== side || !links?.gpus?.length) return [];
    const [from, to] = spanOfWork(links);
    return pieces.flatMap(({ tile }) => Array.from(tile.start, (_, i) => i)
      .filter((i) => tile.name[i] === selected.name && tile.start[i] >= from && tile.end[i] <= to).map((i) => itemOf(tile, i)));
  }

  drawFrames(c, { place, y, pieces }) {
    const { picture } = this, { selected, hovered } = picture.shown;
    const own = this.projectedIn(place, pieces).map((item) => [{ ...item, side: picture.side }, 2]);
    for (const [item, width] of [[hovered, 1], [selected, 2], ...own]) {
      if (item?.side !== picture.side || item.row !== place.row) continue;
      const from = Math.max(picture.view.left - 3, picture.x(item.start));
      const end = picture.x(item.isOpen ? picture.openUntil : item.end);
      const to = Math.min(picture.width + 3, Math.max(from + 3, end));
      c.strokeStyle = picture.color.ink;
      c.lineWidth = width;
      c.strokeRect(from - 0.5, y + 1, to - from, place.height - 2);
    }
  }
}
