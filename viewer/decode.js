// decode.js - decodes the JSON of the trace in the page (src/serve/page_data.c): what about()
// answers, and the items of its rows, as columns over all rows.
//
//   row 0: items 0 1 2 3    row 1: items 4 5    row 2: ...    in each row in the order of starts
import { isStreamGroup } from "./rows.js";
import { barsOf } from "./stats.js";

// By row: the row of the level above in the same thread or lane, or of the ranges in which its tasks
// were begun, which has a smaller number, or -1. Operations of a stream that overlap are not inside
// each other.
function rowsAbove({ rows, groups }) {
  const byLevel = new Map();
  const keyOf = ({ group, thread, lane }, level) => `${group}/${thread}/${lane || 0}/${level}`;
  return Int32Array.from(rows, (row, number) => {
    if (row.kind !== "p" || isStreamGroup(groups[row.group])) return row.above ?? -1;
    byLevel.set(keyOf(row, row.level), number);
    return byLevel.get(keyOf(row, row.level - 1)) ?? -1;
  });
}

// To keep the page small, `at` has the difference from each start to the previous one, and columns
// that would be all zeros are absent. `ns` of a range that was never closed is -1 - ns.
function decodeRow(raw, from, items) {
  let at = 0;
  raw.at.forEach((step, k) => {
    const i = from + k, ns = raw.ns ? raw.ns[k] : 0;
    at += step;
    items.start[i] = at;
    items.isOpen[i] = ns < 0 ? 1 : 0;
    items.end[i] = at + (ns < 0 ? -1 - ns : ns);
  });
  items.many.fill(1, from, from + raw.at.length);
  const put = (column, values, by = 0) => values?.forEach((value, k) => { items[column][from + k] = by ? value + by : value; });
  for (const column of ["name", "category", "varied", "value", "covered", "longest"]) put(column, raw[column]);
  put("color", raw.color, -1);
  put("many", raw.more, 1);
  put("low", raw.low || raw.value);
  put("high", raw.high || raw.value);
  (raw.caller || []).forEach((thread, k) => {
    if (!thread) return;
    const i = from + k, of = (column) => raw[column]?.[k] || 0;
    items.caller[i] = thread - 1;
    items.owner[i] = (of("owner") || thread) - 1;
    items.call[i] = items.start[i] - of("call");
    items.from[i] = items.call[i] + of("from");
    items.to[i] = items.from[i] + of("took");
  });
  for (const [k, thread] of Object.entries(raw.endThread || {})) items.endThread.set(from + +k, thread);
  for (const [k, payload] of Object.entries(raw.payloads || {})) items.payloads.set(from + +k, payload);
}

// The items that enclose others: of each, the newest in the row above that is open when it begins.
// With a filter that row may be empty, and then it is one further above. Tasks may overlap.
function findParents(items, { rows, filter }, above) {
  const { start, end, first, parent, outer } = items;
  for (let row = 0; row < above.length; row++) {
    const cursors = new Map();
    for (let i = first[row]; i < first[row + 1]; i++) {
      for (let up = above[row]; up >= 0; up = filter ? above[up] : -1) {
        let k = cursors.get(up) ?? first[up];
        while (k + 1 < first[up + 1] && start[k + 1] <= start[i]) k++;
        cursors.set(up, k);
        if (k === first[up + 1] || start[k] > start[i] || end[k] < start[i]) continue;
        (rows[row].kind === "p" ? parent : outer)[i] = k;
        break;
      }
    }
  }
}

// Columns over all rows; the items of row r are first[r] to first[r + 1]. Values may be texts or null.
function decodeItems(raw) {
  const first = new Int32Array(raw.rows.length + 1);
  raw.rows.forEach(({ at }, row) => { first[row + 1] = first[row] + at.length; });
  const n = first[raw.rows.length];
  const items = {
    n, first, row: new Int32Array(n), start: new Float64Array(n), end: new Float64Array(n),
    isOpen: new Uint8Array(n), name: new Int32Array(n), color: new Int32Array(n).fill(-1),
    category: new Int32Array(n), many: new Float64Array(n), varied: new Uint8Array(n),
    covered: new Float64Array(n), longest: new Float64Array(n), value: new Array(n).fill(null), low: new Array(n).fill(null),
    high: new Array(n).fill(null), endThread: new Map(), payloads: new Map(),
    parent: new Int32Array(n).fill(-1), outer: new Int32Array(n).fill(-1),
    // Of GPU work: the thread of the call that requested it, or -1, and when that began; the thread to
    // whose ranges it belongs, and what one must enclose.
    caller: new Int32Array(n).fill(-1), call: new Float64Array(n),
    owner: new Int32Array(n).fill(-1), from: new Float64Array(n), to: new Float64Array(n),
  };
  raw.rows.forEach((row, number) => {
    const { kind, name } = raw.about.rows[number];
    items.row.fill(number, first[number], first[number + 1]);
    if (kind === "c") items.name.fill(name, first[number], first[number + 1]);
    decodeRow(row, first[number], items);
  });
  return items;
}

const MOST_EXACT = 4096; // ranges: of more, quantiles are estimates

// Sums over the whole trace by name, the longest first, if they cannot be computed because short
// items are merged; else null.
function decodeSums(raw) {
  if (!raw.sums) return null;
  return new Map(raw.sums.map(([name, total, self, calls, marks, max, min, median, p95, bars]) => {
    const spread = bars ? { n: calls, min, median, p95, max, histogram: barsOf(min, max, bars) } : null;
    return [name, { name, total, self, calls, max, p95, isP95Rough: calls > MOST_EXACT, marks, spread }];
  }));
}

// `wholeLeftOut` is the number of names missing in `whole`.
export function decodeTrace(text) {
  const raw = JSON.parse(text), { resolution, payloadsLeftOut } = raw;
  const about = { ...raw.about, resolution, payloadsLeftOut };
  const items = decodeItems(raw), above = rowsAbove(about);
  findParents(items, about, above);
  return { about, items, above, whole: decodeSums(raw), wholeLeftOut: raw.sumsLeftOut || 0 };
}
