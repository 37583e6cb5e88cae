// side.js - one trace of the page, or of the two of a comparison.
import { Colors, isGiven, paletteColor } from "./colors.js";
import { areBetterFolded, foldNumbers, isFunction, labelOf, titleOf } from "./names.js";
import { filterOf, isStreamGroup, layOut, mayMatch, rowsWhere, threadId } from "./rows.js";
import { splitsOf } from "./states.js";
import { visible } from "./text.js";
import { Tiles } from "./tiles.js";

const MANY = 40; // groups: of more, those that are hardly ever busy share a line
const QUIET = 0.001; // of the time of the trace

export class Side {
  constructor(source, about, arrived) {
    this.source = source;
    this.tiles = new Tiles(source, arrived);
    this.states = new Tiles({ tile: (asked) => source.states(asked) }, arrived); // of threads: states.js
    this.known = null; // strips of threads that have states, once these have been asked for
    this.shift = 0; // ns that are added to times of the trace: main.js aligns the sides with it
    this.coloring = "program"; // what gives ranges their colors: program, name, domain
    this.colors = new Colors(); // of names; main.js sets those that both sides share
    source.learned = (number, name) => this.learn(number, name);
    this.take(about);
  }

  // The list of names only grows; it may have holes, which learn() fills.
  take(about) {
    this.about = about;
    this.labels = [];
    this.titles = [];
    this.rgb = [];
    about.names.forEach((name, number) => this.learn(number, name));
    this.labels.length = about.names.length;
    this.hasStreams = about.groups.some(isStreamGroup);
    this.isOfSeveral = new Set(about.groups.map(({ pid }) => pid).filter(Boolean)).size > 1; // processes
  }

  learn(number, name) {
    this.labels[number] = labelOf(name);
    this.titles[number] = titleOf(name);
    this.rgb[number] = this.colorOfName(number);
    this.numbers = this.folds = null;
  }

  get isBetterFolded() {
    this.folds = this.folds ?? areBetterFolded(this.labels.filter((_, number) => !this.about.names[number].isOfGpu));
    return this.folds;
  }

  numberOf(label) {
    this.numbers = this.numbers || new Map(this.labels.map((each, i) => [each, i]).filter(Boolean));
    return this.numbers.get(label);
  }

  // The domain of a name where there are several, else "".
  domainOf(number) {
    const { domains, names } = this.about;
    return domains.length > 1 && !isFunction(names[number]) ? visible(names[number].domain) : "";
  }

  // The color of a name's domain where there are several and it is not that of the ranges, else null.
  tabOf(number) {
    const domain = this.coloring === "domain" ? "" : this.domainOf(number);
    return domain ? paletteColor(domain) : null;
  }

  setColors(colors) {
    this.colors = colors;
    this.take(this.about);
  }

  hasOwnColor({ color }) { return this.coloring === "program" && isGiven(color); }

  // The totals of names that get their colors from the page, by kind.
  withoutColor(sums) {
    return sums.filter(({ name }) => !this.hasOwnColor(this.about.names[name]))
      .map(({ name, total }) => [this.kindOf(name, true), total]);
  }

  colorOfName(number) {
    const name = this.about.names[number];
    if (this.hasOwnColor(name)) return name.color;
    return this.coloring === "domain" ? paletteColor(visible(name.domain)) : this.colors.of(this.kindOf(number, true));
  }

  colorOf(tile, i) {
    return tile.color && this.coloring === "program" && isGiven(tile.color[i]) ? tile.color[i]
      : this.rgb[tile.name[i]];
  }

  // A text of a name without its numbers, if they are folded. Those of kernels say which it is.
  folded(number, text, isFolded) {
    return isFolded && !this.about.names[number].isOfGpu ? foldNumbers(text) : text;
  }

  // What names that are one have in common.
  kindOf(number, isFolded) { return this.folded(number, this.labels[number], isFolded); }

  nameIn(number, isFolded) {
    const { message, field } = this.about.names[number], label = this.labels[number];
    const folded = (text) => this.folded(number, text, isFolded);
    return {
      label, text: folded(label), title: folded(this.titles[number]),
      message: folded(labelOf({ domain: "", message, field })),
      domain: this.domainOf(number), color: this.rgb[number],
    };
  }

  // Lays out the rows for a filter: only those with items that match it anywhere in the trace, so
  // that they do not jump while the view moves.
  async arrange(arrangement, wanted) {
    const asked = this.asked = {}, present = await this.rowsWith(wanted);
    const quiet = present || wanted.thread ? null : await this.quietGroups();
    if (asked !== this.asked) return; // arranged again meanwhile
    this.layOut = () => { this.layout = layOut(this.about, arrangement, wanted, { present, quiet, strips: this.strips }); };
  }

  // By row: whether it has items that match. Null without a filter: all have.
  async rowsWith(wanted) {
    const filter = filterOf(wanted), { about } = this;
    if (!filter) return null;
    const rows = rowsWhere(about, (row) => row.kind !== "c" && mayMatch(about, row, wanted));
    const tiles = rows.length
      ? await this.source.tile({ from: about.first, to: about.last + 1, pixels: 1, rows, filter }) : [];
    const present = new Uint8Array(about.rows.length);
    for (const { row, start } of tiles) present[row] = +(start.length > 0);
    return present;
  }

  // By group: whether its ranges cover next to nothing of the trace. Null if there are few groups, or
  // the trace may grow.
  async quietGroups() {
    const { about } = this, { first, last, groups } = about;
    if (about.isLive || !about.isComplete || groups.length < MANY) return null;
    if (this.quietOf === groups.length) return this.quiet;
    const rows = rowsWhere(about, ({ kind }) => "psa".includes(kind));
    const busy = new Float64Array(groups.length);
    for (const tile of await this.source.tile({ from: first, to: last + 1, pixels: 1, rows })) {
      tile.start.forEach((start, i) => {
        busy[about.rows[tile.row].group] += tile.covered ? tile.covered[i] : tile.end[i] - start;
      });
    }
    [this.quietOf, this.quiet] = [groups.length, busy.map((ns) => +(ns < (last - first) * QUIET))];
    return this.quiet;
  }

  // By group: a row of the thread that has a strip of its states. Null: none has one.
  get strips() {
    const { about, known } = this, firsts = new Map();
    if (known || !about.hasStates) return known;
    for (const row of rowsWhere(about, ({ thread, lane }) => thread >= 0 && lane === undefined)) {
      const { group } = about.rows[row];
      if (!firsts.has(group) && !this.isStream(row)) firsts.set(group, row);
    }
    return firsts;
  }

  // To read all states takes a while, so that threads of which none is known lose their strips later. Returns
  // whether any did.
  async learnStates() {
    const { about, strips, known } = this, { first, last } = about;
    if (known || !strips) return false;
    const splits = await splitsOf(this.source, { from: first, to: last + 1 }, [...strips.values()]);
    this.known = new Map([...strips].filter(([, row]) => splits.has(row)));
    return this.known.size < strips.size;
  }

  get isWaiting() { return this.tiles.isWaiting || this.states.isWaiting; } // for what is on screen

  isStream(row) { return isStreamGroup(this.about.groups[this.about.rows[row].group]); }

  threadLabel(thread) {
    const one = this.about.threads[thread];
    return one ? `${visible(one.name || "thread")} ${threadId(one)}` : "";
  }

  // Where there are several processes that of a row, `rank 3` or `program 1234`, else "".
  processOf(row) {
    const { groups, rows, processes } = this.about, { pid } = groups[rows[row].group];
    if (!this.isOfSeveral || !pid) return "";
    const label = processes.find((each) => each.pid === pid)?.label || "process";
    return /^rank \d+/.exec(label)?.[0] || `${visible(label)} ${pid % 2 ** 24}`;
  }

  rowLabel(number) {
    const row = this.about.rows[number];
    if (row.kind === "c") return visible(row.label) || "(no name)";
    return row.thread >= 0 && !this.isStream(number) ? this.threadLabel(row.thread) : visible(this.about.groups[row.group].label);
  }
}
