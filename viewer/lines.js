// lines.js - draws a row of ranges as one line of pixels, which is then stretched to the height of
// the row. A range narrower than a pixel colors it in proportion to the part that it covers, but at
// least faintly. The lower edge of bars is darker, or lighter on a dark page, so that all stand out.
//
//   begin(width, n), then per line next(), add() per range, end(); put(), then draw() per line

const FAINTEST = 0.35; // the least alpha of a pixel with a range in it
const FAINTEST_HIT = 0.75; // of one with a hit of a search, which has to stand out

export class Lines {
  constructor() {
    [this.canvas, this.edges] = [0, 1].map(() => document.createElement("canvas"));
    [this.context, this.edgeContext] = [this.canvas, this.edges].map((each) => each.getContext("2d"));
  }

  begin(width, n) {
    this.width = width;
    this.n = Math.max(1, n);
    if (this.canvas.width < width || this.canvas.height < this.n) {
      this.canvas.width = this.edges.width = Math.max(width, this.canvas.width);
      this.canvas.height = this.edges.height = Math.max(this.n, this.canvas.height);
    }
    if (!this.image || this.image.width !== width || this.image.height !== this.n) {
      this.image = this.context.createImageData(width, this.n);
    } else {
      this.image.data.fill(0);
    }
    this.pixels = new Uint32Array(this.image.data.buffer);
    if (!this.sums || this.sums.length !== width * 4) {
      this.sums = new Float32Array(width * 4);
      this.hits = new Uint8Array(width); // 1: the pixel has a hit, and shows nothing else
    }
    this.line = -1;
  }

  next() {
    this.line++;
    this.sums.fill(0);
    this.hits.fill(0);
    this.least = this.width;
    this.most = 0;
  }

  // Adds a range from x0 to x1, in pixels; `weight`, 0 to 1, is how dense it is.
  add(x0, x1, color, weight, isHit = false) {
    const from = Math.max(0, x0), to = Math.min(this.width, Math.max(x1, x0 + 0.02));
    if (to <= from) return;
    const r = color >> 16 & 255, g = color >> 8 & 255, b = color & 255, { sums, hits } = this;
    const first = Math.floor(from), last = Math.min(this.width - 1, Math.ceil(to) - 1);
    for (let x = first; x <= last; x++) {
      const w = (Math.min(to, x + 1) - Math.max(from, x)) * weight, at = x * 4;
      if (isHit && !hits[x]) sums.fill(0, at, at + 4);
      else if (!isHit && hits[x]) continue;
      hits[x] = +isHit;
      sums[at] += r * w;
      sums[at + 1] += g * w;
      sums[at + 2] += b * w;
      sums[at + 3] += w;
    }
    if (first < this.least) this.least = first;
    if (last >= this.most) this.most = last + 1;
  }

  end(faintest = FAINTEST) {
    const { sums, hits, pixels } = this, line = this.line * this.width;
    for (let x = this.least; x < this.most; x++) {
      const at = x * 4, w = sums[at + 3];
      if (w <= 0) continue;
      const alpha = Math.min(1, Math.max(hits[x] ? FAINTEST_HIT : faintest, w));
      pixels[line + x] = (Math.round(alpha * 255) << 24 | Math.round(sums[at + 2] / w) << 16 |
        Math.round(sums[at + 1] / w) << 8 | Math.round(sums[at] / w)) >>> 0;
    }
  }

  // `edge` is the color over the lower edges of bars.
  put(edge) {
    const { edgeContext: c, canvas } = this;
    this.context.putImageData(this.image, 0, 0);
    c.globalCompositeOperation = "copy";
    c.drawImage(canvas, 0, 0);
    c.globalCompositeOperation = "source-atop";
    c.fillStyle = edge;
    c.fillRect(0, 0, canvas.width, canvas.height);
  }

  draw(context, line, { x, y, width, height }) {
    context.drawImage(this.canvas, 0, line, this.width, 1, x, y, width, height);
    if (height > 4) context.drawImage(this.edges, 0, line, this.width, 1, x, y + height - 1, width, 1);
  }
}
