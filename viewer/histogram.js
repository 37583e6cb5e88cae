// histogram.js - the durations of a name as bars, whose bounds grow by a constant factor.
import { element } from "./elements.js";
import { count, duration } from "./text.js";

export function histogram({ histogram: bars, median }, length) {
  const most = Math.max(1, ...bars.map((bar) => bar.n)), text = ({ from, to, n }) => `${duration(from)} to ${duration(to)}: ${count(n)}`;
  const made = element("div", { className: "histogram", role: "img", "aria-label": bars.map(text).join("; ") },
    ...bars.map((bar, i) => {
      const isOwn = (i === 0 || length >= bar.from) && (length < bar.to || i === bars.length - 1);
      const box = element("span", { className: isOwn ? "own" : "", title: text(bar) });
      box.style.height = bar.n ? `max(2px, ${bar.n / most * 100}%)` : "0";
      return box;
    }));
  return element("figure", {}, made, element("figcaption", {},
    ...[duration(bars[0].from), `median ${duration(median)}`, duration(bars.at(-1).to)].map((each) => element("span", {}, each))));
}
