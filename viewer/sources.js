// sources.js - where the traces of this page come from.
import { Embedded } from "./embedded.js";
import { openServed } from "./served.js";

// The text of a block: JSON, as it is or as gzip in base 64.
async function textOf(block) {
  if (block.type !== "application/gzip") return block.textContent;
  if (!window.DecompressionStream) throw new Error("this page needs a browser from 2023 or later");
  const packed = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// The traces in the page, whose text is removed once it is read; without any, those of the server
// that sent the page.
export async function openSources() {
  const blocks = [...document.querySelectorAll("script.trace")], sources = [];
  if (!blocks.length) return openServed();
  for (const block of blocks) {
    sources.push(new Embedded(await textOf(block)));
    block.remove();
  }
  return sources;
}
