// links.js - relates ranges of threads to the work of GPUs that was requested in them, and an
// operation to its call: for a page with the data inside. The server does the same.
import { isStreamGroup } from "./rows.js";
import { lowerBound } from "./stats.js";

// One of those with the same id stands for a thread.
function idOf({ threads }, thread) { return `${threads[thread]?.pid}/${threads[thread]?.tid}`; }

// Whether an operation of a GPU belongs to a range of a thread.
export function belongs({ owner, from, to }, i, { thread, start, end }, about) {
  return from[i] >= start && to[i] <= end && idOf(about, owner[i]) === idOf(about, thread);
}

// The time in which at least one of the operations ran; they are in the order of their starts.
function busyOf(items, operations) {
  let until = -Infinity, busy = 0;
  for (const i of operations) {
    busy += Math.max(0, items.end[i] - Math.max(items.start[i], until));
    until = Math.max(until, items.end[i]);
  }
  return busy;
}

export function operationsOf(items, about, range, place) {
  const gpus = new Map();
  let isRough = false;
  about.rows.forEach(({ group, kind }, row) => {
    const { label, pid } = about.groups[group], [gpu] = label.split("/");
    if (kind === "c" || !isStreamGroup(about.groups[group])) return;
    for (let i = items.first[row]; i < items.first[row + 1]; i++) {
      if (items.end[i] < range.start) continue;
      isRough = isRough || items.many[i] > 1;
      if (items.many[i] > 1 || !belongs(items, i, range, about)) continue;
      const key = `${pid}/${gpu}`;
      if (!gpus.has(key)) gpus.set(key, { label: gpu, operations: [] });
      gpus.get(key).operations.push(i);
    }
  });
  const found = [...gpus.values()].map(({ label, operations }) => {
    operations.sort((a, b) => items.start[a] - items.start[b] || a - b);
    const others = operations.map((i) => items.caller[i])
      .filter((caller) => idOf(about, caller) !== idOf(about, range.thread));
    return {
      label, n: operations.length, busy: busyOf(items, operations), start: items.start[operations[0]],
      adopted: others.length, by: new Set(others).size === 1 ? others[0] : -1,
      end: operations.reduce((end, i) => Math.max(end, items.end[i]), -Infinity), first: place(operations[0]),
    };
  });
  return { gpus: found, isRough };
}

// The shortest range to which an operation belongs: its index, or -1.
export function aroundCall(items, about, operation) {
  const { from, first, start, end } = items;
  let best = -1;
  about.rows.forEach(({ thread, kind }, row) => {
    const i = lowerBound(start, from[operation] + 1, first[row], first[row + 1]) - 1;
    if (i < first[row] || !"ps".includes(kind) ||
      !belongs(items, operation, { thread, start: start[i], end: end[i] }, about)) return;
    if (best < 0 || end[i] - start[i] <= end[best] - start[best]) best = i;
  });
  return best;
}
