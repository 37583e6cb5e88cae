// unpack.js - what is embedded in this page: bytes as digits of base 85 (src/serve/page.c).
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?,;_()[]{}@%$#";

// Five digits are four bytes; the last ones, one byte fewer than there are digits.
function bytesOf(text) {
  const value = new Uint8Array(128), nMissing = (5 - text.length % 5) % 5;
  [...DIGITS].forEach((digit, k) => { value[digit.charCodeAt(0)] = k; });
  const made = new DataView(new ArrayBuffer((text.length + nMissing) / 5 * 4));
  for (let i = 0, at = 0; i < text.length; i += 5, at += 4) {
    let word = 0;
    for (let k = i; k < i + 5; k++) word = word * 85 + (k < text.length ? value[text.charCodeAt(k)] : 84);
    made.setUint32(at, word);
  }
  return new Uint8Array(made.buffer, 0, made.byteLength - nMissing);
}

// The contents of a block, as a response.
export async function unpacked(block) {
  const bytes = bytesOf(block.textContent);
  if (block.type !== "application/gzip") return new Response(bytes);
  const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(await new Response(unzipped).blob().catch(() => { throw new Error("the page is damaged"); }));
}
