// sources.js - opens the traces of this page: those in it, those of its server, or the files that people
// give it.
import { chosenFiles } from "./chosen.js";
import { $ } from "./elements.js";
import { openBlocks, openFiles } from "./local.js";
import { openServed } from "./served.js";
import { unpacked } from "./unpack.js";

const WAY_OUT = "hint: choose a *.rln file, or an export of Nsight Systems: `nsys export -t sqlite REPORT.nsys-rep`";

// Files, until they can be shown.
async function openChosen(module) {
  for (let problem = "";;) {
    const files = await chosenFiles(problem);
    try {
      return await openFiles(module, files);
    } catch (error) {
      problem = /^not a trace[^\n]*$/.test(error.message) ? `${error.message}\n${WAY_OUT}` : error.message;
    }
  }
}

export async function openSources() {
  const blocks = [...document.querySelectorAll("script.trace, script.index")], reader = $("reader");
  if (!reader) return openServed();
  const module = await WebAssembly.compile(await unpacked(reader).then((response) => response.arrayBuffer()));
  reader.remove();
  return blocks.length ? openBlocks(module, blocks) : openChosen(module);
}
