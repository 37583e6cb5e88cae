// rows.js - arranges the rows of a trace in groups, and computes where each is from top to bottom.
//
//   by thread     process (if there are several) > thread > rows
//   by domain     domain > rows of all processes with items of the domain
//   by category   category > rows of all processes with items of the category

export const HEIGHT = { row: 20, group: 24, counter: 46 };

// How the user has arranged the groups: which are folded, and the ranks of those that were moved. A
// rank is the position among siblings; that of a moved group is between those of its neighbors.
export class Arrangement {
  constructor() {
    this.by = "thread";
    this.folded = new Set();
    this.ranks = new Map();
  }

  fold(key) {
    if (!this.folded.delete(key)) this.folded.add(key);
  }

  sort(groups) {
    groups.forEach((group, i) => { group.rank = this.ranks.get(group.key) ?? i; });
    return groups.sort((a, b) => a.rank - b.rank);
  }

  // Moves a group one place up (-1) or down (1) among its siblings.
  move(siblings, key, by) {
    const at = siblings.findIndex((group) => group.key === key), to = at + by;
    if (at < 0 || to < 0 || to >= siblings.length) return;
    const beyond = siblings[to + by];
    this.ranks.set(key, beyond ? (siblings[to].rank + beyond.rank) / 2 : siblings[to].rank + by);
  }
}

// A filter for items, with a key that identifies it among tiles; null if it matches all.
export function filterOf({ name, domain, category }) {
  if (!name && domain == null && category == null) return null;
  const filter = { name: name || null, domain: domain ?? null, category: category ?? null };
  return { ...filter, key: JSON.stringify(filter) };
}

// Only ASCII letters become lower case, as in the server, so that both match the same threads.
function lower(text) { return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()); }

export function hasThread(about, group, wanted) {
  const { label, pid, tid } = about.groups[group];
  return !wanted || lower(`${label} ${pid}/${tid}`).includes(lower(wanted));
}

function isShown(about, row, wanted) {
  const has = (list, all, text) => text == null || row.kind === "c" ||
    !list || list.some((i) => all[i] === text);
  if (about.filter && row.kind !== "c" && !row.domains.length) return false; // no item matches
  return hasThread(about, row.group, wanted.thread) &&
    has(row.domains, about.domains, wanted.domain) &&
    has(row.categories, about.categories, wanted.category);
}

// "GPU 0, stream 7" of the path of a stream, which has no tid: for that there is no room.
function shortLabel({ label, tid }) {
  return tid ? label : label.replace(/^(GPU \d+)\/(.*\/)?/, "$1, ");
}

// [{key, label, note, rows, filter}], or with `groups` instead of rows.
function byThread(about, rows, filter) {
  const groups = new Map(), processes = new Map();
  for (const number of rows) {
    const { group } = about.rows[number], { label, pid, tid } = about.groups[group];
    if (!groups.has(group)) {
      const made = { key: `${pid}/${tid}/${label}`, label: shortLabel({ label, tid }), note: tid ? String(tid) : "", rows: [], filter };
      groups.set(group, made);
      if (!processes.has(pid)) processes.set(pid, []);
      processes.get(pid).push(made);
    }
    groups.get(group).rows.push(number);
  }
  const others = processes.get(0) || []; // rows that threads share belong to no process
  processes.delete(0);
  if (processes.size < 2) return [...[...processes.values()].flat(), ...others];
  const programs = new Map(about.processes.map(({ pid, program }) => [pid, program]));
  return [...[...processes].map(([pid, within]) => ({
    key: `p${pid}`, label: (programs.get(pid) || "process").split("/").pop(),
    note: String(pid), groups: within,
  })), ...others];
}

function bySubject(about, rows, wanted, subject) {
  const [texts, own] = subject === "domain" ? [about.domains, "domains"] : [about.categories, "categories"];
  const groups = texts.map((text) => ({
    key: `${subject} ${text}`, label: text || `(no ${subject})`, note: "", rows: [],
    filter: filterOf({ ...wanted, [subject]: text }), text,
  }));
  const counters = { key: "counters", label: "counters", note: "", rows: [], filter: null };
  for (const number of rows) {
    const row = about.rows[number];
    if (row.kind === "c" && subject === "category") counters.rows.push(number);
    for (const i of row[own] || []) groups[i].rows.push(number);
  }
  groups.sort((one, other) => (one.text !== "") - (other.text !== "")); // what has none comes first
  return [...groups, counters].filter((group) => group.rows.length);
}

const KIND_ORDER = { c: 0, m: 1, p: 2, s: 3 };

// Sources number rows in the order in which the trace needs them, so that they are sorted here: by
// process, thread, kind, lane and level.
function compareRows(about, a, b) {
  const [one, other] = [about.groups[a.group], about.groups[b.group]];
  return one.pid - other.pid || one.tid - other.tid || a.group - b.group ||
    KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || (a.lane || 0) - (b.lane || 0) || a.level - b.level;
}

function tree(about, arrangement, wanted) {
  const rows = [];
  about.rows.forEach((row, number) => { if (isShown(about, row, wanted)) rows.push(number); });
  rows.sort((a, b) => compareRows(about, about.rows[a], about.rows[b]) || a - b);
  return arrangement.by === "thread" ? byThread(about, rows, filterOf(wanted))
    : bySubject(about, rows, wanted, arrangement.by);
}

// {places: [{kind, y, height, ...}], height}: kinds are group, row and counter.
export function layOut(about, arrangement, wanted) {
  const places = [];
  let y = 4;
  const put = (place, height) => {
    places.push({ ...place, y, height });
    y += height;
  };
  const putRows = (group) => {
    let thread = -1;
    for (const number of group.rows) {
      const row = about.rows[number];
      if (row.kind === "m" && number === group.marks) continue;
      const isNew = arrangement.by !== "thread" && row.thread !== thread;
      thread = row.thread;
      const kind = row.kind === "c" ? "counter" : "row";
      put({ kind, row: number, about: row, filter: kind === "row" ? group.filter : null,
        label: row.label || (isNew ? threadLabel(about, row) : "") }, HEIGHT[kind]);
    }
  };
  const putGroups = (groups, depth) => {
    for (const group of arrangement.sort(groups)) {
      const isFolded = arrangement.folded.has(group.key);
      // The first row of marks is drawn beside the name of the group, not in a row of its own.
      group.marks = (group.rows || []).find((number) => about.rows[number].kind === "m");
      put({ kind: "group", depth, group, siblings: groups, isFolded }, HEIGHT.group);
      if (!isFolded) {
        if (group.groups) putGroups(group.groups, depth + 1);
        else putRows(group);
      }
      y += group.groups ? 0 : 6;
    }
  };
  putGroups(tree(about, arrangement, wanted), 0);
  return { places, height: y };
}

function threadLabel(about, row) {
  const { label, pid, tid } = about.groups[row.group];
  return `${label} ${pid}/${tid || "-"}`;
}

// The index of the first place that ends below the height `y`.
export function firstPlace(places, y) {
  let low = 0, high = places.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (places[middle].y + places[middle].height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}
