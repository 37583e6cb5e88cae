/* SPDX-License-Identifier: Apache-2.0 */
/* scratch_trace.h - a trace made of something else, in a file without a name.
 *
 *   records --> stream's chunk in memory --full--> the next place of the file
 *
 * It is a trace as in docs/FORMAT.md, so everything that reads traces reads this one,
 * too. It is on disk because its source may be larger than memory. One tick is one
 * nanosecond; the moment 0 is RLN__SCRATCH_TRACE_ZERO ticks, which leaves room before
 * it.
 */
#ifndef RLN_IMPORT_SCRATCH_TRACE_H
#define RLN_IMPORT_SCRATCH_TRACE_H

#include "format/layout.h"
#include "rangeline/error.h"

#define RLN__SCRATCH_TRACE_ZERO ((uint64_t)1 << 62)
/* Times farther from 0 are damage: 73 years, in either direction. */
#define RLN__SCRATCH_TRACE_MAX_NS ((int64_t)1 << 61)

struct rln__scratch_trace {
    int fd;
    uint64_t end; /* of what is taken */
    uint64_t trace_id;
    int64_t monotonic_ns, realtime_ns; /* of the moment 0 */
    rln_status failed;                 /* why there was no room; RLN_OK if there was */
};

/* Takes one thread's events, or one process's names, a chunk at a time. */
struct rln__scratch_trace_stream {
    uint32_t process, thread, tid; /* thread 0: names */
    uint64_t at;                   /* of its chunk in the file; 0: none yet */
    uint64_t base_ticks;
    size_t size;    /* of the chunk */
    size_t used;    /* of it, header included */
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
rln_status rln__scratch_trace_init(struct rln__scratch_trace *image, uint64_t trace_id,
                                   rln_error *err);
void rln__scratch_trace_clear(struct rln__scratch_trace *image);

/* Room for a record of `n_words`, zeroed; events must come in time order. NULL if there
 * is no memory or no disk, and `failed` says which. `*place` is its position, in words.
 * The words are valid until the stream's next record. */
uint64_t *rln__scratch_trace_take(struct rln__scratch_trace *image,
                                  struct rln__scratch_trace_stream *stream,
                                  uint64_t ticks, size_t n_words, uint64_t *place,
                                  rln_error *err);

/* Writes the rest of a stream, and frees it. */
rln_status rln__scratch_trace_end(struct rln__scratch_trace *image,
                                  struct rln__scratch_trace_stream *stream,
                                  rln_error *err);

/* Writes the superblock, which makes the file a trace. Then the caller owns
 * `image->fd`. */
rln_status rln__scratch_trace_seal(struct rln__scratch_trace *image, const char *host,
                                   rln_error *err);

#endif
