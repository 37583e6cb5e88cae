/* SPDX-License-Identifier: Apache-2.0 */
#include "export/stream_spool.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/whole_io.h"

#include <errno.h>
#include <unistd.h>

static rln_status refuse(int error, rln_error *err)
{
    return rln__fail(err, RLN_ERR_IO, 0, "cannot write temporary file: %s",
                     strerror(error));
}

static rln_status open_file(struct rln__stream_spool *s, rln_error *err)
{
    const int fd =
        s->beside ? rln__unnamed_file_beside(s->beside) : rln__unnamed_file();

    if (fd < 0)
        return refuse(-fd, err);
    s->fd = fd + 1;
    return RLN_OK;
}

/* The rest, which is a block. */
static rln_status write_piece(struct rln__stream_spool *s,
                              struct rln__stream_spool_stream *stream, rln_error *err)
{
    uint64_t *piece;
    rln_status status = RLN_OK;
    int result;

    if (!s->fd)
        status = open_file(s, err);
    if (status)
        return status;
    result = rln__write_at(s->fd - 1, s->n_bytes, stream->rest.bytes, RLN__PIECE_BYTES);
    if (result < 0)
        return refuse(-result, err);
    piece = rln__append(&stream->pieces, &stream->n_pieces, &stream->capacity,
                        sizeof(*piece));
    if (!piece)
        return rln__fail_nomem(err);
    *piece = s->n_bytes;
    s->n_bytes += RLN__PIECE_BYTES;
    stream->rest.length = 0;
    return RLN_OK;
}

rln_status rln__stream_spool_add(struct rln__stream_spool *s, uint32_t number,
                                 const void *bytes, size_t length, rln_error *err)
{
    struct rln__stream_spool_stream *stream;
    rln_status status = RLN_OK;

    if (number >= s->n) {
        struct rln__stream_spool_stream *streams =
            rln__grow_to(s->streams, &s->n, &s->capacity, number, sizeof(*streams));

        if (!streams)
            return rln__fail_nomem(err);
        s->streams = streams;
    }
    stream = &s->streams[number];
    for (const char *at = bytes; length && !status;) {
        const size_t room = RLN__PIECE_BYTES - stream->rest.length;
        const size_t n = length < room ? length : room;

        rln__buf_add(&stream->rest, at, n);
        at += n;
        length -= n;
        if (stream->rest.has_failed)
            return rln__fail_nomem(err);
        if (stream->rest.length == RLN__PIECE_BYTES)
            status = write_piece(s, stream, err);
    }
    return status;
}

rln_status rln__stream_spool_replace(struct rln__stream_spool *s, uint32_t number,
                                     uint64_t at, const void *bytes, size_t length,
                                     rln_error *err)
{
    struct rln__stream_spool_stream *stream = &s->streams[number];
    const size_t piece = (size_t)(at / RLN__PIECE_BYTES),
                 begin = (size_t)(at % RLN__PIECE_BYTES);
    int result;

    if (piece == stream->n_pieces) {
        memcpy(stream->rest.bytes + begin, bytes, length);
        return RLN_OK;
    }
    result = rln__write_at(s->fd - 1, stream->pieces[piece] + begin, bytes, length);
    return result < 0 ? refuse(-result, err) : RLN_OK;
}

static rln_status read_bytes(const struct rln__stream_spool *s, uint64_t at, char *room,
                             size_t length, rln_error *err)
{
    size_t n_read;
    const int result = rln__read_at(s->fd - 1, at, room, length, &n_read);

    if (result < 0 || n_read < length)
        return refuse(result < 0 ? -result : EIO, err);
    return RLN_OK;
}

rln_status rln__stream_spool_read(const struct rln__stream_spool *s, uint32_t number,
                                  uint64_t at, size_t length, struct rln__buf *out,
                                  rln_error *err)
{
    const struct rln__stream_spool_stream *stream = &s->streams[number];
    rln_status status = RLN_OK;

    while (length && !status) {
        const size_t piece = (size_t)(at / RLN__PIECE_BYTES),
                     begin = (size_t)(at % RLN__PIECE_BYTES),
                     room = RLN__PIECE_BYTES - begin, n = length < room ? length : room;
        char *to = rln__buf_room(out, n);

        if (!to)
            return rln__fail_nomem(err);
        if (piece == stream->n_pieces)
            memcpy(to, stream->rest.bytes + begin, n);
        else
            status = read_bytes(s, stream->pieces[piece] + begin, to, n, err);
        out->length += n;
        at += n;
        length -= n;
    }
    return status;
}

rln_status rln__stream_spool_next(const struct rln__stream_spool *s, uint32_t number,
                                  size_t *at, char *room, rln_text *out, rln_error *err)
{
    const struct rln__stream_spool_stream *stream;
    rln_status status = RLN_OK;

    *out = (rln_text){NULL, 0};
    if (number >= s->n || *at > s->streams[number].n_pieces)
        return RLN_OK;
    stream = &s->streams[number];
    if (*at < stream->n_pieces) {
        status = read_bytes(s, stream->pieces[*at], room, RLN__PIECE_BYTES, err);
        *out = (rln_text){room, RLN__PIECE_BYTES};
    } else {
        *out = (rln_text){stream->rest.bytes, stream->rest.length};
    }
    ++*at;
    return status;
}

void rln__stream_spool_clear(struct rln__stream_spool *s)
{
    if (s->fd)
        (void)close(s->fd - 1);
    for (size_t i = 0; i < s->n; i++) {
        rln__free(s->streams[i].pieces);
        rln__buf_clear(&s->streams[i].rest);
    }
    rln__free(s->streams);
    memset(s, 0, sizeof(*s));
}
