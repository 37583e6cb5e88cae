/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_call.h - what a function of MPI says of itself by its arguments.
 *
 *     MPI_Send(buffer, count, type, destination, tag, communicator)
 *                      2      3     4            5    6
 *
 * All arguments are machine words: MPI passes no structure and no floating-point number
 * by value. Handles are pointers in Open MPI and ints in MPICH; so libraries of both
 * kinds are served by one build. In Fortran all arguments are addresses.
 */
#ifndef RLN_MPI_CALL_H
#define RLN_MPI_CALL_H

#include <stdbool.h>
#include <stdint.h>

enum rln__mpi_kind {
    RLN__MPI_PLAIN,      /* nothing: MPI_Wait() */
    RLN__MPI_MESSAGE,    /* bytes, peer, tag, communicator */
    RLN__MPI_COLLECTIVE, /* bytes sent and received, root, communicator, its ranks */
    RLN__MPI_MEETING,    /* communicator, its ranks: MPI_Barrier() */
    RLN__MPI_DATA,       /* bytes, of a window or file */
};

/* How many bytes a count means. */
enum {
    RLN__MPI_SENDS_TO_EACH = 1,      /* a count is that for one rank of all */
    RLN__MPI_RECEIVES_FROM_EACH = 2, /* likewise */
    RLN__MPI_ROOT_SENDS = 4,         /* at other ranks, what to send says nothing */
    RLN__MPI_ROOT_RECEIVES = 8,      /* likewise */
    RLN__MPI_OTHERS_RECEIVE = 16,    /* the root does not: MPI_Bcast() */
    RLN__MPI_ARRAY_SENDS = 32,       /* an array with a count for each rank */
    RLN__MPI_ARRAY_RECEIVES = 64,    /* likewise */
    RLN__MPI_OWN_OF_ARRAY = 128,     /* a rank receives its own count of the array */
};

/* Numbers of arguments, from 1; 0: it has none. */
struct rln__mpi_call {
    const char *name;
    uint8_t kind, sizes;
    uint8_t count, type; /* of what is sent, or of all that there is */
    uint8_t receive_count, receive_type;
    uint8_t buffer, receive_buffer; /* that may be MPI_IN_PLACE */
    uint8_t peer, tag, root, communicator;
    uint8_t creates; /* a communicator, from `communicator` */
    uint8_t frees;   /* a communicator */
};

struct rln__mpi_arguments {
    const uintptr_t *words; /* by number */
    bool is_fortran;
    bool has_large_counts; /* MPI_Count instead of int */
};

static inline int rln__mpi_integer(const struct rln__mpi_arguments *a, unsigned number)
{
    const uintptr_t word = a->words[number];

    return a->is_fortran ? *(const int *)word : (int)word;
}

static inline int64_t rln__mpi_count(const struct rln__mpi_arguments *a,
                                     unsigned number)
{
    return a->has_large_counts ? (int64_t)a->words[number]
                               : rln__mpi_integer(a, number);
}

#endif
