// wasi.js - runs the reader (src/web/page_reader.h): provides the functions of WASI that its libc calls,
// over one file, or the two that are compared, which `read(at, n)` returns bytes of, and the temporary
// files that the reader makes. There is nothing else that it could open.
//
// Addresses and sizes come as signed numbers: from 2 GiB on, they are negative.
const ROOT = 3; // a descriptor; then come those of files
const IS_FOLDER = 3, IS_FILE = 4; // WASI's types of files
const BADF = 8, IO = 29, NOENT = 44, NOSPC = 51, NOSYS = 52; // its errors
const CREATE = 1; // a flag of its
const SCRATCH_PIECE = 1 << 20; // bytes

const unsigned = (value) => (typeof value === "number" ? value >>> 0 : value);

// A temporary file: in memory, but not in that of the reader, which is limited.
function scratchFile() {
  const pieces = new Map();
  const pieceOf = (k) => pieces.get(k) || pieces.set(k, new Uint8Array(SCRATCH_PIECE)).get(k);
  const forParts = (at, bytes, copy) => {
    for (let done = 0; done < bytes.length;) {
      const k = Math.floor((at + done) / SCRATCH_PIECE), from = at + done - k * SCRATCH_PIECE;
      const part = bytes.subarray(done, done + SCRATCH_PIECE - from);
      copy(pieceOf(k).subarray(from, from + part.length), part);
      done += part.length;
    }
  };
  return {
    size: 0,
    read(at, n) {
      const bytes = new Uint8Array(n);
      forParts(at, bytes, (piece, part) => part.set(piece));
      return bytes;
    },
    write(at, bytes) {
      forParts(at, bytes, (piece, part) => piece.set(part));
      this.size = Math.max(this.size, at + bytes.length);
    },
  };
}

function wasiOf(files, memory) {
  const opened = new Map(); // files by their descriptors
  let nOpened = 0;
  const view = () => new DataView(memory().buffer);
  const bytes = (at, n) => new Uint8Array(memory().buffer, at, n);
  const put = (at, value) => { view().setUint32(at, value, true); return 0; };
  const putLong = (at, value) => view().setBigUint64(at, BigInt(value), true);
  const find = (at, n) => {
    const path = `${bytes(at, n)}`.replace(/^46,47,/, ""); // without "./"
    return files.find(({ name }) => `${coded(name)}` === path);
  };
  // Calls `each(address, n)` for buffers in a list, until it returns fewer bytes than the buffer has.
  const forBuffers = (list, n, out, each) => {
    let all = 0;
    for (let i = 0; i < n; i++) {
      const to = view().getUint32(list + 8 * i, true), asked = view().getUint32(list + 8 * i + 4, true);
      const done = each(to, asked, all);
      all += done;
      if (done < asked) break;
    }
    return put(out, all);
  };
  const functions = {
    fd_prestat_get: (fd, at) => (fd === ROOT ? put(at, 0) || put(at + 4, 1) : BADF),
    fd_prestat_dir_name: (fd, at) => { bytes(at, 1)[0] = 46; return 0; }, // "."
    path_open(fd, lookup, at, n, flags, rights, inherited, how, out) {
      const file = flags & CREATE ? scratchFile() : find(at, n);
      if (!file) return NOENT;
      opened.set(ROOT + ++nOpened, file);
      return put(out, ROOT + nOpened);
    },
    path_filestat_get: () => NOENT, // asked for companions of a file, which none has
    path_unlink_file: () => 0, // the reader knows it by its descriptor
    fd_fdstat_get(fd, at) {
      if (fd !== ROOT && !opened.has(fd)) return BADF;
      bytes(at, 24).fill(0)[0] = fd === ROOT ? IS_FOLDER : IS_FILE;
      putLong(at + 8, -1n & 0xffffffffffffffffn); // rights: all
      putLong(at + 16, -1n & 0xffffffffffffffffn);
      return 0;
    },
    fd_filestat_get(fd, at) {
      const file = opened.get(fd);
      if (!file) return BADF;
      bytes(at, 64).fill(0)[16] = IS_FILE;
      putLong(at + 8, files.indexOf(file) + 1); // its inode
      putLong(at + 32, file.size);
      return 0;
    },
    fd_filestat_set_size(fd, size) {
      if (!opened.get(fd)?.write) return BADF;
      opened.get(fd).size = Number(size);
      return 0;
    },
    fd_pread(fd, list, n, offset, out) {
      const at = Number(offset), from = opened.get(fd);
      if (!from) return BADF;
      try {
        return forBuffers(list, n, out, (to, asked, done) => {
          const there = Math.min(asked, Math.max(0, from.size - at - done));
          if (there) bytes(to, there).set(from.read(at + done, there));
          return there;
        });
      } catch {
        from.isGone = true; // or has changed
        return IO;
      }
    },
    fd_pwrite(fd, list, n, offset, out) {
      const to = opened.get(fd);
      if (!to?.write) return BADF;
      try {
        return forBuffers(list, n, out, (from, asked, done) => {
          to.write(Number(offset) + done, bytes(from, asked));
          return asked;
        });
      } catch {
        return NOSPC; // no more memory
      }
    },
    fd_close: (fd) => (opened.delete(fd) ? 0 : BADF),
    fd_seek: () => BADF,
    fd_read: () => BADF, // all of a file is read by fd_pread
    fd_write: () => BADF,
    fd_allocate: () => NOSYS,
    fd_fdstat_set_flags: () => BADF,
    // No environment.
    environ_sizes_get: (n, bytesInAll) => put(n, 0) || put(bytesInAll, 0),
    environ_get: () => 0,
    proc_exit(code) { throw new Error(`the reader ended: ${code}`); },
  };
  const called = (each) => (...values) => each(...values.map(unsigned));
  return Object.fromEntries(Object.entries(functions).map(([key, each]) => [key, called(each)]));
}

const coded = (text) => new TextEncoder().encode(text);

export function problem(text) { return { status: 500, answer: coded(text) }; }

// A reader for a file `{name, size, read}`, and for one of another name that it may be compared with.
// Its calls return `{status, answer}`: that of HTTP, and bytes; the answer to a failure is a message. A
// saved index needs no file.
export function pageReaderOf(module, ...files) {
  let memory = null;
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasiOf(files, () => memory) });
  ({ memory } = exports);
  exports._initialize();

  function call(what, argument) { // bytes
    if (argument) {
      const at = unsigned(exports.rln_page_argument(argument.length));
      if (!at) return problem("out of memory");
      new Uint8Array(memory.buffer, at, argument.length).set(argument);
    }
    files.forEach((file) => { file.isGone = false; });
    const status = exports[`rln_page_${what}`](), file = files.find(({ isGone }) => isGone);
    if (file) return problem(`cannot read ${file.name}: it has changed since it was opened, or is gone`);
    const n = unsigned(exports.rln_page_answer_bytes()), at = unsigned(exports.rln_page_answer());
    return { status, answer: new Uint8Array(memory.buffer, at, n).slice() };
  }
  return {
    open: () => call("open", coded(files[0].name)),
    compare: () => call("compare", coded(files[1].name)),
    openIndex: (bytes) => call("open_index", bytes),
    read: () => call("read"),
    ask: (question) => call("ask", coded(question)),
  };
}
