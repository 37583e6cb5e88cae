// served.js - a source: a trace that the server of this page reads. README.md says what a source
// answers, and what the server is asked.

// Rows as the server reads them: 0,3-7,12.
function listOf(rows) {
  const parts = [];
  for (let i = 0; i < rows.length; i++) {
    const first = i;
    while (i + 1 < rows.length && rows[i + 1] === rows[i] + 1) i++;
    parts.push(first === i ? rows[i] : `${rows[first]}-${rows[i]}`);
  }
  return parts.join(",");
}

// The length of an address is limited, and so is what one request for a tile may ask.
const ROWS_AT_ONCE = 1000;
const MOST_TEXT_BYTES = 1024;

function checkText(text) {
  if (new TextEncoder().encode(text || "").length <= MOST_TEXT_BYTES) return;
  throw new Error(`search text too long, at most ${MOST_TEXT_BYTES} bytes: ${text.slice(0, 30)}\u2026`);
}

const listeners = [];

// A browser has few connections to a server, so that of all pages of this one only the first has
// the stream of events, and tells the others. When it closes, the next one takes over. `error` is
// that the stream broke off.
function listenForEvents(listener) {
  listeners.push(listener);
  listener("open");
  if (listeners.length > 1) return; // the sources of a page share it
  const name = `rangeline ${location.pathname}`, others = new BroadcastChannel(name);
  const tell = (kind) => listeners.forEach((each) => each(kind));
  others.onmessage = ({ data }) => tell(data);
  navigator.locks.request(name, () => new Promise(() => { // until the page closes
    const events = new EventSource("events");
    events.onopen = events.onmessage = events.onerror = ({ type }) => {
      others.postMessage(type);
      tell(type);
    };
  }));
}

function given(words) {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

export class Served {
  constructor(trace) {
    this.trace = trace;
    this.names = []; // with holes: some are fetched when they are first used
  }

  async ask(question, words = {}, filter = null) {
    const { name, domain, category, thread } = filter || {};
    [words.text, name, domain, category, thread].forEach(checkText);
    const query = new URLSearchParams(words);
    if (name) query.set("with", name);
    if (domain != null) query.set("domain", domain); // "" is none
    if (category != null) query.set("category", category);
    if (thread) query.set("thread", thread);
    // Commas need no escape, and lists of rows are long.
    const text = query.toString().replaceAll("%2C", ",");
    const response = await fetch(`${this.trace}/${question}?${text}`).catch(() => {
      const gone = new Error("the server has exited; run `rangeline view` again");
      throw Object.assign(gone, { isOver: true });
    });
    if (!response.ok) throw new Error(`the server answers ${question} with ${response.status}`);
    return response.json();
  }

  // Names that are known already are not sent again.
  async about() {
    const said = await this.ask("about", { names: this.names.length });
    said.names.forEach((name, i) => { this.names[said.namesFrom + i] = name; });
    this.names.length = Math.max(this.names.length, said.namesInAll);
    this.isFinal = said.isComplete && !said.isLive;
    return { ...said, names: this.names };
  }

  // Returns an answer when the names in it are known.
  async naming(answer, names) {
    const unknown = [...new Set(names)].filter((name) => !(name in this.names)).sort((a, b) => a - b);
    const asks = [];
    for (let i = 0; i < unknown.length; i += ROWS_AT_ONCE) {
      const some = unknown.slice(i, i + ROWS_AT_ONCE);
      asks.push(this.ask("names", { rows: listOf(some) }).then((said) => said.forEach((name, k) => {
        this.names[some[k]] = name;
        this.learned(some[k], name);
      })));
    }
    await Promise.all(asks);
    return answer;
  }

  learned() {} // side.js replaces it

  // What changed before the stream began is asked for, too, unless it cannot have.
  follow(changed) {
    listenForEvents((kind) => {
      if (kind !== "open" || !this.isFinal) changed();
    });
  }

  async tile({ from, to, pixels, rows, filter }) {
    const asks = [];
    for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
      const some = listOf(rows.slice(i, i + ROWS_AT_ONCE));
      asks.push(this.ask("tile", { from, to, pixels, rows: some }, filter));
    }
    const tiles = (await Promise.all(asks)).flatMap((said) => said.rows);
    return this.naming(tiles, tiles.flatMap(({ name }) => name));
  }

  async sums({ from, to, filter }) {
    const { rows, more, isRough } = await this.ask("sums", { from, to }, filter);
    return this.naming(Object.assign(rows, { more, isRough }), rows.map(({ name }) => name));
  }

  async flame({ from, to, filter }) {
    const { rows, more, rest, isRough } = await this.ask("flame", { from, to }, filter);
    return this.naming(Object.assign(rows, { more, rest, isRough }), rows.map(({ name }) => name));
  }

  async details({ row, start, tie }) {
    const said = await this.ask("details", given({ row, start, tie }));
    return said && this.naming(said, [said, ...said.parents, ...said.children].map(({ name }) => name));
  }

  instances({ name }) { return this.ask("instances", { name }); }
  next({ name, after, row, tie, by }) { return this.nearest("next", { name, after, row, tie, by }); }
  hit({ text, after, row, tie, by }) { return this.nearest("hit", { text, after, row, tie, by }); }

  async nearest(question, words) {
    const said = await this.ask(question, given(words));
    return said && this.naming(said, [said.name]);
  }

  nth({ name, n }) { return this.ask("nth", { name, n }); }
  search({ text }) { return this.ask("search", { text }); }
}

// One source for each trace that the server shows.
export async function openServed() {
  const { traces } = await new Served(0).ask("about");
  return Array.from({ length: traces }, (_, trace) => new Served(trace));
}
