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

// {change, isLeast}. A total is a number, null (no such name), or {most: an upper bound}. With a
// bound, `change` is the smallest change that is possible (`isLeast`), or null if that is none.
function changeOf(total, other) {
  const isKnown = (side) => side === null || typeof side === "number";
  if (isKnown(total) && isKnown(other)) return { change: (other || 0) - (total || 0), isLeast: false };
  const change = isKnown(total) ? Math.min(0, other.most - total) : Math.max(0, other - total.most);
  return { change: change || null, isLeast: true };
}

// Rows for the table: the sums of one side; of two, also the change from the first to the second.
export function compareSums(sides, sums, isFolded) {
  const [first, second] = sides, keyOf = ({ domain, title }) => `${domain}:${title}`;
  const rows = sums[0].map(({ name, ...sum }) =>
    ({ ...first.nameIn(name, isFolded), ...sum, average: sum.total / sum.calls }));
  rows.more = Math.max(...sums.map(({ more }) => more || 0)); // names that the source omitted
  rows.isRough = sums.some(({ isRough }) => isRough);
  if (!second) return rows;
  // A source omits the names with the shortest totals: the last one in the list is a bound.
  const [before, after] = sums.map((list) => (list.more ? { most: list.at(-1).total } : null));
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const row of rows) row.other = after;
  for (const { name, total } of sums[1]) {
    const own = second.nameIn(name, isFolded);
    let row = byKey.get(keyOf(own));
    if (!row) {
      row = { ...own, total: before, self: 0, calls: 0 };
      rows.push(row);
    }
    row.other = total;
  }
  for (const row of rows) Object.assign(row, changeOf(row.total, row.other));
  return rows;
}
