/* SPDX-License-Identifier: Apache-2.0 */
/* rank.h - which rank of a job a process is. */
#ifndef RLN_TRACE_OPEN_RANK_H
#define RLN_TRACE_OPEN_RANK_H

#include "trace/open/load.h"

/* The rank in the process's environment, else that of the process that forked it, else
 * that of the launcher. RLN_NO_RANK if there is none. */
uint32_t rln__rank_of(const rln_reader *reader, uint32_t process);

/* Counts the ranks of an MPI, Slurm or torchrun job that the traces contain, according
 * to the environment of their processes. */
size_t rln__reader_count_ranks(const rln_reader *reader);

#endif
