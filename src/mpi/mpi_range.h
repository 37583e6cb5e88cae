/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_range.h - a call of MPI becomes a range of NVTX.
 *
 *     the program --> MPI_Send (here) --> push, the real one, pop
 *
 * A library of MPI may call its own functions: only the outermost call of a thread is
 * recorded, so that what the program called is what the trace has.
 */
#ifndef RLN_MPI_RANGE_H
#define RLN_MPI_RANGE_H

#include "mpi/mpi_call.h"

/* Whether the call is recorded. `caller` is an address in the code that calls the
 * function. */
bool rln__mpi_begin(const struct rln__mpi_call *call,
                    const struct rln__mpi_arguments *a, const void *caller);
/* To be called after each call, recorded or not. */
void rln__mpi_end(const struct rln__mpi_call *call, const struct rln__mpi_arguments *a,
                  const void *caller, bool is_recorded, bool has_failed);

#endif
