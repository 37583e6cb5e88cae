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

// Equal in all traces, and for texts that differ only in numbers.
export function paletteColor(text) {
  if (text in COPIES) return COPIES[text];
  const kind = text.replace(/\d+/g, "0");
  let h = 2166136261;
  for (let i = 0; i < kind.length; i++) h = Math.imul(h ^ kind.charCodeAt(i), 16777619);
  return PALETTE[((h ^ h >>> 15) >>> 0) % PALETTE.length];
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
