#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# newest_waits.sh BUILD_DIR PROGRAM - with --buffer, the newest context switches are kept in as many
# bytes, and of a thread that has waited all the time, that it did.
set -eu
build=$1 program=$2
work=$(mktemp -d "$build/tests/collect/newest_waits.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

"$build/bin/rangeline" profile -q --cpuctxsw=process-tree --buffer 256K --snapshot-on signal \
    -o t.rln "$program" 2 2>noted
cat noted
! grep 'switches are not recorded' noted || exit 77

fail() {
    echo "$@" >&2
    cat sum.csv >&2
    exit 1
}

sum() { # TRACE RANGE COLUMN [OPTION]
    "$build/bin/rangeline" stats -r cpu_sum -f csv ${4:+"$4"} "$1" 2>said >sum.csv
    awk -F, -v range="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { sub(/^:/, "", $at["Range"]); if ($at["Range"] == range) print $at[column] }' sum.csv
}

# Half a MiB for events and switches, and the rest of the trace.
[ "$(du -k t.rln | cut -f1)" -le 700 ] || fail "the trace takes $(du -k t.rln)"
for trace in t.rln t.1.rln; do
    total=$(sum $trace waits 'Total Time (ns)')
    grep -q 'context switches before .* s were overwritten' said || fail "nothing was overwritten"
    # It came and went before what is here: up to the first of these, it was blocked.
    [ "$(sum $trace waits 'Blocked (ns)')" -gt $((total * 9 / 10)) ] || fail "$trace: waits"
    [ "$(sum $trace turns 'Unknown (ns)')" -gt "$(sum $trace turns 'Total Time (ns)' | awk '{ print int($1 / 2) }')" ] ||
        fail "$trace: all of it is known"
    [ "$(sum $trace turns 'On CPU (ns)')" -gt 1000000 ] || fail "$trace: nothing is known"
done
[ "$(sum t.rln asks 'Blocked (ns)')" -gt 150000000 ] || fail "asks"
# A snapshot of the launcher has all up to then.
[ "$(sum t.1.rln turns 'Unknown (ns)' --filter-time=1.95s/)" -eq 0 ] || fail "the newest are missing"
[ "$(sum t.1.rln turns 'Total Time (ns)' --filter-time=1.95s/)" -gt 0 ] || fail "nothing is new"
"$build/bin/rangeline" check t.rln
"$build/bin/rangeline" info t.rln | grep '^switches .* were overwritten'
"$build/bin/rangeline" info --json t.rln | grep -q '"switches_since":'
