// address.js - writes the view to the address of the page and reads it back, so that people can
// share it and the browser's back button returns to it.
//
//   #t=FROM,TO&sel=SIDE,ROW,START,TIE&span=FROM,TO&name=TEXT&by=domain&fold=KEY&fold=KEY...
//
// The address contains the search text and the scroll positions, but changing them adds no entry
// to the browser's history.

// The server refuses times that are further from 0 than 2^62.
function isTime(ns) { return Math.abs(ns) < 2 ** 62; }

// A count as the server accepts it, or undefined.
function countOf(text) {
  const n = Number(text || NaN);
  return Number.isInteger(n) && n >= 0 && n < 2 ** 31 ? n : undefined;
}

function pair(text) {
  const [a, b] = (text || "").split(",").map(Number);
  return isTime(a) && isTime(b) && b > a ? [a, b] : null;
}

const TEXTS = ["name", "domain", "category", "thread"];

export function writeAddress(app) {
  const { view, selected, span, wanted, arrangement, panes, align, sides, flame, search, timelines } = app;
  const query = new URLSearchParams();
  query.set("t", `${Math.round(view.from)},${Math.round(view.to)}`);
  if (selected) {
    const { side, row, start, tie } = selected;
    query.set("sel", [sides.indexOf(side), row, start, ...(tie === undefined ? [] : [tie])].join(","));
  }
  if (span) query.set("span", span.map(Math.round).join(","));
  for (const key of TEXTS) {
    if (wanted[key] || (key === "domain" && wanted[key] === "")) query.set(key, wanted[key]);
  }
  if (arrangement.by !== "thread") query.set("by", arrangement.by);
  for (const key of arrangement.folded) query.append("fold", key);
  for (const [key, rank] of arrangement.ranks) query.append("move", `${rank},${key}`);
  if (panes.flame) query.set("flame", "1");
  if (panes.flame) for (const label of flame.path) query.append("path", label);
  if (panes.table) query.set("table", "1");
  if (app.folds !== null) query.set("folded", app.folds ? "1" : "0");
  if (app.coloring !== "program") query.set("color", app.coloring);
  if (align) query.set("align", `${align.occurrence},${align.label}`);
  const tops = timelines.map(({ picture }) => Math.round(picture.top));
  if (tops.some(Boolean)) query.set("top", tops.join(","));
  if (search.text) query.set("find", search.text);
  return `#${query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

// Whether the change from one address to the other is an entry of the browser's history.
export function isStep(from, to) {
  const bare = (address) => {
    const query = new URLSearchParams(address.slice(1));
    ["find", "top"].forEach((key) => query.delete(key));
    return query.toString();
  };
  return bare(from) !== bare(to);
}

// {t, selected: {side, row, start, tie}, span, wanted, by, folded, folds, coloring, ranks, panes,
// path, align, tops, find}. Parts that are missing or malformed are null, or the default.
export function readAddress(address) {
  const query = new URLSearchParams(address.slice(1));
  const [side, row, start] = (query.get("sel") || "").split(",").map(Number);
  const split = (text) => {
    const comma = text.indexOf(",");
    return [Number(text.slice(0, comma)), text.slice(comma + 1)];
  };
  const align = query.has("align") ? split(query.get("align")) : null;
  return {
    t: pair(query.get("t")), span: pair(query.get("span")),
    selected: query.has("sel") && isTime(start) && Number.isInteger(start)
      ? { side, row, start, tie: countOf(query.get("sel").split(",")[3]) } : null,
    wanted: Object.fromEntries(TEXTS.map((key) => [key, query.get(key)])),
    by: ["domain", "category"].includes(query.get("by")) ? query.get("by") : "thread",
    folded: query.getAll("fold"),
    folds: { 0: false, 1: true }[query.get("folded")] ?? null,
    coloring: ["name", "domain"].includes(query.get("color")) ? query.get("color") : "program",
    ranks: query.getAll("move").map(split).map(([rank, key]) => [key, rank])
      .filter(([, rank]) => Number.isFinite(rank)),
    panes: { flame: query.has("flame"), table: query.has("table") },
    path: query.getAll("path"), find: query.get("find") || "",
    tops: (query.get("top") || "").split(",").map((top) => Number(top) || 0),
    align: align && { occurrence: countOf(align[0]) || 1, label: align[1] },
  };
}
