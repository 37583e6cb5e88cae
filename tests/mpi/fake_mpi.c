/* SPDX-License-Identifier: Apache-2.0 */
/* fake_mpi.c - a library of MPI without other processes: this process is rank 1 of four.
 *
 * It prints the arguments of each call as they arrive, and asks after the error that a
 * real one would raise: types are refused that mean nothing at this rank.
 */
#include "fake_mpi.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/* As libraries of MPI do it: what is called is weak, for others to replace. */
#define MPI(type, name, ...)                                                           \
    EXPORTED type PMPI_##name(__VA_ARGS__);                                            \
    EXPORTED type MPI_##name(__VA_ARGS__) __attribute__((weak, alias("PMPI_" #name))); \
    type PMPI_##name(__VA_ARGS__)

enum { WORLD_RANKS = 4, OWN_RANK = 1, MOST_COMMS = 16, WAIT_US = 100000 };

struct communicator {
    int n, own_rank;
    int members[WORLD_RANKS];
};

static struct communicator comms[MOST_COMMS] = {{WORLD_RANKS, OWN_RANK, {0, 1, 2, 3}}};
static int n_comms = 1, is_initialized, is_finalized;

#ifdef FAKE_MPICH
static MPI_Comm comm_of(int number)
{
    return MPI_COMM_WORLD + number;
}
static int number_of(MPI_Comm comm)
{
    return comm - MPI_COMM_WORLD;
}
static MPI_Group group_of(int number)
{
    return number + 1;
}
static int number_of_group(MPI_Group group)
{
    return group - 1;
}
#else
EXPORTED struct fake_handle ompi_mpi_comm_world, ompi_mpi_comm_null = {-1}, fake_double,
                                                 ompi_mpi_datatype_null;
static struct fake_handle handles[MOST_COMMS];

static MPI_Comm comm_of(int number)
{
    handles[number].number = number;
    return number ? &handles[number] : MPI_COMM_WORLD;
}
static int number_of(MPI_Comm comm)
{
    return comm->number;
}
static MPI_Group group_of(int number)
{
    return comm_of(number);
}
static int number_of_group(MPI_Group group)
{
    return group->number;
}
#endif

static void die(const char *what)
{
    printf("MPI: %s\n", what);
    (void)fflush(stdout);
    abort();
}

static const struct communicator *get(MPI_Comm comm)
{
    const int number = number_of(comm);

    if (!is_initialized || is_finalized)
        die("a question outside of MPI_Init and MPI_Finalize");
    if (number < 0 || number >= n_comms || !comms[number].n)
        die("no such communicator");
    return &comms[number];
}

/* --- What may be asked ------------------------------------------------------------ */

MPI(int, Initialized, int *out)
{
    *out = is_initialized;
    return 0;
}

MPI(int, Finalized, int *out)
{
    *out = is_finalized;
    return 0;
}

MPI(int, Type_size, MPI_Datatype type, int *out)
{
    if (!is_initialized || is_finalized)
        die("a question outside of MPI_Init and MPI_Finalize");
    if (type != MPI_DOUBLE)
        die("no such type");
    errno = EINVAL; /* as it may be after any call of a library */
    *out = sizeof(double);
    return 0;
}

MPI(int, Comm_size, MPI_Comm comm, int *out)
{
    *out = get(comm)->n;
    return 0;
}

MPI(int, Comm_rank, MPI_Comm comm, int *out)
{
    *out = get(comm)->own_rank;
    return 0;
}

MPI(int, Comm_test_inter, MPI_Comm comm, int *out)
{
    (void)get(comm);
    *out = 0;
    return 0;
}

MPI(int, Comm_remote_size, MPI_Comm comm, int *out)
{
    (void)comm;
    (void)out;
    die("it has no other group");
    return 1;
}

MPI(int, Comm_group, MPI_Comm comm, MPI_Group *out)
{
    (void)get(comm);
    *out = group_of(number_of(comm));
    return 0;
}

MPI(int, Comm_remote_group, MPI_Comm comm, MPI_Group *out)
{
    (void)comm;
    (void)out;
    die("it has no other group");
    return 1;
}

MPI(int, Group_free, MPI_Group *group)
{
    (void)group;
    return 0;
}

MPI(int, Group_translate_ranks, MPI_Group from, int n, const int *ranks, MPI_Group to,
    int *out)
{
    const struct communicator *a = &comms[number_of_group(from)];
    const struct communicator *b = &comms[number_of_group(to)];

    for (int i = 0; i < n; i++) {
        out[i] = -32766;
        if (ranks[i] < 0 || ranks[i] >= a->n)
            die("no such rank");
        for (int k = 0; k < b->n; k++)
            if (b->members[k] == a->members[ranks[i]])
                out[i] = k;
    }
    return 0;
}

#ifndef FAKE_MPICH
MPI(MPI_Comm, Comm_f2c, int fortran)
{
    return comm_of(fortran);
}

MPI(MPI_Datatype, Type_f2c, int fortran)
{
    return fortran == 7 ? MPI_DOUBLE : MPI_DATATYPE_NULL;
}
#endif

/* --- Calls ------------------------------------------------------------------------ */

static int address(const void *p)
{
    return p == MPI_IN_PLACE ? -1 : p != NULL;
}

MPI(int, Init, int *argc, char ***argv)
{
    printf("Init %d %s\n", *argc, (*argv)[1]);
    is_initialized = 1;
    return 0;
}

MPI(int, Finalize, void)
{
    printf("Finalize\n");
    is_finalized = 1;
    return 0;
}

MPI(int, Send, const void *buffer, int count, MPI_Datatype type, int to, int tag,
    MPI_Comm comm)
{
    printf("Send %d %d %d %d %d %d\n", address(buffer), count, type == MPI_DOUBLE, to,
           tag, number_of(comm));
    return count == 13 ? 17 : 0;
}

#ifdef FAKE_MPICH
EXPORTED int PMPI_Send_c(const void *, long long, MPI_Datatype, int, int, MPI_Comm);
EXPORTED int MPI_Send_c(const void *, long long, MPI_Datatype, int, int, MPI_Comm)
    __attribute__((weak, alias("PMPI_Send_c")));
int PMPI_Send_c(const void *buffer, long long count, MPI_Datatype type, int to, int tag,
                MPI_Comm comm)
{
    printf("Send %d %lld %d %d %d %d\n", address(buffer), count, type == MPI_DOUBLE, to,
           tag, number_of(comm));
    return 0;
}
#endif

MPI(int, Recv, void *buffer, int count, MPI_Datatype type, int from, int tag,
    MPI_Comm comm, void *status)
{
    printf("Recv %d %d %d %d %d %d %d\n", address(buffer), count, type == MPI_DOUBLE,
           from, tag, number_of(comm), address(status));
    return 0;
}

MPI(int, Sendrecv, const void *sent, int n_sent, MPI_Datatype sent_type, int to,
    int sent_tag, void *received, int n_received, MPI_Datatype received_type, int from,
    int received_tag, MPI_Comm comm, void *status)
{
    printf("Sendrecv %d %d %d %d %d %d %d %d %d %d %d %d\n", address(sent), n_sent,
           sent_type == MPI_DOUBLE, to, sent_tag, address(received), n_received,
           received_type == MPI_DOUBLE, from, received_tag, number_of(comm),
           address(status));
    return 0;
}

MPI(int, Wait, MPI_Request *request, void *status)
{
    printf("Wait %d %d\n", address(request), address(status));
    return 0;
}

/* Where all ranks but one wait for that one. */
MPI(int, Barrier, MPI_Comm comm)
{
    const char *late = getenv("FAKE_LATE_RANK");
    const char *own = getenv("OMPI_COMM_WORLD_RANK");

    printf("Barrier %d\n", number_of(comm));
    if (late && own && strcmp(late, own) != 0)
        (void)usleep(WAIT_US);
    return 0;
}

MPI(int, Bcast, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    printf("Bcast %d %d %d %d %d\n", address(buffer), count, type == MPI_DOUBLE, root,
           number_of(comm));
    return 0;
}

MPI(int, Allreduce, const void *sent, void *received, int count, MPI_Datatype type,
    MPI_Op op, MPI_Comm comm)
{
    (void)op;
    printf("Allreduce %d %d %d %d %d\n", address(sent), address(received), count,
           type == MPI_DOUBLE, number_of(comm));
    return 0;
}

/* It calls another one: what the program has not called is not recorded. */
MPI(int, Reduce, const void *sent, void *received, int count, MPI_Datatype type,
    MPI_Op op, int root, MPI_Comm comm)
{
    (void)op;
    printf("Reduce %d %d %d %d %d %d\n", address(sent), address(received), count,
           type == MPI_DOUBLE, root, number_of(comm));
    return MPI_Send(sent, 1, MPI_DOUBLE, root, 0, comm);
}

MPI(int, Gather, const void *sent, int n_sent, MPI_Datatype sent_type, void *received,
    int n_received, MPI_Datatype received_type, int root, MPI_Comm comm)
{
    printf("Gather %d %d %d %d %d %d %d %d\n", address(sent), n_sent,
           sent_type == MPI_DOUBLE, address(received), n_received,
           received_type == MPI_DOUBLE, root, number_of(comm));
    return 0;
}

MPI(int, Scatterv, const void *sent, const int *n_sent, const int *places,
    MPI_Datatype sent_type, void *received, int n_received, MPI_Datatype received_type,
    int root, MPI_Comm comm)
{
    printf("Scatterv %d %d %d %d %d %d %d %d %d\n", address(sent), address(n_sent),
           address(places), sent_type == MPI_DOUBLE, address(received), n_received,
           received_type == MPI_DOUBLE, root, number_of(comm));
    return 0;
}

MPI(int, Alltoallv, const void *sent, const int *n_sent, const int *sent_places,
    MPI_Datatype sent_type, void *received, const int *n_received,
    const int *received_places, MPI_Datatype received_type, MPI_Comm comm)
{
    printf("Alltoallv %d %d %d %d %d %d %d %d %d\n", address(sent), n_sent[3],
           address(sent_places), sent_type == MPI_DOUBLE, address(received),
           n_received[3], address(received_places), received_type == MPI_DOUBLE,
           number_of(comm));
    return 0;
}

MPI(int, Reduce_scatter, const void *sent, void *received, const int *counts,
    MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    (void)op;
    printf("Reduce_scatter %d %d %d %d %d\n", address(sent), address(received),
           counts[3], type == MPI_DOUBLE, number_of(comm));
    return 0;
}

/* Odd ranks, or those whose number is the color. */
MPI(int, Comm_split, MPI_Comm from, int color, int key, MPI_Comm *out)
{
    struct communicator *c = &comms[n_comms];

    printf("Comm_split %d %d %d\n", number_of(from), color, key);
    if (!out)
        return 5;
    if (color < 0) {
        *out = MPI_COMM_NULL;
        return 0;
    }
    *c = (struct communicator){2, 0, {1, 3}};
    *out = comm_of(n_comms++);
    return 0;
}

MPI(int, Comm_free, MPI_Comm *comm)
{
    printf("Comm_free %d\n", number_of(*comm));
    n_comms--; /* the handle is used again */
    *comm = MPI_COMM_NULL;
    return 0;
}

MPI(int, File_write_at_all, void *file, long long offset, const void *buffer, int count,
    MPI_Datatype type, void *status)
{
    printf("File_write_at_all %d %lld %d %d %d %d\n", address(file), offset,
           address(buffer), count, type == MPI_DOUBLE, address(status));
    return 0;
}

/* --- Fortran ---------------------------------------------------------------------- */

EXPORTED int mpi_fortran_in_place_;

#ifdef FAKE_MPICH
/* MPICH's calls those of C by their names, which may be replaced. */
#define CALL_C(name) MPI_##name
EXPORTED void *MPIR_F_MPI_IN_PLACE = &mpi_fortran_in_place_;
static MPI_Comm comm_from(int fortran)
{
    return fortran;
}
static MPI_Datatype type_from(int fortran)
{
    return fortran;
}
EXPORTED int fake_comm_to_fortran(MPI_Comm comm)
{
    return comm;
}
EXPORTED int fake_double_to_fortran(void)
{
    return MPI_DOUBLE;
}
#else
#define CALL_C(name) PMPI_##name
static MPI_Comm comm_from(int fortran)
{
    return comm_of(fortran);
}
static MPI_Datatype type_from(int fortran)
{
    return fortran == 7 ? MPI_DOUBLE : MPI_DATATYPE_NULL;
}
EXPORTED int fake_comm_to_fortran(MPI_Comm comm)
{
    return number_of(comm);
}
EXPORTED int fake_double_to_fortran(void)
{
    return 7;
}
#endif

EXPORTED void ompi_send_f(void *buffer, int *count, int *type, int *to, int *tag,
                          int *comm, int *error)
{
    *error =
        CALL_C(Send)(buffer, *count, type_from(*type), *to, *tag, comm_from(*comm));
}

EXPORTED void mpi_send_(void *buffer, int *count, int *type, int *to, int *tag,
                        int *comm, int *error)
    __attribute__((weak, alias("ompi_send_f")));

EXPORTED void mpi_allreduce_(void *sent, void *received, int *count, int *type, int *op,
                             int *comm, int *error)
{
    (void)op;
    *error = CALL_C(Allreduce)(sent == &mpi_fortran_in_place_ ? MPI_IN_PLACE : sent,
                               received, *count, type_from(*type), 0, comm_from(*comm));
}
