#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# waits.sh BUILD_DIR PROGRAM [--many-processors LIBRARY | --without-perf COMMAND] - `cpu_sum` has
# the processor time of ranges that their program measured itself, and how long they were preempted
# and blocked. With a library that has it run on many processors, threads are recorded each by
# itself: not from the moment of their birth. Run by a command that has the kernel refuse, there are
# only readings of each thread's clocks, of which a part is unknown of each range.
set -eu
build=$1 program=$2 many='' without=''
case ${3-} in
--many-processors) many=$4 ;;
--without-perf) without=$4 ;;
esac
work=$(mktemp -d "$build/tests/collect/waits.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .

if [ "$many" ] && grep -q __asan_init "$build/bin/rangeline"; then
    echo "AddressSanitizer must be loaded first" >&2
    exit 77
fi

# What the host of this machine has taken of its processors, in ticks of 10 ms: to the kernel,
# threads are on them meanwhile, and to their own clocks they are not.
stolen() { awk '$1 == "cpu" { print $9 }' /proc/stat; }
before=$(stolen)

record() { # OUTPUT OPTION...
    output=$1
    shift
    LD_PRELOAD=$many $without "$build/bin/rangeline" profile -q --cpuctxsw=process-tree "$@" -o "$output" \
        "$program"
}

record t.rln >own 2>noted
cat noted
if [ "$without" ]; then
    grep -q 'not permitted; instead, the clocks of threads' noted
elif grep 'switches are not recorded' noted; then
    exit 77
fi

# What is wrong with the processor times of a trace, of these names only.
find_wrong() { # TRACE NAME...
    "$build/bin/rangeline" stats -q -r cpu_sum -f csv "$1" >sum.csv
    shift
    cat own sum.csv
    awk -F, -v names="$*" -v unseen="${many:+forked locks}${without:+$*}" -v without="$without" \
        -v stolen="$before $(stolen)" '
        BEGIN {
            split(names, some, " "); for (i in some) listed[some[i]] = 1
            split(stolen, ticks, " ")
            stolen_ns = ticks[2] ? (ticks[2] - ticks[1] + 1) * 1e7 : 0
            split(unseen, some, " "); for (i in some) begins_unseen[some[i]] = 1
        }
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
            may_be = name in begins_unseen ? unknown : 0
            # 2 %, and the first call of the process
            tolerance = own[name] * 0.02 + 2e6
            if (on > own[name] + tolerance + stolen_ns || on + may_be < own[name] - tolerance)
                print name ": on CPU " on " ns, its own clock has " own[name]
            # A thread whose birth was not seen is unknown until its first wait ends: that for a lock.
            may_last = name == "locks" ? total - own[name] : total / 2
            if (without ? on < own[name] / 8 : unknown > may_be || unknown > may_last)
                print name ": unknown " unknown " of " total
            if (on + off + blocked + unknown != total)
                print name ": " on " + " off " + " blocked " + " unknown " != " total
            if (name == "spins" ? off + may_be < 2e7 || blocked > (without ? total / 8 : 5e6) \
                                : blocked + may_be < 2e7)
                print name ": preempted " off " ns, blocked " blocked
            delete own[name]
        }
        END { for (name in own) print name ": is missing" }' own sum.csv >wrong
    cat wrong
    [ ! -s wrong ]
}

# Ranges of 4 ms are too short for readings each 10 ms.
if [ "$without" ]; then
    find_wrong t.rln locks spins
else
    find_wrong t.rln forked executed sleeps locks spins
fi

# A thread that executes a program is not on a processor until the run ends.
awk -F, '/:leaves$/ { n++; if ($5 > $2 / 2) exit 1 } END { if (n != 1) exit 1 }' sum.csv

if [ "$without" ]; then
    "$build/bin/rangeline" stats -r cpu_sum t.rln 2>&1 | grep -q 'not recorded: perf_event_open'
    "$build/bin/rangeline" stats -r rank_sum:cpu t.rln 2>&1 | grep -q 'only the clocks'
    if "$build/bin/rangeline" diff --on cpu t.rln t.rln 2>compared; then
        exit 1
    fi
    grep -q 'no context switches' compared
    exit
fi

# A birth is no record where what the thread does then is not known.
python3 - t.rln "$many" <<'END'
import struct, sys
data, many = open(sys.argv[1], "rb").read(), bool(sys.argv[2])
birth = struct.pack("<Q", 4 << 12 | 98 << 4 | 14)
found = [at for at in range(0, len(data), 8) if data.startswith(birth, at)]
assert bool(found) != many, found
END

# A comparison finds threads as it reads, later than their switches.
"$build/bin/rangeline" diff --on cpu --all -f csv t.rln t.rln 2>/dev/null | grep 'spins$' >compared
grep -q 'same\|too few' compared

# In a window, other switches are not recorded, but what threads did as it opened is.
record window.rln -c nvtx -p locks >own
find_wrong window.rln locks
[ "$(wc -c <window.rln)" -le "$(wc -c <t.rln)" ]

# Without them, the report says so.
"$build/bin/rangeline" profile -q --cpuctxsw=none -o none.rln "$program" >/dev/null
"$build/bin/rangeline" stats -q -r cpu_sum none.rln >none 2>&1 || :
grep -q 'context switches' none
