#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# truncated.sh BIN FOLDER - the trace of an idle program is truncated: the launcher
# outlives it, waits for the program, ends with its exit status, and prints one line.
set -u
folder=$2/truncated
PATH=$(cd "$1" && pwd):$PATH
unset RANGELINE_OUTPUT RANGELINE_RUN
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
n_failed=0

wait_until() { # COMMAND...
    local i
    for ((i = 0; i < 600; i++)); do
        "$@" && return
        sleep 0.1
    done
    echo "FAILED: not within 60 s: $*"
    exit 1
}

compare() { # WHAT EXPECTED ACTUAL
    [ "$2" != "$3" ] || return
    printf 'FAILED: %s:\n--- expected\n%s\n--- actual\n%s\n' "$1" "$2" "$3"
    n_failed=$((n_failed + 1))
}

n_mapped() { # LAUNCHER
    grep -c '\.rln$' "/proc/$1/maps"
}

# It has the superblock and its own records mapped, and each second writes the time there.
has_noticed() { # LAUNCHER N_BEFORE
    [ "$(n_mapped "$1")" -lt "$2" ]
}

run() { # WHAT SIZE at_end|seconds OPTION...
    local what=$1 size=$2 when=$3
    shift 3
    rm -rf t.rln go spool 'done'
    mkdir spool
    mkfifo go
    rangeline profile "$@" -o t idler go 2>said &
    local launcher=$! n_before
    wait_until test -e 'done'
    n_before=$(n_mapped $launcher)
    truncate -s "$size" "$(readlink -f t.rln)"
    [ "$when" = at_end ] || wait_until has_noticed $launcher "$n_before"
    echo >go
    wait $launcher
    compare "$what: status" 42 $?
    compare "$what: lines" \
        'rangeline: cannot finish trace: path="t.rln": it was truncated during recording' \
        "$(cat said)"
}

run 'to nothing' 0 at_end
run 'to nothing, seconds before the end' 0 seconds
run 'in the first page' 100 at_end
run 'in the superblock' 8192 seconds
run "before the launcher's records" 65536 seconds
run "in the launcher's records" $((65536 + 4096)) at_end
run 'with other things to look at' 0 seconds --snapshot-on 'range=never' --max-size 1G
run 'in a spool folder' 0 seconds --spool spool

[ $n_failed -eq 0 ]
