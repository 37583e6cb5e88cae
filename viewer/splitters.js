// splitters.js - edges between parts of the page that can be dragged, or moved by arrow keys.
import { drag } from "./elements.js";
import { keep, kept } from "./kept.js";

const STEP = 20; // pixels a key

// Makes an element the edge of `what`, which is least() to most() pixels wide, usual() at first, and
// grows to the right if `by` is 1. Returns a function that applies the width to a page of another size.
export function splitter(edge, { what, by, least, most, usual, set }) {
  let chosen = Number(kept(what)) || null;
  const width = () => Math.round(Math.max(least(), Math.min(most(), chosen ?? usual())));
  const apply = () => {
    for (const [name, value] of [["now", width()], ["min", least()], ["max", Math.round(most())]]) {
      edge.setAttribute(`aria-value${name}`, value);
    }
    set(width());
  };
  const choose = (pixels) => {
    chosen = pixels;
    chosen = width();
    keep(what, chosen);
    apply();
  };
  edge.title = "Drag to resize (double click: usual width)";
  edge.onpointerdown = (e) => {
    const from = e.clientX, before = width();
    e.preventDefault();
    drag(e, (move) => choose(before + (move.clientX - from) * by));
  };
  edge.onkeydown = (e) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    choose(width() + step * by);
  };
  edge.ondblclick = () => {
    chosen = null;
    keep(what, "");
    apply();
  };
  return apply;
}
