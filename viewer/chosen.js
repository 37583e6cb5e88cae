// chosen.js - asks people for the traces to show: files that they drop or choose, or what another page
// or the address offers, if they agree.
//
//   page.html#url=https://.../run.rln      fetched, without a question from the page's own server; url=
//                                          twice: two to compare
//   another page, which has opened this one, or has it in a frame:
//     posts "PING" until this one answers "PONG", then {rangeline: [{name, buffer}]}
import { $, element } from "./elements.js";
import { visible } from "./text.js";

const MOST_FILES = 2; // which are compared

async function fetched(url) {
  const response = await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(`cannot fetch ${url}: status ${response.status}`);
  return new File([await response.blob()], decodeURIComponent(new URL(url).pathname.split("/").at(-1)) || "trace");
}

// The addresses in that of this page; a word that is none is left out.
function linked() {
  return new URLSearchParams(location.hash.slice(1)).getAll("url").flatMap((word) => {
    try {
      const url = new URL(word, location.href);
      return /^https?:$/.test(url.protocol) ? [url] : [];
    } catch {
      return [];
    }
  });
}

class Chooser {
  constructor(problem, resolve) {
    this.resolve = resolve;
    this.input = element("input", { type: "file", multiple: true, hidden: true });
    this.offer = element("p", { className: "offer" });
    this.say = element("p", { role: "alert" }, problem);
    this.pane = element("div", { className: "chooser" },
      element("p", {}, "Drop a trace or an SQLite export of Nsight Systems here, or two to compare"),
      element("button", { onclick: () => this.input.click() }, "Choose files\u2026"), this.input, this.offer, this.say,
      element("p", { className: "faint" }, "This page reads them by itself: nothing leaves this computer."));
    this.input.onchange = () => this.take([...this.input.files]);
    document.ondragover = (event) => event.preventDefault();
    document.ondrop = (event) => {
      event.preventDefault();
      this.take([...event.dataTransfer.files]);
    };
    onmessage = (event) => this.hear(event);
    document.body.classList.add("choosing");
    $("loading").hidden = true;
    $("stages").append(this.pane);
  }

  take(files) {
    if (files.length > MOST_FILES) this.say.textContent = `${files.length} files: at most ${MOST_FILES} are compared`;
    if (!files.length || files.length > MOST_FILES) return;
    document.ondrop = (event) => event.preventDefault(); // the browser would leave this page for it
    onmessage = null;
    document.body.classList.remove("choosing");
    $("loading").hidden = false;
    this.pane.remove();
    this.resolve(files);
  }

  async accept(files) { // a promise
    this.say.textContent = "";
    try {
      this.take(await files);
    } catch (error) {
      this.say.textContent = error.message;
    }
  }

  // `get()` is called once the user agrees.
  propose(what, label, get) {
    this.offer.replaceChildren(`${what} `, element("button", { onclick: () => this.accept(get()) }, label));
  }

  hear({ data, origin, source }) {
    if (data === "PING") source.postMessage("PONG", origin === "null" ? "*" : origin);
    if (!Array.isArray(data?.rangeline)) return;
    const files = data.rangeline.map(({ name, buffer }) => new File([buffer], String(name)));
    const names = files.map(({ name }) => visible(name)).join(" and ");
    this.propose(`${origin === "null" ? "Another page" : origin} offers ${names}.`, "Show", () => files);
  }
}

// The files, once there are some. `problem`: why those chosen before are not shown.
export function chosenFiles(problem) {
  return new Promise((resolve) => {
    const chooser = new Chooser(problem, resolve), urls = linked(), get = () => Promise.all(urls.map(fetched));
    if (!urls.length || problem) return;
    if (urls.every(({ origin }) => origin === location.origin)) chooser.accept(get());
    else chooser.propose(`The address names ${urls.join(" and ")}.`, "Fetch", get);
  });
}
