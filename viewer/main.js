// main.js - the application: keeps the state of the page (view, filter, selection) and updates what
// shows it: timelines once per frame, tables when nothing has changed for CALM.
import { areasOf, isStep, readAddress, writeAddress } from "./address.js";
import { Colors } from "./colors.js";
import { compareSums, shiftOf } from "./compare.js";
import { Controls } from "./controls.js";
import { Details } from "./details.js";
import { $ } from "./elements.js";
import { Flame } from "./flame.js";
import { Highlights } from "./highlights.js";
import { attempt } from "./kept.js";
import { listenToKeys } from "./keys.js";
import { showLevels } from "./levels.js";
import { showListing } from "./listing.js";
import { Menu } from "./menu.js";
import { Overview } from "./overview.js";
import { listenToPrinter, setBare } from "./paper.js";
import { Reports } from "./reports.js";
import { Arrangement, filterOf } from "./rows.js";
import { Search } from "./search.js";
import { Side } from "./side.js";
import { HEIGHTS, measureText, px, setHeight } from "./size.js";
import { openSources } from "./sources.js";
import { splitter } from "./splitters.js";
import { showStates } from "./states.js";
import { Status } from "./status.js";
import { count, duration, visible } from "./text.js";
import { Timeline } from "./timeline.js";
import { Totals } from "./totals.js";
import { View } from "./view.js";

const SOON = 250; // ms: changes within it become one entry of the browser's history
const CALM = 120; // ms without a change before the panes are built again
const QUICK = 1e6; // events whose totals are known at once, so that the first picture waits for its colors
const MOST_SHOWN = 0.8; // of a trace: if ranges are in less, they are shown at first
const NARROW = 700; // pixels of the page: below, the panel is under the picture
const ALL = { name: null, domain: null, category: null, thread: null }; // what a filter wants

class App {
  constructor(sources, abouts) {
    this.sources = sources;
    this.sides = sources.map((source, k) => new Side(source, abouts[k], (isNow) => (isNow ? this.draw() : this.redrawOver())));
    this.arrangement = new Arrangement();
    this.wanted = { ...ALL };
    this.filter = this.summed = null; // for items of a row; for sums, which also filter threads
    this.panes = { flame: false, table: false, report: false };
    this.selected = this.hovered = this.span = this.ruler = this.isHit = this.align = null;
    this.spanRows = null; // numbers of the rows that count in the selected time; null: all
    this.mode = null; // what a drag or click does, if not the usual: "selecting", "measuring"
    this.isCalm = this.hasFailed = false;
    this.folds = null; // whether tables fold numbers; null: if the names are better folded
    this.coloring = "program";
    this.totalsOfAll = null; // of the whole traces, once these are complete
    this.frame = this.arranging = 0;
    this.view = new View(0, 1);
    this.timelines = this.sides.map((side) => new Timeline(this, side, $("stages")));
    [this.current] = this.timelines;
    this.details = new Details(this);
    this.highlights = new Highlights(this);
    this.totals = new Totals(this);
    this.search = new Search(this);
    this.flame = new Flame(this, $("flame"));
    this.reports = new Reports(this, $("report"));
    this.overview = new Overview(this, $("pictures"));
    this.menu = new Menu(this);
    this.status = new Status(this.sides);
    this.controls = new Controls(this);
  }

  async begin() {
    document.title = `${this.sides.map((side) => visible(side.about.title)).join(", ")} \u2013 Rangeline`;
    this.status.describe();
    this.controls.fill();
    this.listen();
    listenToKeys(this);
    this.overview.ask();
    const ranked = this.rankNames();
    if (this.sides.every(({ about }) => about.events < QUICK)) await ranked;
    await this.go(location.hash);
    this.sides.forEach((side) => side.source.follow(() => this.grow(side)));
  }

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

  // Sets aria-busy, so that tools know whether the page shows everything that it requested.
  settle() {
    const isBusy = !this.isCalm || this.frame !== 0 || this.arranging > 0 ||
      this.sides.some(({ isWaiting }) => isWaiting);
    $("pictures").setAttribute("aria-busy", isBusy);
    if (!isBusy && !this.hasFailed) this.status.settle();
  }

  fail(error) {
    this.hasFailed = true;
    $("loading").hidden = true;
    this.status.fail(error);
    this.settle();
  }

  draw() {
    const { selected, hovered, span, spanRows, ruler } = this, { links } = this.details;
    this.timelines.forEach((timeline, k) => timeline.draw({
      selected, hovered, span, spanRows, ruler, links: selected && links, gaps: this.highlights.gaps, find: this.search.text, isWanted: this.isHit && this.isHit[k],
    }));
    this.overview.draw(this.timelines[0].picture.color);
    if (this.sides.every(({ layout, isWaiting }) => layout && !isWaiting)) $("loading").hidden = true;
    this.settle();
  }

  // To sum up what has been read would slow the reading, and the rest comes soon.
  get isReading() { return this.sides.some(({ about }) => !about.isComplete && !about.isLive); }

  async showSums() {
    if (this.going === undefined) return; // go() has not begun: there is no view yet
    const [from, to] = this.span || [this.view.from, this.view.to];
    const asked = this.asked = {}, rows = this.spanRows;
    const spanOf = (side) => ({ from: from - side.shift, to: to - side.shift, ...(rows && { rows }) });
    const { isFolding: isFolded } = this;
    $("zoom-span").hidden = !this.span;
    $("scope").textContent = this.span ? `Totals in the selected ${duration(to - from)}${rows ? ` of ${rows.length === 1 ? "1 row" : `${count(rows.length)} rows`}` : ""}` : "Totals on screen";
    try {
      if (this.isReading) {
        $("scope").textContent = "Totals: once the trace is read";
      } else {
        const sums = await Promise.all(this.sides.map((side) =>
          side.source.sums({ ...spanOf(side), filter: this.summed, isFolded })));
        if (asked !== this.asked) return; // a later request is under way
        this.totals.show(compareSums(this.sides, sums, isFolded), this.sides.length > 1);
        await showLevels(this, spanOf);
        await showStates(this, spanOf);
        if ((await Promise.all(this.sides.map((side) => side.learnStates()))).includes(true)) this.arrangeRows();
      }
      if (this.selected && this.scope !== this.details.scope) await this.details.show(this.selected);
      await this.highlights.show();
      if (this.panes.flame && !this.isReading) await this.flame.ask(this.sides.map(spanOf));
      if (this.panes.table) await showListing(this, $("listing"));
      if (this.panes.report) await this.reports.show().catch((error) => this.fail(error));
    } catch (error) {
      if (asked === this.asked) $("scope").textContent = "Out of date";
      this.fail(error);
    }
    if (asked !== this.asked) return;
    this.isCalm = true;
    this.settle();
  }

  resize() {
    if (measureText() && this.sides[0].layout) this.arrangeRows();
    this.fitGutter();
    this.fitPanel();
    this.timelines.forEach((timeline) => timeline.resize());
    this.fitRows();
    this.view.width = this.timelines[0].picture.width;
    this.redraw();
  }

  makeSplitters() {
    const isNarrow = () => innerWidth < NARROW;
    this.fitGutter = splitter($("gutter-edge"), {
      what: "gutter", by: 1, least: () => (isNarrow() ? 60 : 120), most: () => Math.min(420, innerWidth / 2),
      usual: () => px(isNarrow() ? 112 : 190), // there is little room for names on a narrow screen
      set: (width) => {
        if (width === this.view.left) return;
        this.view.left = width;
        $("pictures").style.setProperty("--gutter", `${width}px`);
        if (this.timelines[0].picture.width) this.redraw();
      },
    });
    this.fitPanel = splitter($("panel-edge"), {
      what: "panel", by: -1, least: () => 280, most: () => Math.max(280, innerWidth * 0.6), usual: () => px(360),
      set: (width) => document.body.style.setProperty("--panel", `${width}px`),
    });
  }

  setBare(isBare) { setBare(this, isBare); } // for `view --picture`, too

  get isFiltered() { return Object.values(this.wanted).some((each) => each != null); }

  // The old rows stay until the sources have said which match the filter.
  async arrangeRows() {
    const { thread } = this.wanted, { scope } = this;
    this.filter = filterOf(this.wanted);
    this.summed = thread ? { ...this.filter, thread } : this.filter;
    if (scope !== this.scope) this.search.ask();
    this.arranging++;
    this.redraw();
    try {
      await Promise.all(this.sides.map((side) => side.arrange(this.arrangement, this.wanted)));
    } finally {
      this.arranging--;
    }
    this.fitRows();
    this.redraw();
  }

  // Rows are as high as there is room for all of them.
  fitRows() {
    if (!this.sides.every(({ layOut }) => layOut)) return; // none has been arranged yet
    const fits = (height) => {
      setHeight(height);
      this.sides.forEach((side) => side.layOut());
      return this.timelines.map(({ picture }) => picture.fit()).every(Boolean);
    };
    if (fits(1)) HEIGHTS.find(fits);
  }

  filterTo(name) {
    this.wanted = { ...this.wanted, name };
    this.controls.show();
    this.rearrange();
  }

  clearFilters() {
    this.wanted = { ...ALL };
    this.arrangement.by = "thread";
    this.controls.show();
    this.rearrange();
  }

  nothingHere() { return this.isFiltered ? "No matches" : "No ranges"; }

  get isFolding() { return this.folds ?? this.sides.some((side) => side.isBetterFolded); }

  // Whether it is one of all names that differ in numbers, as what it was compared with.
  isFoldingOf({ isOfKind }) { return this.isFolding || Boolean(isOfKind); }

  // Of what the panel lists occurrences: texts differ if it does.
  get scope() { return JSON.stringify([this.span, this.summed, this.isFolding]); }

  setColoring(coloring) {
    this.coloring = coloring;
    this.colorNames();
    this.controls.show();
    this.details.show(this.selected);
    this.changed();
  }

  // Once: colors do not change while a trace is recorded.
  async rankNames() {
    if (this.isRanking || !this.sides.every(({ about }) => about.isComplete)) return;
    this.isRanking = true;
    this.totalsOfAll = await Promise.all(this.sides.map(({ source, about: { first, last } }) =>
      source.sums({ from: first, to: last, isFolded: true })));
    this.colorNames();
    if (!this.sides[0].layout) return; // nothing is shown yet
    this.details.show(this.selected);
    this.redraw();
  }

  colorNames() {
    const { sides, coloring } = this;
    sides.forEach((side) => { side.coloring = coloring; });
    const totals = this.totalsOfAll?.flatMap((sums, k) => sides[k].withoutColor(sums));
    const colors = new Colors(totals); // of both sides
    sides.forEach((side) => side.setColors(colors));
  }

  bound() {
    const ends = (end) => this.sides.map(({ about, shift }) => about[end] + shift);
    this.view.bound(Math.min(...ends("first")), Math.max(...ends("last")));
  }

  get isFollowing() { return this.sides.some(({ about, shift }) => about.isLive && this.view.to - shift >= about.last); }

  arrive() {
    const address = writeAddress(this);
    clearTimeout(this.soon);
    if (address === location.hash) return;
    // The first address is no new entry. In a frame, a bare `#...` would be the outer page's.
    const how = location.hash && isStep(location.hash, address) ? "pushState" : "replaceState";
    attempt(() => history[how](null, "", location.href.split("#")[0] + address));
  }

  changing() {
    this.redraw();
    this.arriveSoon();
  }

  arriveSoon() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.arrive(), SOON);
  }

  // If the user opens another address or selects an item before the source has answered, the rest
  // of this one is not applied.
  async go(address) {
    const state = readAddress(address), { arrangement } = this, going = this.going = {};
    for (const part of ["span", "spanRows", "wanted", "panes", "folds", "coloring"]) this[part] = state[part];
    Object.assign(arrangement, { by: state.by, folded: new Set(state.folded), pinned: state.pinned, ranks: new Map(state.ranks) });
    if (this.sides.length > 1) this.spanRows = null; // each trace has its own rows
    this.colorNames();
    this.flame.path = state.path;
    this.reports.set(state.report, state.sort);
    this.panes.report &&= this.reports.isThere;
    this.search.setText(state.find);
    await this.setAlign(state.align);
    if (going !== this.going) return;
    if (state.t) this.view.show(...state.t);
    else if (state.follow) this.view.show(this.view.last - state.follow, this.view.last);
    else if (this.annotated) this.view.show(...this.annotated);
    else this.view.whole();
    this.controls.show();
    this.resize();
    await this.arrangeRows();
    if (going !== this.going) return;
    const { side: k, row, start, tie } = state.selected || {}, side = this.sides[k];
    const found = side?.about.rows[row] ? await side.source.details({ row, start, tie }) : null;
    if (going !== this.going) return;
    const isThere = found && (found.start === start || side.about.rows[row].kind === "r");
    this.selected = isThere ? { ...found, side } : null;
    await this.details.show(this.selected);
    if (going !== this.going) return;
    this.redraw();
    areasOf(this.timelines).forEach((area, k) => area.scroll((state.tops[k] || 0) - area.top));
    if (!address) this.arrive();
  }

  // What to show at first of one trace with work of GPUs, which may begin long before the first range; else
  // null.
  get annotated() {
    const [{ about, shift }] = this.sides, [from, to] = about.annotated || [];
    const isMost = !about.annotated || to - from > (about.last - about.first) * MOST_SHOWN;
    // Totals of an overview are exact only of all of it.
    if (this.sides.length > 1 || about.isLive || about.gaps?.length || about.resolution || isMost) return null;
    const margin = (to - from) * 0.02;
    return [from + shift - margin, to + shift + margin];
  }

  changed() {
    this.redraw();
    this.arrive();
  }

  whole() {
    this.view.whole();
    this.changed();
  }

  zoomTo(from, to) {
    const margin = Math.max(20, to - from) * 0.1;
    this.view.show(from - margin, to + margin);
    this.changed();
  }

  // Marks a time, and moves it to the middle of the picture, or zooms in where that is all of the trace.
  lookAt({ shift }, ns, text) {
    const { view } = this, at = ns + shift, room = (view.to - view.from) / (view.isWhole ? 20 : 2);
    view.show(at - room, at + room);
    this.ruler = Object.assign([at, at], { isFixed: true, isOne: true });
    $("said").textContent = text;
    this.changed();
  }

  fill({ side: { shift }, start, end }) { this.zoomTo(start + shift, end + shift); }

  // `seen` is on screen already, if it is not the item.
  select(item, seen = item) {
    this.going = null;
    this.selected = item;
    if (item) this.reveal(seen);
    this.details.show(item);
    this.changed();
  }

  // What is projected on a stream stands for a range of a thread: that one, if there still is one.
  async originOf(item) {
    if (item?.side.about.rows[item.row].kind !== "r") return item;
    const { side, row, start, tie } = item, found = await side.source.details({ row, start, tie });
    return found && { ...found, side, projected: item };
  }

  // Selects an item of the picture.
  async pick(item) {
    const origin = await this.originOf(item);
    if (origin || !item) this.select(origin, item);
  }

  pictureOf(side) { return this.timelines.find((each) => each.side === side).picture; }

  // Shows a range: moves, scrolls, and unfolds what hides it.
  async reveal({ side, row, start, end }) {
    const { view } = this, from = start + side.shift, to = end + side.shift;
    if (to < view.from || from > view.to) {
      const room = Math.max((to - from) * 1.5, view.to - view.from);
      view.show((from + to - room) / 2, (from + to + room) / 2);
    }
    const picture = this.pictureOf(side);
    const hides = ({ rows, groups }) => (rows ? rows.includes(row) : groups.some(hides));
    for (;;) {
      const folded = !picture.placeOf(row) && side.layout.groups.find(({ group, isFolded }) => isFolded && hides(group));
      if (!folded) break;
      this.arrangement.fold(folded.group.key);
      await this.arrangeRows();
    }
    picture.reveal(picture.placeOf(row));
    this.redraw();
  }

  // Shows the time and the names of an address, and leaves all else.
  showPlace(side, address) {
    const { t, find } = readAddress(address);
    if (t) this.view.show(...t.map((at) => at + side.shift));
    this.search.setText(find);
    this.changed();
  }

  // One after the other: keys may come faster than answers.
  neighbour(by, item) {
    this.stepping = (this.stepping || Promise.resolve()).then(() => this.step(by, item)).catch((error) => this.fail(error));
  }

  async step(by, item = this.selected) {
    if (!item) return;
    const { side, name, start: after, row, tie, isOfKind } = item;
    const { summed: filter } = this, isFolded = this.isFoldingOf(item);
    const found = await side.source.next({ name, after, row, tie, by, filter, isFolded });
    if (found) this.select({ ...found, side, isOfKind });
  }

  // Selects the longest range of a name, or of its kind, in the time of the totals: the one to look at.
  // It is the longest of those not merged with others; without one, the next.
  async selectName(label) {
    for (const side of this.sides) {
      const name = side.numberOf(label);
      if (name === undefined) continue;
      const [from, to] = (this.span || [this.view.from, this.view.to]).map((t) => t - side.shift);
      const { summed: filter, isFolding: isFolded } = this;
      const next = (after) => side.source.next({ name, after, by: 1, filter, isFolded });
      const longest = await side.source.occurrences({ name, from, to, filter, isFolded });
      const found = longest.find(({ n }) => n === 1) || await next(from) || await next(side.about.first - 1);
      if (found) {
        this.select({ ...found, side });
        return;
      }
    }
  }

  showPath(path) {
    this.flame.path = path;
    this.panes.flame = true;
    this.controls.show();
    this.resize();
    this.arrive();
  }

  // The time whose occurrences and callers the panel lists.
  spanOrWhole({ shift, about }) { return this.span ? this.span.map((t) => t - shift) : [about.first, about.last]; }

  spanOver({ side, start, end }) {
    if (end <= start) return;
    this.span = [start + side.shift, end + side.shift];
    this.spanRows = null;
    this.changed();
  }

  forget() {
    this.span = this.spanRows = this.ruler = null;
    this.mode = null;
    this.controls.show();
    this.select(null);
  }

  // A click sets the first end, then the second; the next one begins again.
  measure(t, isClick) {
    const isDone = !this.ruler || this.ruler.isFixed;
    if (isClick && isDone) this.ruler = Object.assign([t, t], { isFixed: false });
    else if (!isDone) this.ruler = Object.assign([this.ruler[0], t], { isFixed: isClick });
    this.redrawOver();
  }

  rearrange() {
    this.arrangeRows();
    this.arrive();
  }

  fold(key) {
    this.arrangement.fold(key);
    this.rearrange();
  }

  async pin(key) {
    this.arrangement.pin(key);
    await this.arrangeRows();
    for (const { picture, side } of this.timelines) picture.reveal(side.layout.groups.find(({ group }) => group.key === key));
    this.changed();
  }

  moveGroup(siblings, key, by) {
    this.arrangement.move(siblings, key, by);
    this.rearrange();
  }

  async setAlign(align) {
    this.align = align;
    const { shift, isDone } = await shiftOf(this.sides, align);
    if (align !== this.align) return; // the user has aligned at another range meanwhile
    this.sides.at(-1).shift = shift;
    $("align").hidden = this.sides.length < 2;
    $("align").textContent = align ? (isDone ? `aligned at ${align.label} ${align.occurrence}`
      : `Occurrence ${align.occurrence} of ${align.label} is missing in one trace`) : "aligned at the beginning";
    this.bound();
  }

  async alignAt(item) {
    const { view } = this, { isWhole } = view;
    await this.setAlign({ label: item.side.labels[item.name], occurrence: item.occurrence || 1 });
    if (isWhole) view.whole();
    this.changed();
  }

  toggle(what) {
    if (what === "filter") $("filters").hidden = !$("filters").hidden;
    if (what === "folding") this.folds = !this.isFolding;
    if (what === "selecting" || what === "measuring") {
      this.mode = this.mode === what ? null : what;
      this.ruler = null;
    }
    if (what in this.panes) this.panes[what] = !this.panes[what];
    this.controls.show();
    this.resize();
    if (what in this.panes || what === "folding") this.arrive();
  }

  listen() {
    this.makeSplitters();
    listenToPrinter(this);
    onpopstate = () => this.go(location.hash);
    onunhandledrejection = ({ reason }) => this.fail(reason);
    new ResizeObserver(() => this.resize()).observe($("stages"));
    matchMedia("(prefers-color-scheme: dark)").onchange = () => {
      this.timelines.forEach(({ picture }) => picture.recolor());
      this.redraw();
    };
  }

  // A trace may grow while a request is under way: then another follows.
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

  // A view of the whole trace still shows all of it, and one of its end follows the end.
  extend(side, about) {
    const { view } = this, { isWhole } = view, before = side.about.last, isAtEnd = view.to - side.shift >= before;
    side.take(about);
    side.tiles.grow(before);
    this.bound();
    if (isWhole) view.whole();
    else if (isAtEnd) view.move(side.about.last - before);
    this.rankNames();
    this.search.ask();
    this.overview.ask();
    this.status.describe();
    this.controls.fill();
    this.arrangeRows();
    if (this.selected?.side === side) this.details.show(this.selected);
  }
}

async function start() {
  const sources = await openSources();
  const app = new App(sources, await Promise.all(sources.map((source) => source.about())));
  window.rangeline = app; // for the console
  await app.begin();
}

start().catch((error) => {
  $("loading").hidden = true;
  $("facts").textContent = `Cannot show this trace: ${error.message}`;
  throw error;
});
