// SPDX-License-Identifier: Apache-2.0
// equal.mjs [--damaged N] WASI READER NATIVE TRACE... - the reader of pages answers every question as
// the same code does natively, byte by byte. --damaged: also for N copies of each trace in which
// bytes have been changed, or whose end is missing. Each trace is compared with the one before it.
// X.index is a saved index; where there is X.rln, it answers as that does.
//
// Prints `N passed, N failed`, traces being counted, and how many answers were compared.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const MOST_ROWS = 4000; // of a question
const WORDS = ["e", "a", "step", "", "1", "é"];

// Numbers that are the same in each run.
function randomOf(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const parsed = (answer) => JSON.parse(new TextDecoder().decode(answer));


function questionsOf(about, reports, random) {
  const { first, last, rows, names, domains, categories } = about, length = Math.max(1, last - first);
  const one = (list) => list[random(list.length)];
  const span = () => {
    const width = Math.max(1, Math.floor(length / one([1, 1, 10, 1000, 100000])));
    const from = first + random(Math.max(1, length - width + 1));
    return { from, to: from + width };
  };
  const filter = () => ({
    ...(random(4) || !names.length ? {} : { with: (one(names).message || "a").slice(0, 4) }),
    ...(random(6) ? {} : { domain: one(domains) ?? "" }),
    ...(random(6) ? {} : { category: one(categories) ?? "" }),
  });
  const made = [], ask = (question, words) => made.push(`0/${question}?${new URLSearchParams(words)}`);
  const allRows = `0-${Math.min(rows.length, MOST_ROWS) - 1}`;
  const pixels = () => one([1, 200, 1000, 1900]), folded = () => ({ fold: random(2) });
  for (let i = 0; i < 10; i++) {
    if (rows.length) ask("tile", { ...span(), pixels: pixels(), rows: allRows, ...filter() });
    ask("sums", { ...span(), ...filter(), ...folded() });
    ask("sums", { ...span(), rows: random(Math.max(1, rows.length)), ...filter() });
    ask("flame", { ...span(), ...filter(), ...folded() });
    if (rows.length) ask("counters", { ...span(), rows: allRows });
    if (rows.length) ask("states", { ...span(), pixels: pixels(), rows: allRows });
    ask("overview", { pixels: pixels() });
    ask("search", { text: one(WORDS), ...filter() });
    const after = first + random(length), row = random(Math.max(1, rows.length)), by = one([1, -1]);
    ask("details", { row, start: after });
    ask("links", { row, start: after });
    ask("hit", { text: one(WORDS), after, by });
    const name = random(names.length || 1);
    ask("instances", { name, ...folded() });
    ask("occurrences", { ...span(), name, ...filter(), ...folded() });
    ask("next", { name, after, by, ...filter() });
    ask("next", { name, after, by, row });
    ask("nth", { name, n: one([0, 1, 2, 50]) });
  }
  if (names.length) ask("names", { rows: `0-${Math.min(names.length, MOST_ROWS) - 1}` });
  ask("highlights", {});
  ask("reports", {});
  for (let i = 0; i < 3 && reports.length; i++) {
    const { name, takesRange, words } = i ? one(reports) : reports[0]; // the first is of findings
    const argument = takesRange && names.length ? one(names).message : one(["", ...words.split(/[ |]/)]);
    const text = (argument ? `${name}:${argument}` : name).slice(0, 300), sort = one(["Name", "Total", "Duration", "Start", "Instances"]);
    ask("report", { text, ...(random(2) ? {} : { first: random(300) }) });
    ask("report", { text, sort });
    ask("report", { text, sort, format: one(["csv", "json", "markdown"]) });
  }
  ask("tile", {}); // refused
  return made;
}

function answersOf(text) { // of the native program
  const answers = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(10, at), [status, n] = text.subarray(at, end).toString().split(" ").map(Number);
    answers.push({ status, answer: text.subarray(end + 1, end + 1 + n) });
    at = end + 1 + n;
  }
  return answers;
}

function askNatively(native, path, other, questions) {
  const ran = spawnSync(native, [basename(path), ...(other ? [basename(other)] : [])], {
    cwd: dirname(path), input: questions.map((each) => `${each}\n`).join(""), maxBuffer: 2 ** 30,
  });
  if (ran.status !== 0) throw new Error(`${native} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
  return answersOf(ran.stdout);
}

function fileOf(path) {
  const bytes = readFileSync(path), read = (at, n) => bytes.subarray(at, at + n);
  return { name: basename(path), size: bytes.length, read };
}

function begin(module, path, other) {
  if (path.endsWith(".index")) {
    const reader = pageReaderOf(module);
    return { reader, opened: reader.openIndex(readFileSync(path)) };
  }
  const reader = pageReaderOf(module, ...[path, other].filter(Boolean).map(fileOf));
  let opened = reader.open();
  if (opened.status === 200 && other) opened = reader.compare();
  if (opened.status === 200) do opened = reader.read(); while (opened.status === 202);
  return { reader, opened };
}

// Questions about some of the items that are in the trace.
function questionsAboutItems(reader, { first, last, rows }, random) {
  const span = new URLSearchParams({ from: first, to: Math.max(last, first + 1), pixels: 100 });
  const { status, answer } = reader.ask(`0/tile?${span}&rows=0-${Math.min(rows.length, MOST_ROWS) - 1}`);
  if (status !== 200) return [];
  const tiles = parsed(answer).rows.filter(({ start }) => start.length);
  return Array.from({ length: tiles.length ? 20 : 0 }, () => {
    const { row, start, name } = tiles[random(tiles.length)], i = random(start.length), item = `row=${row}&start=${start[i]}`;
    return [`0/details?${item}`, `0/links?${item}`, `0/inside?${item}&name=${name[i]}&fold=${random(2)}`];
  }).flat();
}

function questionsAbout(about, reader) {
  const random = randomOf(about.events + 1);
  const reports = about.hasReports ? parsed(reader.ask("0/reports").answer) : [];
  return [...questionsOf(about, reports, random), ...questionsAboutItems(reader, about, random)];
}

// What `rangeline diff` says of two traces.
const ABOUT_BOTH = ["", "&first=1", "&sort=Range", "&format=csv", "&format=json", "&format=markdown"].map((words) =>
  `0/report?text=diff${words}`);

// What differs, or null; adds to `done.n`.
function compare(module, native, path, other, done) {
  const { reader, opened } = begin(module, path, other);
  const questions = opened.status === 200 ? ["0/about"] : [];
  if (opened.status === 200) {
    const { status, answer } = reader.ask("0/about");
    if (status !== 200) return `about: ${status}`;
    try {
      questions.push(...questionsAbout(parsed(answer), reader), ...ABOUT_BOTH);
    } catch (error) {
      if (!path.endsWith("damaged.index")) throw error; // one has texts that are answered as they are
    }
  }
  const natives = askNatively(native, path, other, questions);
  const ours = [opened, ...questions.map((question) => reader.ask(question))];
  for (let i = 0; i < ours.length; i++) {
    const theirs = natives[i], question = i ? questions[i - 1] : "opening";
    if (!theirs || ours[i].status !== theirs.status) return `${question}: ${ours[i].status}, natively ${theirs?.status}`;
    if (!theirs.answer.equals(ours[i].answer)) return `${question}: another answer than natively`;
    done.n++;
  }
  return path.endsWith(".index") && !path.endsWith("damaged.index") ? compareWithTrace(module, path, { reader, questions }, done) : null;
}

// Only a trace says how work of GPUs was launched.
function withoutLaunch(answer, about) {
  const item = parsed(answer);
  if (item && about.threads[about.rows[item.row].thread]?.name.startsWith("GPU ")) item.payloads = [];
  return JSON.stringify(item);
}

// Nor does an index have the states of threads.
function withoutStates(answer) {
  const { states, ...rest } = parsed(answer);
  return JSON.stringify(rest);
}

// Only about() says which of the two it is, and an index has no reports.
const described = ({ hasReports, hasStates, resolution, payloadsLeftOut, title, ...about }) => JSON.stringify(about);

function compareWithTrace(module, path, index, done) {
  const tracePath = path.replace(/index$/, "rln");
  if (!existsSync(tracePath)) return null;
  const { reader } = begin(module, tracePath), about = parsed(reader.ask("0/about").answer);
  for (const question of index.questions.filter((each) => !/^0\/(report|states)/.test(each))) {
    const [ours, theirs] = [index.reader.ask(question), reader.ask(question)], isAbout = question === "0/about";
    const text = ({ answer, status }) => (isAbout ? described(parsed(answer))
      : question.startsWith("0/inside") && status === 200 ? withoutStates(answer)
      : question.startsWith("0/details") && status === 200 ? withoutLaunch(answer, about) : new TextDecoder().decode(answer));
    if (ours.status !== theirs.status || text(ours) !== text(theirs)) return `${question}: another answer than the trace's`;
    done.n++;
  }
  return null;
}

// What may be narrowed, or be taken for something else.
const ODD = [0x80000000, 0x80000001, 0x40000000, 0xfffffff9, 0xffffffff, 0x7fffffff, 0x10000, 1, 0];

function damaged(bytes, random) {
  const made = Buffer.from(bytes);
  if (random(4) === 0) return made.subarray(0, random(made.length));
  for (let n = 1 + random(8); n > 0; n--) {
    const at = 8 * random(made.length / 8 - 1);
    const how = random(3);
    if (how === 0) made[at + random(8)] = random(256);
    else if (how === 1) made.writeUInt32LE(ODD[random(ODD.length)], at + 4 * random(2));
    else for (let i = 0; i < 8; i++) made[at + i] = random(256);
  }
  return made;
}

const given = process.argv.slice(2), nDamaged = given[0] === "--damaged" ? Number(given.splice(0, 2)[1]) : 0;
const [wasiPath, readerPath, nativePath, ...traces] = given;
const { pageReaderOf } = await import(pathToFileURL(wasiPath));
const module = new WebAssembly.Module(readFileSync(readerPath)), native = resolve(nativePath);
const work = mkdtempSync(join(tmpdir(), "rangeline-equal-"));
const done = { n: 0 };
let passed = 0, failed = 0;

// `other`, in the same folder, is compared with it.
function check(path, name, other) {
  let differs;
  try {
    differs = compare(module, native, path, other, done);
  } catch (error) {
    differs = error.stack;
  }
  if (differs) console.log(`${name}: ${differs}`);
  if (differs) failed++;
  else passed++;
  return !differs;
}

let before; // another trace
for (const trace of traces) {
  const isIndex = trace.endsWith(".index"), other = join(work, "other.rln");
  check(trace, trace, isIndex ? undefined : before);
  const bytes = nDamaged ? readFileSync(trace) : null, random = randomOf(bytes?.length ?? 0);
  for (let i = 0; i < nDamaged; i++) {
    const path = join(work, `damaged${trace.slice(trace.lastIndexOf("."))}`);
    writeFileSync(path, damaged(bytes, random));
    if (!isIndex) copyFileSync(trace, other);
    if (!check(path, `${trace}, damaged, ${i}`, isIndex ? undefined : other)) writeFileSync(`${basename(trace)}.${i}.damaged`, readFileSync(path));
  }
  if (!isIndex) before = trace;
}
rmSync(work, { recursive: true });
console.log(`${done.n} answers are the same\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
