/* SPDX-License-Identifier: Apache-2.0 */
#include "import/scratch_trace.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/whole_io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static rln_status refuse(int error, rln_error *err)
{
    return rln__fail(
        err, RLN_ERR_IO, 0,
        "cannot write temporary file: %s\nhint: set TMPDIR to a folder with more space",
        strerror(error));
}

rln_status rln__scratch_trace_init(struct rln__scratch_trace *trace, uint64_t trace_id,
                                   rln_error *err)
{
    const int fd = rln__unnamed_file();

    *trace = (struct rln__scratch_trace){
        .fd = fd, .end = RLN__SUPERBLOCK_BYTES, .trace_id = trace_id ? trace_id : 1};
    return fd < 0 ? refuse(-fd, err) : RLN_OK;
}

void rln__scratch_trace_clear(struct rln__scratch_trace *trace)
{
    if (trace->fd >= 0)
        (void)close(trace->fd);
    trace->fd = -1;
}

static rln_status write_at(const struct rln__scratch_trace *trace, const void *bytes,
                           size_t n_bytes, uint64_t at, rln_error *err)
{
    const int result = rln__write_at(trace->fd, at, bytes, n_bytes);

    return result < 0 ? refuse(-result, err) : RLN_OK;
}

/* --- Chunks ----------------------------------------------------------------------- */

/* The clocks at a time. Before the system's clock began there is no tuple, which is
 * harmless: the superblock's tuple is sufficient. */
static struct rln__clock_tuple tuple_at(const struct rln__scratch_trace *trace,
                                        uint64_t ticks)
{
    const int64_t ns = (int64_t)(ticks - RLN__SCRATCH_TRACE_ZERO);

    if (ns < -trace->monotonic_ns)
        return (struct rln__clock_tuple){.ticks = ticks};
    return (struct rln__clock_tuple){
        .ticks = ticks,
        .monotonic_ns = (uint64_t)(trace->monotonic_ns + ns),
        .realtime_ns = (uint64_t)(trace->realtime_ns + ns)};
}

/* Readers get zeros, which are no records, for bytes that are not written. */
static rln_status write_chunk(const struct rln__scratch_trace *trace,
                              struct rln__scratch_trace_stream *s, rln_error *err)
{
    const struct rln__clock_tuple base = tuple_at(trace, s->base_ticks);
    const struct rln__chunk_header header = {
        .magic = RLN__CHUNK_MAGIC,
        .kind = s->thread        ? RLN__CHUNK_EVENTS
                : s->is_deferred ? RLN__CHUNK_DEFERRED
                                 : RLN__CHUNK_NAMES,
        .trace_id = trace->trace_id,
        .size_bytes = (uint32_t)s->size,
        .process = s->process,
        .thread = s->thread,
        .tid = s->tid,
        .base_ticks = s->base_ticks,
        .base_monotonic_ns = base.monotonic_ns,
        .base_realtime_ns = base.realtime_ns,
    };

    if (!s->at)
        return RLN_OK;
    memcpy(s->bytes, &header, sizeof(header));
    return write_at(trace, s->bytes, s->used, s->at, err);
}

static void begin_chunk(struct rln__scratch_trace *trace,
                        struct rln__scratch_trace_stream *s, uint64_t ticks,
                        size_t n_bytes)
{
    const size_t align = RLN__CHUNK_ALIGN;

    s->at = trace->end;
    s->base_ticks = ticks;
    s->size = (RLN__CHUNK_HEADER_BYTES + n_bytes + align - 1) / align * align;
    s->used = RLN__CHUNK_HEADER_BYTES;
    trace->end += s->size;
}

uint64_t *rln__scratch_trace_take(struct rln__scratch_trace *trace,
                                  struct rln__scratch_trace_stream *s, uint64_t ticks,
                                  size_t n_words, uint64_t *offset_words,
                                  rln_error *err)
{
    const size_t n_bytes = n_words * 8;
    uint8_t *bytes;

    if (!s->at || n_bytes > s->size - s->used) {
        trace->failed = write_chunk(trace, s, err);
        if (trace->failed)
            return NULL;
        begin_chunk(trace, s, ticks, n_bytes);
    }
    /* Grows as needed: in a file with many threads, most streams are short. */
    bytes = rln__grow(s->bytes, &s->capacity, s->used + n_bytes, 1);
    if (!bytes) {
        trace->failed = rln__fail_nomem(err);
        return NULL;
    }
    s->bytes = bytes;
    bytes += s->used;
    memset(bytes, 0, n_bytes);
    if (offset_words)
        *offset_words = (s->at + s->used) / 8;
    s->used += n_bytes;
    return (uint64_t *)(void *)bytes;
}

rln_status rln__scratch_trace_end(struct rln__scratch_trace *trace,
                                  struct rln__scratch_trace_stream *s, rln_error *err)
{
    const rln_status status = write_chunk(trace, s, err);

    rln__free(s->bytes);
    memset(s, 0, sizeof(*s));
    return status;
}

/* --- The superblock --------------------------------------------------------------- */

rln_status rln__scratch_trace_seal(struct rln__scratch_trace *trace, const char *host,
                                   rln_error *err)
{
    const uint64_t align = RLN__BLOCK_ALIGN;
    const struct rln__clock_tuple zero = tuple_at(trace, RLN__SCRATCH_TRACE_ZERO);
    struct rln__superblock super = {
        .major = RLN__MAJOR,
        .minor = RLN__MINOR,
        .superblock_bytes = RLN__SUPERBLOCK_BYTES,
        .trace_id = trace->trace_id,
        .next_free = (trace->end + align - 1) / align * align,
        .clock_kind = RLN__CLOCK_MONOTONIC_RAW,
        .ticks_per_s = 1000000000,
        .finished = RLN__HAS_ENDED,
        .created = {zero, zero},
    };

    memcpy(super.magic, RLN__MAGIC, sizeof(super.magic));
    memcpy(super.host, host, strnlen(host, sizeof(super.host) - 1));
    if (ftruncate(trace->fd, (off_t)super.next_free))
        return refuse(errno, err);
    return write_at(trace, &super, sizeof(super), 0, err);
}
