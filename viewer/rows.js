// rows.js - arranges the rows of a trace in groups, and computes where each is from top to bottom.
//
//   by thread     process (if there are several), GPU > thread, stream, counter > rows
//   by domain     domain > threads with items of the domain > rows
//   by category   category > threads with items of the category > rows
//
// A group of rows has its name beside the first of them; one of groups has a line of its own. Pinned
// groups are above all others.
import { px, rowSize, stripSize } from "./size.js";

// How the user has arranged the groups: which are folded (or unfolded, if they are quiet), and the
// ranks of those that were moved. A rank is the position among siblings; that of a moved group is
// between those of its neighbors.
export class Arrangement {
  constructor() {
    this.by = "thread";
    this.folded = new Set();
    this.pinned = [];
    this.ranks = new Map();
  }

  fold(key) {
    if (!this.folded.delete(key)) this.folded.add(key);
  }

  pin(key) {
    const others = this.pinned.filter((each) => each !== key);
    this.pinned = others.length < this.pinned.length ? others : [...others, key];
  }

  sort(groups) {
    groups.forEach((group, i) => { group.rank = this.ranks.get(group.key) ?? i; });
    return groups.sort((a, b) => a.rank - b.rank);
  }

  move(siblings, key, by) {
    const at = siblings.findIndex((group) => group.key === key), to = at + by;
    if (at < 0 || to < 0 || to >= siblings.length) return;
    const beyond = siblings[to + by];
    this.ranks.set(key, beyond ? (siblings[to].rank + beyond.rank) / 2 : siblings[to].rank + by);
  }
}

// --- Filters ---

// A filter for items, with a key that identifies it among tiles; null if it matches all.
export function filterOf({ name, domain, category }) {
  if (!name && domain == null && category == null) return null;
  const filter = { name: name || null, domain: domain ?? null, category: category ?? null };
  return { ...filter, key: JSON.stringify(filter) };
}

// Only ASCII letters become lower case, as in the server, so that both match the same threads.
function lower(text) { return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()); }

// Above 24 bits, a pid has a PID alias.
export function threadId({ pid, tid }) { return `${pid % 2 ** 24}/${tid}`; }

function hasThread(about, group, wanted) {
  const one = about.groups[group];
  return !wanted || lower(`${one.label} ${threadId(one)}`).includes(lower(wanted));
}

// A counter has one name and no category.
function isCounterWanted({ names }, { name, label }, { name: text, domain }) {
  return (!text || lower(label).includes(lower(text))) && (domain == null || !names[name] || names[name].domain === domain);
}

export function mayMatch(about, row, wanted) {
  if (row.kind === "c") return isCounterWanted(about, row, wanted);
  const has = (list, all, text) => text == null || !list || list.some((i) => all[i] === text);
  return has(row.domains, about.domains, wanted.domain) && has(row.categories, about.categories, wanted.category);
}

// The numbers of rows.
export function rowsWhere({ rows }, isWanted) {
  return rows.flatMap((row, number) => (isWanted(row, number) ? [number] : []));
}

// --- Groups ---

export function isStreamGroup({ label, tid }) { return !tid && /^GPU \d+\//.test(label); }

// The path of a stream, `GPU 0/MIG 7/context 1/stream 7`; null for other groups.
function streamOf({ label, tid }) {
  const parts = label.split("/");
  return isStreamGroup({ label, tid }) ? { gpu: parts[0], rest: parts.at(-1) } : null;
}

const LEAST_QUIET = 20; // threads
const MOST_ABOVE = 4; // counters
const KIND_ORDER = { c: 0, r: 1, p: 2, s: 3, a: 4, m: 5 };

// Sources number rows in the order in which the trace needs them, so that they are sorted here: by
// process, thread, kind, lane and level, tasks below the ranges in which they were begun. Streams of
// GPUs come after the threads of their process, ranges projected on them above their work, and then
// waits for GPUs. A thread has its calls of CUDA below its ranges.
function pathOf(rows, { above, level }) {
  return (above === undefined ? "" : pathOf(rows, rows[above])) + String.fromCharCode(level);
}

function compareRows(about, a, b) {
  const [one, other] = [about.groups[a.group], about.groups[b.group]];
  const [path, after] = [pathOf(about.rows, a), pathOf(about.rows, b)];
  const order = (group, { isOfWaits }) => (isOfWaits ? 2 : +(streamOf(group) !== null));
  return one.pid - other.pid || order(one, a) - order(other, b) || one.tid - other.tid || a.group - b.group ||
    KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || (a.lane || 0) - (b.lane || 0) || (path > after) - (path < after);
}

// "GPU 0 power": of what GPUs report of themselves, the domain says no more.
function counterTitle(label) { return label.replace(/^rangeline\.gpu:/, "") || "(no name)"; }

// Groups of the rows: one per thread, stream or counter, and one for the waits of all streams, which
// is folded at first (`isQuiet`). `prefix` distinguishes those of one thread in several parents. Each
// is {key, label, note, rows, filter, pid}.
function leavesOf(about, rows, { prefix, filter, isLong }) {
  const groups = new Map();
  for (const number of rows) {
    const row = about.rows[number], { label, pid, tid } = about.groups[row.group];
    const isCounter = row.kind === "c", isQuiet = Boolean(row.isOfWaits);
    const of = isCounter ? `c${number}` : isQuiet ? `waits ${pid}` : row.group;
    if (!groups.has(of)) {
      const stream = isQuiet ? null : streamOf({ label, tid }), note = isLong && tid ? threadId({ pid, tid }) : tid ? String(tid) : "";
      const key = `${prefix}${pid}/${tid}/${label}`, name = stream && (isLong ? `${stream.gpu}, ${stream.rest}` : stream.rest);
      const own = isCounter ? { key: `${key}/${row.label}`, label: counterTitle(row.label), note: "", filter: null }
        : isQuiet ? { key: `${prefix}${of}`, label: "GPU waits", note: "" } : { key, label: name || label, note };
      groups.set(of, { filter, rows: [], pid, tid, isQuiet, isCounter, gpu: stream?.gpu, ...own });
    }
    groups.get(of).rows.push(number);
  }
  return [...groups.values()];
}

// Those of which heading() says the same text are put under one group.
function underHeadings(leaves, heading, describe) {
  const made = [], known = new Map();
  for (const leaf of leaves) {
    const text = heading(leaf);
    if (text == null) {
      made.push(leaf);
      continue;
    }
    if (!known.has(text)) {
      known.set(text, { ...describe(text), groups: [] });
      made.push(known.get(text));
    }
    known.get(text).groups.push(leaf);
  }
  return made;
}

// The processes of a job in the order of their ranks, which no order of pids has; others as they are.
function byRank(processes) {
  const ranks = new Map(processes.map((each) => [each, /^rank (\d+)\b/.exec(each.label)?.[1]]));
  return [...ranks.values()].includes(undefined) ? processes
    : processes.sort((one, other) => ranks.get(one) - ranks.get(other));
}

function threadsText(groups) {
  const n = groups.filter(({ tid }) => tid !== 0).length;
  return n === 1 ? "1 thread" : `${n} threads`;
}

// Many threads that are hardly ever busy are under one heading, folded at first, which says how many
// of them are not pinned.
function underMore(leaves, key) {
  const [busy, quiet] = [false, true].map((is) => leaves.filter(({ isIdle }) => isIdle === is));
  return quiet.length < LEAST_QUIET ? leaves : [...busy, { key: `${key}/more`, isQuiet: true,
    isMore: true, part: "", note: "each busy for less than 0.1 %", groups: quiet }];
}

// Many counters are below the threads, where they push none of them off the screen.
function underCounters(leaves, key) {
  const counters = leaves.filter(({ isCounter }) => isCounter);
  return counters.length <= MOST_ABOVE ? leaves : [...leaves.filter(({ isCounter }) => !isCounter),
    { key: `${key}/counters`, label: "Counters", note: String(counters.length), groups: counters }];
}

function byThread(about, rows, filter, idle) {
  const leaves = leavesOf(about, rows, { prefix: "", filter, isLong: false });
  const isOfProcess = ({ pid }) => pid !== 0; // rows that threads share belong to no process
  for (const leaf of leaves) leaf.isIdle = Boolean(idle && leaf.tid && idle[about.rows[leaf.rows[0]].group]);
  const gpus = (list, pid) => underHeadings(underCounters(underMore(list, pid), pid), ({ gpu }) => gpu,
    (gpu) => ({ key: `${pid}/${gpu}`, label: gpu, note: "" }));
  const several = new Set(leaves.filter(isOfProcess).map(({ pid }) => pid)).size > 1;
  const own = leaves.filter(isOfProcess), others = leaves.filter((leaf) => !isOfProcess(leaf));
  if (!several) return gpus([...own, ...others], 0);
  const labels = new Map(about.processes.map(({ pid, label }) => [pid, label]));
  const processes = byRank(underHeadings(own, ({ pid }) => pid, (pid) => ({
    key: `p${pid}`, part: String(pid), label: labels.get(pid) || "process", note: String(pid % 2 ** 24),
  })));
  for (const each of processes) {
    each.note += ` \u00b7 ${threadsText(each.groups)}`;
    each.groups = gpus(each.groups, each.key);
  }
  return [...processes, ...gpus(others, 0)];
}

function bySubject(about, rows, wanted, subject) {
  const [texts, own] = subject === "domain" ? [about.domains, "domains"] : [about.categories, "categories"];
  const found = texts.map((text, i) => ({
    key: `${subject} ${text}`, text, note: "",
    label: text || (subject === "domain" ? "Default domain" : "No category"),
    groups: leavesOf(about, rows.filter((number) => about.rows[number].kind !== "r" && (about.rows[number][own] || []).includes(i)),
      { prefix: `${subject} ${text}/`, filter: filterOf({ ...wanted, [subject]: text }), isLong: true }),
  })).filter(({ groups }) => groups.length);
  found.sort((one, other) => (one.text !== "") - (other.text !== "")); // what has none comes first
  const counters = subject === "category" ? rows.filter((number) => about.rows[number].kind === "c") : [];
  return [...found, ...leavesOf(about, counters, { prefix: "", filter: null, isLong: true })];
}

// {groups, more}: `more` threads are left out because nothing in them matches. `present` says which
// rows have matching items, `quiet` which groups are hardly ever busy, `strips` a row of each group
// with a strip of states; null: all, none, none.
function tree(about, arrangement, wanted, { present, quiet }) {
  const rows = [], shown = new Set(), all = new Set();
  about.rows.forEach((row, number) => {
    if (about.filter && row.kind !== "c" && !row.domains.length) return; // no item matches that one
    if (row.kind !== "c") all.add(row.group);
    if (!hasThread(about, row.group, wanted.thread) || !mayMatch(about, row, wanted)) return;
    if (present && row.kind !== "c" && !present[number]) return;
    rows.push(number);
    if (row.kind !== "c") shown.add(row.group);
  });
  rows.sort((a, b) => compareRows(about, about.rows[a], about.rows[b]) || a - b);
  const groups = arrangement.by === "thread" ? byThread(about, rows, filterOf(wanted), quiet)
    : bySubject(about, rows, wanted, arrangement.by);
  return { groups, more: all.size - shown.size };
}

// --- The layout ---

const MOST_LEVELS_FOLDED = 7; // that are drawn of a folded group

function heightOf(kind) {
  return kind === "counter" ? px(46) : kind === "marks" ? px(12) : rowSize("row");
}

// The pinned groups of a tree. Their notes say under which headings they would be.
function pinnedIn(groups, isPinned, above = []) {
  return groups.flatMap((group) => {
    const within = pinnedIn(group.groups || [], isPinned, [...above, group.part ?? group.label]);
    if (!isPinned(group)) return within;
    group.note = [...above, group.note].filter(Boolean).join("/");
    return [group, ...within];
  });
}

// {areas, places, groups, more}: the pinned area and the other one, each {places, groups, height},
// and what is in both. Places are what is drawn: {kind, y, height, row, group, area} of the kinds
// header, row, marks, counter, folded, which has several `rows`, and states, which is `of` a row, and
// above those of its thread; `area` is 0 or 1. Groups are where names are: {group, area, y, height, lead,
// depth, siblings, isFolded, isPinned}.
export function layOut(about, arrangement, wanted, known) {
  const { groups: all, more } = tree(about, arrangement, wanted, known), { pinned } = arrangement;
  const isPinned = ({ key }) => pinned.includes(key);
  const isLeft = (group) => !isPinned(group) && (!group.groups || group.groups.some(isLeft));
  const top = pinnedIn(all, isPinned).sort((a, b) => pinned.indexOf(a.key) - pinned.indexOf(b.key));
  const areas = [top, arrangement.sort(all).filter(isLeft)].map((groups, area) =>
    putGroups(about, arrangement, groups, { area, isPinned, isLeft, strips: known.strips }));
  areas[1].height += px(8) + (more ? rowSize("row") : 0);
  return { areas, places: areas.flatMap(({ places }) => places), groups: areas.flatMap(({ groups }) => groups), more };
}

function putGroups(about, arrangement, all, { area, isPinned, isLeft, strips }) {
  const places = [], groups = [];
  let y = px(4);
  const put = (place, height) => {
    places.push({ ...place, y, height, area });
    y += height;
  };
  const putRows = (group) => {
    group.rows.forEach((number, k) => {
      const row = about.rows[number];
      // A row of marks is low, except where the name of the group is beside it.
      const kind = row.kind === "c" ? "counter" : row.kind === "m" && k > 0 ? "marks" : "row";
      put({ kind, row: number, about: row, group, filter: group.filter }, heightOf(kind));
    });
  };
  const putFolded = (group) => {
    const own = group.rows.filter((number) => "ps".includes(about.rows[number].kind));
    const rows = own.length ? own : group.rows.filter((number) => about.rows[number].kind !== "m");
    const [first] = rows.length ? rows : group.rows, { kind } = about.rows[first];
    put({ kind: kind === "c" ? "counter" : "folded", row: first, about: about.rows[first], group,
      rows: (rows.length ? rows : group.rows).slice(0, MOST_LEVELS_FOLDED), filter: group.filter }, px(16));
  };
  const putStates = (group) => {
    const of = group.isCounter || group.isQuiet ? undefined : strips?.get(about.rows[group.rows[0]].group);
    if (of !== undefined) put({ kind: "states", of, group, filter: null }, stripSize());
  };
  const putAll = (siblings, depth) => {
    for (const group of siblings) {
      const isFolded = arrangement.folded.has(group.key) !== Boolean(group.isQuiet), at = groups.length;
      const is = isPinned(group); // then it stays where it is
      groups.push({ group, area, y, lead: 0, depth, siblings: is ? [group] : siblings, isFolded, isPinned: is });
      if (group.groups) {
        const left = arrangement.sort(group.groups).filter(isLeft);
        if (group.isMore) group.label = `${left.length.toLocaleString("en")} more threads`;
        put({ kind: "header", group }, px(22));
        if (!isFolded) putAll(left, depth + 1);
      } else {
        putStates(group);
        groups[at].lead = y - groups[at].y;
        (isFolded ? putFolded : putRows)(group);
      }
      groups[at].height = (group.groups ? px(22) : y - groups[at].y);
      y += group.groups ? 0 : rowSize("gap");
    }
  };
  putAll(all, 0);
  return { places, groups, height: all.length && y };
}
