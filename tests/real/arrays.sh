#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# arrays.sh BUILD_DIR - decodes NumPy arrays recorded with NVIDIA's Python package.
# UPDATE=1 writes the expected output.
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$python" -c 'import numpy, nvtx; assert nvtx.CounterSemantics' 2>/dev/null || {
    echo "skipped: NumPy and NVIDIA's package nvtx 0.2.16 are not in .venv (tools/setup test)"
    exit 77
}
"$build/bin/rangeline" profile -o "$work/t" "$python" "$here/arrays.py" 2>"$work/err" ||
    { cat "$work/err"; exit 1; }
"$build/bin/rangeline" print --json "$work/t.rln" |
    awk -f "$here/../collect/normalize.awk" | sed '/"thread_begin"/d' >"$work/found"
[ -z "${UPDATE:-}" ] || cp "$work/found" "$here/arrays.expected"
diff -u "$here/arrays.expected" "$work/found"
