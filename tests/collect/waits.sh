#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# waits.sh BUILD_DIR PROGRAM - `cpu_sum` has the processor time of ranges that their program
# measured itself, and how long they were preempted and blocked.
set -eu
build=$1 program=$2
work=$(mktemp -d "$build/tests/collect/waits.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .

"$build/bin/rangeline" profile -q --cpuctxsw=process-tree -o t.rln \
    "$program" >own 2>noted
if grep 'switches are not recorded' noted; then
    exit 77
fi
cat noted

# What is wrong with the processor times of a trace, of these names only.
find_wrong() { # TRACE NAME...
    "$build/bin/rangeline" stats -q -r cpu_sum -f csv "$1" >sum.csv
    shift
    cat own sum.csv
    awk -F, -v names="$*" '
        BEGIN { n_names = split(names, some, " "); for (i in some) listed[some[i]] = 1 }
        FILENAME == "own" {
            split($0, words, " ")
            if (words[1] in listed) own[words[1]] = words[2]
            next
        }
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        {
            name = $column["Range"]
            sub(/^:/, "", name)
            if (!(name in listed)) next
            total = $column["Total Time (ns)"]
            on = $column["On CPU (ns)"]; off = $column["Preempted (ns)"]
            blocked = $column["Blocked (ns)"]; unknown = $column["Unknown (ns)"]
            differs = on > own[name] ? on - own[name] : own[name] - on
            # 2 %, the first call of the process, and steal time of a virtual machine
            if (differs > own[name] * 0.02 + 2e6)
                print name ": on CPU " on " ns, its own clock has " own[name]
            if (unknown || on + off + blocked != total)
                print name ": " on " + " off " + " blocked " + " unknown " != " total
            if (name == "spins" ? off < 2e7 || blocked > 5e6 : blocked < 2e7)
                print name ": preempted " off " ns, blocked " blocked
            delete own[name]
        }
        END { for (name in own) print name ": is missing" }' own sum.csv >wrong
    cat wrong
    [ ! -s wrong ]
}

find_wrong t.rln forked executed sleeps locks spins

# In a window, other switches are not recorded, but what threads did as it opened is.
"$build/bin/rangeline" profile -q --cpuctxsw=process-tree -c nvtx -p locks -o window.rln \
    "$program" >own
find_wrong window.rln locks
[ "$(wc -c <window.rln)" -le "$(wc -c <t.rln)" ]

# Without them, the report says so.
"$build/bin/rangeline" profile -q --cpuctxsw=none -o none.rln "$program" >/dev/null
"$build/bin/rangeline" stats -q -r cpu_sum none.rln >none 2>&1 || :
grep -q 'context switches' none
