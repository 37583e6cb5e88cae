// sources.js - opens the traces of this page: those embedded in it, those of its server, or the files
// that people give it.
import { chosenFiles } from "./chosen.js";
import { $ } from "./elements.js";
import { Embedded } from "./embedded.js";
import { openFiles } from "./local.js";
import { openServed } from "./served.js";
import { unpacked } from "./unpack.js";

// The embedded traces, whose text is removed to save memory.
async function openEmbedded(blocks) {
  const sources = [];
  for (const block of blocks) {
    sources.push(new Embedded(await unpacked(block).then((response) => response.text())));
    block.remove();
  }
  return sources;
}

// Files, until they can be shown.
async function openChosen(reader) {
  const code = await unpacked(reader).then((response) => response.arrayBuffer());
  const module = await WebAssembly.compile(code);
  reader.remove();
  for (let problem = "";;) {
    const files = await chosenFiles(problem);
    try {
      $("facts").textContent = "Opening\u2026";
      return await openFiles(module, files);
    } catch (error) {
      problem = error.message;
      $("facts").textContent = "";
    }
  }
}

export function openSources() {
  const blocks = [...document.querySelectorAll("script.trace")], reader = $("reader");
  if (reader) return openChosen(reader);
  return blocks.length ? openEmbedded(blocks) : openServed();
}
