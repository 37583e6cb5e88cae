// view.js - maps times to places on the screen.
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

  // Sets what there is to see, with a little room on both sides.
  bound(first, last) {
    // Far from 0, numbers are coarse: the view never gets narrower than they can resolve.
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
    // The requested span stays in the middle of what can be shown.
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

  move(ns) { this.show(this.from + ns, this.to + ns); }
  whole() { this.show(this.first, this.last); }
}
