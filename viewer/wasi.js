// wasi.js - runs the reader (src/web/page_reader.h): provides the functions of WASI that its libc calls,
// over one file, or the two that are compared, which `read(at, n)` returns bytes of. There is nothing
// else that it could open.
//
// Addresses and sizes come as signed numbers: from 2 GiB on, they are negative.
const ROOT = 3, FIRST = 4; // descriptors: that of a file is FIRST and its number
const IS_FOLDER = 3, IS_FILE = 4; // WASI's types of files
const BADF = 8, IO = 29, NOENT = 44; // its errors

const unsigned = (value) => (typeof value === "number" ? value >>> 0 : value);

function wasiOf(files, memory) {
  const view = () => new DataView(memory().buffer);
  const bytes = (at, n) => new Uint8Array(memory().buffer, at, n);
  const put = (at, value) => { view().setUint32(at, value, true); return 0; };
  const putLong = (at, value) => view().setBigUint64(at, BigInt(value), true);
  const fileOf = (fd) => files[fd - FIRST], typeOf = (fd) => (fd === ROOT ? IS_FOLDER : IS_FILE);
  const functions = {
    fd_prestat_get: (fd, at) => (fd === ROOT ? put(at, 0) || put(at + 4, 1) : BADF),
    fd_prestat_dir_name: (fd, at) => { bytes(at, 1)[0] = 46; return 0; }, // "."
    // Only paths without a folder come: there is no root.
    path_open(fd, lookup, at, n, open, rights, inherited, flags, out) {
      const path = `${bytes(at, n)}`, number = files.findIndex(({ name }) => `${coded(name)}` === path);
      return number < 0 ? NOENT : put(out, FIRST + number);
    },
    fd_fdstat_get(fd, at) {
      if (fd !== ROOT && !fileOf(fd)) return BADF;
      bytes(at, 24).fill(0)[0] = typeOf(fd);
      putLong(at + 8, -1n & 0xffffffffffffffffn); // rights: all
      putLong(at + 16, -1n & 0xffffffffffffffffn);
      return 0;
    },
    fd_filestat_get(fd, at) {
      if (!fileOf(fd)) return BADF;
      bytes(at, 64).fill(0)[16] = IS_FILE;
      putLong(at + 8, fd); // the number of its inode
      putLong(at + 32, fileOf(fd).size);
      return 0;
    },
    fd_pread(fd, list, n, offset, out) {
      const file = fileOf(fd);
      let at = Number(offset), all = 0;
      if (!file) return BADF;
      for (let i = 0; i < n; i++) {
        const to = view().getUint32(list + 8 * i, true), asked = view().getUint32(list + 8 * i + 4, true);
        const there = Math.min(asked, Math.max(0, file.size - at));
        try {
          if (there) bytes(to, there).set(file.read(at, there));
        } catch {
          file.isGone = true; // or has changed
          return IO;
        }
        at += there;
        all += there;
        if (there < asked) break;
      }
      return put(out, all);
    },
    fd_close: () => 0,
    fd_seek: () => BADF,
    fd_read: () => BADF, // all of the file is read by fd_pread
    fd_write: () => BADF,
    fd_allocate: () => BADF,
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
