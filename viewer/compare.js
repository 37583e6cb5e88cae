// compare.js - two traces, one above the other: how they are aligned, and how their sums
// differ.

// The n-th occurrence of a name, or null.
async function occurrenceOf(side, label, n) {
  const name = side.numberOf(label);
  return name === undefined ? null : side.source.nth({ name, n });
}

// How to shift the second side so that the n-th range of that name begins at one moment in both;
// without a range, so that both traces begin together: {shift, isDone}, whether both have it.
export async function shiftOf([first, second], align) {
  if (!second) return { shift: 0, isDone: true };
  const shift = first.about.first - second.about.first;
  if (!align) return { shift, isDone: true };
  const [a, b] = await Promise.all([first, second].map((side) =>
    occurrenceOf(side, align.label, align.occurrence)));
  return a && b ? { shift: a.start - b.start, isDone: true } : { shift, isDone: false };
}

// {change, isLeast}: if a total is unknown, the change is at least that much, or null.
function changeOf(total, other) {
  const isKnown = (side) => side === null || typeof side === "number";
  if (isKnown(total) && isKnown(other)) return { change: (other || 0) - (total || 0), isLeast: false };
  const change = isKnown(total) ? Math.min(0, other.most - total) : Math.max(0, other - total.most);
  return { change: change || null, isLeast: true };
}

// Rows for the table: of one side, or how much less or more the second has than the first.
export function compareSums(sides, sums) {
  const [first, second] = sides;
  const rows = sums[0].map(({ name, total, self, calls }) =>
    ({ label: first.labels[name], color: first.rgb[name], total, self, calls }));
  rows.more = Math.max(...sums.map(({ more }) => more || 0)); // names left out
  rows.isRough = sums.some(({ isRough }) => isRough);
  if (!second) return rows;
  // A name that one side leaves out is only known to be no longer than those it has.
  const [before, after] = sums.map((told) => (told.more ? { most: told[told.length - 1].total } : null));
  const byLabel = new Map(rows.map((row) => [row.label, row]));
  for (const row of rows) row.other = after;
  for (const { name, total } of sums[1]) {
    const label = second.labels[name];
    let row = byLabel.get(label);
    if (!row) {
      row = { label, color: second.rgb[name], total: before, self: 0, calls: 0 };
      rows.push(row);
    }
    row.other = total;
  }
  for (const row of rows) Object.assign(row, changeOf(row.total, row.other));
  return rows;
}
