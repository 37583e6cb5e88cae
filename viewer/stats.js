// stats.js - sums, paths and durations of the items of rows in a span. isWanted(i) says which count. Of
// a name, the time of what is inside a range that does not count is no self time; in a path, it is
// that of the nearest ancestor that counts.

// The first position in `starts`, from `low` to `high`, of what begins at `ns` or later.
export function lowerBound(starts, ns, low = 0, high = starts.length) {
  while (low < high) {
    const middle = low + high >> 1;
    if (starts[middle] < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function coveredOf(items, i) {
  return items.many[i] > 1 ? items.covered[i] : items.end[i] - items.start[i];
}

export function longestOf(items, i) {
  return items.many[i] > 1 ? items.longest[i] : items.end[i] - items.start[i];
}

// The time that merged ranges cover is assumed to be spread evenly.
function inside(items, i, from, to) {
  const length = items.end[i] - items.start[i];
  const ns = Math.min(items.end[i], to) - Math.max(items.start[i], from);
  return ns > 0 && length > 0 ? ns * (coveredOf(items, i) / length) : ns;
}

// Takes an item's `ns` from the self times of what encloses it: from each up to its end, which may
// come first. take(enclosing, ns) says whether it had them.
function takeFromEnclosing(items, i, ns, from, take) {
  let at = Math.max(items.start[i], from);
  for (let e = items.parent[i]; e >= 0 && ns > 0; e = items.parent[e]) {
    const part = Math.max(0, Math.min(ns, items.end[e] - at));
    if (part === 0 || !take(e, part)) continue;
    ns -= part;
    at += part;
  }
}

function eachRange(items, rows, { from, to }, visit) {
  for (const row of rows) {
    for (let i = items.first[row]; i < items.first[row + 1] && items.start[i] <= to; i++) {
      const start = items.start[i], end = items.end[i];
      // What only touches the span is not in it.
      if (end < from || (end === from && start < from) || (start === to && end > to)) continue;
      visit(i, inside(items, i, from, to));
    }
  }
}

// Whether sums of the span are estimates: because of merged ranges with different names, or cut ones.
export function isRough(items, rows, { from, to }) {
  return rows.some((row) => {
    for (let i = items.first[row]; i < items.first[row + 1] && items.start[i] < to; i++) {
      if (items.many[i] > 1 && items.end[i] > from &&
        (items.varied[i] || items.start[i] < from || items.end[i] > to)) return true;
    }
    return false;
  });
}

// [{name, total, self, calls, max, p95}], the longest total first; only times inside the span count.
// nameOf(i) is the name under which an item counts. `p95` is missing if ranges are merged.
export function sumsOf(items, rows, span, { isWanted, nameOf }) {
  const sums = new Map();
  const sum = (name) => {
    if (!sums.has(name)) sums.set(name, { name, total: 0, self: 0, calls: 0, max: 0, lengths: [] });
    return sums.get(name);
  };
  eachRange(items, rows, span, (i, ns) => {
    takeFromEnclosing(items, i, ns, span.from, (enclosing, part) => {
      if (isWanted(enclosing)) sum(nameOf(enclosing)).self -= part;
      return true;
    });
    if (!isWanted(i)) return;
    const s = sum(nameOf(i));
    s.total += ns;
    s.self += ns;
    s.calls += items.many[i];
    s.max = Math.max(s.max, longestOf(items, i));
    s.lengths.push(longestOf(items, i));
  });
  return [...sums.values()].map(({ lengths, ...s }) => (
    { ...s, p95: lengths.length === s.calls ? Float64Array.from(lengths).sort()[indexOf95(s.calls)] : undefined }))
    .sort((a, b) => b.total - a.total);
}

// The same by path: [{name, parent, total, self, calls}], parents before children; `parent` is an
// index, or -1.
export function flameOf(items, rows, span, { isWanted, nameOf }) {
  const nodes = [], children = new Map();
  const child = (parent, name) => {
    const key = `${parent}/${name}`;
    if (!children.has(key)) {
      children.set(key, nodes.push({ name, parent, total: 0, self: 0, calls: 0 }) - 1);
    }
    return children.get(key);
  };
  const nodeOf = new Int32Array(items.n).fill(-1); // of an item, or of the nearest ancestor that counts
  eachRange(items, rows, span, (i, ns) => {
    const parent = items.parent[i], above = parent >= 0 ? nodeOf[parent] : -1;
    nodeOf[i] = above;
    if (!isWanted(i)) return;
    nodeOf[i] = child(above, nameOf(i));
    const node = nodes[nodeOf[i]];
    node.total += ns;
    node.self += ns;
    node.calls += items.many[i];
    takeFromEnclosing(items, i, ns, span.from, (enclosing, part) => {
      if (!isWanted(enclosing)) return false;
      nodes[nodeOf[enclosing]].self -= part;
      return true;
    });
  });
  return nodes;
}

export function busyParts(items, rows, { from, to, parts }) {
  const busy = new Array(to > from ? parts : 0).fill(0), part = (to - from) / parts;
  for (const row of busy.length ? rows : []) {
    for (let i = items.first[row]; i < items.first[row + 1]; i++) {
      const length = items.end[i] - items.start[i], density = length > 0 ? coveredOf(items, i) / length : 0;
      const begin = Math.max(0, (items.start[i] - from) / part), end = Math.min(parts, (items.end[i] - from) / part);
      for (let k = Math.floor(begin); k < end; k++) {
        busy[k] += (Math.min(end, k + 1) - Math.max(begin, k)) * part * density;
      }
    }
  }
  return busy.map(Math.trunc);
}

// The index among n sorted numbers: statistics/percentile.h.
function indexOf95(n) { return n - Math.floor(n / 20) - 1; }

export function spreadOf(lengths) {
  const all = Float64Array.from(lengths).sort(), n = all.length;
  if (!n) return { n, histogram: [] };
  const median = (all[n - 1 >> 1] + all[n >> 1]) / 2;
  return {
    n, min: all[0], median, p95: all[indexOf95(n)], max: all[n - 1],
    histogram: histogramOf(all),
  };
}

// The same of several names, from the spread of each, or its average: an estimate.
export function spreadOfAll(sums) {
  const parts = sums.flatMap(({ calls: n, total, spread }) => (spread ? spread.histogram : [{ from: total / n, to: total / n, n }]))
    .filter(({ n }) => n).sort((a, b) => a.from + a.to - b.from - b.to);
  const ends = sums.map(({ max, spread }) => [spread ? spread.min : max, max]);
  const [min, max] = [Math.min(...ends.map(([least]) => least)), Math.max(...ends.map(([, most]) => most))];
  const n = parts.reduce((sum, part) => sum + part.n, 0), middle = ({ from, to }) => Math.sqrt(from * to);
  const at = (index) => {
    let before = 0;
    return Math.min(max, Math.max(min, middle(parts.find((part) => (before += part.n) > index) || parts.at(-1))));
  };
  const bars = barsOf(min, max, new Array(24).fill(0));
  for (const part of parts) (bars.find(({ to }) => middle(part) < to) || bars.at(-1)).n += part.n;
  return { n, min, median: at(n / 2), p95: at(indexOf95(n)), max, histogram: bars, isRough: true };
}

// Histogram bars {from, to, n} on a logarithmic scale, because durations differ by factors.
export function barsOf(min, max, counts) {
  const least = Math.max(1, min), factor = (Math.max(least + 1, max) / least) ** (1 / counts.length);
  return counts.map((n, i) => ({ from: least * factor ** i, to: least * factor ** (i + 1), n }));
}

function histogramOf(sorted) {
  const n = Math.min(24, Math.max(1, Math.ceil(Math.sqrt(sorted.length) * 2)));
  const bars = barsOf(sorted[0], sorted.at(-1), new Array(n).fill(0));
  const [{ from: least, to }] = bars, step = Math.log(to / least);
  for (const length of sorted) {
    const bar = Math.floor(Math.log(Math.max(least, length) / least) / step);
    bars[Math.min(n - 1, bar)].n++;
  }
  return bars;
}
