// worker.js - the reader in a worker of the page: answers messages, one after the other.
//
//   {module, file, name}    {status, answer}, and later {hasGrown} when more has been read
//   {question}              {status, answer}, from what has been read
import { pageReaderOf, problem } from "./wasi.js";

const PIECE = 1 << 20; // bytes that are read at once
const SLICE = 60; // ms of reading, then questions have their turn
const NEWS = 500; // ms, at least, between two messages that there is more
const SHARE = 5; // reading gets so many times the time of the questions that follow such a message

// Reads a file of the browser piece by piece: neighbors are asked for next.
function readerOf(file) {
  const reader = new FileReaderSync();
  let from = 0, piece = new Uint8Array(0);
  return (at, n) => {
    if (at < from || at + n > from + piece.length) {
      const end = Math.min(file.size, at + Math.max(n, PIECE));
      piece = new Uint8Array(reader.readAsArrayBuffer(file.slice(at, end)));
      from = at;
    }
    return piece.subarray(at - from, at - from + n);
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
function open({ module, file, name }) {
  pageReader = pageReaderOf(module, { name, size: file.size, read: readerOf(file) });
  const opened = pageReader.open();
  if (opened.status === 200 && readSome()) setTimeout(readOn);
  return opened.status === 200 ? failure || opened : opened;
}

onmessage = ({ data }) => {
  const begin = performance.now();
  const { status, answer } = guarded(() => (data.module ? open(data) : pageReader.ask(data.question)));
  postMessage({ status, answer });
  if (data.question) asking += performance.now() - begin;
};
