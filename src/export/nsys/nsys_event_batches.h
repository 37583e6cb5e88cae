/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_event_batches.h - the rows of NVTX_EVENTS as Arrow's batches, in the order in which
 * they began, although a range that is set aside (rows.h) gets its row much later.
 *
 *   rows --> records of one size, as many as a batch has
 *              | all are there:  a batch, made by a second thread --> spool
 *              | some are held:  records ---------------------------> spool
 *              v                    ^ late rows
 *   at the end: batches as they are, and those made of records
 *
 * Texts of a record, other than those that last as long as the trace is open, are where
 * they begin in the texts beside the records, from 1 on.
 */
#ifndef RLN_EXPORT_NSYS_NSYS_EVENT_BATCHES_H
#define RLN_EXPORT_NSYS_NSYS_EVENT_BATCHES_H

#include "base/hash.h"
#include "base/worker.h"
#include "export/arrow/arrow_ipc.h"
#include "export/nsys/nsys_event.h"
#include "export/stream_spool.h"

/* As many rows as a batch has, or fewer. */
struct rln__nsys_event_records {
    struct rln__buf records, texts;
    uint64_t first;  /* the number of the first record */
    uint32_t n_held; /* rows that are missing */
};

/* Where a batch is. */
struct rln__nsys_event_batch {
    uint64_t first; /* the number of its first record */
    uint64_t at;    /* in its stream */
    uint64_t n_bytes;
    uint8_t is_made; /* else there are its records */
};

struct rln__nsys_event_batches {
    struct rln__stream_spool *spool; /* borrowed, as the next */
    const struct rln__ipc_table *table;
    struct rln__block_codec *codec; /* owned, as all these; or NULL */
    uint32_t first_stream;          /* in the spool, of several */
    struct rln__nsys_event_records filled[2], *filling;
    struct rln__worker worker;
    struct rln__nsys_event_records *given; /* to the worker */
    struct rln__arrow_batch columns;       /* the worker's, as the next */
    struct rln__buf message;
    struct rln__nsys_event_batch *batches; /* in order */
    size_t n_batches, capacity;
    uint64_t n_records;   /* so far */
    uint64_t n_bytes[3];  /* of each stream */
    struct rln__map held; /* number of a range that was set aside -> its record + 1 */
};

/* Zeroed before. `spool` has streams from `first_stream` on for it. */
rln_status rln__nsys_event_batches_init(struct rln__nsys_event_batches *batches,
                                        const struct rln__ipc_table *table,
                                        struct rln__stream_spool *spool,
                                        uint32_t first_stream, rln_error *err);
void rln__nsys_event_batches_clear(struct rln__nsys_event_batches *batches);

/* Adds a row, or gives one that was held. */
rln_status rln__nsys_event_batches_add(struct rln__nsys_event_batches *batches,
                                       const struct rln__nsys_event *event,
                                       rln_error *err);
/* Holds a row for the range that is set aside by this number. */
rln_status rln__nsys_event_batches_hold(struct rln__nsys_event_batches *batches,
                                        uint64_t number, rln_error *err);

/* Writes all batches, after the last row. */
rln_status rln__nsys_event_batches_write(struct rln__nsys_event_batches *batches,
                                         const struct rln__arrow_sink *sink,
                                         rln_error *err);

#endif
