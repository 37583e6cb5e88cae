// controls.js - the toolbar and the filters: shows what the application's state is, and changes it.
import { $, element, renew } from "./elements.js";
import { keep, kept } from "./kept.js";
import { setCompact } from "./size.js";
import { visible } from "./text.js";

const BUTTONS = ["filter", "folding", "selecting", "measuring", "flame", "table", "report"];
const MOST_CHOICES = 1000;

function choiceText(text, all) {
  return visible(text) || (all === "domains" ? "Default domain" : "No category");
}

export class Controls {
  constructor(app) {
    this.app = app;
    this.isCompact = kept("rows") === "compact";
    setCompact(this.isCompact);
    this.isScrolling = kept("wheel") === "scroll";
    $("report-button").hidden = !app.reports.isThere;
    document.body.classList.add("begun"); // before, buttons would be useless, and move
    for (const name of BUTTONS) $(`${name}-button`).onclick = () => app.toggle(name);
    $("filters").oninput = ({ target: { id, value, checked } }) => {
      if (id === "coloring") app.setColoring(value);
      else if (id === "compact") this.setCompact(checked);
      else if (id === "scrolling") this.setScrolling(checked);
      else this.read();
    };
    $("no-filter").onclick = () => app.clearFilters();
    $("whole").onclick = () => app.whole();
    $("zoom-span").onclick = () => app.zoomTo(...app.span);
    $("help").onclick = () => $("keys").showModal();
    $("close").onclick = () => $("keys").close();
  }

  setCompact(isCompact) {
    this.isCompact = isCompact;
    keep("rows", isCompact ? "compact" : "");
    setCompact(isCompact);
    this.app.arrangeRows();
  }

  // Whether the wheel scrolls through the rows, as elsewhere; else it zooms.
  setScrolling(isScrolling) {
    this.isScrolling = isScrolling;
    keep("wheel", isScrolling ? "scroll" : "");
  }

  fill() {
    for (const [id, all] of [["by-domain", "domains"], ["by-category", "categories"]]) {
      const texts = [...new Set(this.app.sides.flatMap((side) => side.about[all] || []))].sort();
      renew($(id), [element("option", { value: "*" }, `All ${all}`), ...texts.slice(0, MOST_CHOICES)
        .map((text) => element("option", { value: `=${text}` }, choiceText(text, all)))]);
      $(id).disabled = texts.every((text) => text === "");
    }
    this.show();
  }

  read() {
    const { app } = this, chosen = (id) => ($(id).value === "*" ? null : $(id).value.slice(1));
    app.wanted = {
      name: $("by-name").value || null, thread: $("by-thread").value || null,
      domain: chosen("by-domain"), category: chosen("by-category"),
    };
    app.arrangement.by = $("grouping").value;
    this.show();
    app.arrangeRows();
    app.arriveSoon();
  }

  show() {
    const { app } = this, { wanted, panes } = app, choice = (text) => (text == null ? "*" : `=${text}`);
    for (const part of ["name", "thread"]) {
      const text = wanted[part] || "";
      if ($(`by-${part}`).value !== text) $(`by-${part}`).value = text;
    }
    for (const part of ["domain", "category"]) $(`by-${part}`).value = choice(wanted[part]);
    $("grouping").value = app.arrangement.by;
    $("coloring").value = app.coloring;
    $("compact").checked = this.isCompact;
    $("scrolling").checked = this.isScrolling;
    const isActive = app.isFiltered || app.arrangement.by !== "thread";
    if (isActive) $("filters").hidden = false;
    const states = {
      filter: !$("filters").hidden, folding: app.isFolding, flame: panes.flame, table: panes.table, report: panes.report,
      selecting: app.mode === "selecting", measuring: app.mode === "measuring",
    };
    for (const name of BUTTONS) $(`${name}-button`).setAttribute("aria-pressed", states[name]);
    $("filter-button").classList.toggle("active", isActive);
    $("flame").hidden = !panes.flame;
    $("listing").hidden = !panes.table;
    $("report").hidden = !panes.report;
    document.body.classList.toggle("selecting", app.mode !== null);
  }
}
