// view.js - the time interval on screen: maps times to pixels and back, zooms and moves.
//
//   from                     to          nanoseconds
//   |------------------------|
//   left                     width       pixels

export class View {
  constructor(first, last) {
    this.left = 0;
    this.width = 1;
    this.bound(first, last);
    this.whole();
  }

  // Sets the limits of the view: the times of the first and last event, and 1 % at both sides.
  bound(first, last) {
    // Doubles far from 0 have a low resolution, so that the view must not get too narrow there.
    const far = Math.max(Math.abs(first), Math.abs(last));
    this.least = Math.max(20, far * 2 ** -40);
    this.margin = Math.max(this.least / 20, (last - first) * 0.01);
    this.first = first - this.margin;
    this.last = last + this.margin;
  }

  x(ns) { return this.left + (ns - this.from) / (this.to - this.from) * (this.width - this.left); }
  time(x) { return this.from + (x - this.left) / (this.width - this.left) * (this.to - this.from); }
  get pixel() { return (this.to - this.from) / Math.max(1, this.width - this.left); }

  show(from, to) {
    const most = this.last - this.first;
    const length = Math.min(most, Math.max(this.least, to - from));
    // A longer or shorter interval than the requested one has the same middle.
    const wanted = from - (length - (to - from)) / 2;
    this.from = Math.min(Math.max(wanted, this.first), this.last - length);
    this.to = this.from + length;
  }

  zoom(factor, x) {
    const most = this.last - this.first, length = this.to - this.from;
    const by = Math.min(most / length, Math.max(this.least / length, factor));
    const at = this.time(x);
    this.show(at - (at - this.from) * by, at + (this.to - at) * by);
  }

  get isWhole() { return this.from <= this.first && this.to >= this.last; }
  move(ns) { this.show(this.from + ns, this.to + ns); }
  whole() { this.show(this.first, this.last); }
}
