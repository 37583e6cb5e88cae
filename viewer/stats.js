// stats.js - computes sums, paths and duration statistics of the items of tracks in a span of time.
// isWanted(track, i) says which items count. Of a name, the time of what is inside a range that does
// not count is no self time; in a path, it is that of the nearest ancestor that counts.

// The first position in `index` of an item that begins at `ns` or later.
export function lowerBound(starts, index, ns) {
  let low = 0, high = index.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (starts[index[middle]] < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isRange(track) { return track.kind === "p" || track.kind === "s"; }

// How many ranges an item has, and how much time they cover.
export function manyOf(track, i) { return track.many ? track.many[i] : 1; }
export function coveredOf(track, i) {
  return track.covered && track.many[i] > 1 ? track.covered[i] : track.end[i] - track.start[i];
}

// The time of an item within the span; negative if it is outside. Of merged ranges, the time that
// they cover is assumed to be spread evenly.
function inside(track, i, from, to) {
  const length = track.end[i] - track.start[i];
  const ns = Math.min(track.end[i], to) - Math.max(track.start[i], from);
  return ns > 0 && length > 0 ? ns * (coveredOf(track, i) / length) : ns;
}

// Takes an item's `ns` from the self times of what encloses it: from each up to its end, which may
// come first. take(enclosing, ns) says whether it had them.
function takeFromEnclosing(track, i, ns, from, take) {
  let at = Math.max(track.start[i], from);
  for (let e = track.parent[i]; e >= 0 && ns > 0; e = track.parent[e]) {
    const part = Math.max(0, Math.min(ns, track.end[e] - at));
    if (!take(e, part)) continue;
    ns -= part;
    at += part;
  }
}

// Calls visit(track, i, ns) for each range in the span, parents before children.
function eachRange(tracks, { from, to }, visit) {
  for (const track of tracks) {
    if (!isRange(track)) continue;
    for (let i = 0; i < track.n && track.start[i] < to; i++) {
      const ns = inside(track, i, from, to);
      if (ns > 0 || (ns === 0 && track.start[i] >= from)) visit(track, i, ns);
    }
  }
}

// Whether sums of the span are estimates: it has merged ranges with different names, or only a part
// of merged ranges.
export function isRough(tracks, { from, to }) {
  return tracks.some((track) => {
    if (!track.many || !isRange(track)) return false;
    for (let i = 0; i < track.n && track.start[i] < to; i++) {
      if (track.many[i] > 1 && track.end[i] > from &&
        ((track.varied && track.varied[i]) || track.start[i] < from || track.end[i] > to)) return true;
    }
    return false;
  });
}

// [{name, total, self, calls}], the longest total first; only times inside the span count.
export function sumsOf(tracks, span, isWanted) {
  const rows = new Map();
  const row = (name) => {
    if (!rows.has(name)) rows.set(name, { name, total: 0, self: 0, calls: 0 });
    return rows.get(name);
  };
  eachRange(tracks, span, (track, i, ns) => {
    takeFromEnclosing(track, i, ns, span.from, (enclosing, part) => {
      if (isWanted(track, enclosing)) row(track.name[enclosing]).self -= part;
      return true;
    });
    if (!isWanted(track, i)) return;
    const r = row(track.name[i]);
    r.total += ns;
    r.self += ns;
    r.calls += manyOf(track, i);
  });
  return [...rows.values()].sort((a, b) => b.total - a.total);
}

// The same by path: [{name, parent, total, self, calls}], parents before children; `parent` is an
// index, or -1.
export function flameOf(tracks, span, isWanted) {
  const nodes = [], children = new Map();
  const child = (parent, name) => {
    const key = `${parent}/${name}`;
    if (!children.has(key)) {
      children.set(key, nodes.push({ name, parent, total: 0, self: 0, calls: 0 }) - 1);
    }
    return children.get(key);
  };
  // Of an item, or of the nearest ancestor that counts.
  const nodeOf = new Map(tracks.map((track) => [track, new Int32Array(track.n).fill(-1)]));
  eachRange(tracks, span, (track, i, ns) => {
    const own = nodeOf.get(track), parent = track.parent[i];
    const above = parent >= 0 ? own[parent] : -1;
    if (!isWanted(track, i)) {
      own[i] = above;
      return;
    }
    own[i] = child(above, track.name[i]);
    const node = nodes[own[i]];
    node.total += ns;
    node.self += ns;
    node.calls += manyOf(track, i);
    takeFromEnclosing(track, i, ns, span.from, (enclosing, part) => {
      if (!isWanted(track, enclosing)) return false;
      nodes[own[enclosing]].self -= part;
      return true;
    });
  });
  return nodes;
}

// {n, min, median, p95, max, histogram} of durations.
export function spreadOf(lengths) {
  const all = Float64Array.from(lengths).sort(), n = all.length;
  if (!n) return { n, histogram: [] };
  const at = (share) => all[Math.min(n - 1, Math.floor(n * share))];
  const median = (all[n - 1 >> 1] + all[n >> 1]) / 2;
  return {
    n, min: all[0], median, p95: at(0.95), max: all[n - 1],
    histogram: histogramOf(all),
  };
}

// Histogram bars {from, to, n} on a logarithmic scale, because durations differ by factors.
export function barsOf(min, max, counts) {
  const least = Math.max(1, min), factor = (Math.max(least + 1, max) / least) ** (1 / counts.length);
  return counts.map((n, i) => ({ from: least * factor ** i, to: least * factor ** (i + 1), n }));
}

function histogramOf(sorted) {
  const n = Math.min(24, Math.max(1, Math.ceil(Math.sqrt(sorted.length) * 2)));
  const bars = barsOf(sorted[0], sorted[sorted.length - 1], new Array(n).fill(0));
  const [{ from: least, to }] = bars, step = Math.log(to / least);
  for (const length of sorted) {
    const bar = Math.floor(Math.log(Math.max(least, length) / least) / step);
    bars[Math.min(n - 1, bar)].n++;
  }
  return bars;
}
