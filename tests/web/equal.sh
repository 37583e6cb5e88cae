#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equal.sh NODE WORK BUILD - equal.mjs with every trace of the unit tests' scenarios, with
# damaged copies of them, and with recorded ones.
set -eu
rm -rf "$2/traces"
mkdir "$2/traces"
"$3/bin/make_traces" "$2/traces"
cd "$2"
for kind in plain mixed; do
  "$3/bin/rangeline" profile -q -f -o traces/$kind.rln \
    "$3/bin/bench_events" $kind 100000 2 >/dev/null
done
exec "$1" "${0%/*}/equal.mjs" --damaged 20 "$2/wasi.mjs" "$3/page_reader/rangeline.wasm" \
  "$3/bin/ask_natively" "$2"/traces/*.rln
