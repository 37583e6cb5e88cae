/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - calls functions of MPI, in C and as Fortran does. The fake library prints
 * what arrives there; this prints what they return. */
#include "fake_mpi.h"

#include <errno.h>
#include <stdio.h>

static void check(const char *name, int result, int expected)
{
    if (result != expected)
        printf("%s returned %d\n", name, result);
    if (errno)
        printf("%s: errno %d\n", name, errno);
    errno = 0;
}

#define CALL(name, ...) check(#name, MPI_##name(__VA_ARGS__), 0)

static void call_fortran(void)
{
    double x[64] = {0};
    int count = 64, type = fake_double_to_fortran(), to = 3, tag = 9, op = 0, error = 1;
    int comm = fake_comm_to_fortran(MPI_COMM_WORLD);

    mpi_send_(x, &count, &type, &to, &tag, &comm, &error);
    check("mpi_send_", error, 0);
    ompi_send_f(x, &count, &type, &to, &tag, &comm, &error);
    check("ompi_send_f", error, 0);
    mpi_allreduce_(&mpi_fortran_in_place_, x, &count, &type, &op, &comm, &error);
    check("mpi_allreduce_", error, 0);
}

static void call_collectives(MPI_Comm comm)
{
    const int ones[] = {1, 1, 1, 1}, steps[] = {1, 2, 3, 4};
    double x[64] = {0}, y[64];

    CALL(Barrier, comm);
    CALL(Bcast, x, 10, MPI_DOUBLE, 1, comm);
    CALL(Bcast, x, 10, MPI_DOUBLE, 0, comm);
    CALL(Allreduce, x, y, 4, MPI_DOUBLE, 0, comm);
    CALL(Allreduce, MPI_IN_PLACE, y, 4, MPI_DOUBLE, 0, comm);
    CALL(Reduce, x, y, 4, MPI_DOUBLE, 0, 0, comm);
    /* Only the root says what it receives, or sends. */
    CALL(Gather, x, 2, MPI_DOUBLE, NULL, 5, MPI_DATATYPE_NULL, 0, comm);
    CALL(Gather, x, 2, MPI_DOUBLE, y, 2, MPI_DOUBLE, 1, comm);
    CALL(Scatterv, NULL, NULL, NULL, MPI_DATATYPE_NULL, y, 3, MPI_DOUBLE, 0, comm);
    CALL(Scatterv, x, steps, ones, MPI_DOUBLE, MPI_IN_PLACE, 3, MPI_DATATYPE_NULL, 1,
         comm);
    CALL(Alltoallv, x, ones, steps, MPI_DOUBLE, y, steps, ones, MPI_DOUBLE, comm);
    CALL(Reduce_scatter, x, y, steps, MPI_DOUBLE, 0, comm);
}

int main(int argc, char **argv)
{
    double x[64] = {0}, y[64];
    MPI_Request request = 0;
    MPI_Comm odd, none;
    int status = 0;

    errno = 0;
    CALL(Init, &argc, &argv);
    CALL(Send, x, 8, MPI_DOUBLE, 2, 5, MPI_COMM_WORLD);
    check("a send that fails", MPI_Send(x, 13, MPI_DOUBLE, 2, 5, MPI_COMM_WORLD), 17);
    /* Mistakes are the program's: the recorder asks nothing about them. */
    CALL(Send, x, 8, MPI_DATATYPE_NULL, 2, 5, MPI_COMM_WORLD);
    CALL(Barrier, MPI_COMM_NULL);
    check("no communicator", MPI_Comm_split(MPI_COMM_WORLD, 1, 7, NULL), 5);
    CALL(Send, NULL, 8, MPI_DATATYPE_NULL, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    if (MPI_Send_c)
        CALL(Send_c, x, 8, MPI_DOUBLE, 2, 6, MPI_COMM_WORLD);
    else
        CALL(Send, x, 8, MPI_DOUBLE, 2, 6, MPI_COMM_WORLD);
    CALL(Recv, y, 16, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    CALL(Sendrecv, x, 1, MPI_DOUBLE, 2, 3, y, 4, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD,
         &status);
    CALL(Wait, &request, &status);
    call_collectives(MPI_COMM_WORLD);
    CALL(Comm_split, MPI_COMM_WORLD, 1, 7, &odd);
    CALL(Comm_split, MPI_COMM_WORLD, -1, 7, &none);
    CALL(Send, x, 8, MPI_DOUBLE, 1, 5, odd);
    CALL(Bcast, x, 10, MPI_DOUBLE, 0, odd);
    CALL(Comm_free, &odd);
    CALL(Comm_split, MPI_COMM_WORLD, 1, 7, &odd);
    CALL(Barrier, odd);
    CALL(File_write_at_all, &status, 1LL << 40, x, 32, MPI_DOUBLE, &status);
    call_fortran();
    check("Finalize", MPI_Finalize(), 0);
    return 3;
}
