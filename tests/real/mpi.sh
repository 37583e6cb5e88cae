#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpi.sh BUILD_DIR - four ranks under Open MPI, recorded by one launcher each or by one.
#
# Checks the ranks in the trace, and the report by rank.
set -u
build=$(cd "$1" && pwd)
command -v mpirun >/dev/null || { echo "skipped: mpirun is not installed"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PATH=$build/bin:$PATH
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for variable in $(compgen -v RANGELINE_) NVTX_INJECTION64_PATH; do unset "$variable"; done

# Rank K makes `step` K + 1 times, and only rank 0 makes `write`.
cat >rank.sh <<'END'
words=
for _ in $(seq 0 "$OMPI_COMM_WORLD_RANK"); do words="$words push step pop"; done
[ "$OMPI_COMM_WORLD_RANK" -ne 0 ] || words="$words push write pop"
exec say $words
END
run() { # WORDS...: four ranks
    timeout 100 mpirun --oversubscribe -n 4 "$@" >out 2>&1
}
run true || { echo "skipped: mpirun starts no ranks here: $(head -n 1 out)"; exit 77; }

n_checks=0 n_failed=0
compare() { # WHAT EXPECTED FOUND
    n_checks=$((n_checks + 1))
    [ "$2" = "$3" ] && return
    n_failed=$((n_failed + 1))
    printf 'FAILED: %s\n  expected: %s\n  found:    %s\n' "$1" "$2" "$3"
    cat out
}
# For each range: the number of ranks, and the total count.
counts() {
    rangeline stats -q -r rank_sum -f csv "$@" | tail -n +2 | cut -d, -f3,4,11 | sort | tr '\n' ' '
}
columns() {
    rangeline stats -q -r rank_sum -f csv "$@" | head -n 1 | cut -d, -f12-
}
ranks() {
    rangeline info --json "$@" | grep -oE '"rank":[0-9]+' | sort -u | tr '\n' ' '
}

run rangeline profile -o 'rank%q{OMPI_COMM_WORLD_RANK}' sh rank.sh
compare 'a launcher each: exit status' 0 $?
compare 'a launcher each: traces' 'rank0.rln rank1.rln rank2.rln rank3.rln' "$(echo *.rln)"
compare 'a launcher each: ranges' '1,1,:write 4,10,:step ' "$(counts rank?.rln)"
compare 'a launcher each: columns' 'Rank 0 (ns),Rank 1 (ns),Rank 2 (ns),Rank 3 (ns)' \
    "$(columns rank3.rln rank1.rln rank0.rln rank2.rln)"
compare 'a launcher each: one alone' '"rank":2 ' "$(ranks rank2.rln)"

rangeline profile -o all mpirun --oversubscribe -n 4 sh rank.sh >out 2>&1
compare 'one launcher: exit status' 0 $?
compare 'one launcher: ranges' '1,1,:write 4,10,:step ' "$(counts all.rln)"
compare 'one launcher: ranks' '"rank":0 "rank":1 "rank":2 "rank":3 ' "$(ranks all.rln)"
rangeline merge -o merged rank?.rln
compare 'merged: ranges' '1,1,:write 4,10,:step ' "$(counts merged.rln)"
compare 'without being asked, several ranks are compared' 1 \
    "$(rangeline stats all.rln | grep -c 'Rank Summary')"
compare 'one is not' 0 "$(rangeline stats rank0.rln | grep -c 'Rank Summary')"
echo "$n_checks checks, $n_failed failed"
[ $n_failed -eq 0 ]
