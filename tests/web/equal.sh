#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equal.sh NODE WORK BUILD COPIES - equal.mjs with every trace of the unit tests' scenarios,
# with so many damaged copies of each, and with recorded ones; and with the index of each as
# a page has it, whole and merged. The reader of rangeline.html, if it has SQLite, with their
# exports.
set -eu
here=$(cd "${0%/*}" && pwd) node=$1 build=$3
copies=$4
rm -rf "$2"
mkdir "$2" "$2/traces"
"$build/bin/make_traces" "$2/traces"
cd "$2"
cp "$here/../../viewer/wasi.js" wasi.mjs # node takes a module by its suffix
record() { # KIND EVENTS
  "$build/bin/rangeline" profile -q -f -o "traces/$1.rln" "$build/bin/bench_events" "$1" "$2" 2 >/dev/null
}
record plain 30000
record mixed 5000
for trace in traces/*.rln; do
  "$build/bin/save_index" "$trace" "${trace%.rln}.index" || continue # refused, as the reader does
  "$build/bin/save_index" "$trace" "${trace%.rln}.merged.index" 40
done
equal() { # DAMAGED-COPIES READER FILE...
  damaged=$1 reader=$2
  shift 2
  "$node" "$here/equal.mjs" --damaged "$damaged" wasi.mjs "$build/page_reader/$reader" \
    "$build/bin/ask_natively" "$@"
}
if [ -e "$build/page_reader/rangeline-sqlite.wasm" ]; then
  for trace in traces/*.rln; do
    "$build/bin/rangeline" export -q -t sqlite -o "${trace%.rln}.sqlite" "$trace" 2>/dev/null || :
  done
  # As a database is left by a program that uses a write-ahead log.
  cp traces/threads.sqlite traces/log.sqlite
  printf '\2\2' | dd of=traces/log.sqlite bs=1 seek=18 conv=notrunc 2>/dev/null
  equal $(((copies + 6) / 7)) rangeline-sqlite.wasm traces/*.sqlite
fi
equal "$copies" rangeline.wasm traces/*.rln traces/*.index
