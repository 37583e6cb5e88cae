// elements.js - makes parts of the page. Text of a trace never becomes markup.

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

// Replaces all that `box` holds. The focus, if a button in it had it, goes to the one with the same
// dataset.name or, without that, in the same place.
export function refill(box, ...made) {
  const held = document.activeElement, buttons = () => [...box.querySelectorAll("button")];
  const at = buttons().indexOf(held);
  box.replaceChildren(...made);
  if (at < 0) return;
  const now = buttons(), { name } = held.dataset;
  const heir = (name && now.find((each) => each.dataset.name === name)) || now[Math.min(at, now.length - 1)];
  if (heir) heir.focus({ preventScroll: true });
}

// Replaces what `box` holds with `made`; each has its own dataset.name. A child that looks the same
// stays the same element, for a finger may be on it, and the focus goes to the child with the name
// of the one that had it.
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
