// compare.js - two traces, one above the other: where they are put together, and in what
// their sums differ.

// The n-th time that a range of a name begins, or null.
async function occurrenceOf(side, label, n) {
  const name = side.numberOf(label);
  if (name === undefined) return null;
  let found = { start: side.about.first - 1 };
  for (let i = 0; i < n && found; i++) {
    found = await side.source.next({ name, after: found.start, by: 1 });
  }
  return found;
}

// Shifts the second side so that both begin the n-th range of that name at one moment;
// without a range, so that both traces begin together. Says whether both have it.
export async function alignSides([first, second], align) {
  second.shift = first.about.first - second.about.first;
  if (!align) return true;
  const [a, b] = await Promise.all([first, second].map((side) =>
    occurrenceOf(side, align.label, align.occurrence)));
  if (a && b) second.shift = a.start - b.start;
  return Boolean(a && b);
}

// {change, isLeast}: where one is not known, the change is that much at least, or null.
function changeOf(total, other) {
  const isKnown = (side) => side === null || typeof side === "number";
  if (isKnown(total) && isKnown(other)) return { change: (other || 0) - (total || 0), isLeast: false };
  const change = isKnown(total) ? Math.min(0, other.most - total) : Math.max(0, other - total.most);
  return { change: change || null, isLeast: true };
}

// Rows for the table: of one side, or what the second has less or more than the first.
export function compareSums(sides, sums) {
  const [first, second] = sides;
  const rows = sums[0].map(({ name, total, self, calls }) =>
    ({ label: first.labels[name], color: first.rgb[name], total, self, calls }));
  rows.more = Math.max(...sums.map(({ more }) => more || 0)); // names that are not told
  rows.isRough = sums.some(({ isRough }) => isRough);
  if (!second) return rows;
  // Of a name that one does not tell no more is known than that it is not longer than those
  // that it does.
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
