/* SPDX-License-Identifier: Apache-2.0 */
/* stream_spool.h - several streams, written at the same time and read one after
 * another.
 *
 *   file without a name   [a][b][a][c][a]...      blocks of 64 KiB
 *   stream a              blocks 0, 2, 4, and the part that is not written yet
 */
#ifndef RLN_EXPORT_STREAM_SPOOL_H
#define RLN_EXPORT_STREAM_SPOOL_H

#include "base/buf.h"
#include "rangeline/error.h"

#define RLN__PIECE_BYTES 65536u

struct rln__stream_spool_stream {
    uint64_t *pieces; /* owned: where each is in the file */
    size_t n_pieces, capacity;
    struct rln__buf rest;
};

struct rln__stream_spool {
    const char *beside; /* borrowed: the file is in the folder of this; NULL: TMPDIR */
    int fd;             /* + 1; 0: none yet */
    uint64_t n_bytes;
    struct rln__stream_spool_stream *streams; /* owned */
    size_t n, capacity;
};

/* Appends to a stream; numbers of streams are the caller's, from 0 on. */
rln_status rln__stream_spool_add(struct rln__stream_spool *spool, uint32_t stream,
                                 const void *bytes, size_t length, rln_error *err);

/* Replaces bytes of a stream, which are all in one block. */
rln_status rln__stream_spool_replace(struct rln__stream_spool *spool, uint32_t stream,
                                     uint64_t at, const void *bytes, size_t length,
                                     rln_error *err);

/* Appends bytes of a stream to `out`. */
rln_status rln__stream_spool_read(const struct rln__stream_spool *spool,
                                  uint32_t stream, uint64_t at, size_t length,
                                  struct rln__buf *out, rln_error *err);

/* The blocks of a stream, RLN__PIECE_BYTES each but the last; begin with `*at` = 0.
 * `*out` is borrowed until the next call, and empty after the last. `room` is the
 * caller's, of RLN__PIECE_BYTES. */
rln_status rln__stream_spool_next(const struct rln__stream_spool *spool,
                                  uint32_t stream, size_t *at, char *room,
                                  rln_text *out, rln_error *err);
void rln__stream_spool_clear(struct rln__stream_spool *spool);

#endif
