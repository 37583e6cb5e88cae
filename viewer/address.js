// address.js - the address of the page contains the view, to be shared and to return to.
//
//   #t=FROM,TO or follow=WIDTH&sel=SIDE,ROW,START,TIE&span=FROM,TO&rows=LIST&name=TEXT&by=domain&fold=KEY&fold=KEY...
import { listOf } from "./questions.js";

// The server refuses times that are further from 0 than 2^62.
function isTime(ns) { return Math.abs(ns) < 2 ** 62; }

// A count as the server accepts it, or undefined.
function countOf(text, most = 2 ** 31) {
  const n = Number(text || NaN);
  return Number.isInteger(n) && n >= 0 && n < most ? n : undefined;
}

function pair(text) {
  const [a, b] = (text || "").split(",").map(Number);
  return isTime(a) && isTime(b) && b > a ? [a, b] : null;
}

const MOST_ROWS_LISTED = 4096; // which the server accepts

// A list of rows, 0,3-7,12; null if there is none, or too long a one.
function rowsOf(text) {
  const rows = (text || "").split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map((each) => countOf(each));
    return last - first < MOST_ROWS_LISTED ? Array.from({ length: last - first + 1 }, (_, k) => first + k) : [];
  });
  return rows.length && rows.length <= MOST_ROWS_LISTED ? rows : null;
}

const TEXTS = ["name", "domain", "category", "thread"];

export function writeAddress(app) {
  const { view, selected, span, wanted, arrangement, panes, align, sides, flame, reports, search, timelines } = app;
  const query = new URLSearchParams(), tops = areasOf(timelines).map(({ top }) => Math.round(top));
  const set = (key, value) => { if (value) query.set(key, value); };
  const add = (key, values) => values.forEach((value) => query.append(key, value));
  add("url", new URLSearchParams(location.hash.slice(1)).getAll("url")); // of the traces: chosen.js
  if (!app.isFollowing) set("t", [view.from, view.to].map(Math.round).join(","));
  else if (!view.isWhole) set("follow", Math.round(view.to - view.from));
  if (selected) {
    const { side, row, start, tie } = selected;
    set("sel", [sides.indexOf(side), row, start, ...(tie === undefined ? [] : [tie])].join(","));
  }
  set("span", span && span.map(Math.round).join(","));
  set("rows", app.spanRows && listOf(app.spanRows));
  for (const key of TEXTS) set(key, wanted[key]);
  if (wanted.domain === "") query.set("domain", "");
  set("by", arrangement.by !== "thread" && arrangement.by);
  add("fold", arrangement.folded);
  add("pin", arrangement.pinned);
  add("move", [...arrangement.ranks].map(([key, rank]) => `${rank},${key}`));
  set("flame", panes.flame && "1");
  add("path", panes.flame ? flame.path : []);
  set("table", panes.table && "1");
  set("report", panes.report && reports.text);
  set("sort", panes.report && reports.sort);
  set("folded", app.folds !== null && (app.folds ? "1" : "0"));
  set("color", app.coloring !== "program" && app.coloring);
  set("align", align && `${align.occurrence},${align.label}`);
  set("top", tops.some(Boolean) && tops.join(",").replace(/(,0)+$/, ""));
  set("find", search.text);
  return `#${query.toString().replace(/%(2C|3A|2F)/g, decodeURIComponent)}`;
}

// What scrolls: the rows of each side, then those that are pinned.
export function areasOf(timelines) { return [1, 0].flatMap((k) => timelines.map(({ picture }) => picture.areas[k])); }

// Whether a change is a new entry of the history: one of the search text or of scrolling is not.
export function isStep(from, to) {
  const bare = (address) => {
    const query = new URLSearchParams(address.slice(1));
    ["find", "top"].forEach((key) => query.delete(key));
    return `${query}`;
  };
  return bare(from) !== bare(to);
}

// Parts that are missing or malformed are null, or the default.
export function readAddress(address) {
  const query = new URLSearchParams(address.slice(1));
  const numbers = (key) => (query.get(key) || "").split(",").map(Number);
  const choice = (key, choices, usual) => (choices.includes(query.get(key)) ? query.get(key) : usual);
  const [side, row, start] = numbers("sel");
  const split = (text) => {
    const comma = text.indexOf(",");
    return [Number(text.slice(0, comma)), text.slice(comma + 1)];
  };
  const align = query.has("align") ? split(query.get("align")) : null;
  return {
    t: pair(query.get("t")), follow: countOf(query.get("follow"), 2 ** 53), span: pair(query.get("span")),
    spanRows: query.has("span") ? rowsOf(query.get("rows")) : null,
    selected: query.has("sel") && isTime(start) && Number.isInteger(start)
      ? { side, row, start, tie: countOf(query.get("sel").split(",")[3]) } : null,
    wanted: Object.fromEntries(TEXTS.map((key) => [key, query.get(key)])),
    by: choice("by", ["domain", "category"], "thread"),
    folded: query.getAll("fold"), pinned: [...new Set(query.getAll("pin"))],
    folds: { 0: false, 1: true }[query.get("folded")] ?? null,
    coloring: choice("color", ["name", "domain"], "program"),
    ranks: query.getAll("move").map(split).map(([rank, key]) => [key, rank])
      .filter(([, rank]) => Number.isFinite(rank)),
    panes: { flame: query.has("flame"), table: query.has("table"), report: query.has("report") },
    report: query.get("report"), sort: query.get("sort"),
    path: query.getAll("path"), find: query.get("find") || "",
    tops: numbers("top").map((top) => top || 0),
    align: align && { occurrence: countOf(align[0]) || 1, label: align[1] },
  };
}
