// timeline.js - one side on the page: its canvas, the buttons of its groups, the tip beside the
// pointer, and the handlers of pointer events.
import { valueText } from "./counters.js";
import { drag, element, placeTip } from "./elements.js";
import { count, duration, moment, visible } from "./text.js";
import { Picture } from "./draw.js";
import { firstPlace } from "./rows.js";
import { axisHeight, px, rowSize } from "./size.js";

const STILL = 4; // pixels that a click may move

export class Timeline {
  constructor(app, side, parent) {
    this.app = app;
    this.side = side;
    this.canvas = element("canvas", {
      tabIndex: 0, role: "img", className: "timeline",
      "aria-label": `Timeline of ${visible(side.about.title)}. T shows what is on screen as a table.`,
    });
    this.gutter = element("div", { className: "gutter" });
    this.tip = element("div", { className: "tip", hidden: true });
    this.empty = element("div", { className: "empty", hidden: true });
    this.stage = element("div", { className: "stage" }, this.canvas, this.gutter, this.empty, this.tip);
    parent.append(this.stage);
    this.picture = new Picture(this.canvas, side, app.view, app.sources.length > 1 ? side.about.title : "");
    this.buttons = new Map();
    this.fingers = new Map();
    this.drag = null;
    this.listen();
  }

  resize() { this.picture.resize(); }

  draw(shown) {
    if (!this.side.layout) return; // not arranged yet
    this.picture.draw(shown);
    this.placeButtons();
    this.sayEmpty();
  }

  // --- Groups ---

  // Only groups on screen have a button, which stays there while one of their rows does.
  placeButtons() {
    const { picture, side: { layout: { groups } } } = this, seen = new Set(), busy = this.busyOf();
    for (let k = firstPlace(groups, picture.top); k < groups.length; k++) {
      const place = groups[k], { key } = place.group, y = place.y - picture.top;
      if (y > picture.height - axisHeight()) break;
      seen.add(key);
      if (!this.buttons.has(key)) this.buttons.set(key, this.makeButton(key));
      const button = this.buttons.get(key), height = this.heightOf(place);
      const at = place.group.groups ? y : Math.max(y, Math.min(0, y + place.height - height));
      button.place = place;
      button.classList.toggle("header", Boolean(place.group.groups));
      this.nameGroup(button, place, busy.get(place.group) || "");
      button.setAttribute("aria-expanded", String(!place.isFolded));
      button.style.transform = `translateY(${at}px)`;
      button.style.height = `${height}px`;
      button.style.paddingLeft = `${px(18 + place.depth * 10)}px`;
    }
    for (const [key, button] of this.buttons) {
      // One with the focus may be scrolled off the screen, but not be of a group that is gone.
      const hasFocus = button === document.activeElement;
      if (seen.has(key) || (hasFocus && groups.some(({ group }) => group.key === key))) continue;
      button.remove();
      if (hasFocus) this.canvas.focus();
      this.buttons.delete(key);
    }
    if (this.isStale) this.orderButtons();
  }

  heightOf({ group, height, isFolded }) { return group.groups ? px(22) : isFolded ? px(16) : Math.min(height, rowSize("row")); }

  nameGroup(button, { group: { label, note }, isFolded }, busy) {
    const text = `${visible(label)} ${note}`, shown = [text, busy, isFolded].join();
    if (button.shown === shown) return;
    button.shown = shown;
    const name = visible(label), at = name.search(/\d{0,6}$/); // a number at the end distinguishes it
    button.replaceChildren(
      element("b", { className: "name" }, element("span", { className: "head" }, name.slice(0, at)), name.slice(at)),
      element("span", { className: "note" }, note), element("span", { className: "busy" }, busy));
    const hint = isFolded ? "Unfold" : "Fold";
    button.title = `${text}\n${hint} (Enter), move (Alt+Up, Alt+Down)${busy ? `; ranges cover ${busy} of the time shown` : ""}`;
    button.setAttribute("aria-label", text.trim() + (busy ? `, ${busy} busy` : ""));
  }

  // By group: the share of the time on screen that its first row covers, as a text.
  busyOf() {
    const { picture, app: { view } } = this, busy = new Map();
    for (const { place, busy: ns } of picture.drawn) {
      if (!place.group || place.row !== (place.rows || place.group.rows || [])[0] || ns === undefined ||
        place.about.isOfWaits) continue;
      const share = ns / (view.to - view.from) * 100;
      busy.set(place.group, share === 0 ? "" : share < 1 ? "<1 %" : `${Math.min(100, Math.round(share))} %`);
    }
    return busy;
  }

  sayEmpty() {
    const { side: { layout, about }, app } = this, isEmpty = layout.places.length === 0;
    this.empty.hidden = !isEmpty;
    if (!isEmpty) return;
    const { name } = app.wanted, text = app.isFiltered ? `Nothing matches ${name ? `"${name}"` : "the filters"}.`
      : about.isLive || !about.isComplete ? "No ranges yet." : "No ranges. Record a program with ";
    if (this.empty.text === text) return; // so that its button keeps the focus
    this.empty.text = text;
    this.empty.replaceChildren(element("p", {}, text));
    if (app.isFiltered) {
      this.empty.append(element("button", { onclick: () => app.clearFilters() }, "Clear filters"));
    } else if (text.endsWith("with ")) {
      this.empty.firstChild.append(element("code", {}, "rangeline profile PROGRAM"));
    }
  }

  makeButton(key) {
    const button = element("button", { className: "group", onclick: () => this.app.fold(key) });
    button.onkeydown = (e) => {
      if (!e.altKey || !["ArrowUp", "ArrowDown"].includes(e.key)) return;
      e.preventDefault();
      this.app.moveGroup(button.place.siblings, key, e.key === "ArrowUp" ? -1 : 1);
    };
    this.dragGroup(button, key);
    this.gutter.append(button);
    this.isStale = true;
    return button;
  }

  // Tab goes from top to bottom. A button that moves would lose the focus.
  orderButtons() {
    this.isStale = false;
    const focused = document.activeElement;
    const sorted = [...this.buttons.values()].sort((a, b) => a.place.y - b.place.y);
    this.gutter.append(...sorted.filter((each) => each !== focused));
  }

  dragGroup(button, key) {
    button.onpointerdown = (e) => {
      let from = e.clientY;
      drag(e, ({ clientY }) => {
        const by = clientY - from;
        if (Math.abs(by) < 30) return;
        from = clientY;
        button.hasMoved = true;
        this.app.moveGroup(button.place.siblings, key, Math.sign(by));
      });
    };
    button.addEventListener("click", (e) => {
      if (button.hasMoved) e.stopImmediatePropagation();
      button.hasMoved = false;
    }, true);
  }

  // --- The pointer ---

  place(e) {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    canvas.onpointerdown = (e) => this.press(e);
    canvas.onpointermove = (e) => this.moved(e);
    canvas.onpointerup = canvas.onpointercancel = (e) => this.release(e);
    canvas.onpointerleave = () => this.hover(null);
    canvas.addEventListener("focus", () => { this.app.current = this; });
    this.gutter.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.scroll(e.deltaY);
    }, { passive: false });
  }

  scroll(by) {
    this.picture.scroll(by);
    this.app.changing();
  }

  wheel(e) {
    e.preventDefault();
    const { view } = this.app, [x] = this.place(e), unit = e.deltaMode ? 20 : 1;
    const dx = e.deltaX * unit, dy = e.deltaY * unit;
    if (e.shiftKey) this.picture.scroll(dy || dx);
    else if (Math.abs(dx) > Math.abs(dy)) view.move(dx * view.pixel);
    else view.zoom(Math.exp(Math.min(1, Math.max(-1, dy / (e.ctrlKey ? 100 : 300)))), Math.max(view.left, x));
    this.hover(null);
    this.app.changing();
  }

  press(e) {
    if (e.button) return; // not the main button: the browser shows its menu
    const [x, y] = this.place(e), { view } = this.app;
    this.canvas.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, [x, y]);
    this.app.current = this;
    this.hover(null);
    this.drag = {
      x, y, from: view.from, to: view.to, top: this.picture.top, hasMoved: this.fingers.size > 1,
      isSpan: (e.shiftKey || this.app.isSelecting) && this.fingers.size === 1,
    };
    if (this.fingers.size === 2) this.pinch = this.grip();
  }

  grip() {
    const [[ax, ay], [bx, by]] = [...this.fingers.values()];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, width: Math.max(20, Math.abs(ax - bx)) };
  }

  moved(e) {
    const [x, y] = this.place(e);
    if (!this.fingers.has(e.pointerId)) {
      this.hover(e, x, y);
      return;
    }
    this.fingers.set(e.pointerId, [x, y]);
    if (this.fingers.size > 1) this.pinched();
    else this.dragged(x, y);
  }

  pinched() {
    const now = this.grip(), { view } = this.app;
    view.zoom(this.pinch.width / now.width, now.x);
    view.move((this.pinch.x - now.x) * view.pixel);
    this.picture.scroll(this.pinch.y - now.y);
    this.pinch = now;
    this.app.redraw();
  }

  dragged(x, y) {
    const { drag } = this, { view } = this.app;
    if (!drag) return;
    drag.hasMoved = drag.hasMoved || Math.hypot(x - drag.x, y - drag.y) > STILL;
    if (!drag.hasMoved) return;
    if (drag.isSpan) {
      const ends = [drag.x, x].map((each) => view.time(Math.max(view.left, each)));
      this.app.span = ends.sort((a, b) => a - b);
    } else {
      const by = (drag.x - x) * (drag.to - drag.from) / (view.width - view.left);
      view.show(drag.from + by, drag.to + by);
      this.picture.scroll(drag.top + drag.y - y - this.picture.top);
    }
    this.app.redraw();
  }

  release(e) {
    const { drag } = this;
    this.fingers.delete(e.pointerId);
    if (this.fingers.size === 1) { // the finger that remains after a pinch drags
      const [[x, y]] = this.fingers.values(), { view } = this.app;
      this.drag = { x, y, from: view.from, to: view.to, top: this.picture.top, hasMoved: true };
      return;
    }
    this.drag = null;
    if (drag && !drag.hasMoved && e.type === "pointerup") this.click(...this.place(e));
    else if (drag) this.app.arrive();
  }

  click(x, y) {
    const item = this.picture.at(x, y), { view } = this.app;
    if (this.app.isMeasuring) {
      this.app.measure(this.picture.snap(x, y), true);
    } else if (item && item.n > 1) { // merged items: zoom in
      const middle = (item.start + item.end) / 2 + this.side.shift, room = (view.to - view.from) / 16;
      view.show(middle - room, middle + room);
      this.app.changed();
    } else {
      this.app.select(item && "psm".includes(item.kind) ? item : null);
    }
  }

  // --- The tip beside the pointer ---

  hover(e, x, y) {
    const item = e && e.pointerType !== "touch" ? this.picture.at(x, y) : null;
    const { hovered } = this.app;
    const isSame = item && hovered && item.row === hovered.row && item.start === hovered.start;
    this.tip.hidden = !item;
    if (e && this.app.isMeasuring) this.app.measure(this.picture.snap(x, y), false);
    if (!isSame && item !== this.app.hovered) {
      this.app.hovered = item && "ps".includes(item.kind) ? item : null;
      this.app.redrawOver();
    }
    if (!item) return;
    this.tip.replaceChildren(...this.describe(item));
    placeTip(this.tip, x, y, this.canvas);
  }

  describe(item) {
    const { side } = this, rest = (text) => element("span", {}, text);
    const name = element("b", {}, side.titles[item.name] || "");
    const domain = item.name !== undefined && side.domainOf(item.name);
    if (domain) name.append(element("span", { className: "domain" }, domain));
    const { kind, n } = item, zoom = n > 1 ? [rest("Click to zoom in")] : [];
    if (kind === "g") return [rest(`${count(item.lost)} events were dropped here`)];
    if (kind === "c") {
      const samples = n > 1 ? [rest(`${count(n)} samples`)] : [];
      return [name, rest(valueText(item, side.about.rows[item.row].unit)), ...samples, ...zoom];
    }
    if (n > 1) {
      const what = kind === "m" ? "marks" : "ranges", within = duration(Math.max(1, item.end - item.start));
      return [rest(`${count(n)} ${what} in ${within}; the longest:`), name, ...zoom];
    }
    if (kind === "m") return [name, rest(`at ${moment(item.start)}`)];
    const ends = item.endThread === null ? [] : [rest(`Ended on ${side.threadLabel(item.endThread)}`)];
    const length = duration(item.end - item.start);
    return [name, rest(item.isOpen ? `Not closed; at least ${length}` : length), ...ends];
  }
}
