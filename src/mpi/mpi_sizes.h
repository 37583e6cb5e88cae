/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_sizes.h - how many bytes a call is about, by its arguments. Those that mean
 * nothing at this rank are not read: MPI lets them be anything. */
#ifndef RLN_MPI_SIZES_H
#define RLN_MPI_SIZES_H

#include "mpi/communicators.h"

/* Of a message, window or file. */
uint64_t rln__mpi_bytes(const struct rln__mpi_library *library,
                        const struct rln__mpi_call *call,
                        const struct rln__mpi_arguments *a);

/* Of this rank. What MPI_IN_PLACE stands for is counted once: as received, at the root of a
 * scatter as sent. */
struct rln__mpi_sizes {
    uint64_t sent, received;
};

struct rln__mpi_sizes rln__mpi_collective_sizes(const struct rln__mpi_library *library,
                                                const struct rln__mpi_call *call,
                                                const struct rln__mpi_arguments *a,
                                                const struct rln__communicator *c);

#endif
