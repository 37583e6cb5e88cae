// elements.js - creates and updates elements of the page. A trace may come from anyone, so its
// texts become text nodes and attributes, never markup.
import { hex } from "./colors.js";
import { formInTable } from "./names.js";
import { font } from "./size.js";

export const $ = (id) => document.getElementById(id);

// element("td", {className: "x", title: "y"}, "text", child...)
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

export function swatch(color) {
  const made = element("span", { className: "swatch" });
  made.style.background = hex(color);
  return made;
}

const TAIL = 10; // characters of a name

// A title in a table, in a short form. Where there is no room for it, its middle is left out: its end
// distinguishes it.
export function nameParts(title, text = formInTable(title)) {
  const at = text.length > 2 * TAIL ? -TAIL : text.length;
  const part = (className, words) => element("span", { className }, words);
  return [part("head", text.slice(0, at)), ...(at < 0 ? [part("tail", text.slice(at))] : [])];
}

export function link(onclick, ...children) { return element("button", { className: "link", onclick }, ...children); }

// A button with a name of a table (nameIn() of side.js): its title or that form of it, and, faint, its
// domain. `text`, the whole label, is the tip and what screen readers say.
export function nameButton({ text, title, form, domain, color }, onclick) {
  return element("button", { className: "link name", title: text, "aria-label": text, onclick },
    swatch(color), ...nameParts(title, form), ...(domain ? [element("span", { className: "domain" }, domain)] : []));
}

// Calls move(e) while the pointer that has pressed an element moves, and end(e) when it leaves it.
export function drag(e, move, end = () => {}) {
  const pressed = e.currentTarget;
  pressed.setPointerCapture(e.pointerId);
  pressed.onpointermove = move;
  pressed.onpointerup = pressed.onpointercancel = (up) => {
    pressed.onpointermove = pressed.onpointerup = pressed.onpointercancel = null;
    end(up);
  };
}

export function headOf(titles) {
  return element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))));
}

// [list, say]: a list of terms; say(term, ...what) adds one.
export function terms(properties) {
  const list = element("dl", properties);
  return [list, (term, ...what) => list.append(element("dt", {}, term), element("dd", {}, ...what))];
}

// The context of a canvas, which gets as many pixels as the screen has there; its unit is a pixel of
// the page.
export function contextOf(canvas, { clientWidth, clientHeight } = canvas) {
  const ratio = window.devicePixelRatio || 1, c = canvas.getContext("2d", { alpha: false });
  const [width, height] = [clientWidth, clientHeight].map((each) => Math.round(each * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.font = font();
  c.textBaseline = "middle";
  return c;
}

export function fillTip(tip, lines) {
  tip.replaceChildren(...lines.map((line) => (line.append ? line : element("span", {}, line))));
}

export function placeTip(tip, x, y, { clientWidth, clientHeight }) {
  const { offsetWidth, offsetHeight } = tip, isBelow = y + 18 + offsetHeight < clientHeight;
  tip.style.left = `${Math.max(4, Math.min(x + 14, clientWidth - offsetWidth - 8))}px`;
  tip.style.top = `${isBelow ? y + 18 : Math.max(4, y - offsetHeight - 10)}px`;
}

// Replaces the children of `box`; one that would not change stays, because the user may be about to
// click it. If a button had the focus, it gets it back; or if it is gone, the one with the same data-name,
// or that at its index.
// `isAll`: none stays, because what looks the same acts on another item.
export function renew(box, made, isAll = false) {
  const held = document.activeElement, buttons = () => [...box.querySelectorAll("button")];
  const nameOf = (each) => each.closest("[data-name]")?.dataset.name, name = nameOf(held), at = buttons().indexOf(held);
  if (isAll) box.replaceChildren();
  made.forEach((each, k) => {
    const old = box.children[k];
    if (!old) box.append(each);
    else if (!old.isEqualNode(each)) old.replaceWith(each);
  });
  while (box.children.length > made.length) box.lastElementChild.remove();
  if (at < 0 || box.contains(document.activeElement)) return;
  const now = buttons(), isSame = (each) => (box.contains(held) ? each === held : name !== undefined && nameOf(each) === name);
  const heir = now.find(isSame) || now[Math.min(at, now.length - 1)];
  if (heir) heir.focus({ preventScroll: true });
}
