/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/overwritten_chunks.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "trace/open/item.h"
#include "trace/open/opened.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- Places ----------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct rln__chunk_place *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static rln_status load_places(rln_reader *r, rln_error *err)
{
    struct rln__overwritten_chunks *overwritten = &r->overwritten;
    struct rln__chunk_place *places =
        rln__resize(overwritten->places, r->layout.n_chunks + 1, sizeof(*places));

    if (!places)
        return rln__fail_nomem(err);
    overwritten->places = places;
    overwritten->n_places = 0;
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk_info *c = &r->layout.chunks[i];

        if (rln__chunk_has_place(c->kind))
            places[overwritten->n_places++] = (struct rln__chunk_place){
                c->place, c->place + (c->end - c->offset) / 8, c->part, (uint32_t)i};
    }
    if (overwritten->n_places)
        qsort(places, overwritten->n_places, sizeof(*places), by_place);
    return RLN_OK;
}

/* The chunk that holds `place`, or NULL. */
static const struct rln__chunk_place *
find(const struct rln__overwritten_chunks *overwritten, uint32_t part, uint64_t place)
{
    size_t low = 0, high = overwritten->n_places;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct rln__chunk_place *p = &overwritten->places[middle];

        if (p->part < part || (p->part == part && p->place <= place))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    low--;
    return overwritten->places[low].part == part &&
                   place >= overwritten->places[low].place &&
                   place < overwritten->places[low].end
               ? &overwritten->places[low]
               : NULL;
}

int rln__start_is_overwritten(const rln_reader *r, uint32_t part, uint64_t id)
{
    const struct rln__ring_buffer *super = &r->layout.parts[part].super.ring;

    return super->buffer_bytes && id && id < super->next_place &&
           !find(&r->overwritten, part, id);
}

/* --- Where a thread's record begins ----------------------------------------------- */

/* Sets the time at which the chunk enters the merge: that of the first push that it
 * repeats, the earliest of its items. */
static rln_status find_entry(const rln_reader *r, struct rln__chunk_info *c,
                             rln_error *err)
{
    const struct rln__input *file = r->layout.parts[c->part].file;
    const uint64_t begin = c->offset + RLN__CHUNK_HEADER_BYTES;
    uint64_t words[RLN__CONTINUED_WORDS], record[2] = {0, 0};
    rln_status status = rln__input_read(file, begin, words, sizeof(words), NULL, err);
    uint64_t at;

    if (status)
        return status;
    at = RLN__CONTINUED_WORDS + (words[5] & UINT32_MAX);
    if (at + 2 > rln__record_words(words[0]) || begin + at * 8 + 16 > c->end)
        return RLN_OK;
    status = rln__input_read(file, begin + at * 8, record, sizeof(record), NULL, err);
    if (record[1] && record[1] < c->enter_ticks)
        c->enter_ticks = record[1];
    return status;
}

static rln_status find_beginnings(rln_reader *r, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < r->layout.n_chunks && !status; i++) {
        struct rln__chunk_info *c = &r->layout.chunks[i];
        const struct rln__chunk_place *before =
            c->place_before ? find(&r->overwritten, c->part, c->place_before) : NULL;

        c->begins_record = c->place_before && !before;
        if (c->begins_record && c->kind == RLN__CHUNK_RING)
            status = find_entry(r, c, err);
    }
    return status;
}

/* --- Older chunks ----------------------------------------------------------------- */

/* Where the records of threads begin, by part, process and thread, and where the switches
 * of a part do, which are all in one record. */
struct begun {
    struct rln__key_index keys;
    uint64_t *places; /* owned */
    size_t n, capacity;
};

/* NULL: no memory. */
static uint64_t *begun_at(struct begun *begun, const struct rln__chunk_info *c)
{
    const bool is_of_thread = c->kind == RLN__CHUNK_RING;
    const struct rln__key key = {{(uint64_t)c->part << 32 | c->process,
                                  is_of_thread ? (uint64_t)c->thread : UINT64_MAX}};

    return rln__key_index_item(&begun->places, &begun->n, &begun->capacity,
                               rln__key_index_number(&begun->keys, &key),
                               sizeof(*begun->places));
}

static int find_begun(const rln_reader *r, struct begun *begun)
{
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk_info *c = &r->layout.chunks[i];
        uint64_t *place;

        if (!c->begins_record)
            continue;
        place = begun_at(begun, c);
        if (!place)
            return -1;
        *place = c->place > *place ? c->place : *place;
    }
    return 0;
}

/* A thread may have chunks from before its record begins, where one in between is gone.
 * Ranges open in them are repeated, with their original times, so with these chunks
 * they would appear twice. */
static rln_status leave_out_older(rln_reader *r, rln_error *err)
{
    struct begun begun = {0};
    int has_failed = find_begun(r, &begun);
    size_t n = 0;

    for (size_t i = 0; i < r->layout.n_chunks && !has_failed && begun.n; i++) {
        const struct rln__chunk_info *c = &r->layout.chunks[i];
        const bool has_place = rln__chunk_has_place(c->kind);
        const uint64_t *place = has_place ? begun_at(&begun, c) : NULL;

        has_failed = has_place && !place;
        if (!place || c->place >= *place)
            r->layout.chunks[n++] = *c;
    }
    if (begun.n && !has_failed)
        r->layout.n_chunks = n;
    rln__key_index_clear(&begun.keys);
    rln__free(begun.places);
    return has_failed ? rln__fail_nomem(err) : load_places(r, err);
}

/* --- Kept starts and ends --------------------------------------------------------- */

/* 0, or -1 when there is no memory. */
static int add_kept(rln_reader *r, uint32_t part, const struct rln__kept_record *k)
{
    const uint32_t process = rln__names_process(&r->names, part, k->process);
    const int is_start = k->kind == RLN__START;
    struct rln__kept_item *out;
    uint32_t thread, ref;

    if ((!is_start && k->kind != RLN__END) || find(&r->overwritten, part, k->place))
        return 0;
    if (process == RLN__NONE)
        return -1;
    thread = rln__reader_thread(r, process, k->thread, k->tid);
    ref = is_start ? rln__reader_attr(r, process, k->id) : k->id;
    if (thread == RLN__NONE || (is_start && ref == RLN__NONE))
        return -1;
    out = rln__append(&r->overwritten.kept, &r->overwritten.n_kept,
                      &r->overwritten.kept_capacity, sizeof(*out));
    if (!out)
        return -1;
    *out = (struct rln__kept_item){
        .item = {.ticks = k->ticks,
                 .value = k->range,
                 .ref = ref,
                 .thread = thread,
                 .n_words = 1,
                 .kind = (uint8_t)k->kind,
                 .has_value = !is_start},
        .t_ns = rln__reader_ns(r, part, k->ticks),
        .part = part,
    };
    return 0;
}

static rln_status load_kept_chunk(rln_reader *r, const struct rln__chunk_info *c,
                                  struct rln__cursor *cursor, rln_error *err)
{
    struct rln__kept_record kept;
    struct rln__record record;
    rln_status status;

    rln__cursor_begin(cursor, r->layout.parts[c->part].file, c);
    while ((status = rln__cursor_next(cursor, &record, err)) == RLN_OK) {
        if ((record.words[0] & 15) != RLN__LONG ||
            rln__sub_of(record.words[0]) != RLN__SUB_KEPT ||
            record.n_words < RLN__KEPT_WORDS)
            continue;
        memcpy(&kept, record.words, sizeof(kept));
        if (add_kept(r, c->part, &kept))
            return rln__fail_nomem(err);
    }
    return status == RLN_END ? RLN_OK : status;
}

static int by_time(const void *a, const void *b)
{
    const struct rln__kept_item *x = a, *y = b;

    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->item.kind != y->item.kind)
        return x->item.kind < y->item.kind ? -1 : 1; /* a start before its end */
    return (x->item.value > y->item.value) - (x->item.value < y->item.value);
}

static rln_status load_kept(rln_reader *r, rln_error *err)
{
    struct rln__cursor cursor = {0};
    rln_status status = RLN_OK;

    r->overwritten.n_kept = 0;
    for (size_t i = 0; i < r->layout.n_chunks && !status; i++) {
        if (r->layout.chunks[i].kind != RLN__CHUNK_KEPT)
            continue;
        if (!cursor.window)
            status = rln__cursor_init(&cursor, 8192, err);
        if (!status)
            status = load_kept_chunk(r, &r->layout.chunks[i], &cursor, err);
    }
    rln__cursor_clear(&cursor);
    if (r->overwritten.n_kept)
        qsort(r->overwritten.kept, r->overwritten.n_kept, sizeof(*r->overwritten.kept),
              by_time);
    return status;
}

/* --- Outside ---------------------------------------------------------------------- */

rln_status rln__overwritten_chunks_load(rln_reader *r, rln_error *err)
{
    rln_status status = load_places(r, err);

    if (!status)
        status = find_beginnings(r, err);
    if (!status)
        status = leave_out_older(r, err);
    return status ? status : load_kept(r, err);
}

void rln__overwritten_chunks_clear(struct rln__overwritten_chunks *overwritten)
{
    rln__free(overwritten->places);
    rln__free(overwritten->kept);
    memset(overwritten, 0, sizeof(*overwritten));
}

uint64_t rln__ring_start_id(const rln_reader *r, uint32_t part,
                            const struct rln__item *start)
{
    const struct rln__layout *layout = &r->layout;
    size_t low = 0, high = layout->n_chunks;

    if (!start->offset) /* a kept item has no record */
        return start->value;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const struct rln__chunk_info *c = &layout->chunks[middle];

        if (c->part < part || (c->part == part && c->offset <= start->offset))
            low = middle;
        else
            high = middle;
    }
    if (low < layout->n_chunks && layout->chunks[low].kind == RLN__CHUNK_RING)
        return layout->chunks[low].place +
               (start->offset - layout->chunks[low].offset) / 8;
    return (start->offset - layout->parts[part].offset) / 8;
}
