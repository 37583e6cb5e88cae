// local.js - implements a source (README.md) on a trace that this page reads by itself: in a worker
// (worker.js), the code that the server has, as WebAssembly. Nothing leaves the page.
import { Questions } from "./questions.js";
import { unpacked } from "./unpack.js";

class Local extends Questions {
  constructor(worker) {
    super(0);
    this.worker = worker;
    this.waiting = []; // answers come in the order of messages
    this.changed = () => {};
    worker.onmessage = ({ data }) => (data.hasGrown ? this.changed() : this.waiting.shift()(data));
    worker.onerror = ({ message }) => { // or the browser, or a site around this page, has refused the worker
      const answer = new TextEncoder().encode(message || "its reader cannot run in this browser, or on this site");
      this.waiting.splice(0).forEach((resolve) => resolve({ status: 500, answer }));
    };
  }

  send(message) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.worker.postMessage(message);
    });
  }

  async get(target) {
    const { status, answer } = await this.send({ question: target }), text = new TextDecoder().decode(answer);
    if (status !== 200) throw new Error(text || `Error ${status} (${target.slice(0, 40)})`);
    return JSON.parse(text);
  }

  follow(changed) {
    this.changed = changed;
    if (!this.isFinal) changed(); // it may have grown before
  }
}

const GZIP = [0x1f, 0x8b];

// The file, or what is compressed in it.
async function contentOf(file) {
  const front = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (!GZIP.every((byte, i) => front[i] === byte)) return file;
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob().catch(() => {
    throw new Error(`cannot decompress ${file.name}: it is damaged, or has several parts\nhint: gunzip it first`);
  });
}

const nameOf = (name) => name.replace(/[/\0]/g, "_") || "trace";

// The first trace is also given the second one's file, to compare both. Files of one reader have
// different names.
function pairUp([one, two]) {
  if (!one.files || !two?.files) return;
  const [{ file, name }] = two.files, isSame = name === one.files[0].name;
  one.files.push({ file, name: isSame ? name.replace(/(\.\w+)?$/, " (2)$1") : name });
}

async function openIn(source, message) {
  const { status, answer } = await source.send(message);
  if (status !== 200) throw new Error(new TextDecoder().decode(answer));
}

// Sources for what the messages open, each with a worker that runs `module`.
async function openAll(module, messages) {
  const code = await unpacked(document.getElementById("worker")).then((response) => response.text());
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  pairUp(messages);
  const sources = messages.map(() => new Local(new Worker(address)));
  try {
    await Promise.all(sources.map((source, k) => openIn(source, { module, ...messages[k] })));
    return sources;
  } catch (error) {
    sources.forEach(({ worker }) => worker.terminate());
    throw error;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export async function openFiles(module, files) {
  return openAll(module, await Promise.all(files.map(async (file) => (
    { files: [{ file: await contentOf(file), name: nameOf(file.name.replace(/\.gz$/, "")) }] }))));
}

// The traces in this page, whole or as their indices. Their text is removed to save memory.
export async function openBlocks(module, blocks) {
  return openAll(module, await Promise.all(blocks.map(async (block) => {
    const content = await unpacked(block).then((response) => response.blob());
    block.remove();
    return block.className === "index" ? { index: await content.arrayBuffer() }
      : { files: [{ file: content, name: nameOf(block.title) }] };
  })));
}
