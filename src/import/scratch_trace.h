/* SPDX-License-Identifier: Apache-2.0 */
/* scratch_trace.h - writes a trace into a file without a name.
 *
 *   records --> stream's chunk in memory --full--> end of the file
 *
 * It is a trace as in docs/reference/FORMAT.md, so all code that reads traces can read
 * it. It is on disk because its source may be larger than memory. One tick is one
 * nanosecond; time 0 is RLN__SCRATCH_TRACE_ZERO ticks, so that times may be negative.
 */
#ifndef RLN_IMPORT_SCRATCH_TRACE_H
#define RLN_IMPORT_SCRATCH_TRACE_H

#include "format/layout.h"
#include "rangeline/error.h"

#define RLN__SCRATCH_TRACE_ZERO ((uint64_t)1 << 62)
/* Times farther from 0 are damage: 73 years in either direction. */
#define RLN__SCRATCH_TRACE_MAX_NS ((int64_t)1 << 61)

struct rln__scratch_trace {
    int fd;
    uint64_t end; /* of the chunks so far */
    uint64_t trace_id;
    int64_t monotonic_ns, realtime_ns; /* of time 0 */
    rln_status failed; /* the first failure of a write or an allocation */
};

/* The events of a thread, or the names or the deferred events of a process, one chunk
 * at a time. */
struct rln__scratch_trace_stream {
    uint32_t process, thread, tid; /* thread 0: names, or deferred events */
    int is_deferred;
    uint64_t at; /* of its chunk in the file; 0: none yet */
    uint64_t base_ticks;
    size_t size;    /* of the chunk */
    size_t used;    /* bytes of the chunk, header included */
    uint8_t *bytes; /* owned */
    size_t capacity;
};

static inline int rln__scratch_trace_has_time(int64_t ns)
{
    return ns >= -RLN__SCRATCH_TRACE_MAX_NS && ns <= RLN__SCRATCH_TRACE_MAX_NS;
}

static inline uint64_t rln__scratch_trace_ticks(int64_t ns)
{
    return RLN__SCRATCH_TRACE_ZERO + (uint64_t)ns;
}

/* Makes the file, in TMPDIR. On failure nothing is owned. */
rln_status rln__scratch_trace_init(struct rln__scratch_trace *trace, uint64_t trace_id,
                                   rln_error *err);
void rln__scratch_trace_clear(struct rln__scratch_trace *trace);

/* Reserves a record of `n_words`, zeroed; events must come in time order. NULL without
 * memory or disk space, with the status in `failed`. `*offset_words` is its offset in
 * the file. The words are valid until the stream's next record. */
uint64_t *rln__scratch_trace_take(struct rln__scratch_trace *trace,
                                  struct rln__scratch_trace_stream *stream,
                                  uint64_t ticks, size_t n_words,
                                  uint64_t *offset_words, rln_error *err);

/* Writes the rest of a stream, and frees it. */
rln_status rln__scratch_trace_end(struct rln__scratch_trace *trace,
                                  struct rln__scratch_trace_stream *stream,
                                  rln_error *err);

/* Writes the superblock, which makes the file a trace. Then the caller owns
 * `trace->fd`. */
rln_status rln__scratch_trace_seal(struct rln__scratch_trace *trace, const char *host,
                                   rln_error *err);

#endif
