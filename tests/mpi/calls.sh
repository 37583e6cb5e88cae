#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calls.sh BUILD_DIR - with -t mpi, calls of MPI arrive as without, and are recorded: of
# Open MPI's and MPICH's kind, in C and Fortran, by a program and by a module that a
# program loads. UPDATE=1 renews calls.expected.
set -u
tests=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for variable in $(compgen -v RANGELINE_) NVTX_INJECTION64_PATH; do unset "$variable"; done
rangeline() { "$build/bin/rangeline" "$@"; }
# The libraries make none of the sanitizers' calls first.
export ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
status=0

check() { # NAME COMMAND...
    name=$1
    shift
    "$@" argument >alone 2>&1
    echo "exit status $?" >>alone
    rangeline profile -q -o "$name" -t mpi --cpuctxsw=none "$@" argument >out 2>&1
    echo "exit status $?" >>out
    diff -u alone out && grep -qx 'exit status 3' out && grep -qx 'Finalize' out || status=1
    # Numbers of communicators are the same in each run.
    rangeline print "$name.rln" | sed -n 's/.* push  *MPI://p' >"$name.calls"
    [ -z "${UPDATE-}" ] || cp "$name.calls" "$tests/calls.expected"
    diff -u "$tests/calls.expected" "$name.calls" || status=1
    [ "$(rangeline print "$name.rln" | grep -c ' pop ')" -eq "$(wc -l <"$name.calls")" ] ||
        { echo "$name: not every range has ended"; status=1; }
}
for kind in open_mpi mpich; do
    check "$kind" "$build/bin/mpi-calls-$kind"
    check "$kind-module" "$build/bin/mpi-load" "$build/tests/mpi/libmpi-module-$kind.so"
done

# Four ranks, of which the third comes last to a barrier: the others wait there for 100 ms each.
for rank in 0 1 2 3; do
    OMPI_COMM_WORLD_RANK=$rank FAKE_LATE_RANK=2 rangeline profile -q -o "rank$rank" -t mpi \
        --cpuctxsw=none "$build/bin/mpi-calls-open_mpi" argument >"out$rank" &
done
wait
rangeline stats -q -r late_rank_sum -f csv rank?.rln >late
awk -F, 'NR == 2 { exit !($2 > 295e6 && $3 == 2 && $4 == 1 && $8 == 4 && $9 == "MPI_Barrier") }' \
    late || { echo "rank 2 was late:"; cat late; status=1; }
rangeline analyze -r late-rank rank?.rln >finding
tr -s '\n ' ' ' <finding | grep -qE \
    'late-rank: ranks wait in MPI:MPI_Barrier .* in 1 call; 100 % of that for rank 2' ||
    { cat finding; status=1; }
# Three of the four say nothing of the fourth.
rangeline stats -q -r late_rank_sum -f csv rank[013].rln >late
[ "$(wc -l <late)" -le 1 ] || { echo "without rank 2:"; cat late; status=1; }

# A program without MPI.
rangeline profile -q -o none -t mpi --cpuctxsw=none "$build/bin/say" mark here >out 2>&1
[ "$(rangeline print none.rln | grep -c ' mark ')" -eq 1 ] || { cat out; status=1; }
exit $status
