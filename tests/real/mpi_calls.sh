#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpi_calls.sh BUILD_DIR - with -t mpi, programs in C and Fortran and Debian's tests of
# ScaLAPACK answer as without, with Open MPI and with MPICH, and their calls are recorded.
#
# Rank 2 of the programs comes to each barrier after the others.
set -u
build=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PATH=$build/bin:$PATH
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for variable in $(compgen -v RANGELINE_) NVTX_INJECTION64_PATH; do unset "$variable"; done

cat >late.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Comm half;
    int rank, n, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    for (int i = 0; i < 20; i++) {
        if (rank == 2)
            usleep(50000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    printf("rank %d: %d\n", rank, sum);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
END
write_fortran() { # MODULE
    cat <<END
program late
  use $1
  implicit none
  integer :: rank, n, sum, half, i, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, n, error)
  do i = 1, 20
    if (rank == 2) call execute_command_line('sleep 0.05')
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  sum = rank
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  print '(A,I0,A,I0)', 'rank ', rank, ': ', sum
  call MPI_Finalize(error)
end program
END
}
write_fortran mpi >late_f.f90
write_fortran mpi_f08 >late_f08.f90

n_checks=0 n_failed=0
check() { # WHAT COMMAND...
    n_checks=$((n_checks + 1))
    what=$1
    shift
    "$@" >check.out 2>&1 && return
    n_failed=$((n_failed + 1))
    echo "FAILED: $what"
    cat check.out
}
is_rank_2_late() { # TRACE
    rangeline stats -q -r late_rank_sum -f csv "$1" | tee table |
        awk -F, 'NR == 2 { exit !($3 == 2 && $4 >= 16 && $8 == 4 && $9 == "MPI_Barrier") }'
    late=$?
    cat table
    return $late
}
has_calls() { # TRACE COUNT TEXT
    [ "$(rangeline print "$1" | grep -c " push .*$3")" -eq "$2" ] && return
    rangeline print "$1" | grep ' push ' | tail -n 40
    return 1
}
# The output of four ranks, in whatever order, without times.
run() { # FILE COMMAND...
    out=$1
    shift
    timeout 200 "$@" >"$out.raw" 2>"$out.err"
    echo "exit status $?" >>"$out.raw"
    sed -E 's/[0-9]+\.[0-9]+|ompi_|elapsed.*//g' "$out.raw" | sort >"$out"
}
try_kind() { # KIND CC FORTRAN LAUNCHER...
    kind=$1 cc=$2 fortran=$3
    shift 3
    if ! command -v "$cc" >/dev/null || ! command -v "$1" >/dev/null; then
        echo "skipped: $kind is not installed"
        return
    fi
    "$cc" -o late_c late.c || exit 1
    "$fortran" -w -o late_f late_f.f90 || exit 1
    "$fortran" -w -o late_f08 late_f08.f90 || exit 1
    for program in late_c late_f late_f08; do
        run alone "$@" -n 4 "./$program"
        run recorded rangeline profile -q -f -o "$program" -t mpi "$@" -n 4 "./$program"
        check "$kind, $program: the output" diff alone recorded
        check "$kind, $program: its ranks" grep -q 'rank 3' recorded
        check "$kind, $program: who is late" is_rank_2_late "$program.rln"
        check "$kind, $program: barriers" has_calls "$program.rln" 80 \
            'MPI_Barrier  MPI meeting{communicator=0, number=.*ranks=4}'
    done
    check "$kind: a communicator" has_calls late_c.rln 4 \
        'MPI_Allreduce  MPI collective{bytes sent=4, bytes received=4, communicator=[1-9].*, number=1, ranks=2'
    check "$kind: in place" has_calls late_f.rln 4 \
        'MPI_Allreduce  MPI collective{bytes sent=0, bytes received=4, communicator=0, '
}
# Its ranks factorize matrices, and check the results. Those of MPICH spin while they wait, which
# more ranks than processors make slow.
try_scalapack() { # KIND RANKS LAUNCHER...
    kind=$1 n=$2
    shift 2
    program=$(echo /usr/lib/*/scalapack/"$kind"-tests/xdlu)
    [ -x "$program" ] || { echo "skipped: scalapack-mpi-test is not installed"; return; }
    cp /usr/share/scalapack/LU.dat .
    run recorded rangeline profile -q -f -o lu -t mpi "$@" -n "$n" "$program"
    check "$kind, ScaLAPACK: it passes" grep -q ' 0 tests completed and failed' recorded
    check "$kind, ScaLAPACK: calls" test "$(rangeline print lu.rln | grep -c ' push .*MPI_Bcast')" -gt 1000
    check "$kind, ScaLAPACK: waits" test "$(rangeline stats -q -r late_rank_sum -f csv lu.rln | wc -l)" -gt 3
}
try_kind open_mpi mpicc.openmpi mpif90.openmpi mpirun.openmpi --oversubscribe
try_kind mpich mpicc.mpich mpif90.mpich mpiexec.mpich
try_scalapack openmpi 4 mpirun.openmpi --oversubscribe
try_scalapack mpich 2 mpiexec.mpich
echo "$n_checks checks, $n_failed failed"
[ "$n_failed" -eq 0 ] || exit 1
[ "$n_checks" -gt 0 ] || exit 77
