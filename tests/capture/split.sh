#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# split.sh BUILD_DIR - `--split` writes a file per window, with exactly the contents that
# `--window` shows.
# shellcheck source=/dev/null
. "$(dirname "$0")/table.sh"
read_trace=$(cd "$(dirname "$0")/.." && pwd)/read_trace.py
python=$(command -v python3)
begin "$1"

# Checks the contents of the windows' files in order; the program exits with $exits.
split() { # WHAT OPTIONS WORDS EVENTS...
    rm -f t*.rln
    # shellcheck disable=SC2086
    rangeline profile -o t --split $2 say $3 2>err
    compare "$1: exit status" "${exits:-0}" $?
    compare "$1: files" "$(($# - 3))" "$(find . -name 't.*.rln' | wc -l)"
    for k in $(seq $(($# - 3))); do
        compare "$1: file $k" "${*:k+3:1}" "$(events "t.$k.rln")"
        same "$1" "$k"
    done
}

# A file's only window is that of the whole trace. (The file does not know when resumed
# ranges began, so they begin with its window.)
shown() { # TRACE WINDOW COMMAND...
    "${@:3}" --window "$2" "$1" 2>&1 | sed -E '/resumed/d; s/t\.[0-9]+\.rln/t.rln/' | cksum
}
same() { # WHAT K
    local command
    # Reports close open ranges at the last event that they see.
    for command in 'print' 'print --ranges' 'print --json' 'stats -q'; do
        [ "$command $1" != 'stats -q ranges that are never closed' ] || continue
        # shellcheck disable=SC2086
        compare "$1: window $2: $command" "$(shown t.rln $(($2 - 1)) rangeline $command)" \
            "$(shown "t.$2.rln" 0 rangeline $command)"
    done
    [ -z "$python" ] || compare "$1: file $2, by read_trace.py" "$(rangeline print --json "t.$2.rln" | cksum)" \
        "$("$python" "$read_trace" "t.$2.rln" | cksum)"
    compare "$1: damage in $2" 0 "$(rangeline info "t.$2.rln" | grep -ci damage)"
}

repeat='-c nvtx -p s --capture-range-end repeat'
split 'one window' '-c nvtx -p s' 'mark a push s mark b pop mark c' 'push s, mark b, pop s'
compare 'it is named' 'rangeline: t.1.rln: one window' "$(tail -n 1 err)"
split 'three' "$repeat" 'push s mark a pop mark x push s mark b pop push s mark c pop' \
    'push s, mark a, pop s' 'push s, mark b, pop s' 'push s, mark c, pop s'
compare 'they are named' 'rangeline: t.1.rln, t.2.rln, t.3.rln: one window each' \
    "$(tail -n 1 err)"
compare 'the trace is there, too' 'push s, mark a, pop s, push s, mark b, pop s, push s, mark c, pop s' \
    "$(events t.rln)"
split 'a range that is open in all of them' "$repeat" \
    'start s push a end start s mark b end start s mark c pop end' \
    'start s, push a, end s, pop a' 'push a, start s, mark b, end s, pop a' \
    'push a, start s, mark c, pop a, end s'
split 'ranges that are never closed' "$repeat" 'start x start s push a start y end end start s end' \
    'start s, push a, start y, end y, end s' 'push a, start s, end s'
split 'started in one and ended in another' "$repeat" \
    'push s start x pop push s end mark a pop push s pop' \
    'push s, start x, pop s, end x' 'start x, push s, end x, mark a, pop s' 'push s, pop s'
split 'from before the first one' "$repeat" 'push a push s mark b pop push s mark c pop pop' \
    'resumed a, push s, mark b, pop s, pop* a' 'resumed a, push s, mark c, pop s, pop* a'
split 'domains' "$repeat" \
    'push a@x push s pop push b@y push s mark c@y pop pop @x pop @y push s pop' \
    'resumed x:a, push s, pop s, pop* x:a' \
    'resumed x:a, resumed y:b, push s, mark y:c, pop s, pop* x:a, pop* y:b' 'push s, pop s'
split 'threads, children and clients' "$repeat" \
    'push s thread ( mark a ) pop push s fork ( mark b start x end ) pop start s plugin ( mark c ) end' \
    'push s, mark a, pop s' 'push s, mark b, start x, end x, pop s' 'start s, mark c, end s'
split 'stopped and started by the program' '' 'mark a still mark b record mark c' 'mark a' 'mark c'
exits=137 split 'killed in the second' "$repeat" 'push s mark a pop push s mark b kill 9' \
    'push s, mark a, pop s' 'push s, mark b'
split 'nothing to split' '' 'mark a'
compare 'that is said' \
    'rangeline: t.rln: nothing to split: the whole run was recorded' \
    "$(tail -n 1 err)"
mkdir spool
split 'recorded elsewhere' "$repeat --spool spool" 'push s pop push s mark a pop' \
    'push s, pop s' 'push s, mark a, pop s'

# A file is complete: a range that continues after its window is in it up to its end.
# The file's window clips it, like that of the trace.
total_of() { # NAME TRACE [OPTION...]
    rangeline stats -q -r nvtx_sum -f csv:nohdr "${@:2}" | awk -F, -v name=":$1" '$10 == name { print $2 }'
}
split 'a range that goes on behind the first' "$repeat" 'push s start a pop mark x push s sleep 10 end pop' \
    'push s, start a, pop s, end a' 'start a, push s, end a, pop s'
compare 'it is whole in both, as in the trace' "$(total_of a t.rln) $(total_of a t.rln)" \
    "$(total_of a t.1.rln) $(total_of a t.2.rln)"
compare 'in a window it has its time inside' "$(total_of a t.rln --window 0) $(total_of a t.rln --window 1)" \
    "$(total_of a t.1.rln --window 0) $(total_of a t.2.rln --window 0)"
compare 'which is not all' 1 "$(($(total_of a t.rln --window 0) < $(total_of a t.rln)))"

# Each file is a separate trace: together they have the contents of each, and a range
# that is in two files counts twice. (2 of s and of a.)
counts_of() { # TRACE...: the count of each range
    rangeline stats -q -r nvtx_sum -f csv:nohdr "$@" 2>err | awk -F, '{ print $10, $3 }' | sort | paste -sd ' '
}
compare 'reports of all files' ':a 2 :s 2' "$(counts_of t.1.rln t.2.rln)"
compare 'nothing is noted' '' "$(cat err)"
rangeline merge -o both.rln t.1.rln t.2.rln 2>err
compare 'they are merged' "0 $(rangeline print t.1.rln t.2.rln | cksum)" "$? $(rangeline print both.rln | cksum)"
compare 'nothing is noted of them' 1 "$(wc -l <err)"
compare 'one that is given twice' ':a 2 :s 2' "$(counts_of t.1.rln t.1.rln)"
compare 'is noted' 'note: events count twice: path="t.1.rln": it is the same trace as "t.1.rln"' "$(cat err)"
compare 'one that is given beside the whole' ':a 2 :s 3' "$(counts_of t.2.rln t.rln)"
compare 'is noted, too' 'note: events count twice: path="t.2.rln": it is a window of "t.rln"' "$(cat err)"
rangeline merge -o all.rln t.rln t.1.rln 2>err
compare 'it is not merged' '1 rangeline: cannot merge: path="t.1.rln": it is a window of "t.rln"' "$? $(head -n 1 err)"

# More windows than are listed by name.
marks=() words=
for i in {1..12}; do
    marks+=("mark a$i")
    words+="mark a$i still record "
done
split 'many' '' "$words mark a13" "${marks[@]}" 'mark a13'
compare 'the first and the last are named' \
    'rangeline: t.1.rln, t.2.rln, ..., t.13.rln: one window each' "$(tail -n 1 err)"

# More than a trace can list. Skipped with sanitizers: it takes a minute, and they would
# find nothing new.
if [ -z "${NEWEST_SANITIZED:-}" ]; then
    rm -f t*.rln
    # shellcheck disable=SC2046
    rangeline profile -o t --split say $(for i in {1..1925}; do echo mark a still record; done) mark b 2>err
    compare 'windows without a file are counted' '1920 6' \
        "$(find . -name 't.*.rln' | wc -l) $(sed -n 's/^hint: t.rln has \([0-9]*\) more windows.*/\1/p' err)"
fi

# Files that already exist.
rm -f t*.rln
echo mine >t.1.rln
# shellcheck disable=SC2086
rangeline profile -o t --split $repeat touch started 2>err
compare 'the first is looked for before the run' \
    '2 rangeline: cannot record: split="t.1.rln": File exists' "$? $(head -n 1 err)"
compare 'nothing is done' '' "$(ls started t.rln 2>/dev/null)"
mv t.1.rln t.2.rln
# shellcheck disable=SC2086
rangeline profile -o t --split $repeat say push s mark a pop push s pop 2>err
compare 'the exit status is the program'"'"'s' 0 $?
compare 'they are not touched' mine "$(cat t.2.rln)"
compare 'that is said' 1 "$(grep -c '^rangeline: cannot write window: path="t.2.rln": File exists' err)"
compare 'others are written' 'push s, mark a, pop s' "$(events t.1.rln)"
# shellcheck disable=SC2086
rangeline profile -o t -f --split $repeat say push s mark b pop 2>err
compare 'unless they are to be' 'push s, mark b, pop s' "$(events t.1.rln)"
for other in '--buffer 1M' '--snapshot-on crash'; do
    # shellcheck disable=SC2086
    rangeline profile --split $other touch started 2>err
    compare "not with $other" "2 rangeline: cannot record: --split cannot be used with ${other% *}" "$? $(head -n 1 err)"
done
compare 'no program was started' '' "$(ls started 2>/dev/null)"

# Threads and processes run in parallel while windows open and close.
rm -f t*.rln
# shellcheck disable=SC2086,SC2016
rangeline profile -o t --split $repeat sh -c '
    words=$(for i in $(seq 10); do echo "push a mark b push s mark hit start x pop pop end"; done)
    for i in 1 2 3; do say $words thread \( push o $words pop \) plugin \( $words \) & done
    wait' 2>err
n=$(find . -name 't.*.rln' | wc -l)
for k in $(seq 1 9 "$n"); do same 'side by side' "$k"; done
compare 'each event that is in one window alone is in one file' \
    "$(rangeline print t.rln | grep -c ' hit$')" \
    "$(for k in $(seq "$n"); do rangeline print "t.$k.rln"; done | grep -c ' hit$')"
end_of_table
