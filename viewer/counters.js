// counters.js - draws a counter as a plot. Its interpolation says which value applies between two
// samples; a sample without a value interrupts the line.
import { hex } from "./colors.js";
import { number, quantity } from "./text.js";
import { firstAt } from "./tiles.js";

const PAD = 6;

// {least, most} of the axis: the bounds that the program gave, or 0, and all samples.
function boundsOf(row, pieces) {
  let low = row.low ?? Infinity, high = row.high ?? -Infinity;
  if (low > high) {
    for (const { tile } of pieces) {
      for (const v of tile.value || []) {
        if (v === null) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    }
  }
  const least = Math.min(row.least ?? 0, low), most = Math.max(row.most ?? 0, high);
  return { least, most: most > least ? most : least + 1 };
}

// The unit comes once if it is the same: 1 to 2 MiB.
function boundsText(least, most, unit, say) {
  const [from, to] = [least, most].map((value) => quantity(value, unit, say));
  const [value, ...own] = from.split(" "), [, ...other] = to.split(" ");
  return `${own.join() === other.join() ? value : from} to ${to}`;
}

export function counterLabel(row, pieces) {
  const { least, most } = boundsOf(row, pieces);
  return boundsText(least, most, row.unit, number);
}

// Points of the line, [x, value, least, most]; null where it is interrupted.
function pointsOf(pieces, view, shift) {
  const points = [];
  let last = -Infinity;
  for (const { tile, to } of pieces) {
    if (!tile.value) continue;
    const { start, value, least, most } = tile;
    const from = Math.max(0, firstAt(tile, view.from - shift) - 1);
    for (let i = from; i < start.length; i++) {
      if (start[i] <= last) continue; // the previous tile has it, too: it ends with this sample
      last = start[i];
      const low = least ? least[i] : value[i], high = most ? most[i] : value[i];
      points.push(value[i] === null ? null
        : [view.x(start[i] + shift), value[i], low ?? value[i], high ?? value[i]]);
      if (start[i] >= Math.min(to, view.to - shift)) break;
    }
  }
  return points;
}

// Lists of corners [x, value], one for each uninterrupted part.
function polylines(points, interpolation, end) {
  const found = [];
  let now = null;
  points.forEach((point, i) => {
    if (!point) { now = null; return; }
    if (!now) found.push(now = []);
    const [x, value] = point, before = now.at(-1), next = points[i + 1];
    if (before && interpolation === "back") now.push([before[0], value]);
    now.push([x, value]);
    if (interpolation === "line" || interpolation === "back") return;
    if (next || i === points.length - 1) now.push([next ? next[0] : end, value]);
  });
  return found;
}

export function drawCounter(c, { pieces, row, color, view, shift, y, height, last }) {
  const { least, most } = boundsOf(row, pieces), plot = height - 2 * PAD;
  const at = (v) => y + PAD + plot - Math.min(1, Math.max(0, (v - least) / (most - least))) * plot;
  const points = pointsOf(pieces, view, shift), ground = at(Math.max(least, Math.min(0, most)));
  c.fillStyle = c.strokeStyle = hex(color);
  c.lineWidth = 1.5;
  if (row.interpolation === "point") {
    for (const point of points) {
      if (point) c.fillRect(point[0] - 1.5, at(point[1]) - 1.5, 3, 3);
    }
    return;
  }
  for (const line of polylines(points, row.interpolation, view.x(last + shift))) {
    c.beginPath();
    line.forEach(([x, v], i) => (i ? c.lineTo(x, at(v)) : c.moveTo(x, at(v))));
    c.stroke();
    c.lineTo(line.at(-1)[0], ground);
    c.lineTo(line[0][0], ground);
    c.globalAlpha = 0.14;
    c.fill();
    c.globalAlpha = 1;
    const [x, v] = line[0];
    if (line.at(-1)[0] - x < 2) c.fillRect(x - 1.5, at(v) - 1.5, 3, 3); // too short to see
  }
  // The bounds of samples that share a pixel.
  for (const point of points) {
    if (point && point[3] > point[2]) c.fillRect(point[0], at(point[3]), 1, at(point[2]) - at(point[3]));
  }
}

// The index of the sample, or of merged ones, nearest to a time and at most `near` ns away, if any.
export function sampleNear({ start, end }, ns, near) {
  const after = firstAt({ start }, ns), away = (i) => Math.max(0, start[i] - ns, ns - end[i]);
  return [after - 1, after].filter((i) => start[i] !== undefined && away(i) <= near)
    .sort((a, b) => away(a) - away(b))[0];
}

export function valueText({ value, n, least, most }, unit) {
  if (n > 1 && least != null && least !== most) return boundsText(least, most, unit);
  return value === null ? "no value" : quantity(value, unit);
}

// The value that applies at a time: a number; null if that of the sample is missing; undefined if
// no sample applies.
export function valueAt({ start, value }, ns, interpolation) {
  const after = firstAt({ start }, ns), before = after - 1;
  const a = value[before], b = value[after];
  if (interpolation === "point") return undefined;
  if (interpolation === "back") return a == null ? undefined : b; // applies since the previous sample
  if (interpolation !== "line") return a;
  if (a == null || b == null) return undefined;
  const between = a + (b - a) * (ns - start[before]) / (start[after] - start[before]);
  return +between.toPrecision(12); // further digits are rounding errors
}
