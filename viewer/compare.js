// compare.js - aligns two traces, which the page shows one above the other, and compares their
// sums by name.

async function occurrenceOf(side, label, n) {
  const name = side.numberOf(label);
  return name === undefined ? null : side.source.nth({ name, n });
}

// How far to shift the second side so that the n-th range of a name or, without `align`, the traces
// begin at the same time: {shift, isDone}. `isDone` is false if one has no such range.
export async function shiftOf([first, second], align) {
  if (!second) return { shift: 0, isDone: true };
  const shift = first.about.first - second.about.first;
  if (!align) return { shift, isDone: true };
  const [a, b] = await Promise.all([first, second].map((side) =>
    occurrenceOf(side, align.label, align.occurrence)));
  return a && b ? { shift: a.start - b.start, isDone: true } : { shift, isDone: false };
}

// What one of two traces has of a name is {total, calls, average}, null (no such name), or {most}: an
// upper bound of its total, and thus of its average.
const mostOf = (part, value) => (part === null ? 0 : part[value] ?? part.most);
const isBound = (part) => part !== null && "most" in part;

// {change, isLeast, effect}: the change of the average and, to sort by, what it amounts to: times the
// calls of the second trace, so that rare names do not lead and more of the same calls are no change.
// Of a name in one trace only, which has no change, and of one that the second may lack, it is that of
// the total. With a bound, the change is the smallest possible (`isLeast`), or null if that is none.
function changeOf(before, after) {
  const isOne = !before || !after, isLeast = isBound(before) || isBound(after);
  const least = (of) => {
    const change = Math.round(mostOf(after, of) - mostOf(before, of));
    return isBound(before) ? Math.max(0, change) : isBound(after) ? Math.min(0, change) : change;
  };
  const change = isOne ? null : least("average");
  return {
    change: isLeast ? change || null : change, isLeast,
    effect: isOne || isBound(after) ? least("total") : change * after.calls,
  };
}

function sumOf({ name, ...sum }, side, isFolded) {
  return { ...side.nameIn(name, isFolded), ...sum, average: (sum.total + (sum.nested || 0)) / sum.calls };
}

function joined([one, other], lists) {
  // A source omits the names with the shortest totals: the last one in the list is a bound.
  const [before, after] = lists.map((list) => (list.more ? { most: list.at(-1).total } : null));
  const rows = new Map(), keyOf = ({ domain, title }) => `${domain}:${title}`;
  for (const sum of one) rows.set(keyOf(sum), { ...sum, before: sum, after });
  for (const sum of other) rows.set(keyOf(sum), { ...sum, before, ...rows.get(keyOf(sum)), after: sum });
  return [...rows.values()].map((row) => ({ ...row, ...changeOf(row.before, row.after) }));
}

// Rows for the table: the sums of one side; of two, what each has `before` and `after`, and the change.
export function compareSums(sides, lists, isFolded) {
  const sums = lists.map((list, k) => list.map((sum) => sumOf(sum, sides[k], isFolded)));
  const rows = sides.length > 1 ? joined(sums, lists) : sums[0];
  rows.more = Math.max(...lists.map(({ more }) => more || 0)); // names that the source omitted
  rows.isRough = lists.some(({ isRough }) => isRough);
  return rows;
}
