// links.js - relates ranges of threads to the work of GPUs that was requested in them, and an
// operation to its call: for a page with the data inside. The server does the same.
import { isStreamGroup } from "./rows.js";
import { lowerBound } from "./stats.js";

// When the call of an operation certainly ran: calls have the times of another clock.
const middleOfCall = ({ call, called }, i) => call[i] + (called[i] - call[i]) / 2;

// Whether an operation of a GPU belongs to a range of a thread: it is open in the middle of the call.
export function belongs(items, i, { thread, start, end }) {
  const t = middleOfCall(items, i);
  return items.caller[i] === thread && t >= start && t <= end;
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

// {gpus, isRough} of a range: see README.md.
export function operationsOf(items, about, range, place) {
  const gpus = new Map();
  let isRough = false;
  about.rows.forEach(({ group, kind }, row) => {
    const { label, pid } = about.groups[group], [gpu] = label.split("/");
    if (kind === "c" || !isStreamGroup(about.groups[group])) return;
    for (let i = items.first[row]; i < items.first[row + 1]; i++) {
      if (items.end[i] < range.start) continue;
      isRough = isRough || items.many[i] > 1;
      if (items.many[i] > 1 || !belongs(items, i, range)) continue;
      const key = `${pid}/${gpu}`;
      if (!gpus.has(key)) gpus.set(key, { label: gpu, operations: [] });
      gpus.get(key).operations.push(i);
    }
  });
  const found = [...gpus.values()].map(({ label, operations }) => {
    operations.sort((a, b) => items.start[a] - items.start[b] || a - b);
    return {
      label, n: operations.length, busy: busyOf(items, operations), start: items.start[operations[0]],
      end: operations.reduce((end, i) => Math.max(end, items.end[i]), -Infinity), first: place(operations[0]),
    };
  });
  return { gpus: found, isRough };
}

// The shortest range of the calling thread around the call of an operation: its index, or -1.
export function aroundCall(items, about, operation) {
  const { caller, first, start, end } = items, t = middleOfCall(items, operation);
  let best = -1;
  about.rows.forEach(({ thread, kind }, row) => {
    if (thread !== caller[operation] || (kind !== "p" && kind !== "s")) return;
    const i = lowerBound(start, t + 1, first[row], first[row + 1]) - 1;
    if (i < first[row] || end[i] < t) return;
    if (best < 0 || end[i] - start[i] <= end[best] - start[best]) best = i;
  });
  return best;
}
