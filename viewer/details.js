// details.js - what is known of the selected range.
import { workText } from "./arrows.js";
import { Callers } from "./callers.js";
import { $, element, link, nameButton, renew, swatch, terms } from "./elements.js";
import { histogram } from "./histogram.js";
import { Inside } from "./inside.js";
import { isOfGpu, launchOf } from "./launch.js";
import { cut, formInTable } from "./names.js";
import { Occurrences } from "./occurrences.js";
import { splitsOf, splitText, WHAT } from "./states.js";
import { count, duration, moment, visible } from "./text.js";

const MOST_CHILDREN = 12;
const MOST_SAID = 100; // characters of a name

// Where links lead: from a range or a call to the first work of GPUs that it requested; from such work to
// its call, or the range around that.
export function targetOf(links) {
  const { call, gpus } = links || {};
  return call ? call.own || call.around : gpus?.[0]?.first;
}

function valueOf(value) {
  if (value === null || typeof value !== "object") return document.createTextNode(visible(String(value)));
  const [list, say] = terms({ className: "fields" });
  Object.entries(value).forEach(([key, each]) => say(key, valueOf(each)));
  return list;
}

export class Details {
  constructor(app) {
    this.app = app;
    this.inside = new Inside(app);
    this.occurrences = new Occurrences(app);
    this.callers = new Callers(app);
    this.links = null; // of the selection to the work of GPUs, once the source has answered
  }

  show(item) {
    this.showing = this.renew(item);
    return this.showing;
  }

  async renew(item) {
    const box = $("details"), asked = this.asked = {};
    this.scope = this.app.scope;
    if (!item && box.contains(document.activeElement)) this.app.current.canvas.focus();
    box.hidden = !item;
    this.links = null;
    if (!item) return;
    const { side, row, start, end, tie, name } = item, { source } = side, isOfKind = Boolean(item.isOfKind);
    const kindOf = () => Promise.all([source.instances({ name, isFolded: this.app.isFoldingOf(item) }), this.occurrences.of(item)]);
    const [about, inside, callers, links, splits, kind] = await Promise.all([source.details({ row, start, tie }), this.inside.of(item),
      this.callers.of(item), side.hasStreams ? source.links({ row, start, tie }) : null,
      side.about.hasStates ? splitsOf(source, { from: start, to: end }, [row]) : null, kindOf()]);
    const [spread, occurrences] = Boolean(item.isOfKind) === isOfKind ? kind : await kindOf(); // as what it is compared with
    if (asked !== this.asked) return; // another was selected meanwhile
    if (!about) {
      box.hidden = true;
      return;
    }
    this.links = links;
    if (links || item.end !== about.end) this.app.redrawOver(); // or the trace has grown
    Object.assign(item, { end: about.end, isOpen: about.isOpen, occurrence: about.occurrence || 1 });
    const isMark = side.about.rows[item.row].kind === "m";
    const length = isMark ? moment(about.start) : duration(about.end - about.start);
    $("said").textContent = `${cut(formInTable(side.titles[item.name]), MOST_SAID)}, ${length}${this.inside.spoken(item, inside)}`;
    const parts = [this.heading(item), this.list(item, about, { spread, isMark, links, split: splits?.get(row) })];
    if (!isMark) parts.push(this.inside.table(item, inside));
    if (!isMark && spread.n > 1) parts.push(histogram(spread, about.end - about.start));
    if (!isMark) parts.push(occurrences);
    if (!isMark && side.about.rows[item.row].kind !== "a") parts.push(callers); // of a call its parents are
    parts.push(this.relatives(side, "Parents", about.parents || []),
      this.relatives(side, "Children", about.children || []));
    renew(box, parts.filter(Boolean), this.item !== item);
    this.item = item;
    this.occurrences.reveal();
  }

  async follow() {
    await this.showing; // the key may come before the answer
    const { item, links } = this, to = targetOf(links);
    if (to && this.app.selected === item) this.app.select({ side: item.side, ...to });
  }

  heading(item) {
    const { app } = this, { side } = item;
    const button = (text, title, onclick) =>
      element("button", { title, "aria-label": title.replace(/ \(.*\)$/, ""), onclick }, text);
    const tools = element("div", { className: "row" },
      button("\u25c0", "Previous occurrence (P)", () => app.neighbour(-1)),
      button("\u25b6", "Next occurrence (N)", () => app.neighbour(1)),
      button("Zoom", "Zoom to this range (F)", () => app.fill(item)),
      button("Select time", "Select the time of this range (X)", () => app.spanOver(item)),
      button("\u00d7", "Clear selection (Esc)", () => app.select(null)));
    if (app.sides.length > 1) {
      tools.prepend(button("Align", "Align both traces here", () => app.alignAt(item)));
    }
    return element("div", {}, element("h2", { title: side.labels[item.name] }, swatch(side.rgb[item.name]), side.titles[item.name]), tools);
  }

  list(item, about, { spread, isMark, links, split }) {
    const { side } = item, [list, say] = terms();
    const { domain, file, line } = side.about.names[item.name];
    if (domain) say("Domain", visible(domain));
    if (file) say("Source", `${visible(file)}:${line}`);
    say("Start", moment(about.start));
    if (!isMark) {
      const length = duration(about.end - about.start), { n = 1, covered } = about;
      if (n > 1) {
        say("Ranges", `${count(n)} ranges merged, named after the longest`);
        say("Duration", `${duration(covered)} in total, within ${length}`);
      } else {
        say("Duration", about.isOpen ? `Not closed; at least ${length}` : length);
        if (split && about.endThread == null) say("Of that", element("span", { title: WHAT }, splitText(split)));
      }
    }
    if (!isMark && spread.n > 1) {
      const { title } = side.nameIn(item.name, this.app.isFoldingOf(item)), rough = spread.isRough ? "\u2248 " : "";
      say("Occurrences", count(spread.n) + (title === side.titles[item.name] ? "" : ` of ${formInTable(title)}`));
      say("Min, median", `${duration(spread.min)}, ${rough}${duration(spread.median)}`);
      say("p95, max", `${rough}${duration(spread.p95)}, ${duration(spread.max)}`);
    }
    const process = side.processOf(item.row);
    if (process) say("Process", process);
    say(side.isStream(item.row) ? "Stream" : "Thread", side.rowLabel(item.row));
    if (about.endThread != null) say("Ended on", side.threadLabel(about.endThread));
    if (about.category != null) say("Category", visible(about.category));
    if (about.value != null) say("Payload", String(about.value));
    for (const [term, text] of launchOf(about)) say(term, text);
    for (const payload of about.payloads || []) {
      if (isOfGpu(payload)) continue;
      if (payload.schema === "range" && about.parents.length) continue; // its id says less
      say(payload.schema || "Payload", valueOf("value" in payload ? payload.value : payload));
    }
    if (links) this.sayWork(say, item, links);
    return list;
  }

  // The work of GPUs that was requested in a range; or the call that requested an operation.
  sayWork(say, item, { gpus, isRough, call }) {
    const { side } = item;
    const to = (place, text) => link(() => this.app.select({ side, ...place }), text);
    if (call) {
      const { own, around } = call, when = `${duration(item.start - call.start)} earlier, by ${side.threadLabel(call.thread)}`;
      say("Launched", ...(own ? [to(own, side.titles[own.name]), ", ", when] : [when]));
      const isOwn = around && side.about.rows[around.row].thread === call.thread;
      if (around) say(isOwn ? "Requested in" : "Meanwhile in", to(around, side.titles[around.name]));
    }
    for (const gpu of gpus || []) {
      const later = `starts ${duration(gpu.start - item.start)} later`;
      say(`On ${gpu.label}`, to(gpu.first, `${isRough ? "\u2265 " : ""}${workText(gpu)}, ${later}`));
      const who = gpu.by < 0 ? "other threads" : side.threadLabel(gpu.by);
      if (gpu.adopted) say("", `${count(gpu.adopted)} of them launched by ${who} meanwhile`);
    }
  }

  relatives(side, title, list) {
    if (!list.length) return null;
    const made = element("ol", {});
    for (const each of list.slice(0, MOST_CHILDREN)) {
      const button = nameButton(side.nameIn(each.name), () => this.app.select({ side, ...each }));
      made.append(element("li", {}, button, element("span", {}, duration(each.end - each.start))));
    }
    const more = list.length > MOST_CHILDREN ? `: ${MOST_CHILDREN} of ${count(list.length)}` : "";
    return element("div", { className: "relatives" }, element("h3", {}, title + more), made);
  }
}
