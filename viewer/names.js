// names.js - how names are written, in full or in shorter forms.
//
//   app:/usr/lib/json/decoder.py:343(raw_decode)    the label: unlike all others, in addresses
//   raw_decode  decoder.py:343                      the title: what people read
//   raw_decode    raw_d…code                        shorter forms
import { visible } from "./text.js";

export function labelOf({ domain, message, field }) {
  const isBlank = /^[\s\u200b]+$/.test(message);
  return visible((domain ? `${domain}:` : "") + (isBlank ? `"${message}"` : message || "(no name)") +
    (field ? `.${field}` : ""));
}

// A function of a program in Python as profilers name it, `folder/file.py:12(function)`.
const PLACED = /^((?:[^\s:()]*\/)?[^\s:()/]+\.pyx?|<[^<>]+>):(\d+)\(([^\s()]+)\)((?: \[resumed\])?)$/;

// Whether a name is such a function: its domain is the profiler's and says nothing.
export function isFunction({ message, file }) { return file || PLACED.test(message); }

// The file, with its folder if that is what distinguishes it.
function fileOf(path) { return path.split("/").slice(/\/__\w+__\.py$/.test(path) ? -2 : -1).join("/"); }

// The title: the label without domain, and the function before its place.
export function titleOf({ message, field, isOfGpu }) {
  const own = isOfGpu ? message.replace(/^(cu\w+)_v\d+$/, "$1") : message; // a call of CUDA without its version
  const label = labelOf({ domain: "", message: own, field }), placed = PLACED.exec(label);
  if (!placed) return label;
  const [, file, line, name, rest] = placed;
  return file.startsWith("<") ? name + rest : `${name}${rest}  ${fileOf(file)}:${line}`;
}

const WORD = "A-Za-z0-9\\u0080-\\uffff";
const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const NUMBERS = new RegExp(
  `(?<![${WORD}])(?:0[xX][0-9a-fA-F]+|${UUID}(?![${WORD}])|` +
  `(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}(?![${WORD}]))|` +
  "[0-9]+(?:\\.[0-9]+)?(?:[eE][+-][0-9]+)?", "g");

export function numbersIn(text) { return (text.match(NUMBERS) || []).join(", "); }

// As --fold-numbers of the command.
export function foldNumbers(text) { return text.replace(NUMBERS, "#"); }

const LEAST_FOLDED = 50; // names
const LEAST_ALIKE = 20; // names: about as many as the panel shows at once

// Whether names differ so often only in their numbers that a table of them is better folded: if that
// halves many names, or if one kind (`step 1`, `step 2`, ...) fills the table, and is most of it. Fewer
// names of a kind hide nothing, and are more often parts to compare (`layer 0` to `layer 11`) than
// repetitions.
export function areBetterFolded(labels) {
  const kinds = new Map();
  let n = 0, most = 0;
  for (const label of labels) {
    if (label === undefined) continue;
    const kind = foldNumbers(label), alike = (kinds.get(kind) || 0) + 1;
    kinds.set(kind, alike);
    most = Math.max(most, alike);
    n++;
  }
  return (n >= LEAST_FOLDED && kinds.size * 2 <= n) || (most >= LEAST_ALIKE && most * 2 > n);
}

// A text without brackets and what is between them; as it is if they are not pairs.
function withoutBrackets(text, open, close) {
  let kept = "", depth = 0;
  for (const c of text) {
    if (c === open) depth++;
    if (depth === 0) kept += c;
    if (c === close && depth > 0) depth--;
  }
  return depth ? text : kept;
}

const CPP = /^(?=.*(::|\w<))[\w\s:<>,*&[\](){}~.#-]+$/;

// A C++ function without its type, template arguments and parameters; another text as it is.
function functionOf(text) {
  const plain = text.replaceAll("(anonymous namespace)", "{anonymous}");
  if (!CPP.test(plain) || /operator\s*[<>]/.test(plain)) return text;
  const bare = withoutBrackets(plain, "<", ">");
  if (/\w \(/.test(bare)) return text; // words, and something in parentheses
  const name = /^(.*?\S)\((?!\)\()/.exec(bare); // the parameters of operator() are the second pair
  if (!name) return bare.includes(" ") ? text : bare;
  return name[1].split(" ").pop();
}

// What PyTorch adds to each name.
export function withoutIds(title) { return title.replace(/(, (op_id|seq) = [\d#]+)+$/, ""); }

export function formsOf(title) {
  const forms = [title];
  const add = (form) => {
    if (form && form.length < forms.at(-1).length) forms.push(form);
  };
  const [, name, at] = /^(\S.*)  (\S+:\d+)$/.exec(title) || [];
  if (name) add(name === "<module>" ? at : name); // all modules have that name
  else {
    add(withoutIds(title));
    add(functionOf(forms.at(-1)));
    add(forms.at(-1).replace(/^[\w:{}~#]+::(?=[^:\s]+$)/, ""));
  }
  return forms;
}

const LONG = 24; // characters

export function formInTable(title) {
  const forms = title.length > LONG ? formsOf(title) : [title];
  return forms.find(({ length }) => length <= LONG) || forms.at(-1);
}

// How many characters all texts share at their beginning or, if `by` is -1, at their end, without a part
// of a word; of `most`.
function shared([text, ...others], by, most) {
  const nth = (each, n) => each.at(by > 0 ? n : -1 - n);
  let n = 0;
  while (n < most && others.every((each) => nth(each, n) === nth(text, n))) n++;
  while (n > 0 && /\w/.test(nth(text, n - 1))) n--;
  return n;
}

// What the others of a form lack: `form  what differs`.
function apart(form, titles) {
  const shortest = Math.min(...titles.map(({ length }) => length));
  const from = shared(titles, 1, shortest), to = shared(titles, -1, shortest - from);
  return titles.map((title) => [title, `${form}  ${title.slice(from, title.length - to)}`]);
}

// By title, their forms in one table. Those that would read the same say what differs, such as
// template arguments: `elementwise_kernel  Fill`.
export function formsInTable(titles) {
  const alike = new Map();
  for (const title of new Set(titles)) {
    const form = formInTable(title);
    alike.set(form, [...(alike.get(form) || []), title]);
  }
  return new Map([...alike].flatMap(([form, list]) => (list.length > 1 ? apart(form, list) : [[list[0], form]])));
}

// The first n code units of a text, or n - 1 so as not to split a character.
export function cut(text, n) { return text.slice(0, n).replace(/[\u200d\ud800-\udbff]$/, ""); }

const LONGEST = 400; // code units of a text that are measured
const HEAD = 0.6; // of the room for a text whose middle is left out
const FEW = 6; // characters: below, only the head is kept, and a number at the end

// Widths of characters: their sum is about the width of a text.
export class Ruler {
  constructor(context) {
    this.context = context;
    this.faces = new Map();
    this.use(context.font);
  }

  // Measures in that font, which is the one of the context, from now on.
  use(face) {
    if (!this.faces.has(face)) this.faces.set(face, { chars: new Map(), forms: new Map() });
    Object.assign(this, this.faces.get(face));
  }

  char(c) {
    let width = this.chars.get(c);
    if (width === undefined) this.chars.set(c, width = this.context.measureText(c).width);
    return width;
  }

  width(text) {
    let sum = 0;
    for (let i = 0; i < text.length && i < LONGEST; i++) sum += this.char(text[i]);
    return sum;
  }

  // As much of a title as fits: the longest form of it that does, or the shortest without its
  // middle; "" if not even three characters do.
  fit(title, room) {
    let known = this.forms.get(title);
    if (!known) {
      if (this.forms.size > 20000) this.forms.clear();
      known = formsOf(title).map((text) => ({ text, width: this.width(text) }));
      this.forms.set(title, known);
    }
    const found = known.find(({ text, width }) => width <= room && text.length <= LONGEST);
    return found ? found.text : this.shorten(known.at(-1).text, room);
  }

  // How many characters of a text, from its beginning (by 1) or its end (-1), are within `room`.
  count(text, room, by) {
    let n = 0;
    for (let at = by > 0 ? 0 : text.length - 1; n < text.length && n < LONGEST; n++, at += by) {
      room -= this.char(text[at]);
      if (room < 0) break;
    }
    return n;
  }

  shorten(text, room) {
    const rest = room - this.char("\u2026");
    const all = this.count(text, rest, 1);
    if (all < 3) return all >= 1 ? this.numbered(text, rest) : "";
    if (all < FEW) return this.numbered(text, rest) || `${cut(text, all)}\u2026`;
    const head = this.count(text, rest * HEAD, 1);
    const left = rest - this.width(text.slice(0, head)), tail = this.count(text, left, -1);
    return `${cut(text, head)}\u2026${text.slice(text.length - tail).replace(/^[\u200d\udc00-\udfff]/, "")}`;
  }

  // The first character and the number at the end, if they fit: l…12.
  numbered(text, rest) {
    const [digits] = /\d{1,4}$/.exec(text) || [""];
    return digits && this.char(text[0]) + this.width(digits) <= rest ? `${text[0]}\u2026${digits}` : "";
  }
}
