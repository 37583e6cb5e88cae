// size.js - sizes in canvases: they follow the user's size of text, and rows may be compact.

const ROOMY = { row: 20, bar: 17, font: 11, gap: 2 };
const COMPACT = { row: 15, bar: 12, font: 10, gap: 0 };

const sizes = { factor: 1, rows: ROOMY };

// Returns whether the size of text has changed.
export function measureText() {
  const before = sizes.factor;
  sizes.factor = (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;
  return sizes.factor !== before;
}

export function setCompact(isCompact) { sizes.rows = isCompact ? COMPACT : ROOMY; }

// Pixels: n of them at the usual size of text.
export function px(n) { return n * sizes.factor; }

export function rowSize(part) { return px(sizes.rows[part]); }

export function axisHeight() { return px(26); }

export function font(weight = "") { return `${weight} ${px(11)}px system-ui, sans-serif`; }
export function barFont() { return `${px(sizes.rows.font)}px system-ui, sans-serif`; }
