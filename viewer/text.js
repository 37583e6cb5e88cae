// text.js - formats times, numbers and texts of traces for people.

const UNITS = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"]];

export function unitOf(ns) {
  return UNITS.findLast(([scale]) => Math.abs(ns) >= scale) || UNITS[0];
}

// As the command line writes it.
export function duration(ns) {
  const far = Math.abs(ns);
  if (far >= 7200e9) return `${(ns / 3600e9).toFixed(1)} h`;
  if (far >= 119.995e9) return `${Math.trunc(ns / 60e9)} min ${Math.trunc(far / 1e9) % 60} s`;
  const [scale, unit] = unitOf(ns);
  const digits = scale === 1 ? 0 : scale === 1e9 ? 2 : 1;
  return `${(ns / scale).toFixed(digits)} ${unit}`;
}

export function count(n) { return n.toLocaleString("en"); }
export function percent(share) { return share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`; }
export function callsText(n) { return n === 1 ? "1 call" : `${count(n)} calls`; }

// A number with about six digits, where String(value) would be too long.
export function number(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e12) return String(value);
  const short = +value.toPrecision(6);
  return Math.abs(short) < 1e12 ? String(short) : short.toExponential();
}

// A number with about three digits, for columns.
export function rounded(value) {
  if (Math.abs(value) >= 1e4) return value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
  return String(Number.isInteger(value) ? value : +value.toPrecision(Math.abs(value) < 1e-3 ? 2 : Math.abs(value) < 1000 ? 3 : 4));
}

// A value of a counter with its unit; bytes as the command line writes sizes.
export function quantity(value, unit, say = String) {
  const far = Math.abs(value);
  if (!/^(b|bytes?)$/i.test(unit) || far < 1023.95) return `${say(value)} ${unit || ""}`.trim();
  const power = Math.min(5, Math.floor(Math.log2(far / 1023.95) / 10) + 1);
  return `${(value / 1024 ** power).toFixed(1)} ${"KMGTP"[power - 1]}iB`;
}

// A time to the nanosecond, without trailing zeros: 1.234567891 s.
export function moment(ns) {
  const [scale, unit] = unitOf(ns);
  return `${+(ns / scale).toFixed(Math.round(Math.log10(scale)))} ${unit}`;
}

// A time to the microsecond, or below one millisecond to the nanosecond, for columns: 1.234567 s.
export function shortMoment(ns) {
  const [scale, unit] = unitOf(ns);
  return `${(ns / scale).toFixed(scale === 1e9 ? 6 : scale === 1 ? 0 : 3)} ${unit}`;
}

const HIDDEN = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// A text in which control characters, and characters that change the direction of text, are escaped
// as `rangeline print` does. Otherwise a trace could disguise what it shows.
export function visible(text) {
  return text.replace(HIDDEN, (c) => {
    const code = c.charCodeAt(0), digits = code.toString(16);
    return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}
