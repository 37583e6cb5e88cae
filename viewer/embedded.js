// embedded.js - implements a source (README.md) on the trace that is embedded in the page.
import { decodeTrace } from "./decode.js";
import { foldNumbers, labelOf } from "./names.js";
import { aroundCall, operationsOf } from "./links.js";
import { hasThread, isStreamGroup, rowsWhere } from "./rows.js";
import { busyParts, coveredOf, flameOf, isRough, longestOf, lowerBound, spreadOf, spreadOfAll, sumsOf } from "./stats.js";

const CHILDREN = 100, OCCURRENCES = 200;

// Items that are narrower than a pixel and begin in the same pixel are merged.
function tileOf(items, row, kind, { from, to, pixels }, isWanted) {
  const { start, end, first } = items;
  const pixel = (to - from) / pixels;
  const isCounter = kind === "c", isStream = kind === "stream";
  const own = isCounter ? { value: items.value, least: items.low, most: items.high }
    : isStream ? { owner: items.owner, from: items.from, to: items.to } : {};
  const columns = Object.entries({ start, end, name: items.name, color: items.color, n: items.many, isOpen: items.isOpen, ...own });
  const tile = { covered: [], endThread: [] };
  for (const [column] of columns) tile[column] = [];
  let crowd = NaN, longest = 0, last = -1;
  const put = (i, length) => {
    for (const [column, values] of columns) tile[column].push(values[i]);
    tile.endThread.push(items.endThread.get(i) ?? -1);
    last = tile.covered.push(coveredOf(items, i)) - 1;
    longest = length;
  };
  const join = (i, length) => {
    tile.end[last] = Math.max(tile.end[last], end[i]);
    tile.n[last] += items.many[i];
    tile.isOpen[last] |= items.isOpen[i];
    tile.covered[last] += coveredOf(items, i);
    if (isStream) tile.owner[last] = -1; // perhaps of several calls
    if (length > longest) {
      longest = length;
      tile.name[last] = items.name[i];
      tile.color[last] = items.color[i];
    }
    const value = isCounter ? items.value[i] : null;
    if (value === null) return;
    tile.value[last] = value;
    tile.least[last] = Math.min(tile.least[last] ?? value, items.low[i]);
    tile.most[last] = Math.max(tile.most[last] ?? value, items.high[i]);
  };
  // The item before the first one of the tile may extend into it, and a counter's line into and out
  // of it: a counter also gets the last sample before the tile and the first one after it.
  const before = lowerBound(start, from, first[row], first[row + 1]);
  for (let i = Math.max(first[row], before - 1); i < first[row + 1]; i++) {
    const length = end[i] - start[i];
    if (start[i] >= to && !isCounter) break;
    const isBefore = i < before && !isCounter && end[i] <= from;
    if (!isBefore && (isCounter || isWanted(i))) { // a filter is for ranges and marks
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
    this.found = new Map(); // a cache: the instances of the last names and search texts
  }

  async about() { return this.info; }

  follow() {} // an embedded trace does not change

  async tile(asked) {
    const isWanted = this.wanted(asked.filter);
    return asked.rows.map((row) => (
      { row, ...tileOf(this.items, row, this.isStream(row) ? "stream" : this.kindOf(row), asked, isWanted) }));
  }

  // An overview contains exact sums of the whole trace. Of other spans, or with a filter, they are
  // estimates if the span has merged items.
  async sums({ isFolded, ...span }) {
    const { whole, info, items } = this;
    const isAll = !span.filter && span.from <= info.first && span.to >= info.last;
    if (whole && isAll) {
      const sums = [...whole.values()].filter(({ calls }) => calls);
      return Object.assign(isFolded ? this.merged(sums) : sums, { more: this.wholeLeftOut, isRough: false });
    }
    // Ranges that were open before a window may begin before the first event.
    const { from, to } = isAll ? { from: -Infinity, to: Infinity } : span;
    const rows = this.rowsOf(span.filter);
    const sums = sumsOf(items, rows, { from, to }, this.counted(span.filter, isFolded));
    return Object.assign(sums, { isRough: isRough(items, rows, span) });
  }

  async flame({ isFolded, ...span }) {
    const rows = this.rowsOf(span.filter);
    const nodes = flameOf(this.items, rows, span, this.counted(span.filter, isFolded));
    return Object.assign(nodes, { isRough: isRough(this.items, rows, span) });
  }

  async details({ row, start, tie }) {
    const { items, info } = this, i = this.itemAt(row, start, tie);
    if (i === undefined) return null;
    const parents = [];
    for (let k = this.outside(i); k >= 0; k = this.outside(k)) parents.push(this.place(k));
    return {
      ...this.place(i), n: items.many[i], covered: coveredOf(items, i), parents,
      children: this.childrenOf(i), thread: info.rows[row].thread,
      color: items.color[i], isOpen: items.isOpen[i],
      value: items.value[i], endThread: items.endThread.get(i) ?? null,
      category: info.categories[items.category[i]] || null,
      payloads: items.payloads.get(i) ?? null,
      occurrence: lowerBound(this.instancesNamed(items.name[i]).starts, start) + 1,
    };
  }

  async instances({ name, isFolded }) {
    const { start, end, many, row } = this.items, isSought = this.sought(name, isFolded);
    const known = this.whole ? [...this.whole.values()].filter((sum) => sum.calls && isSought[sum.name]) : [];
    if (known.some(({ spread }) => spread)) return known.length === 1 ? known[0].spread : spreadOfAll(known);
    const instances = this.instancesNamed(name, isFolded);
    instances.spread ??= spreadOf(instances.found
      .filter((i) => this.kindOf(row[i]) !== "m" && many[i] === 1)
      .map((i) => end[i] - start[i]));
    return instances.spread;
  }

  async occurrences({ name, from, to, filter, isFolded }) {
    const { items } = this, isIn = (i) => items.end[i] >= from && items.start[i] <= to, found = [], lengths = [];
    let n = 0, rough = false;
    for (const i of this.instancesNamed(name, isFolded, filter).found) {
      if (!isIn(i) || this.kindOf(items.row[i]) === "m") continue;
      found.push(i);
      lengths.push(longestOf(items, i));
      n += items.many[i];
      rough ||= items.many[i] > 1;
    }
    for (let i = 0; i < items.n && !rough; i++) rough = items.varied[i] === 1 && isIn(i);
    const least = Float64Array.from(lengths).sort().at(-OCCURRENCES) ?? 0; // sorting items takes longer
    const longest = found.filter((_, k) => lengths[k] >= least);
    longest.sort((a, b) => longestOf(items, b) - longestOf(items, a) || items.start[a] - items.start[b] || a - b);
    const rows = longest.slice(0, OCCURRENCES).map((i) => ({
      ...this.place(i), n: items.many[i], longest: longestOf(items, i),
      parent: items.name[this.outside(i)] ?? -1,
    }));
    return Object.assign(rows, { n, isRough: rough });
  }

  async overview({ parts }) {
    const { items, info } = this, { first: from, last: to } = info;
    const busy = (isWanted) => busyParts(items, rowsWhere(info, isWanted), { from, to, parts });
    return {
      cpu: busy(({ level, kind }, row) => level === 0 && "ps".includes(kind) && !this.isStream(row)),
      gpu: busy(({ isOfWaits }, row) => this.isStream(row) && !isOfWaits),
    };
  }

  async links({ row, start, tie }) {
    const { items, info } = this, i = this.itemAt(row, start, tie), place = (k) => this.place(k);
    const isOne = items.many[i] === 1, { thread } = info.rows[row];
    if (isOne && items.caller[i] >= 0) {
      const around = aroundCall(items, info, i);
      return { call: { start: items.call[i], thread: items.caller[i], around: around < 0 ? null : place(around) } };
    }
    if (!isOne || this.isStream(row) || thread < 0) return { gpus: [], isRough: false };
    return operationsOf(items, info, { thread, start: items.start[i], end: items.end[i] }, place);
  }

  async next({ name, isFolded, filter, ...position }) {
    return this.nearest(this.instancesNamed(name, isFolded, filter), position);
  }

  async hit({ text, filter, ...position }) { return this.nearest(this.instancesWith(text, filter), position); }

  async nth({ name, n }) {
    const start = this.instancesNamed(name).starts[n - 1];
    return start === undefined ? null : { start };
  }

  async search({ text, filter }) {
    const isHit = this.namesWith(text), names = [], matches = this.matching(filter), { n: all, name, many } = this.items;
    isHit.forEach((is, number) => { if (is) names.push(number); });
    let places = 0, n = 0;
    for (let i = 0; i < all; i++) {
      if (!isHit[name[i]] || !matches(i)) continue;
      places++;
      n += many[i];
    }
    if (!this.whole) return { names, n };
    if (filter) return { names, n, places, isRough: true };
    n = 0;
    for (const sum of this.whole.values()) n += isHit[sum.name] * (sum.calls + sum.marks);
    return { names, n, places };
  }

  // --- What these methods share ---

  isStream(row) { return isStreamGroup(this.info.groups[this.info.rows[row].group]); }

  kindOf(row) { return this.info.rows[row].kind; }

  counted(filter, isFolded) {
    const { name } = this.items, kinds = isFolded ? this.kinds() : null;
    return { isWanted: this.wanted(filter), nameOf: kinds ? (i) => kinds[name[i]] : (i) => name[i] };
  }

  // By name: the first name that differs from it in numbers only.
  kinds() {
    if (this.firsts) return this.firsts;
    const known = new Map();
    this.firsts = this.info.names.map((name, number) => {
      const text = foldNumbers(labelOf(name));
      if (!known.has(text)) known.set(text, number);
      return known.get(text);
    });
    return this.firsts;
  }

  merged(sums) {
    const kinds = this.kinds(), merged = new Map();
    for (const { name, total, self, calls, max } of sums) {
      const kind = kinds[name], sum = merged.get(kind) || { name: kind, total: 0, self: 0, calls: 0, max: 0 };
      merged.set(kind, sum);
      sum.total += total;
      sum.self += self;
      sum.calls += calls;
      sum.max = Math.max(sum.max, max);
    }
    return [...merged.values()].sort((a, b) => b.total - a.total);
  }

  labels() {
    this.lower = this.lower || this.info.names.map(({ domain, message, field }) =>
      ((domain ? `${domain}:` : "") + message + (field ? `.${field}` : "")).toLowerCase());
    return this.lower;
  }

  namesWith(text) {
    const lower = text.toLowerCase();
    return Uint8Array.from(this.labels(), (label) => +label.includes(lower));
  }

  // The last of the items that begin at the same time has no `tie`: itemAt() finds it without.
  place(i) {
    const { first, start, end, name, row: rows } = this.items, row = rows[i];
    const found = { row, start: start[i], end: end[i], name: name[i] };
    if (i + 1 === first[row + 1] || start[i + 1] !== start[i]) return found;
    return { ...found, tie: i - lowerBound(start, start[i], first[row], first[row + 1]) };
  }

  // The item of a row that begins at `at`: of several, the one with that tie index, or the last.
  itemAt(row, at, tie = Infinity) {
    const { first, start } = this.items, low = lowerBound(start, at, first[row], first[row + 1]);
    let i = low;
    while (i - low < tie && i + 1 < first[row + 1] && start[i + 1] === at) i++;
    return i < first[row + 1] && start[i] === at ? i : undefined;
  }

  // The item that encloses this one, or in which this task was begun; -1: none.
  outside(i) { return Math.max(this.items.parent[i], this.items.outer[i]); }

  // The first hundred items directly inside an item, whose rows are below its own.
  childrenOf(i) {
    const { first, start, end, row } = this.items, children = [];
    for (let below = row[i] + 1; below < this.above.length; below++) {
      if (!this.isAbove(row[i], below)) continue;
      let k = lowerBound(start, start[i], first[below], first[below + 1]);
      for (; k < first[below + 1] && start[k] <= end[i] && children.length < CHILDREN; k++) {
        if (this.outside(k) === i) children.push(this.place(k));
      }
    }
    return children;
  }

  isAbove(row, below) {
    let up = this.above[below];
    while (up > row) up = this.above[up];
    return up === row;
  }

  // Without `row`, the instances that begin at `after` itself are skipped.
  nearest({ found, starts }, { after, row, tie, by }) {
    const own = row === undefined ? undefined : this.itemAt(row, after, tie), { items } = this;
    const order = (i) => items.start[i] - after || (row === undefined ? 0 : items.row[i] - row) ||
      (own === undefined ? 0 : i - own);
    let at = lowerBound(starts, after);
    while (at < found.length && (order(found[at]) < 0 || (by > 0 && order(found[at]) === 0))) at++;
    if (by < 0) at--;
    return at >= 0 && at < found.length ? this.place(found[at]) : null;
  }

  // By name: 1 if it is that one or, if numbers are folded, of its kind.
  sought(name, isFolded) {
    const kinds = isFolded ? this.kinds() : this.info.names.map((_, number) => number);
    return Uint8Array.from(kinds, (kind) => +(kind === kinds[name]));
  }

  instancesNamed(name, isFolded = false, filter = null) {
    return this.instancesOf(["named", name, isFolded, filter], this.sought(name, isFolded));
  }

  instancesWith(text, filter) {
    return this.instancesOf(["with", text, false, filter], this.namesWith(text));
  }

  // {found, starts}: items in the order of starts, rows, and items.
  instancesOf(key, isSought) {
    const { n, name, start } = this.items, found = [], text = JSON.stringify(key), matches = this.matching(key[3]);
    if (this.found.has(text)) return this.found.get(text);
    for (let i = 0; i < n; i++) if (isSought[name[i]] && matches(i)) found.push(i);
    found.sort((a, b) => start[a] - start[b] || a - b);
    if (this.found.size > 3) this.found.clear();
    this.found.set(text, { found, starts: Float64Array.from(found, (i) => start[i]) });
    return this.found.get(text);
  }

  rowsOf(filter) {
    return rowsWhere(this.info, ({ kind, group }) => "ps".includes(kind) && hasThread(this.info, group, filter?.thread));
  }

  matching(filter) {
    const { rows } = this.info, { row } = this.items, isWanted = this.wanted(filter), thread = filter?.thread;
    const isIn = rows.map(({ kind, group }) => kind !== "c" && hasThread(this.info, group, thread));
    return (i) => isIn[row[i]] && isWanted(i);
  }

  wanted(filter) {
    const { name, domain, category } = filter || {};
    if (!name && domain == null && category == null) return () => true;
    const isNamed = this.namesWith(name || "");
    const { name: names, category: categories } = this.items, isOfDomain = this.isOf(domain);
    const number = category == null ? -1 : this.info.categories.indexOf(category);
    return (i) => isNamed[names[i]] === 1 && isOfDomain(i) &&
      (category == null || (number >= 0 && categories[i] === number));
  }

  // Whether an item is of a domain: names of GPU work do not say theirs, but their rows have no other.
  isOf(domain) {
    if (domain == null) return () => true;
    const { domains, names, rows } = this.info, { name, row } = this.items;
    const only = rows.map((each) => (each.domains?.length === 1 ? domains[each.domains[0]] : null));
    return (i) => (only[row[i]] ?? names[name[i]].domain) === domain;
  }
}
