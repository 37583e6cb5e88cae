// chosen.js - asks people for the traces to show: files that they drop or choose.
import { $, element } from "./elements.js";

const MOST_FILES = 2; // which are compared

// The files, once there are some. `problem`: why those chosen before are not shown.
export function chosenFiles(problem) {
  return new Promise((resolve) => {
    const input = element("input", { type: "file", multiple: true, hidden: true });
    const say = element("p", { role: "alert" }, problem);
    const pane = element("div", { className: "chooser" },
      element("p", {}, "Drop a trace here, or two to compare"),
      element("button", { onclick: () => input.click() }, "Choose files\u2026"), input, say,
      element("p", { className: "faint" }, "This page reads them by itself: nothing leaves this computer."));
    const take = (files) => {
      if (files.length > MOST_FILES) say.textContent = `${files.length} files: at most ${MOST_FILES} are compared`;
      if (!files.length || files.length > MOST_FILES) return;
      document.ondragover = document.ondrop = null;
      document.body.classList.remove("choosing");
      pane.remove();
      resolve(files);
    };
    input.onchange = () => take([...input.files]);
    document.ondragover = (event) => event.preventDefault();
    document.ondrop = (event) => {
      event.preventDefault();
      take([...event.dataTransfer.files]);
    };
    document.body.classList.add("choosing");
    $("stages").append(pane);
  });
}
