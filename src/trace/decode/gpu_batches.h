/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_batches.h - reads GPU work: batches of deferred events with the schemas of
 * format/gpu_schemas.h.
 *
 *   chunk of deferred events   [batch][submitted event][batch]...
 *   all                          ^ its offset, size and earliest time
 *   rln__gpu_batch_read()        the events of one batch, by time
 *
 * Every event is whole: it has a begin and an end. An event with times that contradict
 * each other, or cannot be placed, has the time at which its batch was recorded, and is
 * marked.
 */
#ifndef RLN_TRACE_DECODE_GPU_BATCHES_H
#define RLN_TRACE_DECODE_GPU_BATCHES_H

#include "format/gpu_schemas.h"
#include "trace/decode/event_payloads.h"
#include "trace/open/time_domain.h"

struct rln__gpu_batch {
    uint64_t offset; /* of the record, in its file */
    uint64_t ticks;  /* of its recording */
    int64_t first_ns;
    uint32_t part, process, domain_id;
    uint32_t n;                /* events */
    uint32_t stream;           /* index of the thread that stands for it; RLN__NONE */
    uint32_t n_stride;         /* bytes of an element */
    uint8_t is_by_other_clock; /* than ranges: the system's, as CUPTI's times are */
    enum rln__gpu_kind kind;
};

struct rln__gpu_event {
    int64_t start_ns, end_ns;
    uint32_t element;
    uint32_t attr;   /* index */
    uint32_t thread; /* index: of the stream or of the calling thread; RLN__NONE */
    uint32_t tid;    /* the same */
    uint32_t correlation;
    uint8_t why_unplaced; /* rln__unplaced_cause, or 0 */
};

struct rln__gpu_batches {
    rln_reader *reader; /* borrowed; NULL: there are none */
    struct rln__time_domains times;
    struct rln__gpu_batch *all; /* owned; by first_ns, then by offset */
    size_t n, capacity;
    struct rln__map by_tid; /* process, tid -> thread + 1 */
    uint64_t *words;        /* owned: of the batch being read; the next points there */
    struct rln__payload_segments segments;
    size_t words_capacity;
};

/* Events of a batch, in a list that is reused. Empty when zeroed. */
struct rln__gpu_events {
    struct rln__gpu_event *items; /* owned */
    size_t n, capacity;
};

/* Whether a record of a chunk of deferred events, a batch, has GPU work. */
int rln__is_gpu_batch(struct rln__names *names, uint32_t process,
                      const uint64_t *words);

/* Finds all batches of the traces. On failure nothing is owned. */
rln_status rln__gpu_batches_find(struct rln__gpu_batches *batches, rln_reader *reader,
                                 rln_error *err);
void rln__gpu_batches_clear(struct rln__gpu_batches *batches);

/* Reads the events of a batch, by their begins. */
rln_status rln__gpu_batch_read(struct rln__gpu_batches *batches,
                               const struct rln__gpu_batch *batch,
                               struct rln__gpu_events *out, rln_error *err);

/* Copies the element of an event of the batch that was read last. Members that an older
 * schema lacks are 0. */
void rln__gpu_element(const struct rln__gpu_batches *batches,
                      const struct rln__gpu_batch *batch,
                      const struct rln__gpu_event *event, void *out, size_t n_bytes);

/* The attributes with the string of a handle; RLN__NONE when there is no memory. */
uint32_t rln__gpu_name(struct rln__gpu_batches *batches,
                       const struct rln__gpu_batch *batch, uint64_t handle);

/* Where the event's payload is. */
struct rln__record_address rln__gpu_event_address(const struct rln__gpu_batch *batch,
                                                  const struct rln__gpu_event *event);

#endif
