// decode.js - decodes the JSON of the trace in the page into tracks, which are columns of items,
// and assigns their items to rows, one row per level.
//
//   a thread's push/pop ranges --> one row per nesting level
//   its start/end ranges --------> as many rows as are open at once
//   its marks, each counter -----> one row
import { barsOf } from "./stats.js";
import { labelOf } from "./text.js";

// To keep the page small, `at` has the difference from each start to the previous one, and columns
// that would be all zeros are absent.
function decode(raw, last, noCategory) {
  const n = raw.at.length;
  const start = new Float64Array(n), end = new Float64Array(n), isOpen = new Uint8Array(n);
  let at = 0;
  for (let i = 0; i < n; i++) {
    at += raw.at[i];
    start[i] = at;
    isOpen[i] = raw.ns && raw.ns[i] < 0 ? 1 : 0;
    end[i] = isOpen[i] ? last : at + (raw.ns ? raw.ns[i] : 0);
  }
  return {
    kind: raw.kind, thread: raw.thread ?? -1, pid: raw.pid, tid: raw.tid, n, start, end, isOpen,
    name: raw.kind === "c" ? new Int32Array(n).fill(raw.counter) : Int32Array.from(raw.name),
    color: raw.color ? Int32Array.from(raw.color, (c) => c - 1) : null,
    value: raw.value || null,
    category: Int32Array.from(raw.category || { length: n }, (c) => (c ? c - 1 : noCategory)),
    endThread: raw.endThread || {}, payloads: raw.payloads || {}, about: raw,
    many: raw.more ? Float64Array.from(raw.more, (more) => more + 1) : null,
    depth: raw.depth || null, varied: raw.varied || null, covered: raw.covered || null,
    low: raw.low || raw.value || null, high: raw.high || raw.value || null,
    level: new Uint16Array(n), parent: new Int32Array(n).fill(-1), deepest: n ? 1 : 0,
  };
}

// Takes the levels from an overview, which has them because it merges ranges: those that remain do
// not show them. A merged item may be a parent; it represents its longest range.
function takeLevels(track, levels) {
  const last = [];
  levels.forEach((level, i) => {
    const above = track.kind === "p" && level > 0 ? last[level - 1] : undefined;
    track.level[i] = level;
    if (above !== undefined && track.end[above] >= track.start[i]) track.parent[i] = above;
    last[level] = i;
    track.deepest = Math.max(track.deepest, level + 1);
  });
}

// Sets levels and parents of push/pop ranges. The parent of a range is the newest one that is open
// when it begins, and its level is one more. Ranges may cross, because each domain has its own
// stack: a range is on the stack here until it ends. If one ends at the very time at which the next
// begins, their depths in the domain say whether it was closed before; one never closed was not.
function nest(track, domainOf) {
  const open = [], { start, end, isOpen, depth, name } = track;
  const isOver = (k, i) => !isOpen[k] && (end[k] < start[i] || (end[k] === start[i] &&
    !(depth && depth[k] < depth[i] && domainOf[name[k]] === domainOf[name[i]])));
  for (let i = 0; i < track.n; i++) {
    for (let k = open.length - 1; k >= 0; k--) {
      if (isOver(open[k], i)) open.splice(k, 1);
    }
    if (open.length) track.parent[i] = open[open.length - 1];
    // A range that crosses another may leave a level free below it.
    const level = open.length ? track.level[open[open.length - 1]] + 1 : 0;
    track.level[i] = level;
    open.push(i);
    track.deepest = Math.max(track.deepest, level + 1);
  }
}

// Start/end ranges do not nest: each gets the first level that is free when it begins.
function pack(track) {
  const free = [];
  for (let i = 0; i < track.n; i++) {
    let level = free.findIndex((until) => until <= track.start[i]);
    if (level < 0) level = free.push(0) - 1;
    free[level] = track.isOpen[i] ? Infinity : track.end[i];
    track.level[i] = level;
  }
  track.deepest = free.length;
}

// [{track, level, index: the items of this level, in the order of their starts}]
function levelsOf(track) {
  const sizes = new Int32Array(track.deepest);
  for (let i = 0; i < track.n; i++) sizes[track.level[i]]++;
  const rows = Array.from(sizes, (n, level) => ({ track, level, index: new Int32Array(n) }));
  sizes.fill(0);
  for (let i = 0; i < track.n; i++) {
    const level = track.level[i];
    rows[level].index[sizes[level]++] = i;
  }
  return rows;
}

// The values that of(i) has for the items of a row, without negative ones.
function occurring(row, of) {
  const seen = new Set();
  for (const i of row.index) if (of(i) >= 0) seen.add(of(i));
  return [...seen];
}

function describe(row, group, names, domainOf) {
  const { track } = row, { about } = track;
  const described = {
    group, kind: track.kind, level: row.level, thread: track.thread,
    label: track.kind === "s" && track.tid && row.level === 0 ? "start/end" : "",
    domains: occurring(row, (i) => domainOf[track.name[i]]),
    categories: track.kind === "c" ? [] : occurring(row, (i) => track.category[i]),
  };
  if (track.kind !== "c") return described;
  let low = Infinity, high = -Infinity;
  for (let i = 0; track.value && i < track.n; i++) {
    if (track.value[i] === null) continue;
    low = Math.min(low, track.low[i]);
    high = Math.max(high, track.high[i]);
  }
  return {
    ...described, name: about.counter, unit: about.unit, low, high,
    label: labelOf(names[about.counter]),
    least: about.least ?? null, most: about.most ?? null, interpolation: about.holds ?? null,
  };
}

const ORDER = { c: 0, m: 1, p: 2, s: 3 };

// Sums over the whole trace by name, the longest first; null if the page has the whole trace. An
// overview contains them because they cannot be computed from its merged items.
function decodeSums(raw) {
  if (!raw.sums) return null;
  return new Map(raw.sums.map(([name, total, self, calls, marks, min, median, p95, max, bars]) => {
    const spread = bars ? { n: calls, min, median, p95, max, histogram: barsOf(min, max, bars) } : null;
    return [name, { name, total, self, calls, marks, spread }];
  }));
}

// {about, rows: [{track, level, index}], tracks, whole, wholeLeftOut}: `whole` is the result of
// decodeSums(), and `wholeLeftOut` the number of names missing in it.
export function decodeTrace(text) {
  const raw = JSON.parse(text);
  const names = raw.names.map(([domain, message, field]) =>
    ({ domain, message, field: field || "", color: null }));
  const domains = [...new Set(names.map((name) => name.domain))];
  const domainNumbers = new Map(domains.map((domain, i) => [domain, i]));
  const domainOf = Int32Array.from(names, (name) => domainNumbers.get(name.domain));
  const groups = [], groupNumbers = new Map(), rows = [], described = [], tracks = [];
  const threads = raw.threads.map(([name, pid, tid]) => ({ name, pid, tid }));
  const groupOf = (track) => {
    const key = track.kind === "c" ? `c${track.pid}` : `${track.pid}/${track.tid}/${track.thread}`;
    if (!groupNumbers.has(key)) {
      const program = (raw.processes[track.pid] || "").split("/").pop();
      const label = track.kind === "c" ? "counters"
        : track.thread < 0 ? "further threads" : threads[track.thread]?.name || program;
      groupNumbers.set(key, groups.push({ label, pid: track.pid, tid: track.tid || 0 }) - 1);
    }
    return groupNumbers.get(key);
  };
  raw.tracks.sort((a, b) => a.pid - b.pid || (a.tid || 0) - (b.tid || 0) ||
    ORDER[a.kind] - ORDER[b.kind]);
  for (const each of raw.tracks) {
    const track = decode(each, raw.last, (raw.categories || []).length);
    if (each.level) takeLevels(track, each.level);
    else if (track.kind === "p") nest(track, domainOf);
    else if (track.kind === "s") pack(track);
    // A name whose ranges have a color gets it wherever the page shows the name.
    if (track.color) {
      for (let i = 0; i < track.n; i++) {
        if (track.color[i] >= 0) names[track.name[i]].color = track.color[i];
      }
    }
    tracks.push(track);
    track.firstRow = rows.length;
    for (const row of levelsOf(track)) {
      rows.push(row);
      described.push(describe(row, groupOf(track), names, domainOf));
    }
  }
  const about = {
    title: raw.title, filter: raw.filter, first: raw.first, last: raw.last, events: raw.events,
    dropped: raw.dropped, wholeSince: raw.wholeSince, payloadsLeftOut: raw.payloadsLeftOut, resolution: raw.resolution || 0,
    isLive: false, isComplete: true,
    names, threads, domains, categories: [...(raw.categories || []), ""],
    processes: Object.entries(raw.processes).map(([pid, program]) => ({ pid: +pid, program })),
    windows: raw.windows, gaps: raw.gaps || [], groups, rows: described,
  };
  return { about, rows, tracks, whole: decodeSums(raw), wholeLeftOut: raw.sumsLeftOut || 0 };
}
