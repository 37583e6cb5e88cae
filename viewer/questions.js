// questions.js - asks the code that has the trace (src/query) the questions of a source (README.md).

// A list of rows in the syntax of questions: 0,3-7,12.
export function listOf(rows) {
  const parts = [];
  for (let i = 0; i < rows.length; i++) {
    const first = i;
    while (i + 1 < rows.length && rows[i + 1] === rows[i] + 1) i++;
    parts.push(first === i ? rows[i] : `${rows[first]}-${rows[i]}`);
  }
  return parts.join(",");
}

// Limited are the length of a question, the rows of a request, and the length of a text.
const ROWS_AT_ONCE = 1000;
const MOST_TEXT_BYTES = 1024;

// Times far outside of a trace are asked about where it is drawn: the code counts in 64 bits.
const FARTHEST = 2 ** 62 - 1024; // ns

function bounded(words) {
  for (const key of ["from", "to", "after", "start"]) {
    if (key in words) words[key] = Math.max(-FARTHEST, Math.min(words[key], FARTHEST));
  }
}

function checkText(text) {
  if (new TextEncoder().encode(text || "").length <= MOST_TEXT_BYTES) return;
  throw new Error(`Search text is too long: at most ${MOST_TEXT_BYTES} bytes`);
}

// A source that gets answers as text: `get(target)` of what extends it, for the trace of that number.
export class Questions {
  constructor(trace) {
    this.trace = trace;
    this.names = []; // with holes: most names are fetched when an answer first uses them
  }

  async ask(question, { filter, isFolded, ...words } = {}) {
    const { name, domain, category, thread } = filter || {};
    [words.text, name, domain, category, thread].forEach(checkText);
    bounded(words);
    if (Array.isArray(words.rows)) words.rows = listOf(words.rows);
    // A domain or category "" matches what has none.
    Object.assign(words, { with: name || null, domain, category, thread: thread || null, fold: isFolded ? 1 : null });
    const query = new URLSearchParams(Object.entries(words).filter(([, value]) => value != null));
    // Commas need no escape, and lists of rows are long.
    const text = query.toString().replaceAll("%2C", ",");
    return this.get(`${this.trace}/${question}?${text}`);
  }

  // An answer has only names that this page does not have.
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

  // What is answered row by row.
  async ofRows(question, { rows, ...asked }) {
    const asks = [];
    for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) asks.push(this.ask(question, { ...asked, rows: rows.slice(i, i + ROWS_AT_ONCE) }));
    return (await Promise.all(asks)).flatMap((answer) => answer.rows);
  }

  async tile(asked) {
    const tiles = await this.ofRows("tile", asked);
    return this.naming(tiles, tiles.flatMap(({ name }) => name));
  }

  // The rows of an answer, with its other members as properties.
  async list(question, asked) {
    const { rows, ...rest } = await this.ask(question, asked);
    const names = rows.flatMap(({ name, parent }) => (question === "occurrences" ? [name, parent] : [name]));
    return this.naming(Object.assign(rows, rest), names.filter((name) => name >= 0));
  }

  inside(asked) { return this.list("inside", asked); }

  async highlights() {
    const answer = await this.ask("highlights"), { step, gpus } = answer;
    const names = step ? [step, ...step.slow, ...step.slow.map(({ part }) => part || {}), ...step.rare,
      ...step.rare.map(({ longest }) => longest)] : [];
    return this.naming(answer, [...names, ...gpus.flatMap(({ gaps }) => gaps)].map(({ name }) => name)
      .filter((name) => name >= 0));
  }

  sums(asked) { return this.list("sums", asked); }
  flame(asked) { return this.list("flame", asked); }
  occurrences(asked) { return this.list("occurrences", asked); }

  async details(asked) {
    const item = await this.ask("details", asked);
    return item && this.naming(item, [item, ...item.parents, ...item.children].map(({ name }) => name));
  }

  async links(asked) {
    const links = await this.ask("links", asked);
    const items = [...(links.gpus || []).map(({ first }) => first), links.call?.around, links.call?.own].filter(Boolean);
    return this.naming(links, items.map(({ name }) => name));
  }

  reports() { return this.ask("reports"); }
  report(asked) { return this.ask("report", asked); }
  async counters(asked) { return (await this.ask("counters", asked)).rows; }
  states({ from, to, pixels, rows }) { return this.ofRows("states", { from, to, pixels, rows }); }
  overview({ parts }) { return this.ask("overview", { pixels: parts }); }

  instances(asked) { return this.ask("instances", asked); }
  nth(asked) { return this.ask("nth", asked); }
  search(asked) { return this.ask("search", asked); }
  next(asked) { return this.nearest("next", asked); }
  hit(asked) { return this.nearest("hit", asked); }

  async nearest(question, asked) {
    const item = await this.ask(question, asked);
    return item && this.naming(item, [item.name]);
  }
}
