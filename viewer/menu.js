// menu.js - the context menu: what can be done with what is under the pointer or, asked for by keys, with
// the selection. All of it can be done in other ways, too. Shift and a right click, or one in the menu, get
// that of the browser.
import { copyText } from "./copy.js";
import { targetOf } from "./details.js";
import { $, element } from "./elements.js";
import { axisHeight } from "./size.js";
import { visible } from "./text.js";

const MOST_WANTED = 200; // characters of a name in a filter

// Where G leads to from an item, as an item, if anywhere.
async function related(app, item) {
  const { side, row, start, tie } = await app.originOf(item) || item;
  const to = targetOf(await side.source.links({ row, start, tie }));
  return to && { side, ...to };
}

function copy(text) { $("said").textContent = copyText(text) ? "Copied" : "Not copied"; }

// Entries are {text, key, act}; one with `ask()`, a promise of what act() gets, can be chosen once that has
// been found.
const entry = (text, key, act, ask) => ({ text, key, act, ask });

function onTime(app, item, zoom) {
  return [entry("Zoom to it", "F", zoom),
    ...(item.end > item.start ? [entry("Select its time", "X", () => app.spanOver(item))] : [])];
}

function onName(app, { side, name }) {
  const { message } = side.about.names[name];
  return [...(message ? [entry("Filter to this name", "", () => app.filterTo(message.slice(0, MOST_WANTED)))] : []),
    entry("Copy name", "", () => copy(side.nameIn(name, false).message))];
}

function onItem(app, item) {
  if (!item || "gt".includes(item.kind)) return app.span ? [entry("Zoom to the selected time", "F", () => app.zoomTo(...app.span))] : [];
  if (item.kind === "i") return onTime(app, item, () => app.highlights.goToGap(item.side, item));
  const { side, row, n } = item, { kind } = side.about.rows[row], isOne = n === 1 && kind !== "c", list = [];
  if (isOne || n > 1) list.push(...onTime(app, item, () => app.fill(item)));
  if (isOne) {
    for (const [text, key, by] of [["Next", "N", 1], ["Previous", "P", -1]]) {
      list.push(entry(`${text} occurrence`, key, async () => app.neighbour(by, await app.originOf(item))));
    }
  }
  if (isOne && kind !== "m" && side.hasStreams) {
    const isWork = kind !== "r" && side.isStream(row);
    list.push(entry(isWork ? "Go to its call" : "Go to its GPU work", "G", (to) => app.select(to), () => related(app, item)));
  }
  return [...list, ...onName(app, item)];
}

function onGroup(app, { group: { key, label }, isFolded, isPinned }) {
  return [entry(isFolded ? "Unfold" : "Fold", "Enter", () => app.fold(key)), entry(isPinned ? "Unpin" : "Pin", "K", () => app.pin(key)),
    entry("Copy name", "", () => copy(visible(label)))];
}

export class Menu {
  constructor(app) {
    this.app = app;
    this.box = element("div", { role: "menu", className: "menu", hidden: true });
    document.body.append(this.box);
    this.box.addEventListener("focusout", ({ relatedTarget }) => this.box.contains(relatedTarget) || this.close());
    this.box.onkeydown = (e) => this.press(e);
  }

  get buttons() { return [...this.box.querySelectorAll("button:not(:disabled)")]; }

  // On the canvas of a timeline.
  onCanvas(e, timeline) {
    const { selected } = this.app, { picture, side } = timeline;
    // A right click has button 2, on macOS also 0 with Ctrl; a finger that rests is still there.
    const isByKeys = e.button !== 2 && !e.ctrlKey && !timeline.fingers.size;
    if (e.shiftKey && !isByKeys) return;
    timeline.drag = null; // no click is to follow
    timeline.hover(null);
    const [x, y] = timeline.place(e);
    if (!isByKeys) this.open(e, e.clientX, e.clientY, picture.at(x, y));
    else if (selected?.side !== side) this.open(e, e.clientX, e.clientY, null);
    else {
      const place = picture.placeOf(selected.row), { view: { left }, width } = picture, box = picture.canvas.getBoundingClientRect();
      const at = Math.min(width, Math.max(left, picture.x(selected.start)));
      const below = place ? picture.areas[place.area].screenY(place) + place.height : axisHeight();
      this.open(e, box.left + at, box.top + below, { n: 1, ...selected });
    }
  }

  onHeading(e, heading) {
    if (e.shiftKey && e.button === 2) return;
    const { bottom } = heading.getBoundingClientRect();
    this.show(e, e.clientX, e.button === 2 ? e.clientY : bottom, visible(heading.place.group.label), onGroup(this.app, heading.place));
  }

  open(e, x, y, item) {
    const title = item && item.kind !== "i" && item.name !== undefined ? item.side.titles[item.name] : "";
    this.show(e, x, y, title, onItem(this.app, item));
  }

  show(e, x, y, title, entries) {
    e.preventDefault();
    const { app, box } = this, all = [...entries, entry("Show all", "0", () => app.whole()), entry("Copy link to this view", "", () => {
      app.arrive();
      copy(location.href);
    })];
    if (box.hidden) this.from = document.activeElement;
    box.setAttribute("aria-label", title || "Picture");
    box.replaceChildren(...(title ? [element("b", { "aria-hidden": "true" }, title)] : []), ...all.map((each) => this.button(each)));
    box.hidden = false;
    // Beside the pointer, so that a click without a move is outside.
    box.style.left = `${Math.max(4, Math.min(x + 2, innerWidth - box.offsetWidth - 4))}px`;
    box.style.top = `${Math.max(4, Math.min(y + 2, innerHeight - box.offsetHeight - 4))}px`;
    this.buttons[0].focus();
  }

  button({ text, key, act, ask }) {
    let found;
    const made = element("button", { role: "menuitem", tabIndex: -1, disabled: Boolean(ask), onclick: () => {
      this.leave();
      act(found);
    } }, text, ...(key ? [element("kbd", {}, key)] : []));
    made.dataset.key = key.toLowerCase();
    ask?.().then((answer) => {
      found = answer;
      made.disabled = !found;
    });
    return made;
  }

  close() { this.box.hidden = true; }

  // Closes it; the focus goes back to where it was.
  leave() {
    const { from, app } = this;
    (from?.isConnected && from !== document.body ? from : app.current.canvas).focus({ preventScroll: true });
    this.close();
  }

  // The keys of the entries choose them.
  press(e) {
    const { buttons } = this, n = buttons.length, at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: (at + 1) % n, ArrowUp: (Math.max(at, 0) + n - 1) % n, Home: 0, End: n - 1 }[e.key];
    const chosen = e.key !== "Enter" && buttons.find(({ dataset: { key } }) => key === e.key.toLowerCase());
    e.stopPropagation(); // the page's own keys
    if (e.ctrlKey || e.metaKey || e.altKey || !(to !== undefined || chosen || e.key === "Escape")) return;
    e.preventDefault();
    if (to !== undefined) buttons[to].focus();
    else if (chosen) chosen.click();
    else this.leave();
  }
}
