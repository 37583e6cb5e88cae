// flame.js - draws the ranges of a span by path, as a flame graph with its root at the top. A click
// zooms into a path; the trail above leads back. Paths too narrow to see share one box.
import { contextOf, element, fillTip, link, placeTip, renew } from "./elements.js";
import { hex, inkOn } from "./colors.js";
import { Ruler } from "./names.js";
import { px } from "./size.js";
import { callsText, count, duration } from "./text.js";

const NARROWEST = 0.5; // pixels
const MOST_LEVELS = 500; // that are drawn

function rowHeight() { return px(20); }

function othersText(n) { return n === 1 ? "1 other path" : n ? `${count(n)} other paths` : "other paths"; }

// The icicle of one trace; a comparison has two. They share `flame`: the path that is zoomed into,
// the scale, the trail and the tip.
class Icicle {
  constructor(flame, side) {
    this.flame = flame;
    this.side = side;
    this.canvas = element("canvas", {
      tabIndex: 0, role: "img", "aria-label": "Time by call path. Arrow keys walk it.",
    });
    this.stage = element("div", { className: "flame-stage" }, this.canvas);
    this.nodes = [];
    this.boxes = [];
    this.roots = [];
    this.current = -1;
    this.canvas.onclick = (e) => this.zoom(this.at(e)?.i ?? -1);
    this.canvas.onpointermove = (e) => this.hover(e);
    this.canvas.onpointerleave = () => flame.tell(null);
    this.canvas.onkeydown = (e) => this.key(e);
    this.stage.onscroll = () => flame.tell(null);
  }

  get color() { return this.flame.app.current.picture.color; }

  take(nodes) {
    this.nodes = nodes;
    this.children = nodes.map(() => []);
    this.roots = [];
    nodes.forEach((node, i) => (node.parent < 0 ? this.roots : this.children[node.parent]).push(i));
    const longest = (a, b) => nodes[b].total - nodes[a].total;
    this.roots.sort(longest);
    this.children.forEach((list) => list.sort(longest));
  }

  label(i) { return this.side.kindOf(this.nodes[i].name, this.flame.app.isFolding); }

  title(i) { return this.side.nameIn(this.nodes[i].name, this.flame.app.isFolding).title; }

  // The nodes along a path of labels, from the top, as far as it exists.
  find(path) {
    let among = this.roots;
    const found = [];
    for (const label of path) {
      const next = among.find((i) => this.label(i) === label);
      if (next === undefined) break;
      found.push(next);
      among = this.children[next];
    }
    return found;
  }

  // The outermost nodes to draw: none if this trace has no such path.
  tops() {
    const { path } = this.flame, found = this.find(path);
    if (!path.length) return this.roots;
    return found.length === path.length ? found.slice(-1) : [];
  }

  total() {
    const known = this.tops().reduce((sum, i) => sum + this.nodes[i].total, 0);
    return known + (this.flame.path.length ? 0 : this.nodes.rest || 0);
  }

  draw() {
    this.place();
    const { clientWidth: width, clientHeight: height } = this.canvas, c = contextOf(this.canvas);
    c.fillStyle = this.color.paper;
    c.fillRect(0, 0, width, height);
    this.ruler = this.ruler || new Ruler(c);
    this.ruler.use(c.font);
    for (const box of this.boxes) this.drawBox(c, box);
  }

  // Makes the boxes, and the canvas as high as these are: the stage scrolls.
  place() {
    const { path, whole } = this.flame, { rest = 0, more = 0 } = path.length ? {} : this.nodes;
    const size = { x: 0, width: this.canvas.clientWidth, y: 0, bottom: MOST_LEVELS * rowHeight() };
    this.boxes = [];
    this.layOut(this.tops(), { whole, rest, more }, size);
    const deepest = this.boxes.reduce((most, { y }) => Math.max(most, y), 0) + rowHeight();
    this.canvas.style.height = `max(100%, ${deepest}px)`;
  }

  // Appends the boxes of siblings and of the nodes below them. `whole` is the time that fills the
  // width, `rest` the total of the `more` nodes that the source omitted.
  layOut(list, { whole, rest, more }, { x, width, y, bottom }) {
    const sum = list.reduce((all, i) => all + this.nodes[i].total, rest);
    const scale = width / Math.max(1e-9, whole, sum);
    const others = { i: -1, n: more, total: rest, calls: 0 };
    for (const i of list) { // the longest first
      const { total, self, calls } = this.nodes[i], own = total * scale;
      if (own < NARROWEST) {
        others.n++;
        others.total += total;
        others.calls += calls;
        continue;
      }
      this.boxes.push({ i, x, width: own, y });
      if (y + 2 * rowHeight() <= bottom) {
        const known = this.children[i].reduce((all, k) => all + this.nodes[k].total, Math.max(0, self));
        this.layOut(this.children[i], { whole: total, rest: this.nodes.more ? Math.max(0, total - known) : 0, more: 0 },
          { x, width: own, y: y + rowHeight(), bottom });
      }
      x += own;
    }
    const wide = others.total * scale;
    if (others.n || wide >= NARROWEST) this.boxes.push({ ...others, x, width: Math.max(1, wide), y });
  }

  drawBox(c, { i, n, x, width, y }) {
    const isOne = i >= 0, rgb = isOne ? this.side.rgb[this.nodes[i].name] : 0;
    c.globalAlpha = isOne ? 1 : 0.3;
    c.fillStyle = isOne ? hex(rgb) : this.color.faint;
    c.fillRect(x, y, Math.max(0.5, width - 1), rowHeight() - 2);
    c.globalAlpha = 1;
    if (isOne && i === this.current) {
      c.strokeStyle = this.color.ink;
      c.lineWidth = 2;
      c.strokeRect(x + 1, y + 1, width - 3, rowHeight() - 4);
    }
    c.fillStyle = isOne ? inkOn(rgb) : this.color.ink;
    const text = this.ruler.fit(isOne ? this.title(i) : othersText(n), width - px(9));
    if (text) c.fillText(text, x + px(4), y + rowHeight() / 2 - 0.5, width - px(5));
  }

  pathOf(i) {
    const path = [];
    for (let at = i; at >= 0; at = this.nodes[at].parent) path.unshift(this.label(at));
    return path;
  }

  zoom(i) {
    if (i < 0) return;
    this.current = -1;
    this.flame.zoom(this.pathOf(i));
  }

  at(e) {
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    return this.boxes.find((b) => x >= b.x && x < b.x + b.width && y >= b.y && y < b.y + rowHeight());
  }

  hover(e) {
    const box = this.at(e);
    if (!box) return this.flame.tell(null);
    const { i, n } = box, { total, self, calls } = i < 0 ? box : this.nodes[i];
    const share = `${duration(total)}, ${(total / this.total() * 100).toFixed(1)} % of what is shown`;
    const rest = i < 0 ? [share, "Too narrow; click its parent"]
      : [share, `Self ${duration(Math.max(0, self))}, ${callsText(calls)}`,
        ...this.flame.elsewhere(this, this.pathOf(i))];
    return this.flame.tell(e, i < 0 ? othersText(n) : this.title(i), rest);
  }

  // Scrolls a box into sight.
  show({ y }) {
    const { stage } = this, room = stage.clientHeight - rowHeight();
    stage.scrollTop = Math.min(y, Math.max(y - room, stage.scrollTop));
  }

  key(e) {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
    const boxes = this.boxes.filter(({ i }) => i >= 0);
    if (e.key === "Enter") this.zoom(boxes.some((b) => b.i === this.current) ? this.current : -1);
    if (!(e.key in steps) || !boxes.length) return;
    e.preventDefault();
    e.stopPropagation();
    const at = boxes.findIndex((b) => b.i === this.current);
    const to = Math.min(boxes.length - 1, Math.max(0, at + steps[e.key]));
    this.current = boxes[to].i;
    const { total } = this.nodes[this.current];
    this.show(boxes[to]);
    this.canvas.setAttribute("aria-label", `${this.pathOf(this.current).join(" > ")}: ${duration(total)}`);
    this.draw();
  }
}

export class Flame {
  constructor(app, pane) {
    this.app = app;
    this.pane = pane;
    this.tip = element("div", { className: "tip", hidden: true });
    this.trail = element("nav", { className: "trail", "aria-label": "Path" });
    this.icicles = app.sides.map((side) => new Icicle(this, side));
    pane.append(this.trail, ...this.icicles.map(({ stage }) => stage), this.tip);
    this.path = []; // labels from the root to the node that is zoomed into
  }

  async ask(spans) {
    const asked = this.asked = {}, { summed: filter, isFolding: isFolded } = this.app;
    const nodes = await Promise.all(this.icicles.map(({ side }, k) =>
      side.source.flame({ ...spans[k], filter, isFolded })));
    if (asked !== this.asked) return; // a later request is under way
    this.icicles.forEach((icicle, k) => icicle.take(nodes[k]));
    this.draw();
  }

  // Shortens the path to the part that at least one trace has, and draws in one scale.
  draw() {
    const depths = this.icicles.map((icicle) => icicle.find(this.path).length);
    this.path = this.path.slice(0, Math.max(...depths));
    this.whole = Math.max(...this.icicles.map((icicle) => icicle.total()));
    this.writeTrail(); // first: the icicles get the rest of the pane
    this.icicles.forEach((icicle) => icicle.draw());
  }

  zoom(path) { this.go(path.join("\n") === this.path.join("\n") ? path.slice(0, -1) : path); }

  go(path) {
    this.path = path;
    this.draw();
    this.icicles.forEach(({ stage }) => { stage.scrollTop = 0; });
    this.app.arrive();
  }

  tell(e, title, lines) {
    const { tip, pane } = this;
    tip.hidden = !e;
    if (!e) return;
    fillTip(tip, [element("b", {}, title), ...lines]);
    const { left, top } = pane.getBoundingClientRect();
    placeTip(tip, e.clientX - left, e.clientY - top, pane);
  }

  writeTrail() {
    const steps = ["All", ...this.path];
    const links = steps.map((label, k) => {
      const button = link(() => this.go(this.path.slice(0, k)), label);
      if (k === steps.length - 1) button.setAttribute("aria-current", "true"); // it may keep the focus
      return element("span", {}, k ? " \u203a " : "", button);
    });
    const totals = this.icicles.map((icicle) => duration(icicle.total())).join(" before, ");
    const rough = this.icicles.some(({ nodes }) => nodes.isRough) ? " \u00b7 \u2248 Short ranges are merged" : "";
    renew(this.trail, [...links, element("span", { className: "faint" },
      ` ${totals}${this.icicles.length > 1 ? " after" : ""}${rough}`)], true);
  }

  elsewhere(asking, path) {
    return this.icicles.filter((icicle) => icicle !== asking).map((icicle) => {
      const when = icicle === this.icicles[0] ? "before" : "after", found = icicle.find(path);
      if (found.length < path.length) return `Not in the ${when === "before" ? "first" : "second"} trace`;
      const { total, calls } = icicle.nodes[found.at(-1)];
      return `${when}: ${duration(total)}, ${callsText(calls)}`;
    });
  }
}
