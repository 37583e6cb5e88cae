// axis.js - the axis of time: its ticks, their labels, and what is measured on it.
import { axisHeight, font, px } from "./size.js";
import { duration, moment, unitOf } from "./text.js";

// The distance of ticks in ns: 1, 2 or 5 times a power of 10, and at least `room` pixels.
function stepOf(span, pixels, room) {
  const least = span / Math.max(1, pixels) * room;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((each) => each >= least));
}

// {by, found}: the ticks from one time to another, `by` ns apart.
export function ticksOf(from, to, pixels, room) {
  const by = stepOf(to - from, pixels, room), found = [];
  for (let t = Math.ceil(from / by) * by; t <= to && found.length < 99; t += by) found.push(t);
  return { by, found };
}

function decimals(scale, by) { return Math.max(0, Math.ceil(Math.log10(scale / by) - 1e-9)); }

const MOST_STEPS = 10000; // from 0: labels of more would be numbers of five digits and more

// The labels of an axis with ticks every `by` ns: {base, label}. All have the same unit and the same
// decimals. Far from 0, `base` is a text with the time from which they count; else it is empty.
export function labelsOf(from, to, by) {
  const far = Math.max(Math.abs(from), Math.abs(to));
  if (far < by * MOST_STEPS) {
    const [scale, unit] = unitOf(far), digits = decimals(scale, by);
    return { base: "", label: (t) => `${(t / scale).toFixed(digits)} ${unit}` };
  }
  // A block is as long as what is shown, or longer, so that few labels are as long.
  const block = [1e3, 1e6, 1e9].find((each) => each >= to - from) || 1e12;
  const zero = Math.floor(from / block) * block, [scale, unit] = unitOf(to - zero);
  const digits = decimals(scale, by), [whole, name] = unitOf(zero);
  return {
    base: zero ? `${(zero / whole).toFixed(decimals(whole, block))} ${name}` : moment(0),
    label: (t) => `+${((t - zero) / scale).toFixed(digits)} ${unit}`,
  };
}

// --- Drawing: of one picture (draw.js) ---

function ticks({ view: { from, to, width, left }, side: { shift } }) {
  return ticksOf(from - shift, to - shift, width - left, px(110));
}

export function drawGrid(c, picture) {
  c.fillStyle = picture.color.line;
  for (const t of ticks(picture).found) {
    const x = Math.round(picture.x(t));
    if (x >= picture.view.left) c.fillRect(x, axisHeight(), 1, picture.height);
  }
}

export function drawAxis(c, picture) {
  const { by, found } = ticks(picture), { view: { left }, width } = picture, tall = axisHeight();
  const { base, label } = labelsOf(picture.time(left), picture.time(width), by);
  c.fillStyle = picture.color.band;
  c.fillRect(0, 0, width, tall);
  c.fillStyle = picture.color.line;
  c.fillRect(0, tall - 1, width, 1);
  c.fillStyle = picture.color.faint;
  const box = measureBox(c, picture);
  for (const t of found) {
    const x = picture.x(t), text = label(t), end = x + c.measureText(text).width + 6;
    const isHidden = box && end > box.at && x < box.at + box.wide;
    if (x >= left && end < width && !isHidden) c.fillText(text, x + 4, tall / 2);
    if (x >= left) c.fillRect(Math.round(x), tall - 7, 1, 6);
  }
  drawCorner(c, picture, base);
}

function drawCorner(c, { view, title, color, bars: { ruler } }, base) {
  const length = duration(view.to - view.from);
  const shown = view.left < px(120) ? length : `${length} shown`;
  if (title) {
    c.fillStyle = color.ink;
    c.font = font("600");
  }
  ruler.use(c.font);
  c.fillText(ruler.fit(base || title || shown, view.left - px(16)), px(10), axisHeight() / 2);
  c.font = font();
}

// The selected time, beside the rows that count in it.
export function drawSpan(c, picture) {
  const { shown: { span, spanRows }, view, color, height } = picture;
  if (!span) return;
  const [from, to] = span.map((t) => Math.max(view.left, view.x(t)));
  const draw = (y, tall) => {
    c.fillStyle = color.accent;
    for (const [x, width, alpha] of [[from, to - from, 0.13], [from, 1, 1], [to - 1, 1, 1]]) {
      c.globalAlpha = alpha;
      c.fillRect(x, y, width, tall);
    }
  };
  if (!spanRows) return draw(axisHeight(), height);
  const counts = new Set(spanRows);
  picture.inAreas(c, { x: view.left, width: picture.width }, ({ drawn }) => {
    for (const { place, y } of drawn) {
      if ((place.rows || [place.row]).some((row) => counts.has(row))) draw(y, place.height);
    }
  });
}

function measureBox(c, { shown: { ruler, span }, side: { shift }, view, width }) {
  const ends = ruler || span;
  if (!ends) return null;
  const [from, to] = [...ends].sort((a, b) => a - b).map((t) => view.x(t));
  const text = ends.isOne ? moment(ends[0] - shift) : duration(Math.abs(ends[1] - ends[0])), wide = c.measureText(text).width + 12;
  const middle = (Math.max(from, view.left) + Math.min(to, width)) / 2;
  const at = Math.min(width - wide - 2, Math.max(view.left, middle - wide / 2));
  return { text, wide, at, from, to };
}

export function drawRuler(c, picture) {
  const { shown: { ruler }, view: { left }, color, height } = picture, box = measureBox(c, picture);
  if (!box) return;
  const { text, wide, at, from, to } = box, tall = axisHeight(), begin = Math.max(from, left);
  c.fillStyle = color.accent;
  if (ruler) {
    for (const x of [from, to]) if (x >= left) c.fillRect(Math.round(x), 0, 1, height);
  }
  c.fillRect(begin, tall - 2, Math.max(1, to - begin), 2);
  c.beginPath();
  c.roundRect(at, 4, wide, tall - 9, 4);
  c.fill();
  c.fillStyle = color.paper;
  c.fillText(text, at + 6, tall / 2 - 0.5);
}
