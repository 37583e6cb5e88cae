// side.js - one trace of the page: its source, the source's description of it, its layout, and its
// cached tiles. A comparison has two sides.
import { isGiven, labelOf, paletteColor, visible } from "./text.js";
import { layOut } from "./rows.js";
import { Tiles } from "./tiles.js";

export class Side {
  constructor(source, about, arrived) {
    this.source = source;
    this.tiles = new Tiles(source, arrived);
    this.shift = 0; // ns that are added to times of the trace: main.js aligns the sides with it
    source.learned = (number, name) => this.learn(number, name);
    this.take(about);
  }

  // Takes a new description. The list of names only grows; it may have holes, which learn() fills.
  take(about) {
    this.about = about;
    this.labels = [];
    this.rgb = [];
    about.names.forEach((name, number) => this.learn(number, name));
    this.labels.length = about.names.length;
  }

  learn(number, name) {
    const label = labelOf(name), { color } = name;
    this.labels[number] = label;
    this.rgb[number] = isGiven(color) ? color : paletteColor(label);
    this.numbers = null;
  }

  arrange(arrangement, wanted) { this.layout = layOut(this.about, arrangement, wanted); }

  // The number of the name with that label, or undefined.
  numberOf(label) {
    this.numbers = this.numbers || new Map(this.labels.map((each, i) => [each, i]).filter(Boolean));
    return this.numbers.get(label);
  }

  // The color of an item of a tile.
  colorOf(tile, i) {
    return tile.color && isGiven(tile.color[i]) ? tile.color[i] : this.rgb[tile.name[i]];
  }

  threadLabel(thread) {
    const { name, pid, tid } = this.about.threads[thread] || {};
    return tid === undefined ? "" : `${visible(name || "thread")} ${pid}/${tid}`;
  }

  rowLabel(number) {
    const row = this.about.rows[number];
    if (row.kind === "c") return visible(row.label);
    return row.thread >= 0 ? this.threadLabel(row.thread) : visible(this.about.groups[row.group].label);
  }
}
