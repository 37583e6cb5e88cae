// timeline.js - one side on the page: its canvas, the buttons of its groups, the tip beside the
// pointer, and the handlers of pointer events.
import { valueText } from "./counters.js";
import { drag, element, fillTip, placeTip } from "./elements.js";
import { sharesText } from "./states.js";
import { count, duration, moment, percent, visible } from "./text.js";
import { Picture } from "./draw.js";
import { launchOf } from "./launch.js";
import { axisHeight, px } from "./size.js";

const STILL = 4; // pixels that a click may move
const RESTS = 150; // ms without a move

export class Timeline {
  constructor(app, side, parent) {
    this.app = app;
    this.side = side;
    this.canvas = element("canvas", {
      tabIndex: 0, role: "img", className: "timeline",
      "aria-label": `Timeline of ${visible(side.about.title)}. T shows what is on screen as a table.`,
    });
    this.gutters = [{ role: "group", "aria-label": "Pinned" }, {}].map((each) =>
      element("div", { className: "gutter", ...each }));
    this.tip = element("div", { className: "tip", hidden: true });
    this.empty = element("div", { className: "empty", hidden: true });
    this.stage = element("div", { className: "stage" }, this.canvas, ...this.gutters, this.empty, this.tip);
    parent.append(this.stage);
    this.picture = new Picture(this.canvas, side, app.view, app.sources.length > 1 ? side.about.title : "");
    this.headings = new Map();
    this.fingers = new Map();
    this.drag = null;
    this.listen();
  }

  resize() { this.picture.resize(); }

  draw(shown) {
    if (!this.side.layout) return; // not arranged yet
    this.picture.draw(shown);
    this.placeHeadings();
    this.sayEmpty();
  }

  // --- Groups ---

  // Only groups on screen have a button, which stays there while one of their rows does.
  placeHeadings() {
    const { picture, headings, side: { layout } } = this, seen = new Set(), busy = this.busyOf();
    picture.areas.forEach((area, i) => {
      const gutter = this.gutters[i];
      Object.assign(gutter.style, { top: `${area.y}px`, height: `${area.room}px` });
      for (const place of area.visible(area.groups)) {
        const { key } = place.group;
        seen.add(key);
        if (!headings.has(key)) headings.set(key, this.makeHeading(key));
        const heading = headings.get(key), held = document.activeElement;
        if (heading.parentNode !== gutter) {
          gutter.append(heading);
          if (heading.contains(held)) held.focus({ preventScroll: true }); // which the move has taken away
          this.ordered = null;
        }
        heading.place = place;
        this.nameGroup(heading, place, busy.get(place.group) || "");
        const { top, height } = area.heading(place);
        Object.assign(heading.style, { transform: `translateY(${top}px)`, height: `${height}px` });
      }
    });
    for (const [key, heading] of headings) {
      // One with the focus may be scrolled off the screen, but not be of a group that is gone.
      const hasFocus = heading.contains(document.activeElement);
      if (seen.has(key) || (hasFocus && layout.groups.some(({ group }) => group.key === key))) continue;
      heading.remove();
      if (hasFocus) this.canvas.focus();
      headings.delete(key);
    }
    if (this.ordered !== layout) this.orderHeadings();
  }

  nameGroup(heading, { group: { label, note, groups }, depth, isFolded, isPinned }, busy) {
    const text = `${visible(label)} ${note}`.trim(), shown = [text, busy, isFolded, isPinned, depth, px(1)].join();
    if (heading.shown === shown) return;
    heading.shown = shown;
    const [button, pin] = heading.children;
    heading.classList.toggle("header", Boolean(groups));
    button.style.paddingLeft = `${px(24 + depth * 10)}px`;
    button.setAttribute("aria-expanded", !isFolded);
    pin.setAttribute("aria-label", `Pin ${text}`);
    pin.setAttribute("aria-pressed", isPinned);
    const name = visible(label), at = name.search(/\d{0,6}$/); // a number at the end distinguishes it
    button.replaceChildren(
      element("b", { className: "name" }, element("span", { className: "head" }, name.slice(0, at)), name.slice(at)),
      element("span", { className: "note" }, note), element("span", { className: "busy" }, busy));
    button.title = `${text}\n${isFolded ? "Unfold" : "Fold"} (Enter), ${isPinned ? "unpin (K)" : "pin (K), move (Alt+Up, Alt+Down)"}${busy ? `; busy for ${busy} of the time shown` : ""}`;
    button.setAttribute("aria-label", text + (busy ? `, ${busy} busy` : ""));
  }

  // By group: the share of the time on screen that its first row covers, as a text.
  busyOf() {
    const { picture, app: { view } } = this, busy = new Map();
    for (const { place, busy: ns } of picture.drawn) {
      if (!place.group || place.row !== (place.rows || this.ownRows(place.group))[0] || ns === undefined ||
        place.about.isOfWaits) continue;
      busy.set(place.group, ns && percent(Math.min(1, ns / (view.to - view.from))));
    }
    return busy;
  }

  // Without those of ranges projected on a stream, which are no work of it.
  ownRows({ rows = [] }) { return rows.filter((row) => this.side.about.rows[row].kind !== "r"); }

  sayEmpty() {
    const { side: { layout, about }, app } = this, isEmpty = layout.places.length === 0;
    this.empty.hidden = !isEmpty;
    if (!isEmpty) return;
    const { name } = app.wanted, text = app.isFiltered ? `Nothing matches ${name ? `"${name}"` : "the filters"}.`
      : about.damage ? "No ranges that can be read."
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

  makeHeading(key) {
    let hasMoved = false;
    const pin = element("button", { className: "pin", title: "Keep at the top (K)", onclick: () => this.app.pin(key) });
    const button = element("button", { className: "group", onclick: () => {
      if (!hasMoved) this.app.fold(key);
      hasMoved = false;
    } });
    const heading = element("div", { className: "heading", pin: pin.onclick,
      oncontextmenu: (e) => this.app.menu.onHeading(e, heading) }, button, pin);
    const move = (by) => this.app.moveGroup(heading.place.siblings, key, by);
    button.onkeydown = (e) => {
      if (!e.altKey || !["ArrowUp", "ArrowDown"].includes(e.key)) return;
      e.preventDefault();
      move(e.key === "ArrowUp" ? -1 : 1);
    };
    button.onpointerdown = (e) => {
      let from = e.clientY;
      drag(e, ({ clientY }) => {
        if (Math.abs(clientY - from) < 30) return;
        move(Math.sign(clientY - from));
        from = clientY;
        hasMoved = true;
      });
    };
    return heading;
  }

  // Tab goes from top to bottom. A heading that moves would lose the focus.
  orderHeadings() {
    this.ordered = this.side.layout;
    for (const gutter of this.gutters) {
      const sorted = [...gutter.children].sort((a, b) => a.place.y - b.place.y);
      const held = sorted.findIndex((each) => each.contains(document.activeElement));
      if (held > 0) sorted[held].before(...sorted.slice(0, held));
      gutter.append(...sorted.slice(held + 1));
    }
  }

  // --- The pointer ---

  place(e) {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  listen() {
    const { canvas } = this;
    canvas.onwheel = (e) => this.wheel(e);
    canvas.onpointerdown = (e) => this.press(e);
    canvas.onpointermove = (e) => this.moved(e);
    canvas.onpointerup = canvas.onpointercancel = (e) => this.release(e);
    canvas.ondblclick = () => this.isAgain && this.app.fill(this.app.selected);
    canvas.oncontextmenu = (e) => this.app.menu.onCanvas(e, this);
    canvas.onpointerleave = () => this.hover(null);
    this.stage.addEventListener("focusin", () => { this.app.current = this; });
    this.gutters.forEach((gutter, i) => {
      gutter.onwheel = (e) => {
        e.preventDefault();
        this.scroll(e.deltaY, this.picture.areas[i]);
      };
    });
  }

  // What keys scroll: the pinned rows if the focus is in one of their headings.
  get scrolled() { return this.picture.areas[+!this.gutters[0].contains(document.activeElement)]; }

  scroll(by, area = this.scrolled) {
    area.scroll(by);
    this.app.changing();
  }

  // Browsers report a pinch on a touchpad as a wheel with Ctrl.
  wheel(e) {
    e.preventDefault();
    const { view } = this.app, [x, y] = this.place(e), unit = e.deltaMode ? 20 : 1;
    const dx = e.deltaX * unit, dy = e.deltaY * unit;
    const isScroll = this.app.controls.isScrolling && !e.ctrlKey && !e.metaKey;
    if (e.shiftKey) this.picture.areaAt(y).scroll(dy || dx);
    else if (Math.abs(dx) > Math.abs(dy)) view.move(dx * view.pixel);
    else if (isScroll) this.picture.areaAt(y).scroll(dy);
    else view.zoom(Math.exp(Math.min(1, Math.max(-1, dy / (e.ctrlKey ? 100 : 300)))), Math.max(view.left, x));
    this.hover(null);
    this.app.changing();
  }

  press(e) {
    if (e.button) return; // not the main button: menu.js
    const [x, y] = this.place(e);
    this.canvas.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, [x, y]);
    this.app.current = this;
    this.hover(null);
    this.hold(x, y, this.fingers.size > 1);
    this.drag.isSpan = (e.shiftKey || this.app.mode === "selecting") && this.fingers.size === 1;
    if (this.fingers.size === 2) this.pinch = this.grip();
  }

  hold(x, y, hasMoved) {
    const { view: { from, to } } = this.app, area = this.picture.areaAt(y);
    this.drag = { x, y, from, to, area, top: area.top, hasMoved };
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
    this.picture.areaAt(now.y).scroll(this.pinch.y - now.y);
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
      this.app.spanRows = this.app.sides.length > 1 ? null : this.picture.rowsBetween(...[drag.y, y].sort((a, b) => a - b));
    } else {
      const by = (drag.x - x) * (drag.to - drag.from) / (view.width - view.left);
      view.show(drag.from + by, drag.to + by);
      drag.area.scroll(drag.top + drag.y - y - drag.area.top);
    }
    this.app.redraw();
  }

  release(e) {
    const { drag } = this;
    this.fingers.delete(e.pointerId);
    if (this.fingers.size === 1) { // the finger that remains after a pinch drags
      const [[x, y]] = this.fingers.values();
      this.hold(x, y, true);
      return;
    }
    this.drag = null;
    if (drag && !drag.hasMoved && e.type === "pointerup") this.click(...this.place(e));
    else if (drag) this.app.arrive();
  }

  click(x, y) {
    const item = this.picture.at(x, y), { view, selected } = this.app, isRange = item && "psar".includes(item.kind);
    // Whether it is the second click on a range: the first may have zoomed in on merged ones instead.
    const seen = selected?.projected?.row === item?.row ? selected?.projected : selected;
    this.isAgain = isRange && item.n === 1 && this.app.mode !== "measuring" && selected?.side === this.side &&
      seen.row === item.row && seen.start === item.start;
    if (this.app.mode === "measuring") {
      this.app.measure(this.picture.snap(x, y), true);
    } else if (item?.n > 1) { // merged items: zoom in
      const middle = (item.start + item.end) / 2 + this.side.shift, room = (view.to - view.from) / 16;
      view.show(middle - room, middle + room);
      this.app.changed();
    } else if (item?.kind === "i") {
      this.app.highlights.goToGap(this.side, item);
    } else {
      this.app.pick(item && "psamr".includes(item.kind) ? item : null);
    }
  }

  hover(e, x, y) {
    const item = e && e.pointerType !== "touch" ? this.picture.at(x, y) : null;
    const { hovered } = this.app;
    const isSame = item && item.row === hovered?.row && item.start === hovered.start;
    this.tip.hidden = !item;
    if (e && this.app.mode === "measuring") this.app.measure(this.picture.snap(x, y), false);
    if (!isSame && item !== this.app.hovered) {
      this.app.hovered = item && "psar".includes(item.kind) ? item : null;
      this.app.redrawOver();
    }
    if (!isSame) clearTimeout(this.asking);
    if (!item) return;
    const launch = isSame ? this.launch : null;
    this.launch = launch;
    const show = () => {
      fillTip(this.tip, [...this.describe(item), ...(this.launch || []).map(([term, text]) => `${term}: ${text}`)]);
      placeTip(this.tip, x, y, this.canvas);
    };
    show();
    if (!isSame && item.n === 1 && item.kind === "p" && this.side.isStream(item.row)) this.askLaunch(item, show);
  }

  // The tip says how work of a GPU was launched once the pointer rests on it.
  askLaunch(item, show) {
    const { side: { source } } = this, { row, start, tie } = item;
    this.asking = setTimeout(async () => {
      const found = await source.details({ row, start, tie }), { hovered } = this.app;
      if (!found || hovered?.row !== row || hovered.start !== start || this.tip.hidden) return;
      this.launch = launchOf(found);
      show();
    }, RESTS);
  }

  describe(item) {
    const { side } = this;
    if (item.kind === "i") return [`${item.label} idle for ${duration(item.end - item.start)}`, ...this.app.highlights.meanwhile(side, item)];
    if (item.kind === "t") return [element("b", {}, side.rowLabel(item.row)), sharesText(item)];
    const name = element("b", {}, side.titles[item.name] || "");
    const domain = item.name !== undefined && side.domainOf(item.name);
    if (domain) name.append(element("span", { className: "domain" }, domain));
    const { kind, n } = item, zoom = n > 1 ? ["Click to zoom in"] : [];
    if (kind === "g") return [`${count(item.lost)} events were dropped here`];
    if (kind === "c") {
      const samples = n > 1 ? [`${count(n)} samples`] : [];
      return [name, valueText(item, side.about.rows[item.row].unit), ...samples, ...zoom];
    }
    if (n > 1) {
      const what = kind === "m" ? "marks" : kind === "a" ? "calls" : side.isStream(item.row) && kind === "p" ? "operations" : "ranges", within = duration(Math.max(1, item.end - item.start));
      return [`${count(n)} ${what} in ${within}; the longest:`, name, ...zoom];
    }
    if (kind === "m") return [name, `at ${moment(item.start)}`];
    const ends = item.endThread === null ? [] : [`Ended on ${side.threadLabel(item.endThread)}`];
    const length = duration(item.end - item.start);
    if (kind === "r") return [name, `${length} on this stream, from its first operation to its last`];
    return [name, item.isOpen ? `Not closed; at least ${length}` : length, ...ends];
  }
}
