/* SPDX-License-Identifier: Apache-2.0 */
/* split.c - writes one window of a trace as a trace of its own; split_plan.h decides on
 * its contents.
 *
 * Records keep their offsets, which identify ranges: the files have holes, and take no
 * more space than their content. Each file has all names and all memory calls; deferred
 * events are in the file of the window in which they were submitted.
 */
#include "rewrite/split.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/whole_io.h"
#include "rewrite/split_plan.h"
#include "trace/open/split_id.h"

enum { CLOCK_WORDS = 5 };

struct rln__split {
    struct rln__damages damages;
    struct rln__input file;
    struct rln__layout layout;
    struct rln__names names;
    struct rln__split_plan plan;
};

struct writer {
    const struct rln__split *split;
    struct rln__cursor cursor;
    uint64_t *chunk;   /* owned: the chunk that is written */
    size_t capacity;   /* words */
    uint64_t trace_id; /* of the window's file, as rln__split_id() makes it */
    uint32_t window;
    int to;
};

static rln_status write_words(const struct writer *w, uint64_t at,
                              const uint64_t *words, size_t n_bytes, rln_error *err)
{
    const int result = rln__write_sparse(w->to, at, words, n_bytes);

    return result < 0 ? rln__fail(err, RLN_ERR_IO, at, "%s", strerror(-result))
                      : RLN_OK;
}

/* --- chunks ----------------------------------------------------------------------- */

/* Reads a chunk, and makes it one of the window's file. */
static rln_status read_chunk(struct writer *w, const struct rln__chunk_info *c,
                             rln_error *err)
{
    const size_t n_bytes = (size_t)(c->end - c->offset);
    uint64_t *room = rln__grow(w->chunk, &w->capacity, n_bytes / 8, sizeof(*room));
    rln_status status;

    if (!room)
        return rln__fail_nomem(err);
    w->chunk = room;
    status = rln__input_read(&w->split->file, c->offset, room, n_bytes, NULL, err);
    if (!status)
        memcpy((char *)room + offsetof(struct rln__chunk_header, trace_id),
               &w->trace_id, sizeof(w->trace_id));
    return status;
}

static int is_kept(const struct writer *w, const struct rln__chunk_info *c,
                   const struct rln__record *record)
{
    const struct rln__split_plan *plan = &w->split->plan;
    uint32_t window;

    if (c->kind == RLN__CHUNK_EVENTS)
        return rln__split_has(plan, record, c->base_ticks, w->window);
    window = rln__split_window_at(plan, rln__split_ticks_of(record, c->base_ticks));
    return (window == RLN__NO_WINDOW ? 0 : window) == w->window;
}

/* Records that are not kept become zeros, which mean nothing. */
static rln_status write_records(struct writer *w, const struct rln__chunk_info *c,
                                rln_error *err)
{
    const size_t n_words = (size_t)(c->end - c->offset) / 8;
    struct rln__record record;
    const size_t header = RLN__CHUNK_HEADER_BYTES / 8;
    rln_status status = read_chunk(w, c, err);

    if (status)
        return status;
    memset(w->chunk + header, 0, (n_words - header) * 8);
    rln__cursor_begin(&w->cursor, &w->split->file, c);
    while ((status = rln__cursor_next(&w->cursor, &record, err)) == RLN_OK) {
        const size_t at = (size_t)(record.offset - c->offset) / 8;

        if (at + record.n_words > n_words || !is_kept(w, c, &record))
            continue;
        memcpy(w->chunk + at, record.words, record.n_words * 8ull);
    }
    return status == RLN_END ? write_words(w, c->offset, w->chunk, n_words * 8, err)
                             : status;
}

static rln_status write_whole(struct writer *w, const struct rln__chunk_info *c,
                              rln_error *err)
{
    const rln_status status = read_chunk(w, c, err);

    return status
               ? status
               : write_words(w, c->offset, w->chunk, (size_t)(c->end - c->offset), err);
}

/* Whether it belongs to other windows only. */
static int is_left_out(const struct writer *w, size_t at)
{
    const struct rln__chunk_info *c = &w->split->layout.chunks[at];
    const struct rln__window_span *span = &w->split->plan.chunks[at];

    return c->part == 0 && c->kind == RLN__CHUNK_EVENTS &&
           (w->window < span->low || span->high < w->window);
}

static rln_status write_chunk(struct writer *w, size_t at, rln_error *err)
{
    const struct rln__chunk_info *c = &w->split->layout.chunks[at];

    if (c->part != 0 || is_left_out(w, at))
        return RLN_OK;
    if (c->kind == RLN__CHUNK_EVENTS || c->kind == RLN__CHUNK_DEFERRED)
        return write_records(w, c, err);
    return write_whole(w, c, err);
}

/* --- clocks ----------------------------------------------------------------------- */

/* Clock tuples of omitted chunks go into chunks of names after all others, so that a
 * window's times equal those of the whole trace, to the nanosecond. */
struct clocks {
    uint64_t words[RLN__CHUNK_ALIGN / 8];
    size_t n; /* words in use */
};

static void begin_clocks(struct clocks *clocks, uint64_t trace_id,
                         const struct rln__chunk_info *c)
{
    const struct rln__chunk_header header = {
        .magic = RLN__CHUNK_MAGIC,
        .kind = RLN__CHUNK_NAMES,
        .uncertainty_16ticks = c->uncertainty_16ticks,
        .trace_id = trace_id,
        .size_bytes = RLN__CHUNK_ALIGN,
        .process = c->process,
        .base_ticks = c->base_ticks,
        .base_monotonic_ns = c->base_monotonic_ns,
        .base_realtime_ns = c->base_realtime_ns,
    };

    memset(clocks, 0, sizeof(*clocks));
    memcpy(clocks->words, &header, sizeof(header));
    clocks->n = RLN__CHUNK_HEADER_BYTES / 8;
}

static void put_clock(struct clocks *clocks, const struct rln__chunk_info *c)
{
    uint64_t *to = &clocks->words[clocks->n];

    to[0] = rln__long_word(RLN__LONG, RLN__SUB_CLOCK, CLOCK_WORDS);
    to[1] = c->base_ticks;
    to[2] = c->base_monotonic_ns;
    to[3] = c->base_realtime_ns;
    to[4] = c->uncertainty_16ticks * 16u;
    clocks->n += CLOCK_WORDS;
}

/* Writes them at `*end`, and moves it to the new end of the file. */
static rln_status flush_clocks(const struct writer *w, const struct clocks *clocks,
                               uint64_t *end, rln_error *err)
{
    const uint64_t at = *end;

    if (clocks->n == 0)
        return RLN_OK;
    *end += sizeof(clocks->words);
    return write_words(w, at, clocks->words, sizeof(clocks->words), err);
}

static rln_status write_clocks(const struct writer *w, uint64_t *end, rln_error *err)
{
    const struct rln__layout *layout = &w->split->layout;
    struct clocks clocks = {.n = 0};
    rln_status status = RLN_OK;

    *end = (*end + RLN__CHUNK_ALIGN - 1) / RLN__CHUNK_ALIGN * RLN__CHUNK_ALIGN;
    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        if (!is_left_out(w, i))
            continue;
        if (clocks.n == 0 || clocks.n + CLOCK_WORDS > RLN__CHUNK_ALIGN / 8) {
            status = flush_clocks(w, &clocks, end, err);
            begin_clocks(&clocks, w->trace_id, &layout->chunks[i]);
        }
        put_clock(&clocks, &layout->chunks[i]);
    }
    return status ? status : flush_clocks(w, &clocks, end, err);
}

/* --- the superblock --------------------------------------------------------------- */

/* Has one window, which is over if it was closed. */
static rln_status write_superblock(const struct writer *w, rln_error *err)
{
    const struct rln__part *part = &w->split->layout.parts[0];
    const struct rln__window *window = &w->split->plan.windows[w->window];
    struct rln__superblock *super = rln__alloc(1, RLN__SUPERBLOCK_BYTES);
    struct rln__control *control;
    rln_status status;

    if (!super)
        return rln__fail_nomem(err);
    control = &super->control;
    *super = part->super;
    super->trace_id = w->trace_id;
    memset(control, 0, sizeof(*control));
    control->gate = 1ull << 32 | (window->closed ? RLN__GATE_OVER : 0u);
    memcpy((char *)super + RLN__WINDOWS_OFFSET, window, sizeof(*window));
    status = write_words(w, 0, (const uint64_t *)(const void *)super,
                         RLN__SUPERBLOCK_BYTES, err);
    rln__free(super);
    return status;
}

/* --- outside ---------------------------------------------------------------------- */

static rln_status write_window(struct writer *w, rln_error *err)
{
    const struct rln__layout *layout = &w->split->layout;
    uint64_t end = layout->parts[0].end;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < layout->n_chunks && !status; i++)
        status = write_chunk(w, i, err);
    if (!status)
        status = write_clocks(w, &end, err);
    if (!status && ftruncate(w->to, (off_t)end) < 0)
        status = rln__fail(err, RLN_ERR_IO, 0, "%s", strerror(errno));
    return status ? status
                  : write_superblock(w, err); /* last: without it, it is no trace */
}

rln_status rln__split_write(struct rln__split *split, size_t index, int fd,
                            rln_error *err)
{
    struct writer w = {.split = split, .window = (uint32_t)index, .to = fd};
    rln_status status;

    if (index >= split->plan.n_windows)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot write window: index=%zu: there are %u", index,
                         split->plan.n_windows);
    w.trace_id = rln__split_id(split->layout.parts[0].super.trace_id, w.window);
    status = rln__cursor_init(&w.cursor, 8192, err);
    if (status)
        return status;
    status = write_window(&w, err);
    rln__cursor_clear(&w.cursor);
    rln__free(w.chunk);
    return status;
}

size_t rln__split_count(const struct rln__split *split)
{
    return split->plan.n_windows;
}

uint64_t rln__split_count_unlisted(const struct rln__split *split)
{
    return split->plan.n_unlisted;
}

/* Refuses traces that cannot be split by windows. */
static rln_status check_kind(const struct rln__layout *layout, rln_error *err)
{
    if (layout->n_parts > 1)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "it contains several runs");
    if (layout->parts[0].super.ring.buffer_bytes)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "it was recorded with --buffer");
    return RLN_OK;
}

static rln_status plan(struct rln__split *s, rln_error *err)
{
    rln_status status = rln__names_init(&s->names, err);

    if (!status)
        status = rln__layout_add(&s->layout, &s->file, err);
    if (!status)
        status = check_kind(&s->layout, err);
    if (!status)
        status = rln__names_load(&s->names, &s->layout, err);
    return status ? status : rln__split_plan_make(&s->plan, &s->layout, &s->names, err);
}

rln_status rln__split_open(const char *path, struct rln__split **out, rln_error *err)
{
    struct rln__split *s = rln__alloc(1, sizeof(*s));
    rln_status status;

    *out = NULL;
    if (!s)
        return rln__fail_nomem(err);
    status = rln__input_open(&s->file, path, &s->damages, err);
    if (status) {
        rln__damages_clear(&s->damages);
        rln__free(s);
        return status;
    }
    status = plan(s, err);
    if (status)
        rln__split_close(s);
    else
        *out = s;
    return status;
}

void rln__split_close(struct rln__split *s)
{
    if (!s)
        return;
    rln__split_plan_clear(&s->plan);
    rln__names_clear(&s->names);
    rln__layout_clear(&s->layout);
    rln__input_close(&s->file);
    rln__damages_clear(&s->damages);
    rln__free(s);
}
