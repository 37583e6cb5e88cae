// elements.js - making parts of the page. Text of a trace is never markup.

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
