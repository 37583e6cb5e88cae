/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.h - calls of NCCL and RCCL that say how many bytes they move, as sums
 * that add up.
 *
 *     thread   |-- ncclAllReduce, 4096 bytes --|   a range of the domain NCCL, with a
 *                  [launch]                        payload: how long the call took
 *     GPU                [    nccl kernel    ]     launched in it: the transfer
 *
 * Calls between ncclGroupStart() and ncclGroupEnd() launch their kernels in the latter,
 * outside of all ranges of calls.
 */
#ifndef RLN_REPORTS_GPU_COLLECTIVES_H
#define RLN_REPORTS_GPU_COLLECTIVES_H

#include "base/key_index.h"
#include "rangeline/reader.h"

/* Of calls of one name and number of bytes. */
struct rln__collective {
    uint64_t n; /* at least 1 */
    uint64_t total_ns, min_ns, max_ns;
    uint64_t n_on_gpu, gpu_ns; /* calls that launched kernels; the time of these */
};

/* Adds b to a. 0, or -1: more than 64 bits. */
int rln__collective_add(struct rln__collective *a, const struct rln__collective *b);

struct rln__collective_row {
    uint32_t of;   /* index of the process; 0 over all */
    rln_text name; /* borrowed */
    uint64_t bytes;
    struct rln__collective sum;
};

/* Empty when zeroed. */
struct rln__collectives {
    struct rln__key_index keys;        /* {of, name, bytes} */
    struct rln__collective_row *items; /* owned; by number of the key */
    size_t n, capacity;
};

/* Of equal names, the texts are at one address. */
rln_status rln__collectives_add(struct rln__collectives *all, uint32_t of,
                                rln_text name, uint64_t bytes,
                                const struct rln__collective *sum, rln_error *err);
void rln__collectives_clear(struct rln__collectives *all);

/* Reads the calls that the reader's filter and window select, of each process. To be
 * cleared, also after a failure. */
rln_status rln__collectives_read(struct rln__collectives *all, rln_reader *reader,
                                 rln_error *err);

#endif
