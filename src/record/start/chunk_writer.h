/* SPDX-License-Identifier: Apache-2.0 */
/* chunk_writer.h - fills chunks of the trace with the launcher's own records.
 *
 * The file may be read while we write: a record is a hole of its length until its
 * operands are written (docs/reference/FORMAT.md, 4). One thread at a time uses a
 * writer; several writers may fill one file.
 */
#ifndef RLN_RECORD_START_CHUNK_WRITER_H
#define RLN_RECORD_START_CHUNK_WRITER_H

#include "format/superblock.h"
#include "record/start/newest_chunks.h"

struct rln__chunk_writer {
    /* Filled in by the caller; the rest is 0. */
    const struct rln__file *file;      /* borrowed until the end */
    uint32_t process;                  /* the launcher's index */
    uint16_t kind;                     /* enum rln__chunk_kind */
    uint32_t thread;                   /* of the headers of the next chunks */
    struct rln__newest_chunks *newest; /* borrowed; NULL: all chunks are kept */

    /* Private. */
    uint64_t *words;   /* owned mapping of the chunk, or NULL */
    size_t n_words;    /* written so far, header included */
    size_t most_words; /* that it has room for */
    uint32_t n_bytes;  /* of the chunk, or the last one */
    uint64_t begun_ns; /* of CLOCK_MONOTONIC */
    uint64_t base_ticks;
    uint32_t sequence; /* of the next chunk */
};

/* Begins the first chunk. 0 or -errno. */
int rln__chunk_writer_begin(struct rln__chunk_writer *writer);

/* Room for a record of `n_words`, already a hole of that length. If the chunk has none,
 * another begins, whose times count from `base`, a reading of the clocks; NULL: from
 * now. NULL on a full disk, or if the trace was truncated. */
uint64_t *rln__chunk_writer_take(struct rln__chunk_writer *writer, size_t n_words,
                                 const struct rln__clock_tuple *base);

/* Makes a long record of the hole at `at`, whose operands are written. */
void rln__chunk_writer_announce(uint64_t *at, unsigned sub, size_t n_words);

void rln__chunk_writer_end(struct rln__chunk_writer *writer);

#endif
