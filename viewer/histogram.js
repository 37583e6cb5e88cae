// histogram.js - the durations of a name as bars, whose bounds grow by a constant factor.
import { element } from "./elements.js";
import { count, duration } from "./text.js";

export function histogram({ histogram: bars, median }, length) {
  const width = 300, height = 56, most = Math.max(1, ...bars.map((bar) => bar.n));
  const svg = (tag, properties) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
    return made;
  };
  const made = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img",
    "aria-label": bars.map((bar) => `${duration(bar.from)} to ${duration(bar.to)}: ${bar.n}`).join("; ") });
  const step = width / Math.max(1, bars.length);
  bars.forEach((bar, i) => {
    const tall = bar.n ? Math.max(2, bar.n / most * (height - 2)) : 0;
    const isOwn = (i === 0 || length >= bar.from) && (length < bar.to || i === bars.length - 1);
    const box = svg("rect", { x: i * step, y: height - tall, width: Math.max(1, step - 1), height: tall,
      class: isOwn ? "own" : "" });
    box.append(svg("title", {}));
    box.lastChild.textContent = `${duration(bar.from)} to ${duration(bar.to)}: ${count(bar.n)}`;
    made.append(box);
  });
  return element("figure", {}, made, element("figcaption", {},
    element("span", {}, duration(bars[0].from)), element("span", {}, `median ${duration(median)}`),
    element("span", {}, duration(bars[bars.length - 1].to))));
}
