#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equal.sh NODE WORK BUILD - equal.mjs with every trace of the unit tests' scenarios, with
# damaged copies of them, and with recorded ones; and with the index of each as a page has
# it, whole and merged.
set -eu
rm -rf "$2/traces"
mkdir "$2/traces"
"$3/bin/make_traces" "$2/traces"
cd "$2"
for kind in plain mixed; do
  "$3/bin/rangeline" profile -q -f -o traces/$kind.rln \
    "$3/bin/bench_events" $kind 100000 2 >/dev/null
done
for trace in traces/*.rln; do
  "$3/bin/save_index" "$trace" "${trace%.rln}.index" || continue # refused, as the reader does
  "$3/bin/save_index" "$trace" "${trace%.rln}.merged.index" 40
done
exec "$1" "${0%/*}/equal.mjs" --damaged 20 "$2/wasi.mjs" "$3/page_reader/rangeline.wasm" \
  "$3/bin/ask_natively" "$2"/traces/*.rln "$2"/traces/*.index
