// colors.js - which colors ranges have, and the ink that can be read on them.

// Far apart from each other also for people who see few colors, and from white and black.
const PALETTE = [0x8d8bad, 0xd66c50, 0x74c5c1, 0x72700d, 0x16716f, 0x127ede, 0xb43368, 0x6d5398,
  0xd4a22a, 0xf295fb, 0x70543e, 0xadbc82];

// Copies of GPUs, distinguished by their directions.
const COPIES = {
  "[CUDA memcpy Host-to-Device]": 0x127ede, "[CUDA memcpy Device-to-Host]": 0xd4a22a,
  "[CUDA memcpy Device-to-Device]": 0x74c5c1, "[CUDA memcpy Peer-to-Peer]": 0xb43368,
  "[CUDA memset]": 0x70543e,
};

// NVIDIA's Python package gives this color to all ranges without one, so it is treated as no color.
const DEFAULT_BLUE = 0x0000ff;

export function isGiven(color) { return color !== null && color >= 0 && color !== DEFAULT_BLUE; }

function hashOf(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ h >>> 15) >>> 0;
}

// Equal in all traces.
export function paletteColor(text) { return PALETTE[hashOf(text) % PALETTE.length]; }

// The colors of kinds of names (kindOf() of side.js). The longest get different ones: each that of its
// hash or, if a longer one has it, the next that is free. Most names thus have the same color in every
// trace. Without totals, [[kind, ns]], colors are those of the hash.
export class Colors {
  constructor(totals) {
    this.ofKind = new Map(Object.entries(COPIES));
    this.free = new Set(totals ? PALETTE : []);
    const totalOf = new Map();
    for (const [kind, ns] of totals || []) {
      this.free.delete(COPIES[kind]);
      totalOf.set(kind, (totalOf.get(kind) || 0) + ns);
    }
    [...totalOf].sort(([a, ns], [b, other]) => other - ns || (a < b ? -1 : 1)).forEach(([kind]) => this.of(kind));
  }

  of(kind) {
    const { ofKind } = this;
    if (!ofKind.has(kind)) ofKind.set(kind, this.choose(hashOf(kind)));
    return ofKind.get(kind);
  }

  choose(hash) {
    const nth = (k) => PALETTE[(hash + k) % PALETTE.length];
    const k = this.free.size ? PALETTE.findIndex((_, i) => this.free.has(nth(i))) : 0;
    this.free.delete(nth(k));
    return nth(k);
  }
}

export function hex(color) { return `#${color.toString(16).padStart(6, "0")}`; }

// By WCAG: 0 to 1.
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
