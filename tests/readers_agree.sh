#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# readers_agree.sh MAKE_TRACES RANGELINE PYTHON - `rangeline print --json` and
# read_trace.py print the same lines for every trace.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$1" "$dir"
status=0
for trace in "$dir"/*.rln; do
    "$2" print --json "$trace" >"$dir/command"
    "$3" "$here/read_trace.py" "$trace" >"$dir/python"
    if [ ! -s "$dir/command" ] || ! diff "$dir/command" "$dir/python"; then
        echo "the readers disagree on ${trace##*/}" >&2
        status=1
    fi
done
# Several files are read as one, and so is their concatenation.
cat "$dir/nested.rln" >"$dir/both.bin"
truncate -s %64K "$dir/both.bin"
cat "$dir/startend.rln" >>"$dir/both.bin"
"$2" print --json "$dir/nested.rln" "$dir/startend.rln" >"$dir/command"
"$2" print --json "$dir/both.bin" | diff "$dir/command" - || status=1
"$3" "$here/read_trace.py" "$dir/both.bin" | diff "$dir/command" - || status=1
exit $status
