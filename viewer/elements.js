// elements.js - creates and updates elements of the page. A trace may come from anyone, so its
// texts become text nodes and attributes, never markup.
import { formInTable } from "./names.js";

export const $ = (id) => document.getElementById(id);

// element("td", {className: "x", title: "y"}, "text", child...)
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("aria-") || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

export function swatch(color) {
  const made = element("span", { className: "swatch" });
  made.style.background = `#${color.toString(16).padStart(6, "0")}`;
  return made;
}

const TAIL = 10; // characters of a name

// A title in a table. Where there is no room for it, its middle is left out: its end distinguishes it.
export function nameParts(title) {
  const text = formInTable(title), at = text.length > 2 * TAIL ? -TAIL : text.length;
  const part = (className, words) => element("span", { className }, words);
  return [part("head", text.slice(0, at)), ...(at < 0 ? [part("tail", text.slice(at))] : [])];
}

// A button with a name of a table (nameIn() of side.js): its title and, faint, its domain.
export function nameButton({ label, title, domain, color }, isSwatched = false) {
  return element("button", { className: "link name", title: label, "aria-label": label },
    ...(isSwatched ? [swatch(color)] : []), ...nameParts(title),
    ...(domain ? [element("span", { className: "domain" }, domain)] : []));
}

// Replaces the children of `box`. If one of its buttons had the focus, the new button with the same
// dataset.name gets it or, without that, the one at the same index.
export function refill(box, ...made) {
  const held = document.activeElement, buttons = () => [...box.querySelectorAll("button")];
  const at = buttons().indexOf(held);
  box.replaceChildren(...made);
  if (at < 0) return;
  const now = buttons(), { name } = held.dataset;
  const heir = (name && now.find((each) => each.dataset.name === name)) || now[Math.min(at, now.length - 1)];
  if (heir) heir.focus({ preventScroll: true });
}

// Replaces the children of `box` with `made`; each has a unique dataset.name. A child that would
// not change stays, because the user may be about to click it, and the child with the name of the
// one that had the focus gets it.
export function renew(box, made) {
  const held = [...box.children].find((each) => each.contains(document.activeElement));
  made.forEach((each, k) => {
    const old = box.children[k];
    if (!old) box.append(each);
    else if (!old.isEqualNode(each)) old.replaceWith(each);
  });
  while (box.children.length > made.length) box.lastElementChild.remove();
  if (!held || held.contains(document.activeElement)) return;
  const heir = [...box.children].find((each) => each.dataset.name === held.dataset.name);
  if (heir) heir.querySelector("button").focus({ preventScroll: true });
}
