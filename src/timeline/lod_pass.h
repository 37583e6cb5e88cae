/* SPDX-License-Identifier: Apache-2.0 */
/* lod_pass.h - the pass over a trace, or over some chunks, that builds an index. */
#ifndef RLN_TIMELINE_LOD_PASS_H
#define RLN_TIMELINE_LOD_PASS_H

#include "timeline/lod_building.h"
#include "timeline/lod_threads.h"

/* Details of an open range, beside struct rln__open at the same index of the pool. */
struct rln__lod_begun {
    struct rln__lod_event event; /* nowhere: the range was open before its window */
    uint32_t level;              /* or lane */
    uint32_t row;
    uint8_t value_type, has_payloads;
};

/* The end of a range that is still open. */
static inline int64_t rln__lod_end_of_open(const struct rln__lod *lod,
                                           const struct rln__open *open)
{
    const uint32_t thread = lod->threads[open->thread].thread;
    const uint32_t process = lod->reader->threads[thread].process;

    return rln__part_ends_of(&lod->engine.part_ends,
                             lod->reader->names.processes[process].part, open->t_ns);
}

/* A finer index of a narrow span. */
struct rln__lod_narrow {
    struct rln__lod lod;
    int64_t from_ns, to_ns;
};

/* A thread's events in one chunk, and the ranges that were open before them. */
struct rln__lod_segment {
    struct rln__chunk_info chunk;
    uint32_t thread;
    uint32_t n_open;
    int64_t from_ns, to_ns;     /* of its first event, and of the first after it */
    struct rln__lod_seed *open; /* owned; the oldest first */
};

struct rln__lod_seed {
    int64_t t_ns;
    uint64_t address;
    uint32_t attr, domain_id, level;
    uint8_t value_type, has_payloads, state;
    uint64_t held; /* of the filter's payload tests */
};

/* Reads some chunks whose threads have been seeded. */
rln_status rln__lod_read_chunks(struct rln__lod *lod,
                                const struct rln__chunk_info *chunks, size_t n,
                                rln_error *err);
int rln__lod_seed(struct rln__lod *lod, const struct rln__lod_segment *segment,
                  const struct rln__lod_seed *seed);

#define RLN__ADDRESS_SHIFT 48 /* an address: {part:16, offset:48} */

/* The phase of events: reads a chunk. RLN_END: there is none left. */
rln_status rln__lod_begin_events(struct rln__lod *lod, rln_error *err);
rln_status rln__lod_read_chunk(struct rln__lod *lod, rln_error *err);
/* The phase of deferred events: reads up to `n`, likewise. */
rln_status rln__lod_begin_deferred(struct rln__lod *lod, rln_error *err);
rln_status rln__lod_read_some_deferred(struct rln__lod *lod, size_t n, rln_error *err);

/* Ends the ranges that are still open. */
rln_status rln__lod_close_open(struct rln__lod *lod, rln_error *err);

#endif
