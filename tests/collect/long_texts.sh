#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# long_texts.sh BUILD_DIR PROGRAM - a text of any kind, narrow or wide, is cut
# between two characters at 1 MiB of UTF-8, and each cut is counted once, also that of a
# process's first call.
set -u
build=$(cd "$1" && pwd) program=$2
work=$(mktemp -d "$build/tests/collect/long.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
n_failed=0

for kind in p P m M e E d D c C t T s S; do
    rm -f t.rln
    NVTX_INJECTION64_PATH=$build/lib/librangeline-collect.so RANGELINE_OUTPUT=t.rln \
        "$program" $kind 3 || exit 1
    cut=$("$build/bin/rangeline" info --json t.rln |
        sed 's/.*"strings_cut":\([0-9]*\).*/\1/')
    # The texts as they are in the file: a digit and 524,287 characters of 2 bytes.
    lengths=$(python3 -c "
import re
print(*(len(t) for t in re.findall(rb'[1-9](?:\xc3\xa9)+', open('t.rln', 'rb').read())))")
    [ "$cut $lengths" = '3 1048575 1048575 1048575' ] || {
        echo "kind $kind: of 3 texts $cut were counted, with the bytes $lengths"
        n_failed=$((n_failed + 1))
    }
done
[ $n_failed -eq 0 ]
