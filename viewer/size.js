// size.js - sizes in canvases: they follow the user's size of text, and rows may be compact, or higher where
// there is room.

const ROOMY = { row: 20, bar: 17, font: 11, gap: 2 };
const COMPACT = { row: 15, bar: 12, font: 10, gap: 0 };

export const HEIGHTS = [1.5, 1.25, 1]; // of rows, as multiples

const sizes = { factor: 1, rows: ROOMY, height: 1 };

// Returns whether the size of text has changed.
export function measureText() {
  const before = sizes.factor;
  sizes.factor = (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;
  return sizes.factor !== before;
}

export function setCompact(isCompact) { sizes.rows = isCompact ? COMPACT : ROOMY; }

// Pixels: n of them at the usual size of text.
export function px(n) { return n * sizes.factor; }

export function setHeight(height) { sizes.height = sizes.rows === COMPACT ? 1 : height; }

export function rowSize(part) { return Math.round(px(sizes.rows[part]) * ("row bar".includes(part) ? sizes.height : 1)); }

export function stripSize() { return px(4); } // of the states of a thread

export function axisHeight() { return px(26); }

export function font(weight = "") { return `${weight} ${px(11)}px system-ui, sans-serif`; }
export function barFont() { return `${px(sizes.rows.font)}px system-ui, sans-serif`; }
