// embedded.js - implements a source (README.md) on the trace that is embedded in the page.
import { decodeTrace } from "./decode.js";
import { hasThread } from "./rows.js";
import { coveredOf, flameOf, isRough, lowerBound, manyOf, spreadOf, sumsOf } from "./stats.js";

const CHILDREN = 100;

function firstNotBelow(starts, ns) {
  let low = 0, high = starts.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (starts[middle] < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The items of a row in a span, as the columns of a tile. Items that are narrower than a pixel and
// begin in the same pixel are merged.
function tileOf(row, { from, to, pixels }, isWanted) {
  const { track, index } = row, { start, end } = track;
  const pixel = (to - from) / pixels;
  const tile = {
    start: [], end: [], name: [], color: [], n: [], covered: [], isOpen: [], endThread: [],
  };
  if (track.value) Object.assign(tile, { value: [], least: [], most: [] });
  let crowd = NaN, longest = 0, last = -1;
  const put = (i, length) => {
    last = tile.start.push(start[i]) - 1;
    longest = length;
    tile.end.push(end[i]);
    tile.name.push(track.name[i]);
    tile.color.push(track.color ? track.color[i] : -1);
    tile.n.push(manyOf(track, i));
    tile.covered.push(coveredOf(track, i));
    tile.isOpen.push(track.isOpen[i]);
    tile.endThread.push(track.endThread[i] ?? -1);
    if (!track.value) return;
    tile.value.push(track.value[i]);
    tile.least.push(track.low[i]);
    tile.most.push(track.high[i]);
  };
  const join = (i, length) => {
    tile.end[last] = Math.max(tile.end[last], end[i]);
    tile.n[last] += manyOf(track, i);
    tile.covered[last] += coveredOf(track, i);
    if (length > longest) {
      longest = length;
      tile.name[last] = track.name[i];
      tile.color[last] = track.color ? track.color[i] : -1;
    }
    const value = track.value ? track.value[i] : null;
    if (value === null) return;
    tile.value[last] = value;
    tile.least[last] = Math.min(tile.least[last] ?? value, track.low[i]);
    tile.most[last] = Math.max(tile.most[last] ?? value, track.high[i]);
  };
  // The item before the first one of the tile may extend into it, and a counter's line into and out
  // of it: a counter also gets the last sample before the tile and the first one after it.
  const before = lowerBound(start, index, from);
  for (let k = Math.max(0, before - 1); k < index.length; k++) {
    const i = index[k], length = end[i] - start[i];
    if (start[i] >= to && track.kind !== "c") break;
    const isBefore = k < before && track.kind !== "c" && end[i] <= from;
    if (!isBefore && isWanted(track, i)) {
      const bin = Math.floor(start[i] / pixel);
      if (length < pixel && bin === crowd) {
        join(i, length);
      } else {
        put(i, length);
        crowd = length < pixel ? bin : NaN;
      }
    }
    if (start[i] >= to) break;
  }
  return tile;
}

export class Embedded {
  constructor(text) {
    const { about, ...decoded } = decodeTrace(text);
    Object.assign(this, decoded);
    this.info = about; // `about` is a method
    this.named = this.hits = {}; // a cache of one: the last name, the last search text
  }

  async about() { return this.info; }

  follow() {} // an embedded trace does not change

  async tile(asked) {
    const isWanted = this.wanted(asked.filter);
    return asked.rows.map((row) => ({ row, ...tileOf(this.rows[row], asked, isWanted) }));
  }

  // An overview contains exact sums of the whole trace. Of other spans, or with a filter, they are
  // estimates if the span has merged items.
  async sums(span) {
    const { whole, info } = this;
    if (whole && !span.filter && span.from <= info.first && span.to >= info.last) {
      const rows = [...whole.values()].filter(({ calls }) => calls);
      return Object.assign(rows, { more: this.wholeLeftOut, isRough: false });
    }
    const tracks = this.tracksOf(span.filter), rows = sumsOf(tracks, span, this.wanted(span.filter));
    return Object.assign(rows, { isRough: isRough(tracks, span) });
  }

  async flame(span) {
    const tracks = this.tracksOf(span.filter), nodes = flameOf(tracks, span, this.wanted(span.filter));
    return Object.assign(nodes, { isRough: isRough(tracks, span) });
  }

  async details({ row, start, tie }) {
    const { track } = this.rows[row], i = this.itemAt(row, start, tie);
    if (i === undefined) return null;
    const at = (k) => this.place(track, k);
    const parents = [], children = [];
    for (let k = track.parent[i]; k >= 0; k = track.parent[k]) parents.push(at(k));
    for (let k = i + 1; k < track.n && track.start[k] <= track.end[i]; k++) {
      if (track.parent[k] === i && children.push(at(k)) === CHILDREN) break;
    }
    return {
      ...at(i), n: manyOf(track, i), covered: coveredOf(track, i), parents, children,
      thread: track.thread, pid: track.pid,
      color: track.color ? track.color[i] : -1, isOpen: track.isOpen[i],
      value: track.value ? track.value[i] : null, endThread: track.endThread[i] ?? null,
      category: this.info.categories[track.category[i]] || null,
      payloads: track.payloads[i] ?? null,
      occurrence: firstNotBelow(this.instancesNamed(track.name[i]).starts, start) + 1,
    };
  }

  async instances({ name }) {
    const known = this.whole && this.whole.get(name);
    if (known && known.spread) return known.spread;
    return spreadOf(this.instancesNamed(name).found
      .filter(({ track, i }) => track.kind !== "m" && manyOf(track, i) === 1)
      .map(({ track, i }) => track.end[i] - track.start[i]));
  }

  async next({ name, ...position }) { return this.nearest(this.instancesNamed(name), position); }

  async hit({ text, ...position }) {
    if (this.hits.text !== text) {
      const isHit = this.namesWith(text);
      this.hits = { text, ...this.instancesOf((name) => isHit[name] === 1) };
    }
    return this.nearest(this.hits, position);
  }

  async nth({ name, n }) {
    const { starts } = this.instancesNamed(name);
    return n >= 1 && n <= starts.length ? { start: starts[n - 1] } : null;
  }

  async search({ text }) {
    const isHit = this.namesWith(text), names = [];
    isHit.forEach((is, name) => { if (is) names.push(name); });
    let places = 0, n = 0;
    for (const track of this.tracks) {
      if (track.kind === "c") continue;
      for (let i = 0; i < track.n; i++) places += isHit[track.name[i]];
    }
    if (!this.whole) return { names, n: places };
    for (const { name, calls, marks } of this.whole.values()) n += isHit[name] * (calls + marks);
    return { names, n, places };
  }

  // --- What these methods share ---------------------------------------------------------

  labels() {
    this.lower = this.lower || this.info.names.map(({ domain, message, field }) =>
      ((domain ? `${domain}:` : "") + message + (field ? `.${field}` : "")).toLowerCase());
    return this.lower;
  }

  // By name: 1 if it contains the text, in any case.
  namesWith(text) {
    const lower = text.toLowerCase();
    return Uint8Array.from(this.labels(), (label) => +label.includes(lower));
  }

  // {row, start, end, name, tie} of an item. The last of the items that begin at the same time has
  // no `tie`: itemAt() finds it without.
  place(track, i) {
    const row = track.firstRow + track.level[i], start = track.start[i], { index } = this.rows[row];
    const found = { row, start, end: track.end[i], name: track.name[i] };
    const first = lowerBound(track.start, index, start), at = index.indexOf(i, first);
    return track.start[index[at + 1]] === start ? { ...found, tie: at - first } : found;
  }

  // The item of a row that begins at `start`; of several, the one with that tie index, or the last.
  // Undefined if none does.
  itemAt(row, start, tie = Infinity) {
    const { track, index } = this.rows[row], first = lowerBound(track.start, index, start);
    let at = first;
    while (at - first < tie && track.start[index[at + 1]] === start) at++;
    return track.start[index[at]] === start ? index[at] : undefined;
  }

  // The instance after or before a position. Without `row`, the instances that begin at `after`
  // itself are skipped.
  nearest({ found, starts }, { after, row, tie, by }) {
    const own = row === undefined ? undefined : this.itemAt(row, after, tie);
    const order = (each) => each.start - after || (row === undefined ? 0 : each.row - row) ||
      (own === undefined ? 0 : each.i - own);
    let at = firstNotBelow(starts, after);
    while (at < found.length && (order(found[at]) < 0 || (by > 0 && order(found[at]) === 0))) at++;
    if (by < 0) at--;
    return at >= 0 && at < found.length ? this.place(found[at].track, found[at].i) : null;
  }

  instancesNamed(name) {
    if (this.named.name !== name) {
      this.named = { name, ...this.instancesOf((each) => each === name) };
    }
    return this.named;
  }

  // {found, starts}: the items of the names for which isSought(name), in the order of starts, rows,
  // and items.
  instancesOf(isSought) {
    const found = [];
    for (const track of this.tracks) {
      if (track.kind === "c") continue;
      for (let i = 0; i < track.n; i++) {
        if (!isSought(track.name[i])) continue;
        found.push({ track, i, start: track.start[i], row: track.firstRow + track.level[i] });
      }
    }
    found.sort((a, b) => a.start - b.start || a.row - b.row || a.i - b.i);
    return { found, starts: Float64Array.from(found, ({ start }) => start) };
  }

  // The tracks of the threads that match a filter.
  tracksOf(filter) {
    if (!filter || !filter.thread) return this.tracks;
    return this.tracks.filter(({ n, firstRow }) =>
      n && hasThread(this.info, this.info.rows[firstRow].group, filter.thread));
  }

  // A function (track, i) that says whether an item matches a filter.
  wanted(filter) {
    const { name, domain, category } = filter || {};
    if (!name && domain == null && category == null) return () => true;
    const lower = (name || "").toLowerCase(), labels = this.labels();
    const isNamed = Uint8Array.from(this.info.names, (each, k) =>
      +((domain == null || each.domain === domain) && labels[k].includes(lower)));
    if (category == null) return (track, i) => isNamed[track.name[i]] === 1;
    const number = this.info.categories.indexOf(category);
    return (track, i) => isNamed[track.name[i]] === 1 && number >= 0 && track.category[i] === number;
  }
}
