// status.js - the head of the page: which trace it shows, how much is in it, and whether it grows.
import { $ } from "./elements.js";
import { count, duration, moment, visible } from "./text.js";

// Overwritten events are not among them: that is the purpose of a ring buffer. The process counts
// all dropped events, gaps those of a thread. Either may be incomplete.
function droppedOf({ dropped, gaps }) {
  return Math.max(dropped, (gaps || []).reduce((all, [, , lost]) => all + lost, 0));
}

function lossesOf(abouts) {
  const dropped = abouts.reduce((n, about) => n + droppedOf(about), 0);
  return [dropped ? `${count(dropped)} events were dropped: no space` : "",
    ...abouts.map(({ damage }) => damage && `Events are missing: ${damage.n === 1 ? "a part" : `${count(damage.n)} parts`} ` +
      `of the trace cannot be read${damage.offset ? `, first at offset ${damage.offset}` : ""}: ${visible(damage.reason)}`)].filter(Boolean).join(" \u00b7 ");
}

function factsOf(abouts) {
  const [about] = abouts, within = Math.min(about.resolution, about.last - about.first);
  const since = Math.max(...abouts.map(({ wholeSince }) => wholeSince ?? -Infinity));
  return [
    `${abouts.map(({ events }) => count(events)).join(" and ")} events in ` +
      abouts.map(({ first, last }) => duration(last - first)).join(" and "),
    about.resolution ? `Overview: ranges less than ${duration(within)} apart are merged` : "",
    since > -Infinity ? `complete from ${moment(since)} on: older events were overwritten` : "",
    about.windows.length > 1 ? `${count(about.windows.length)} capture windows (shaded)` : "",
    abouts.some(({ statesLeftOut }) => statesLeftOut) ? "Too many context switches to show" : "",
    about.payloadsLeftOut ? `${count(about.payloadsLeftOut)} payloads are not in this page` : "",
    about.isComplete ? "" : "Loading\u2026",
  ].filter(Boolean).join(" \u00b7 ");
}

export class Status {
  constructor(sides) {
    this.sides = sides;
    this.wasLive = false;
    this.isOver = false; // the server has stopped
  }

  get abouts() { return this.sides.map(({ about }) => about); }

  describe() {
    const { abouts } = this, [about] = abouts, losses = lossesOf(abouts);
    $("title").textContent = abouts.map(({ title }) => visible(title)).join(" and ");
    $("facts").textContent = factsOf(abouts);
    $("restricted").hidden = !about.filter;
    $("restricted").textContent = `Filtered: ${about.filter}`;
    $("lost").hidden = !losses;
    $("lost").textContent = losses;
    this.isOver = false;
    this.showState();
  }

  fail({ message, isOver }) {
    this.isOver ||= Boolean(isOver);
    $("failed").hidden = false;
    if ($("failed").textContent !== message) $("failed").textContent = message; // announced once
    this.showState();
  }

  settle() { $("failed").hidden = true; }

  showState() {
    const isLive = this.abouts.some((about) => about.isLive), { isOver } = this;
    this.wasLive ||= isLive;
    const [kind, text] = isOver ? ["over", "\u25cb Disconnected"] : isLive ? ["live", "\u25cf Recording"]
      : ["done", "Finished"];
    $("state").hidden = !isOver && !this.wasLive;
    $("state").className = kind;
    if ($("state").textContent !== text) $("state").textContent = text;
    document.querySelectorAll("[data-asks]").forEach((each) => { each.disabled = isOver; });
  }
}
