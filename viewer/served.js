// served.js - implements a source by requests to the server of this page, `rangeline view`.
// README.md describes sources and the requests.

// A list of rows in the syntax of the server: 0,3-7,12.
function listOf(rows) {
  const parts = [];
  for (let i = 0; i < rows.length; i++) {
    const first = i;
    while (i + 1 < rows.length && rows[i + 1] === rows[i] + 1) i++;
    parts.push(first === i ? rows[i] : `${rows[first]}-${rows[i]}`);
  }
  return parts.join(",");
}

// The server limits the length of an address, the rows of a request, and the length of a text.
const ROWS_AT_ONCE = 1000;
const MOST_TEXT_BYTES = 1024;

function checkText(text) {
  if (new TextEncoder().encode(text || "").length <= MOST_TEXT_BYTES) return;
  throw new Error(`Search text is too long: at most ${MOST_TEXT_BYTES} bytes`);
}

const listeners = [];

// A browser opens only a few connections to a server. So of all pages of this server only one, the
// holder of a lock, opens the stream of events and forwards them to the others; when it closes, the
// next one takes over. Listeners get the kind of an event: `open`, `message`, or `error` if the
// stream ended.
function listenForEvents(listener) {
  listeners.push(listener);
  listener("open");
  if (listeners.length > 1) return; // the sources of a page share one stream
  const name = `rangeline ${location.pathname}`, others = new BroadcastChannel(name);
  const forward = (kind) => listeners.forEach((each) => each(kind));
  others.onmessage = ({ data }) => forward(data);
  navigator.locks.request(name, () => new Promise(() => { // until the page closes
    const events = new EventSource("events");
    events.onopen = events.onmessage = events.onerror = ({ type }) => {
      others.postMessage(type);
      forward(type);
    };
  }));
}

function folding(isFolded) { return isFolded ? { fold: 1 } : {}; }

function given(words) {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

export class Served {
  constructor(trace) {
    this.trace = trace;
    this.names = []; // with holes: most names are fetched when an answer first uses them
  }

  async ask(question, words = {}, filter = null) {
    const { name, domain, category, thread } = filter || {};
    [words.text, name, domain, category, thread].forEach(checkText);
    const query = new URLSearchParams(words);
    if (name) query.set("with", name);
    if (domain != null) query.set("domain", domain); // "" matches the default domain
    if (category != null) query.set("category", category);
    if (thread) query.set("thread", thread);
    // Commas need no escape, and lists of rows are long.
    const text = query.toString().replaceAll("%2C", ",");
    const response = await fetch(`${this.trace}/${question}?${text}`).catch(() => {
      const gone = new Error("Disconnected: the server has stopped. Run `rangeline view` again.");
      throw Object.assign(gone, { isOver: true });
    });
    if (!response.ok) throw new Error(`Server error ${response.status} (${question})`);
    return response.json();
  }

  // The server sends only names that this page does not have.
  async about() {
    const answer = await this.ask("about", { names: this.names.length });
    answer.names.forEach((name, i) => { this.names[answer.namesFrom + i] = name; });
    this.names.length = Math.max(this.names.length, answer.namesInAll);
    this.isFinal = answer.isComplete && !answer.isLive;
    return { ...answer, names: this.names };
  }

  // Returns `answer` after fetching those of its names that are unknown.
  async naming(answer, names) {
    const unknown = [...new Set(names)].filter((name) => !(name in this.names)).sort((a, b) => a - b);
    const asks = [];
    for (let i = 0; i < unknown.length; i += ROWS_AT_ONCE) {
      const some = unknown.slice(i, i + ROWS_AT_ONCE);
      asks.push(this.ask("names", { rows: listOf(some) }).then((list) => list.forEach((name, k) => {
        this.names[some[k]] = name;
        this.learned(some[k], name);
      })));
    }
    await Promise.all(asks);
    return answer;
  }

  learned() {} // side.js replaces it: called when a name was fetched

  // `open` counts as a change, because the trace may have changed before the stream began; not if
  // the trace was already complete.
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
    const tiles = (await Promise.all(asks)).flatMap((answer) => answer.rows);
    return this.naming(tiles, tiles.flatMap(({ name }) => name));
  }

  async sums({ from, to, filter, isFolded }) {
    const { rows, more, isRough } = await this.ask("sums", { from, to, ...folding(isFolded) }, filter);
    return this.naming(Object.assign(rows, { more, isRough }), rows.map(({ name }) => name));
  }

  async flame({ from, to, filter, isFolded }) {
    const { rows, more, rest, isRough } = await this.ask("flame", { from, to, ...folding(isFolded) }, filter);
    return this.naming(Object.assign(rows, { more, rest, isRough }), rows.map(({ name }) => name));
  }

  async details({ row, start, tie }) {
    const item = await this.ask("details", given({ row, start, tie }));
    return item && this.naming(item, [item, ...item.parents, ...item.children].map(({ name }) => name));
  }

  async occurrences({ name, from, to, isFolded }) {
    const { rows, n, isRough } = await this.ask("occurrences", { name, from, to, ...folding(isFolded) });
    const names = rows.flatMap((row) => [row.name, row.parent]).filter((each) => each >= 0);
    return this.naming(Object.assign(rows, { n, isRough }), names);
  }

  async links({ row, start, tie }) {
    const links = await this.ask("links", given({ row, start, tie }));
    const items = [...(links.gpus || []).map(({ first }) => first), links.call && links.call.around].filter(Boolean);
    return this.naming(links, items.map(({ name }) => name));
  }

  overview({ parts }) { return this.ask("overview", { pixels: parts }); }

  instances({ name }) { return this.ask("instances", { name }); }
  next({ name, after, row, tie, by, isFolded }) {
    return this.nearest("next", { name, after, row, tie, by, ...folding(isFolded) });
  }

  hit({ text, after, row, tie, by }) { return this.nearest("hit", { text, after, row, tie, by }); }

  async nearest(question, words) {
    const item = await this.ask(question, given(words));
    return item && this.naming(item, [item.name]);
  }

  nth({ name, n }) { return this.ask("nth", { name, n }); }
  search({ text }) { return this.ask("search", { text }); }
}

// One source for each trace that the server shows.
export async function openServed() {
  const { traces } = await new Served(0).ask("about");
  return Array.from({ length: traces }, (_, trace) => new Served(trace));
}
