/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_library.h - the program's library of MPI: the functions that are wrapped, those
 * that are asked, and what differs between Open MPI and MPICH. */
#ifndef RLN_MPI_LIBRARY_H
#define RLN_MPI_LIBRARY_H

#include "mpi/mpi_call.h"

/* A function that was found: with as many words as it has arguments. */
union rln__mpi_function {
    void *symbol;
    int (*with_comm)(uintptr_t comm, int *out);
    int (*with_two)(uintptr_t one, uintptr_t *out);
    int (*translate)(uintptr_t from, int n, const int *ranks, uintptr_t to, int *out);
    int (*with_address)(uintptr_t *handle);
    int (*with_flag)(int *flag);
    uintptr_t (*convert)(int fortran);
};

struct rln__mpi_library {
    union rln__mpi_function type_size, comm_size, comm_rank, comm_test_inter,
        comm_group, group_translate_ranks, group_free, initialized, finalized,
        comm_from_fortran, type_from_fortran; /* the last two may lack */
    bool has_int_handles;                     /* MPICH, and those with its ABI */
    uintptr_t world, no_communicator, no_type;
    /* Of MPI_IN_PLACE in Fortran: Open MPI's variable, MPICH's pointer to one; or 0. */
    uintptr_t fortran_reuse;
    int any_peer, no_peer; /* MPI_ANY_SOURCE, MPI_PROC_NULL */
};

/* The function that the program would call without this library, or NULL. `caller` is an
 * address in the code that calls it. */
void *rln__mpi_find(const char *name, const void *caller);

/* The library of MPI that an initialized program uses. NULL if it is of a kind that is
 * not known, or MPI is not initialized, or no longer: then nothing may be asked. */
const struct rln__mpi_library *rln__mpi_library(const void *caller);

/* A handle of C, from that of an argument; `convert` as in the library. */
uintptr_t rln__mpi_handle(const struct rln__mpi_library *library,
                          const struct rln__mpi_arguments *a, unsigned number,
                          union rln__mpi_function convert);

/* The communicator at the address that is the argument. */
uintptr_t rln__mpi_communicator_at(const struct rln__mpi_library *library,
                                   const struct rln__mpi_arguments *a, unsigned number);

/* Whether the argument is MPI_IN_PLACE. */
bool rln__mpi_reuses_buffer(const struct rln__mpi_library *library,
                            const struct rln__mpi_arguments *a, unsigned number);

#endif
