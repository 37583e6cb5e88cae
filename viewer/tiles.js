// tiles.js - caches tiles of a source, and finds substitutes to draw until missing ones arrive.
//
//   level k: a pixel is 2^k ns     |---- slot ----|---- slot ----|     SLOT pixels each
//   level k+1                      |----------- slot ------------|
//
// A slot contains the tiles of the rows that were requested. Where one is missing, those of a
// coarser or finer level replace it, clipped to the slot.

const SLOT = 2048, MOST_TILES = 20000;

export class Tiles {
  constructor(source, arrived) {
    this.source = source;
    this.arrived = arrived;
    this.slots = new Map(); // the least recently filled first
    this.n = 0; // tiles in all slots
    this.isAsking = false;
    this.asks = new Map(); // slots of this frame, and their missing rows
    this.age = 0; // incremented when the trace grows: answers to older requests are out of date
  }

  // A frame, in which a pixel is `pixel` ns.
  begin(from, to, pixel) {
    this.level = Math.floor(Math.log2(pixel));
    this.length = SLOT * 2 ** this.level;
    this.from = Math.floor(from / this.length);
    this.to = Math.floor(to / this.length);
    this.asks.clear();
  }

  each(row, filter, draw) {
    for (let i = this.from; i <= this.to; i++) {
      const tile = this.find(this.level, i, row, filter);
      if (!tile || tile.isOld) this.ask(i, row, filter);
      if (tile) draw(tile, i * this.length, (i + 1) * this.length);
      else if (!this.drawCoarser(i, row, filter, draw)) this.drawFiner(i, row, filter, draw);
    }
  }

  drawCoarser(i, row, filter, draw) {
    for (let up = 1; up < 40; up++) {
      const tile = this.find(this.level + up, Math.floor(i / 2 ** up), row, filter);
      if (!tile) continue;
      draw(tile, i * this.length, (i + 1) * this.length);
      return true;
    }
    return false;
  }

  drawFiner(i, row, filter, draw) {
    for (let down = 1; down < 4; down++) {
      const parts = 2 ** down, length = this.length / parts;
      let n = 0;
      for (let k = i * parts; k < (i + 1) * parts; k++) {
        const tile = this.find(this.level - down, k, row, filter);
        if (tile && ++n) draw(tile, k * length, (k + 1) * length);
      }
      if (n) return;
    }
  }

  key(level, i, filter) { return `${level}/${i}/${filter ? filter.key : ""}`; }

  find(level, i, row, filter) {
    const slot = this.slots.get(this.key(level, i, filter));
    return slot?.rows.get(row);
  }

  ask(i, row, filter) {
    const key = this.key(this.level, i, filter);
    if (!this.asks.has(key)) this.asks.set(key, { i, filter, level: this.level, rows: [] });
    this.asks.get(key).rows.push(row);
  }

  // Requests the missing tiles, once the frame is drawn: one request per slot, and no new ones
  // until all are answered. Then arrived() draws what is missing by then, in the same frame (isNow)
  // if the source answers at once.
  async fetch() {
    if (this.isAsking || !this.asks.size) return;
    this.isAsking = true;
    const { age } = this;
    let isNow = true;
    setTimeout(() => { isNow = false; });
    try {
      await Promise.all([...this.asks].map(async ([key, { i, filter, level, rows }]) => {
        const length = SLOT * 2 ** level;
        const tiles = await this.source.tile({
          from: i * length, to: (i + 1) * length, pixels: SLOT, rows, filter,
        });
        if (age === this.age) this.keep(key, (i + 1) * length, tiles);
      }));
    } catch (error) {
      this.asks.clear(); // these requests failed; the next frame repeats them
      throw error;
    } finally {
      this.isAsking = false;
    }
    this.arrived(isNow);
  }

  keep(key, to, tiles) {
    const slot = this.slots.get(key) || { to, rows: new Map() };
    this.slots.delete(key);
    this.slots.set(key, slot);
    this.n -= slot.rows.size;
    for (const tile of tiles) slot.rows.set(tile.row, tile);
    this.n += slot.rows.size;
    for (const [old, { rows }] of this.slots) {
      if (this.n < MOST_TILES || old === key) break;
      this.n -= rows.size;
      this.slots.delete(old);
    }
  }

  // Call when the trace has grown beyond `last`: tiles that end at `last` or later or have open items
  // are requested again, and drawn until the new ones arrive.
  grow(last) {
    this.age++;
    for (const { to, rows } of this.slots.values()) {
      for (const tile of rows.values()) tile.isOld = tile.isOld || to >= last || Boolean(tile.isOpen?.some(Boolean));
    }
  }

  get isWaiting() { return this.isAsking || this.asks.size > 0; } // for tiles on screen
}

// The first item of a tile that begins at `ns` or later.
export function firstAt({ start }, ns) {
  let low = 0, high = start.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (start[middle] < ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function isOpenAt(tile, i) {
  return Boolean(tile.isOpen?.[i]) && !(tile.n?.[i] > 1);
}

// An item of a tile as an object; color -1 and null stand for missing values.
export function itemOf(tile, i) {
  const start = tile.start[i];
  return {
    row: tile.row, start, end: tile.end ? tile.end[i] : start, name: tile.name[i],
    n: tile.n?.[i] ?? 1, color: tile.color?.[i] ?? -1,
    isOpen: Boolean(tile.isOpen?.[i]),
    value: tile.value?.[i] ?? null, least: tile.least?.[i] ?? null, most: tile.most?.[i] ?? null,
    endThread: tile.endThread?.[i] >= 0 ? tile.endThread[i] : null,
  };
}
