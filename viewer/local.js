// local.js - implements a source (README.md) on a file that this page reads by itself: in a worker
// (worker.js), the code that the server has, as WebAssembly. Nothing leaves the page.
import { Questions } from "./questions.js";

class Local extends Questions {
  constructor(worker) {
    super(0);
    this.worker = worker;
    this.waiting = []; // answers come in the order of messages
    this.changed = () => {};
    worker.onmessage = ({ data }) => (data.hasGrown ? this.changed() : this.waiting.shift()(data));
    worker.onerror = ({ message }) => this.waiting.shift()?.({ status: 500, answer: new TextEncoder().encode(message) });
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

async function openIn(source, module, file) {
  const name = file.name.replace(/\.gz$/, "").replace(/[/\0]/g, "_") || "trace";
  const { status, answer } = await source.send({ module, file: await contentOf(file), name });
  if (status !== 200) throw new Error(new TextDecoder().decode(answer));
}

// Sources for the files, each with a worker that runs `module`.
export async function openFiles(module, files) {
  const code = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
  const address = URL.createObjectURL(code), sources = files.map(() => new Local(new Worker(address)));
  try {
    await Promise.all(sources.map((source, k) => openIn(source, module, files[k])));
    return sources;
  } catch (error) {
    sources.forEach(({ worker }) => worker.terminate());
    throw error;
  } finally {
    URL.revokeObjectURL(address);
  }
}
