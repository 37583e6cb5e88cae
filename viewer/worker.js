// worker.js - the reader in a worker of the page: answers messages, one after the other.
//
//   {module, file}    {status, answer}, after any number of {progress}: how many events are read
//   {question}        {status, answer}
import { pageReaderOf } from "./wasi.js";

const PIECE = 1 << 20; // bytes that are read at once

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

let pageReader = null;

function open({ module, file, name }) {
  pageReader = pageReaderOf(module, { name, size: file.size, read: readerOf(file) }, (progress) => postMessage({ progress }));
  const opened = pageReader.open();
  return opened.status === 200 ? pageReader.build() : opened;
}

// A trap is a damage of the reader: what it said before is all that it will say.
function answerTo(message) {
  try {
    return message.module ? open(message) : pageReader.ask(message.question);
  } catch (error) {
    return { status: 500, answer: new TextEncoder().encode(`the reader has failed: ${error.message}`) };
  }
}

onmessage = ({ data }) => {
  const { status, answer } = answerTo(data);
  postMessage({ status, answer }, [answer.buffer]);
};
