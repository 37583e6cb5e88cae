// unpack.js - what is embedded in this page.

// The contents of a block, as a response: compressed with gzip in base 64, or as they are.
export async function unpacked(block) {
  if (block.type !== "application/gzip") return new Response(block.textContent);
  if (!window.DecompressionStream) throw new Error("this page needs a browser from 2023 or later");
  const packed = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
