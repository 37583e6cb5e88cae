// sources.js - opens the traces of this page: those embedded in it, or those of its server.
import { Embedded } from "./embedded.js";
import { openServed } from "./served.js";

// The text of a block, which is JSON, or JSON compressed with gzip in base 64.
async function textOf(block) {
  if (block.type !== "application/gzip") return block.textContent;
  if (!window.DecompressionStream) throw new Error("this page needs a browser from 2023 or later");
  const packed = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// The embedded traces, whose text is removed to save memory; without any, those of the server.
export async function openSources() {
  const blocks = [...document.querySelectorAll("script.trace")], sources = [];
  if (!blocks.length) return openServed();
  for (const block of blocks) {
    sources.push(new Embedded(await textOf(block)));
    block.remove();
  }
  return sources;
}
