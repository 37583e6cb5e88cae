#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# filtered.sh BUILD_DIR PROGRAM - if domains are excluded, all events of the others are
# recorded and none of these, and the program sees no difference.
set -u
build=$(cd "$1" && pwd) program=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NVTX_INJECTION64_PATH

try() { # OPTION...
    echo "== $*"
    "$build/bin/rangeline" profile -f true -o t "$@" "$program" 2>err || cat err
    "$build/bin/rangeline" print --json t.rln |
        sed '/"thread_begin"/d; s/.*"domain":"\([^"]*\)".*/\1/; t; s/.*/none/' |
        sort | uniq -c | sed 's/^ */recorded: /'
}

{
    try
    try --nvtx-domain-include io
    try --nvtx-domain-exclude io
    try --nvtx-domain-include default
    try --nvtx-domain-exclude 'default,a\,b'
    try --nvtx-domain-include '\default,a\,b'
    try --nvtx-domain-exclude 'a,b'
} >out 2>&1
[ -z "${UPDATE:-}" ] || cp out "$here/filtered.expected"
diff -u "$here/filtered.expected" out
