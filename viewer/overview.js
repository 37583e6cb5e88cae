// overview.js - how busy the whole trace is, above the picture: threads upwards, GPUs downwards, with
// the window that the picture shows. It can be dragged, and so can its edges.
import { contextOf, drag, element } from "./elements.js";
import { px } from "./size.js";
import { duration } from "./text.js";

const PARTS = 1024;
const EDGE = 5; // pixels at both sides of an edge of the window that take hold of it
const LEAST = 3; // pixels: a shorter window is drawn that wide

function heights(parts) {
  const most = Math.max(1, ...parts);
  return parts.map((ns) => ns / most);
}

export class Overview {
  constructor(app, parent) {
    this.app = app;
    [this.side] = app.sides;
    this.cpu = this.gpu = [];
    this.canvas = element("canvas", {
      className: "overview", role: "img", "aria-label": "How busy the whole trace is, and the time that is shown",
      title: "Drag the window, its edges, or elsewhere to show another time",
    });
    parent.prepend(this.canvas);
    this.canvas.hidden = app.sides.length > 1;
    this.canvas.onpointerdown = (e) => this.press(e);
    this.canvas.ondblclick = () => app.whole();
  }

  async ask() {
    if (this.canvas.hidden) return;
    const asked = this.asked = {}, { cpu, gpu } = await this.side.source.overview({ parts: PARTS });
    if (asked !== this.asked) return;
    this.cpu = heights(cpu);
    this.gpu = heights(gpu);
    this.hasGpu = gpu.some((ns) => ns > 0);
    this.app.redrawOver();
  }

  x(ns) {
    const { first, last } = this.side.about, { left } = this.app.view;
    return left + (ns - first) / Math.max(1, last - first) * (this.canvas.clientWidth - left);
  }

  time(x) {
    const { first, last } = this.side.about, { left } = this.app.view;
    const share = (x - left) / Math.max(1, this.canvas.clientWidth - left);
    return first + Math.min(1, Math.max(0, share)) * (last - first);
  }

  window() {
    const { view } = this.app, { clientWidth } = this.canvas;
    const from = Math.max(view.left, this.x(view.from)), to = Math.min(clientWidth, this.x(view.to));
    const room = Math.max(0, px(LEAST) - (to - from)) / 2;
    return [from - room, to + room];
  }

  draw(color) {
    const { canvas } = this, { clientWidth: width, clientHeight: height } = canvas;
    if (canvas.hidden) return;
    const c = contextOf(canvas);
    c.fillStyle = color.band;
    c.fillRect(0, 0, width, height);
    const ground = this.hasGpu ? height / 2 : height - 1;
    c.globalAlpha = 0.55;
    this.area(c, this.cpu, { from: ground, height: -(ground - 2), color: color.faint });
    if (this.hasGpu) this.area(c, this.gpu, { from: ground, height: ground - 2, color: color.accent });
    c.globalAlpha = 1;
    this.drawLosses(c, color, height);
    this.drawWindow(c, color, height);
    c.fillStyle = color.faint;
    const { first, last } = this.side.about, { left } = this.app.view;
    c.fillText(`${left < px(120) ? "" : "Whole: "}${duration(last - first)}`, px(10), height / 2);
  }

  area(c, parts, { from, height, color }) {
    const { left } = this.app.view, step = (this.canvas.clientWidth - left) / Math.max(1, parts.length);
    c.fillStyle = color;
    c.beginPath();
    c.moveTo(left, from);
    parts.forEach((share, i) => {
      c.lineTo(left + i * step, from + share * height);
      c.lineTo(left + (i + 1) * step, from + share * height);
    });
    c.lineTo(left + parts.length * step, from);
    c.fill();
  }

  drawLosses(c, color, height) {
    c.fillStyle = color.warn;
    for (const [at] of this.side.about.gaps || []) c.fillRect(this.x(at), 0, 1, height);
  }

  drawWindow(c, color, height) {
    const [from, to] = this.window(), { view } = this.app;
    c.fillStyle = c.strokeStyle = color.accent;
    c.globalAlpha = 0.15;
    if (view.from > view.first || view.to < view.last) c.fillRect(from, 0, to - from, height);
    c.globalAlpha = 1;
    c.lineWidth = 1;
    c.strokeRect(from + 0.5, 0.5, to - from - 1, height - 1);
  }

  press(e) {
    if (e.button) return;
    const { view } = this.app, x = e.offsetX, [from, to] = this.window();
    const before = [view.from, view.to], at = this.time(x);
    const show = (a, b) => {
      view.show(Math.min(a, b), Math.max(a, b));
      this.app.redraw();
    };
    const isEdge = (edge) => Math.abs(x - edge) <= EDGE && to - from > 4 * EDGE;
    let move;
    if (isEdge(from)) move = (t) => show(t, before[1]);
    else if (isEdge(to)) move = (t) => show(before[0], t);
    else if (x > from && x < to) move = (t) => show(before[0] + t - at, before[1] + t - at);
    else move = (t) => show(at, t);
    e.preventDefault();
    drag(e, (moved) => move(this.time(moved.offsetX)), (end) => {
      // A click beside the window moves its middle there.
      if (Math.abs(end.offsetX - x) < 3 && (x < from || x > to)) {
        const half = (before[1] - before[0]) / 2;
        show(at - half, at + half);
      }
      this.app.arrive();
    });
  }
}
