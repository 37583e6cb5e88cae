// worker.js - the reader in a worker of the page: answers messages, one after the other.
//
//   {module, files}    {status, answer}, and later {hasGrown} when more has been read; each is
//                      {file, name}, the second one that of the trace that this one is compared with
//   {module, index}    {status, answer}: a saved index, in place of a file
//   {question}         {status, answer}, from what has been read
import { pageReaderOf, problem } from "./wasi.js";

// Bytes that are read at once, and how many such pieces are kept. Of a trace the next ones are needed
// soon, and threads are read by turns; of a database any that was used before.
const OF_TRACE = { size: 1 << 20, most: 16 }, OF_DATABASE = { size: 1 << 16, most: 4096 };
const DATABASE = "SQLite format 3"; // how one begins
const SLICE = 60; // ms of reading, then questions have their turn
const NEWS = 500; // ms, at least, between two messages that there is more
const SHARE = 5; // reading gets so many times the time of the questions that follow such a message

function keptOf(reader, file) {
  try {
    return reader.readAsText(file.slice(0, DATABASE.length)) === DATABASE ? OF_DATABASE : OF_TRACE;
  } catch {
    return OF_TRACE; // it is gone, as the first read will say
  }
}

// Reads a file of the browser piece by piece: what is asked for next is in one of those used last.
function readerOf(file) {
  const reader = new FileReaderSync(), pieces = new Map(); // the one used last is at the end
  const { size, most } = keptOf(reader, file);
  const pieceOf = (k) => {
    const piece = pieces.get(k) || new Uint8Array(reader.readAsArrayBuffer(file.slice(k * size, (k + 1) * size)));
    pieces.delete(k);
    pieces.set(k, piece);
    if (pieces.size > most) pieces.delete(pieces.keys().next().value);
    return piece;
  };
  return (at, n) => {
    const k = Math.floor(at / size), here = at - k * size;
    if (here + n <= size) return pieceOf(k).subarray(here, here + n);
    const all = new Uint8Array(n);
    for (let done = 0; done < n;) {
      const next = Math.floor((at + done) / size), part = pieceOf(next).subarray(at + done - next * size).subarray(0, n - done);
      if (!part.length) throw new Error("the file is shorter than it was");
      all.set(part, done);
      done += part.length;
    }
    return all;
  };
}

let pageReader = null, failure = null;
let announced = 0, asking = 0; // when there were news; how long questions have taken since

// A trap is a damage of the reader: nothing can be asked any more.
function guarded(what) {
  try {
    return failure || what();
  } catch (error) {
    failure = problem(`the reader has failed: ${error.message}`);
    return failure;
  }
}

// Reads for a moment; whether there is more.
function readSome() {
  const end = performance.now() + SLICE;
  let done;
  do done = guarded(() => pageReader.read()); while (done.status === 202 && performance.now() < end);
  if (done.status !== 200 && done.status !== 202) failure = done;
  return done.status === 202;
}

function readOn() {
  const isMore = readSome(), now = performance.now();
  if (!isMore || now > announced + NEWS + SHARE * asking) {
    postMessage({ hasGrown: true });
    announced = now;
    asking = 0;
  }
  if (isMore) setTimeout(readOn);
}

// A small trace is complete before the first question.
function open({ module, files, index }) {
  if (index) return (pageReader = pageReaderOf(module)).openIndex(new Uint8Array(index));
  pageReader = pageReaderOf(module, ...files.map(({ file, name }) => ({ name, size: file.size, read: readerOf(file) })));
  let opened = pageReader.open();
  if (opened.status === 200 && files[1]) opened = pageReader.compare();
  if (opened.status === 200 && readSome()) setTimeout(readOn);
  return opened.status === 200 ? failure || opened : opened;
}

onmessage = ({ data }) => {
  const begin = performance.now();
  const { status, answer } = guarded(() => (data.module ? open(data) : pageReader.ask(data.question)));
  postMessage({ status, answer });
  if (data.question) asking += performance.now() - begin;
};
