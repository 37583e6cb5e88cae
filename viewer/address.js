// address.js - keeps what is on screen in the address, so that it can be shared and the browser's
// back button leads back to it.
//
//   #t=FROM,TO&sel=SIDE,ROW,START,TIE&span=FROM,TO&name=TEXT&by=domain&fold=KEY&fold=KEY...
//
// The search text and the scroll positions are in it, but changing them is not a step.

// No time is further from 0 than 2^62: a server refuses others.
function isTime(ns) { return Math.abs(ns) < 2 ** 62; }

// A number that a server reads, or undefined.
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
  const said = new URLSearchParams();
  said.set("t", `${Math.round(view.from)},${Math.round(view.to)}`);
  if (selected) {
    const { side, row, start, tie } = selected;
    said.set("sel", [sides.indexOf(side), row, start, ...(tie === undefined ? [] : [tie])].join(","));
  }
  if (span) said.set("span", span.map(Math.round).join(","));
  for (const key of TEXTS) {
    if (wanted[key] || (key === "domain" && wanted[key] === "")) said.set(key, wanted[key]);
  }
  if (arrangement.by !== "thread") said.set("by", arrangement.by);
  for (const key of arrangement.folded) said.append("fold", key);
  for (const [key, rank] of arrangement.ranks) said.append("move", `${rank},${key}`);
  if (panes.flame) said.set("flame", "1");
  if (panes.flame) for (const label of flame.path) said.append("path", label);
  if (panes.table) said.set("table", "1");
  if (align) said.set("align", `${align.occurrence},${align.label}`);
  const tops = timelines.map(({ picture }) => Math.round(picture.top));
  if (tops.some(Boolean)) said.set("top", tops.join(","));
  if (search.text) said.set("find", search.text);
  return `#${said.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
}

// Whether going from one address to the other is a step that the back button undoes.
export function isStep(from, to) {
  const bare = (address) => {
    const said = new URLSearchParams(address.slice(1));
    ["find", "top"].forEach((key) => said.delete(key));
    return said.toString();
  };
  return bare(from) !== bare(to);
}

// {t, selected: {side, row, start, tie}, span, wanted, by, folded, ranks, panes, path, align, tops,
// find}; what is missing, or not understood, is null.
export function readAddress(address) {
  const said = new URLSearchParams(address.slice(1));
  const [side, row, start] = (said.get("sel") || "").split(",").map(Number);
  const split = (text) => {
    const comma = text.indexOf(",");
    return [Number(text.slice(0, comma)), text.slice(comma + 1)];
  };
  const align = said.has("align") ? split(said.get("align")) : null;
  return {
    t: pair(said.get("t")), span: pair(said.get("span")),
    selected: said.has("sel") && isTime(start) && Number.isInteger(start) 
      ? { side, row, start, tie: countOf(said.get("sel").split(",")[3]) } : null,
    wanted: Object.fromEntries(TEXTS.map((key) => [key, said.get(key)])),
    by: ["domain", "category"].includes(said.get("by")) ? said.get("by") : "thread",
    folded: said.getAll("fold"),
    ranks: said.getAll("move").map(split).map(([rank, key]) => [key, rank])
      .filter(([, rank]) => Number.isFinite(rank)),
    panes: { flame: said.has("flame"), table: said.has("table") },
    path: said.getAll("path"), find: said.get("find") || "",
    tops: (said.get("top") || "").split(",").map((top) => Number(top) || 0),
    align: align && { occurrence: countOf(align[0]) || 1, label: align[1] },
  };
}
