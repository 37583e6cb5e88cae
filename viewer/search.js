// search.js - finds names that contain a text, and goes from hit to hit.
import { $ } from "./elements.js";
import { count } from "./text.js";

const MOST_EVENTS = 1e6; // of a trace of which none are merged

export class Search {
  constructor(app) {
    this.app = app;
    this.text = "";
    this.found = []; // what each source has answered
    this.hit = this.nth = null; // the one gone to, and its number among all if it is known, from 1
    $("search").oninput = () => {
      this.ask();
      app.arriveSoon();
    };
    $("next").onclick = () => this.jump(1);
    $("previous").onclick = () => this.jump(-1);
    $("search").onkeydown = (e) => {
      if (e.key === "Enter") this.jump(e.shiftKey ? -1 : 1);
      if (e.key === "Escape") this.leave();
    };
  }

  leave() {
    this.setText("");
    this.app.arriveSoon();
    this.app.timelines[0].canvas.focus();
  }

  setText(text) {
    if (text === this.text) return;
    $("search").value = text;
    this.ask();
  }

  async ask() {
    const text = this.text = $("search").value, asked = this.asked = {};
    this.hit = this.nth = null;
    if (!text) {
      this.app.isHit = null;
      $("hits").textContent = "";
      this.app.redraw();
      return;
    }
    const { sides, summed: filter } = this.app;
    const found = await Promise.all(sides.map(({ source }) => source.search({ text, filter })));
    if (asked !== this.asked) return;
    this.app.isHit = found.map(({ names }, k) => {
      const isHit = new Uint8Array(sides[k].labels.length);
      for (const name of names) isHit[name] = 1;
      return isHit;
    });
    this.found = found;
    this.show();
    this.app.redraw();
  }

  get n() { return this.found.reduce((sum, each) => sum + each.n, 0); }

  show() {
    const { found, n, nth } = this;
    const rough = found.some(({ isRough }) => isRough) ? "\u2248 " : "";
    const all = `${rough}${found.map((each) => count(each.n)).join(" and ")} ${n === 1 ? "match" : "matches"}`;
    $("hits").textContent = nth ? `${count(nth)} of ${count(n)}` : n ? all : "No matches";
  }

  // Hits are counted from either end of the trace: beyond MOST_EVENTS, or in an overview, steps may
  // leave out merged ones.
  number(by, isWrapped) {
    const { app: { sides, selected, view }, hit, nth, n, found } = this;
    if (found.some(({ isRough }) => isRough) ||
      sides.some(({ about }) => about.resolution || about.events > MOST_EVENTS)) return null;
    const isFromEnd = isWrapped || (!selected && (by > 0 ? view.from <= view.first : view.to >= view.last));
    if (isFromEnd) return by > 0 ? 1 : n;
    return nth && selected === hit ? nth + by : null;
  }

  // Selects the nearest hit after (`by` 1) or before (-1) the selection or, without one, the edge
  // of the screen. Of hits at the same time, those of the first trace come first.
  async jump(by) {
    const { app, text } = this, { sides, selected, view, summed: filter } = app;
    if (!text) return;
    const here = selected
      ? { ...selected, t: selected.start + selected.side.shift, k: sides.indexOf(selected.side) }
      : { t: by > 0 ? view.from : view.to, k: by > 0 ? sides.length : -1 };
    const step = async ({ t, k: own, row, tie }) => {
      const found = await Promise.all(sides.map(async (side, k) => {
        const isSame = by > 0 ? k > own : k < own; // hits of this side at the same time come later
        const after = t - side.shift - (isSame ? by : 0);
        const place = await side.source.hit({ text, after, by, filter, ...(k === own ? { row, tie } : {}) });
        return place && { ...place, k, side, t: place.start + side.shift };
      }));
      return found.filter(Boolean).sort((a, b) => (a.t - b.t) * by || (a.k - b.k) * by)[0];
    };
    // It continues at the other end.
    const near = await step(here), hit = near || await step(by > 0 ? { t: view.first - 1, k: sides.length }
      : { t: view.last + 1, k: -1 });
    if (!hit) return;
    this.nth = this.number(by, !near);
    this.hit = hit;
    this.show();
    app.select(hit);
  }
}
