// main.js - the application: what is seen, selected and filtered, and what it updates.
//
//   pointer, keys, address --> App --> view, arrangement, selection
//                               '----> timelines, flame, table, details: once a frame
import { isStep, readAddress, writeAddress } from "./address.js";
import { compareSums, shiftOf } from "./compare.js";
import { $, element, renew } from "./elements.js";
import { Flame } from "./flame.js";
import { listenToKeys } from "./keys.js";
import { showListing } from "./listing.js";
import { Details, Sums } from "./panel.js";
import { Arrangement, filterOf } from "./rows.js";
import { Search } from "./search.js";
import { Side } from "./side.js";
import { openSources } from "./sources.js";
import { count, duration, moment, visible } from "./text.js";
import { Timeline } from "./timeline.js";
import { View } from "./view.js";

const SOON = 250; // ms within which steps become one, for the back button
const CALM = 120; // ms without a change before the table is built again

class App {
  constructor(sources, abouts) {
    this.sources = sources;
    this.sides = sources.map((source, k) => new Side(source, abouts[k], () => this.redrawOver()));
    this.arrangement = new Arrangement();
    this.wanted = { name: null, domain: null, category: null, thread: null };
    this.filter = this.summed = null; // what passes of each row; of what there are sums
    this.panes = { flame: false, table: false };
    this.selected = this.hovered = this.span = this.ruler = this.isHit = this.align = null;
    this.isSelecting = this.isMeasuring = this.isCalm = this.hasFailed = false;
    this.frame = 0;
    this.view = new View(0, 1);
    this.timelines = this.sides.map((side) => new Timeline(this, side, $("stages")));
    [this.current] = this.timelines;
    this.details = new Details(this);
    this.sums = new Sums(this);
    this.search = new Search(this);
    this.flame = new Flame(this, $("flame"));
  }

  async begin() {
    document.title = `${this.sides.map((side) => visible(side.about.title)).join(", ")} \u2013 Rangeline`;
    this.describe();
    this.fillFilters();
    this.listen();
    listenToKeys(this);
    await this.go(location.hash);
    this.sides.forEach((side) => side.source.follow(() => this.grow(side)));
  }

  // --- What is drawn, once a frame --------------------------------------------------------

  redraw() {
    clearTimeout(this.calm);
    this.isCalm = this.hasFailed = false;
    this.calm = setTimeout(() => this.showSums(), CALM);
    this.redrawOver();
  }

  redrawOver() {
    this.frame = this.frame || requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
    this.settle();
  }

  // Tells tools whether the page shows all that it is going to.
  settle() {
    const isBusy = !this.isCalm || this.frame !== 0 || this.sides.some(({ tiles }) => tiles.isWaiting);
    $("pictures").setAttribute("aria-busy", String(isBusy));
    if (!isBusy && !this.hasFailed) $("failed").hidden = true;
  }

  // A question has no answer: what is on screen may be that of an earlier view.
  fail({ message, isOver }) {
    this.hasFailed = true;
    if (isOver) {
      this.sides.forEach(({ about }) => { about.isLive = false; });
      $("live").hidden = true;
    }
    $("failed").hidden = false;
    if ($("failed").textContent !== message) $("failed").textContent = message; // said once
    this.settle();
  }

  draw() {
    const { selected, hovered, span, ruler } = this;
    this.timelines.forEach((timeline, k) => timeline.draw({
      selected, hovered, span, ruler, find: this.search.text, isWanted: this.isHit && this.isHit[k],
    }));
    this.settle();
  }

  async showSums() {
    const [from, to] = this.span || [this.view.from, this.view.to];
    const asked = this.asked = {}, spanOf = (side) => ({ from: from - side.shift, to: to - side.shift });
    $("scope").textContent = this.span ? `In the selected ${duration(to - from)}` : "On screen";
    try {
      const sums = await Promise.all(this.sides.map((side) =>
        side.source.sums({ ...spanOf(side), filter: this.summed })));
      if (asked !== this.asked) return; // a later question is under way
      this.sums.show(compareSums(this.sides, sums), this.sides.length > 1);
      if (this.panes.flame) await this.flame.ask(this.sides.map(spanOf));
      if (this.panes.table) await showListing(this, $("listing"));
    } catch (error) {
      if (asked === this.asked) $("scope").textContent = "Earlier view";
      this.fail(error);
    }
    if (asked !== this.asked) return;
    this.isCalm = true;
    this.settle();
  }

  resize() {
    // On a narrow screen there is little room for names.
    this.view.left = innerWidth < 700 ? 96 : 190;
    this.timelines.forEach((timeline) => timeline.resize());
    this.view.width = this.timelines[0].picture.width;
    this.redraw();
  }

  arrangeRows() {
    const { thread } = this.wanted;
    this.filter = filterOf(this.wanted);
    this.summed = thread ? { ...this.filter, thread } : this.filter;
    for (const { side, picture } of this.timelines) {
      side.arrange(this.arrangement, this.wanted);
      picture.scroll(0);
    }
    this.redraw();
  }

  bound() {
    this.view.bound(Math.min(...this.sides.map(({ about, shift }) => about.first + shift)),
      Math.max(...this.sides.map(({ about, shift }) => about.last + shift)));
  }

  // --- Where one is -----------------------------------------------------------------------

  arrive() {
    const address = writeAddress(this);
    clearTimeout(this.soon);
    if (address === location.hash) return;
    // The first address is where we came in, not a step.
    if (location.hash && isStep(location.hash, address)) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  arriveSoon() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.arrive(), SOON);
  }

  // Whoever goes elsewhere, or selects something, before the source has answered is not moved back.
  async go(address) {
    const said = readAddress(address), { arrangement } = this, going = this.going = {};
    Object.assign(this, { span: said.span, wanted: said.wanted, panes: said.panes });
    arrangement.by = said.by;
    arrangement.folded = new Set(said.folded);
    arrangement.ranks = new Map(said.ranks);
    this.flame.path = said.path;
    this.search.look(said.find);
    await this.setAlign(said.align);
    if (going !== this.going) return;
    if (said.t) this.view.show(...said.t);
    else this.view.whole();
    this.showControls();
    this.resize();
    this.arrangeRows();
    const { selected } = said, side = selected && this.sides[selected.side];
    const found = side && side.about.rows[selected.row] ? await side.source.details(selected) : null;
    if (going !== this.going) return;
    this.selected = found ? { ...found, side } : null;
    await this.details.show(this.selected);
    if (going !== this.going) return;
    this.redraw();
    this.timelines.forEach(({ picture }, k) => picture.scroll((said.tops[k] || 0) - picture.top));
    if (!address) this.arrive();
  }

  whole() {
    this.view.whole();
    this.redraw();
    this.arrive();
  }

  fill(item) {
    const length = Math.max(20, item.end - item.start), { shift } = item.side;
    this.view.show(item.start + shift - length * 0.1, item.end + shift + length * 0.1);
    this.redraw();
    this.arrive();
  }

  // --- What is selected -------------------------------------------------------------------

  select(item) {
    this.going = null;
    this.selected = item;
    if (item) this.reveal(item);
    this.details.show(item);
    this.redraw();
    this.arrive();
  }

  // Brings a range on screen, in time and among the rows.
  reveal({ side, row, start, end }) {
    const { view } = this, from = start + side.shift, to = end + side.shift;
    if (to < view.from || from > view.to) {
      const room = Math.max((to - from) * 1.5, view.to - view.from);
      view.show((from + to - room) / 2, (from + to + room) / 2);
    }
    const { picture } = this.timelines.find((each) => each.side === side);
    const place = side.layout.places.find((each) =>
      each.row === row || (each.group && each.group.marks === row));
    if (place && (place.y < picture.top || place.y + 60 > picture.top + picture.height)) {
      picture.scroll(place.y - picture.height / 2 - picture.top);
    }
  }

  async neighbour(by) {
    const { selected } = this;
    if (!selected) return;
    const { name, start: after, row, tie } = selected;
    const found = await selected.side.source.next({ name, after, row, tie, by });
    if (found) this.select({ ...found, side: selected.side, name: selected.name });
  }

  async selectName(label) {
    for (const side of this.sides) {
      const name = side.numberOf(label);
      if (name === undefined) continue;
      const from = (this.span || [this.view.from])[0] - side.shift;
      const found = await side.source.next({ name, after: from, by: 1 }) ||
        await side.source.next({ name, after: side.about.first - 1, by: 1 });
      if (found) {
        this.select({ ...found, side, name });
        return;
      }
    }
  }

  // Selects the time of a range as the span, to see what else went on.
  spanOver({ side, start, end }) {
    if (end <= start) return;
    this.span = [start + side.shift, end + side.shift];
    this.redraw();
    this.arrive();
  }

  forget() {
    this.span = this.ruler = null;
    this.isMeasuring = this.isSelecting = false;
    this.showControls();
    this.select(null);
  }

  // Sets the ruler's first end, then its second; after that a click begins again.
  measure(t, isClick) {
    const isDone = !this.ruler || this.ruler.isFixed;
    if (isClick && isDone) this.ruler = Object.assign([t, t], { isFixed: false });
    else if (!isDone) this.ruler = Object.assign([this.ruler[0], t], { isFixed: isClick });
    this.redrawOver();
  }

  // --- Rows -------------------------------------------------------------------------------

  fold(key) {
    this.arrangement.fold(key);
    this.arrangeRows();
    this.arrive();
  }

  moveGroup(siblings, key, by) {
    this.arrangement.move(siblings, key, by);
    this.arrangeRows();
    this.arrive();
  }

  // --- Two traces -------------------------------------------------------------------------

  async setAlign(align) {
    this.align = align;
    const { shift, isDone } = await shiftOf(this.sides, align);
    if (align !== this.align) return; // aligned at another one meanwhile
    this.sides[this.sides.length - 1].shift = shift;
    $("align").hidden = this.sides.length < 2;
    $("align").textContent = align ? (isDone ? `aligned at ${align.label} ${align.occurrence}`
      : `${align.label} ${align.occurrence} is not in both`) : "aligned at the beginning";
    this.bound();
  }

  async alignAt(item) {
    const { view } = this, isWhole = view.from <= view.first && view.to >= view.last;
    await this.setAlign({ label: item.side.labels[item.name], occurrence: item.occurrence || 1 });
    if (isWhole) view.whole();
    this.arrangeRows();
    this.arrive();
  }

  // --- The rest of the page ---------------------------------------------------------------

  describe() {
    $("title").textContent = this.sides.map((side) => visible(side.about.title)).join(" and ");
    const [{ about }] = this.sides, within = Math.min(about.resolution, about.last - about.first);
    $("restricted").hidden = !about.filter;
    $("restricted").textContent = `filter: ${about.filter}`;
    // No loss: it is what a flight recorder is asked to do.
    const since = Math.max(...this.sides.map((side) => side.about.wholeSince ?? -Infinity));
    $("facts").textContent = [
      `${this.sides.map((side) => count(side.about.events)).join(" and ")} events in ` +
        this.sides.map((side) => duration(side.about.last - side.about.first)).join(" and "),
      about.resolution ? `overview: ranges within ${duration(within)} are merged` : "",
      since > -Infinity ? `complete from ${moment(since)} on: older events were overwritten` : "",
      about.windows.length > 1 ? `recorded in ${count(about.windows.length)} windows, shaded` : "",
      about.payloadsLeftOut ? `${count(about.payloadsLeftOut)} payloads are not in this page` : "",
      about.isComplete ? "" : "still reading",
    ].filter(Boolean).join(" \u00b7 ");
    // What a process counted, or what its threads reported.
    const dropped = this.sides.reduce((n, { about: { dropped: counted, gaps } }) =>
      n + Math.max(counted, (gaps || []).reduce((all, [, , lost]) => all + lost, 0)), 0);
    $("dropped").hidden = !dropped;
    $("dropped").textContent = `${count(dropped)} events were dropped: no space`;
    $("live").hidden = !about.isLive;
  }

  fillFilters() {
    for (const [id, all] of [["by-domain", "domains"], ["by-category", "categories"]]) {
      const texts = [...new Set(this.sides.flatMap((side) => side.about[all] || []))].sort().slice(0, 1000);
      renew($(id), [element("option", { value: "*" }, `any ${id.slice(3)}`),
        ...texts.map((text) => element("option", { value: `=${text}` }, visible(text) || `(no ${id.slice(3)})`))]);
      $(id).disabled = texts.every((text) => text === "");
    }
  }

  readFilters() {
    const chosen = (id) => ($(id).value === "*" ? null : $(id).value.slice(1));
    this.wanted = {
      name: $("by-name").value || null, thread: $("by-thread").value || null,
      domain: chosen("by-domain"), category: chosen("by-category"),
    };
    this.arrangement.by = $("grouping").value;
    this.showControls();
    this.arrangeRows();
    this.arriveSoon();
  }

  showControls() {
    const { wanted, panes } = this, choice = (text) => (text == null ? "*" : `=${text}`);
    for (const [id, text] of [["by-name", wanted.name || ""], ["by-thread", wanted.thread || ""]]) {
      if ($(id).value !== text) $(id).value = text;
    }
    $("by-domain").value = choice(wanted.domain);
    $("by-category").value = choice(wanted.category);
    $("grouping").value = this.arrangement.by;
    const isFiltered = Object.values(wanted).some((each) => each != null) || this.arrangement.by !== "thread";
    if (isFiltered) $("filters").hidden = false;
    const states = {
      filter: !$("filters").hidden, flame: panes.flame, table: panes.table,
      selecting: this.isSelecting, measuring: this.isMeasuring,
    };
    for (const [name, is] of Object.entries(states)) {
      $(`${name}-button`).setAttribute("aria-pressed", String(is));
    }
    $("filter-button").classList.toggle("active", isFiltered);
    $("flame").hidden = !panes.flame;
    $("listing").hidden = !panes.table;
    document.body.classList.toggle("selecting", this.isSelecting || this.isMeasuring);
  }

  toggle(what) {
    if (what === "filter") $("filters").hidden = !$("filters").hidden;
    if (what === "selecting" || what === "measuring") {
      const is = what === "selecting" ? !this.isSelecting : !this.isMeasuring;
      this.isSelecting = what === "selecting" && is;
      this.isMeasuring = what === "measuring" && is;
      this.ruler = null;
    }
    if (what in this.panes) this.panes[what] = !this.panes[what];
    this.showControls();
    this.resize();
    if (what in this.panes) this.arrive();
  }

  listen() {
    for (const name of ["filter", "flame", "table", "selecting", "measuring"]) {
      $(`${name}-button`).onclick = () => this.toggle(name);
    }
    for (const id of ["by-name", "by-thread"]) $(id).oninput = () => this.readFilters();
    for (const id of ["by-domain", "by-category", "grouping"]) $(id).onchange = () => this.readFilters();
    $("no-filter").onclick = () => {
      Object.assign(this.wanted, { name: null, domain: null, category: null, thread: null });
      this.arrangement.by = "thread";
      this.showControls();
      this.arrangeRows();
      this.arrive();
    };
    $("whole").onclick = () => this.whole();
    $("help").onclick = () => $("keys").showModal();
    addEventListener("popstate", () => this.go(location.hash));
    addEventListener("unhandledrejection", ({ reason }) => this.fail(reason));
    new ResizeObserver(() => this.resize()).observe($("stages"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.timelines.forEach(({ picture }) => picture.recolor());
      this.redraw();
    });
  }

  // A trace that is being written has grown. What comes while one question is under way needs
  // another one: its answer may be of before.
  async grow(side) {
    side.hasGrown = true;
    if (side.isGrowing) return;
    side.isGrowing = true;
    try {
      while (side.hasGrown) {
        side.hasGrown = false;
        this.extend(side, await side.source.about());
      }
    } finally {
      side.isGrowing = false;
    }
  }

  // A view of the whole, or of its end, stays one.
  extend(side, about) {
    const { view } = this, before = side.about.last, end = view.to - side.shift;
    const isWhole = view.from <= view.first && view.to >= view.last, isAtEnd = end >= before;
    side.take(about);
    side.tiles.grow(before);
    this.bound();
    if (isWhole) view.whole();
    else if (isAtEnd) view.move(side.about.last - before);
    this.search.ask();
    this.describe();
    this.fillFilters();
    this.showControls();
    this.arrangeRows();
    if (this.selected && this.selected.side === side) this.details.show(this.selected);
  }
}

async function start() {
  const sources = await openSources();
  const app = new App(sources, await Promise.all(sources.map((source) => source.about())));
  window.rangeline = app; // for the console
  await app.begin();
}

start().catch((error) => {
  $("facts").textContent = `cannot show this trace: ${error.message}`;
  throw error;
});
