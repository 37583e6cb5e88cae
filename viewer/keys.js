// keys.js - maps keys to actions of the application. A field with the focus gets its keys itself.
import { $ } from "./elements.js";

export function listenToKeys(app) {
  const { view } = app, sixth = () => (view.to - view.from) / 6;
  const middle = () => (view.left + view.width) / 2;
  const moving = (act) => () => {
    act();
    app.changing();
  };
  const zoom = (factor) => moving(() => view.zoom(factor, middle()));
  const move = (by) => moving(() => view.move(by * sixth()));
  const scroll = (by) => () => app.current.scroll(by);
  const page = (by) => () => app.current.scroll(app.current.scrolled.room * by);
  const keys = {
    w: zoom(0.7), s: zoom(1 / 0.7), "+": zoom(0.7), "-": zoom(1 / 0.7),
    a: move(-1), d: move(1), ArrowLeft: move(-1), ArrowRight: move(1),
    ArrowUp: scroll(-40), ArrowDown: scroll(40), PageUp: page(-0.8), PageDown: page(0.8),
    Home: moving(() => view.move(view.first - view.from)), End: moving(() => view.move(view.last - view.to)),
    0: () => app.whole(), f: () => (app.selected ? app.fill(app.selected) : app.span && app.zoomTo(...app.span)),
    k: () => document.activeElement.closest(".heading")?.pin(),
    x: () => app.selected && app.spanOver(app.selected),
    o: () => app.details.occurrences.focus(), n: () => app.neighbour(1), p: () => app.neighbour(-1),
    g: () => app.details.follow(), b: () => app.toggle("selecting"), m: () => app.toggle("measuring"),
    i: () => app.toggle("flame"), t: () => app.toggle("table"), r: () => app.reports.isThere && app.toggle("report"),
    "/": () => $("search").focus(), "?": () => $("keys").showModal(),
    Escape: () => app.forget(),
  };
  onkeydown = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
    if (e.target.matches("input, select")) return;
    if (e.target.closest("#listing, #report") && /^(Arrow|Page|Home|End)/.test(e.key)) return; // they scroll it
    const act = keys[e.key] || keys[e.key.toLowerCase()];
    if (!act) return;
    e.preventDefault();
    act();
  };
}
