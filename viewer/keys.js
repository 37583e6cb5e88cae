// keys.js - maps keys to actions of the application. A field with the focus gets its keys itself.
import { $ } from "./elements.js";

export function listenToKeys(app) {
  const { view } = app, sixth = () => (view.to - view.from) / 6;
  const middle = () => (view.left + view.width) / 2;
  const moving = (act) => () => {
    act();
    app.redraw();
    app.arriveSoon();
  };
  const keys = {
    w: moving(() => view.zoom(0.7, middle())), s: moving(() => view.zoom(1 / 0.7, middle())),
    a: moving(() => view.move(-sixth())), d: moving(() => view.move(sixth())),
    "+": moving(() => view.zoom(0.7, middle())), "-": moving(() => view.zoom(1 / 0.7, middle())),
    ArrowLeft: moving(() => view.move(-sixth())), ArrowRight: moving(() => view.move(sixth())),
    ArrowUp: moving(() => app.current.picture.scroll(-40)),
    ArrowDown: moving(() => app.current.picture.scroll(40)),
    PageUp: moving(() => app.current.picture.scroll(-app.current.picture.height * 0.8)),
    PageDown: moving(() => app.current.picture.scroll(app.current.picture.height * 0.8)),
    0: () => app.whole(), f: () => app.selected && app.fill(app.selected),
    x: () => app.selected && app.spanOver(app.selected),
    n: () => app.neighbour(1), p: () => app.neighbour(-1),
    b: () => app.toggle("selecting"), m: () => app.toggle("measuring"),
    i: () => app.toggle("flame"), t: () => app.toggle("table"),
    "/": () => $("search").focus(), "?": () => $("keys").showModal(),
    Escape: () => app.forget(),
  };
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || $("keys").open) return;
    if (e.target.matches("input, select")) return;
    if (e.target.closest("#listing") && /^(Arrow|Page)/.test(e.key)) return; // they scroll it
    const act = keys[e.key] || keys[e.key.toLowerCase()];
    if (!act) return;
    e.preventDefault();
    act();
  });
}
