// copy.js - copies texts, and a table as text for other programs.
import { element } from "./elements.js";

const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
const piped = (cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ");

const FORMATS = {
  CSV: ({ heads, rows }) => [heads, ...rows].map((row) => row.map(quoted).join(",")).join("\n"),
  JSON: ({ heads, rows }) =>
    JSON.stringify(rows.map((row) => Object.fromEntries(row.map((cell, k) => [heads[k], cell]))), null, 1),
  Markdown: ({ heads, rows }) => [heads, heads.map(() => "---"), ...rows]
    .map((row) => `| ${row.map(piped).join(" | ")} |`).join("\n"),
};

export function copyText(text) { // whether that was possible
  document.oncopy = (e) => {
    e.clipboardData.setData("text/plain", text);
    e.preventDefault();
  };
  const isCopied = document.execCommand("copy"); // navigator.clipboard refuses frames
  document.oncopy = null;
  return isCopied;
}

// table() returns {heads, rows}.
export function copyMenu(table) {
  const menu = element("select", { className: "copy", "aria-label": "Copy the table" },
    element("option", { value: "" }, "Copy"), ...Object.keys(FORMATS).map((format) => element("option", {}, format)));
  menu.onchange = () => {
    const isCopied = copyText(`${FORMATS[menu.value](table())}\n`);
    menu.value = "";
    menu.firstChild.textContent = isCopied ? "Copied" : "Not copied";
    setTimeout(() => { menu.firstChild.textContent = "Copy"; }, 1500);
  };
  return menu;
}
