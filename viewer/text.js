// text.js - formats times, numbers, names and colors for people.

export const FONT = "11px system-ui, sans-serif"; // in canvases

const UNITS = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"]];

// The largest unit of which there is at least one.
function unitOf(ns) {
  return UNITS.findLast(([scale]) => ns >= scale) || UNITS[0];
}

// A duration in the format of the command line.
export function duration(ns) {
  const far = Math.abs(ns);
  if (far >= 7200e9) return `${(ns / 3600e9).toFixed(1)} h`;
  if (far >= 119.995e9) return `${Math.trunc(ns / 60e9)} min ${Math.trunc(far / 1e9) % 60} s`;
  const [scale, unit] = unitOf(Math.abs(ns));
  const digits = scale === 1 ? 0 : scale === 1e9 ? 2 : 1;
  return `${(ns / scale).toFixed(digits)} ${unit}`;
}

export function count(n) { return n.toLocaleString("en"); }

// A number with about six digits, where String(value) would be too long.
export function number(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e12) return String(value);
  const short = +value.toPrecision(6);
  return Math.abs(short) < 1e12 ? String(short) : short.toExponential();
}

// A time to the nanosecond, without trailing zeros: 1.234567891 s.
export function moment(ns) {
  const [scale, unit] = unitOf(Math.abs(ns));
  return `${+(ns / scale).toFixed(Math.round(Math.log10(scale)))} ${unit}`;
}

// The labels of an axis with ticks every `by` ns: {base, label}. If the labels would have many
// digits in common, `base` is a text with these, and label(t) is relative to it.
export function axis(from, to, by) {
  const [scale, unit] = unitOf(by);
  if (Math.max(Math.abs(from), Math.abs(to)) < by * 2000) {
    return { base: "", label: (t) => `${+(t / scale).toFixed(3)} ${unit}` };
  }
  const zero = Math.floor(from / (by * 1000)) * by * 1000;
  return {
    base: `${moment(zero)} +`,
    label: (t) => `${+((t - zero) / scale).toFixed(3)} ${unit}`,
  };
}

// --- Texts of a trace -------------------------------------------------------------------

const HIDDEN = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// A text in which control characters, and characters that change the direction of text, are escaped
// as `rangeline print` does. Otherwise a trace could disguise what it shows.
export function visible(text) {
  return text.replace(HIDDEN, (c) => {
    const code = c.charCodeAt(0), digits = code.toString(16);
    return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}

// The label of a name: domain:message.field.
export function labelOf({ domain, message, field }) {
  const isBlank = /^[\s\u200b]+$/.test(message);
  return visible((domain ? `${domain}:` : "") + (isBlank ? `"${message}"` : message || "(no name)") +
    (field ? `.${field}` : ""));
}

// The first n code units of a text, or n - 1 so as not to split a character.
export function cut(text, n) { return text.slice(0, n).replace(/[\u200d\ud800-\udbff]$/, ""); }

// --- Colors -----------------------------------------------------------------------------

// Far apart from each other also for people who see few colors, and from white and black.
const PALETTE = [0x8d8bad, 0xd66c50, 0x74c5c1, 0x72700d, 0x16716f, 0x127ede, 0xb43368, 0x6d5398,
  0xd4a22a, 0xf295fb, 0x70543e, 0xadbc82];

// NVIDIA's Python package gives this color to all ranges without one, so it is treated as no color.
const DEFAULT_BLUE = 0x0000ff;

export function isGiven(color) { return color !== null && color >= 0 && color !== DEFAULT_BLUE; }

// The color of a name without one. It depends on the text only, so that it is equal in all traces,
// and not on the numbers in it: "step 1" and "step 2" are of one kind.
export function paletteColor(text) {
  const kind = text.replace(/\d+/g, "0");
  let h = 2166136261;
  for (let i = 0; i < kind.length; i++) h = Math.imul(h ^ kind.charCodeAt(i), 16777619);
  return PALETTE[((h ^ h >>> 15) >>> 0) % PALETTE.length];
}

export function hex(color) { return `#${color.toString(16).padStart(6, "0")}`; }

// The luminance of a color by WCAG: 0 to 1.
export function luminance(color) {
  const part = (shift) => {
    const v = (color >> shift & 255) / 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0);
}

// Black or white, whichever has more contrast on the color: at least 4.58.
export function inkOn(color) {
  const l = luminance(color);
  return (l + 0.05) / 0.05 > 1.05 / (l + 0.05) ? "#000000" : "#ffffff";
}
