// boot.js - the only script that a page in a file has as text: unpacks its style and the other scripts.
// The page's policy has the checksums of what they must be.
import { unpacked } from "./unpack.js";

async function boot() {
  if (!window.DecompressionStream || !window.WebAssembly || !window.Worker) throw new Error("it needs a browser from 2023 or later");
  for (const tag of ["style", "script"]) {
    const made = document.createElement(tag);
    made.textContent = await unpacked(document.getElementById(tag)).then((response) => response.text());
    document.body.append(made);
  }
}

boot().catch(({ message }) => {
  document.getElementById("loading").hidden = true;
  document.getElementById("facts").textContent = `Cannot show this page: ${message}`;
});
