#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# read_only.sh BIN LIB FOLDER - where nothing can be written, a program with the collector
# but without the launcher has the same output and exit status as unrecorded, and leaves
# no file; the launcher refuses.
set -u
bin=$1 lib=$2 folder=$3/read_only

if [ -z "${READ_ONLY_INSIDE:-}" ]; then
    unshare -m true 2>/dev/null || {
        echo "skipped: needs a mount namespace of its own (root)"
        exit 77
    }
    READ_ONLY_INSIDE=1 exec unshare -m "$0" "$@"
fi

fail() {
    echo "$*"
    cat "$folder.said" "$folder.stderr"
    exit 1
}

unset RANGELINE_OUTPUT RANGELINE_RUN
rm -rf "$folder" && mkdir -p "$folder" && mount -t tmpfs -o ro none "$folder" || exit 1
cd "$folder" || exit 1
for output in '' "$folder/t.rln" "$folder/no/such/folder/t.rln"; do
    NVTX_INJECTION64_PATH=$lib/librangeline-collect.so RANGELINE_OUTPUT=$output \
        "$bin/filler" 1000 >"$folder.said" 2>"$folder.stderr"
    status=$?
    [ $status -eq 7 ] || fail "exit status: found $status, expected 7"
    [ "$(cat "$folder.said")" = "1000 marks" ] || fail "the program's output changed"
    [ ! -s "$folder.stderr" ] || fail "something was said on standard error"
    [ -z "$(ls -A "$folder")" ] || fail "something was written"
done

"$bin/rangeline" profile -o t "$bin/filler" 1000 >"$folder.said" 2>"$folder.stderr"
status=$?
[ $status -eq 2 ] || fail "the launcher: found status $status, expected 2"
[ ! -s "$folder.said" ] || fail "the launcher started the program"
grep -q 'cannot create trace: path=.*: Read-only file system' "$folder.stderr" ||
    fail "the launcher does not say why"
rm -f "$folder.said" "$folder.stderr"
