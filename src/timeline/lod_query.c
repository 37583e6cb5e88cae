/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_query.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/utf8.h"
#include "timeline/lod_pass.h"
#include "timeline/lod_rows.h"

#include <stdlib.h>
#include <string.h>

/* --- Filters ---------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The text as pages have it, and so ask for it: UTF-8. The caller clears `own`, which it
 * may be in. */
static rln_text as_shown(rln_text text, struct rln__buf *own)
{
    if (rln__utf8_is_valid(text.bytes, text.length))
        return text;
    rln__buf_utf8(own, text.bytes, text.length);
    return (rln_text){own->bytes, own->length};
}

static int holds(rln_text text, rln_text part)
{
    for (size_t i = 0; i + part.length <= text.length; i++) {
        size_t n = 0;

        while (n < part.length && lower(text.bytes[i + n]) == lower(part.bytes[n]))
            n++;
        if (n == part.length)
            return 1;
    }
    return 0;
}

int rln__lod_holds(rln_text text, rln_text part)
{
    struct rln__buf own = {0};
    const int result = holds(as_shown(text, &own), part);

    rln__buf_clear(&own);
    return result;
}

static int is_shown_as(rln_text text, rln_text shown)
{
    struct rln__buf own = {0};
    const int result = rln__compare_text(as_shown(text, &own), shown) == 0;

    rln__buf_clear(&own);
    return result;
}

void rln__lod_put_category(struct rln__buf *out, const struct rln__lod_kinship *kinship)
{
    rln__buf_add(out, kinship->domain.bytes, kinship->domain.length);
    rln__buf_text(out, kinship->domain.length ? ":" : "");
    if (kinship->category.length)
        rln__buf_add(out, kinship->category.bytes, kinship->category.length);
    else
        rln__buf_format(out, "category %u", kinship->number);
}

static int is_category(const struct rln__lod_kinship *kinship, rln_text shown)
{
    struct rln__buf own = {0};
    int result;

    if (!kinship->number || !shown.length)
        return !kinship->number && !shown.length;
    rln__lod_put_category(&own, kinship);
    result = is_shown_as((rln_text){own.bytes, own.length}, shown);
    rln__buf_clear(&own);
    return result;
}

int rln__lod_name_holds(const struct rln__lod_name *name, rln_text part)
{
    struct rln__buf shown = {0};
    int result;

    if (!name->domain.length && !name->field.length)
        return rln__lod_holds(name->message, part);
    rln__lod_put_name(&shown, name);
    result = rln__lod_holds((rln_text){shown.bytes, shown.length}, part);
    rln__buf_clear(&shown);
    return result;
}

static int matches(struct rln__lod *lod, const struct rln__lod_filter *f,
                   const struct rln__lod_attr *attr)
{
    const struct rln__lod_kinship *kinship = &lod->kinships[attr->kinship];

    return (!f->domain.bytes || is_shown_as(kinship->domain, f->domain)) &&
           (!f->category.bytes || is_category(kinship, f->category)) &&
           (!f->name.length ||
            rln__lod_name_holds(&lod->names[attr->name - 1], f->name));
}

int rln__lod_matches(struct rln__lod *lod, struct rln__lod_filter_cache *w,
                     uint32_t attr)
{
    const struct rln__lod_attr *a = rln__lod_attr(lod, attr);

    if (!a)
        return -1;
    if (!w->filter)
        return 1;
    if (!w->answers) {
        w->answers = rln__alloc(lod->n_attrs, 1);
        w->n = lod->n_attrs;
    }
    if (!w->answers || attr >= w->n)
        return -1;
    if (!w->answers[attr])
        w->answers[attr] = matches(lod, w->filter, a) ? 2 : 1;
    return w->answers[attr] - 1;
}

void rln__lod_filter_cache_clear(struct rln__lod_filter_cache *w)
{
    rln__free(w->answers);
    memset(w, 0, sizeof(*w));
}

/* --- One range -------------------------------------------------------------------- */

const struct rln__range_bucket *rln__lod_at(struct rln__lod *lod, uint32_t row,
                                            int64_t ns)
{
    struct rln__range_buckets *buckets = &lod->rows[row].buckets;
    const struct rln__range_bucket *found = NULL;

    /* Where one ends as the next begins, the next one wins. */
    for (size_t i = rln__range_buckets_from(buckets, ns);
         i < buckets->n && buckets->items[i].start_ns <= ns; i++) {
        if (buckets->items[i].end_ns >= ns)
            found = &buckets->items[i];
    }
    return found;
}

int rln__lod_may_be_in(const struct rln__lod *lod, uint32_t above, uint32_t row)
{
    row = lod->rows[row].above;
    while (lod->is_filtered && row != RLN__NONE && row != above)
        row = lod->rows[row].above;
    return row == above;
}

int rln__lod_is_directly_in(struct rln__lod *lod, uint32_t above, uint32_t row,
                            int64_t ns)
{
    do
        row = lod->rows[row].above;
    while (row != above && row != RLN__NONE && !rln__lod_at(lod, row, ns));
    return row == above;
}

/* A range that was read again has no known end here. */
static int open_matches(struct rln__lod *lod, const struct rln__open *open,
                        int64_t now_ns)
{
    return !lod->is_filtered ||
           (lod->is_narrow
                ? rln__predicate_may_want(&lod->predicate, open)
                : rln__predicate_matches_until(&lod->predicate, open, now_ns));
}

int rln__lod_open(struct rln__lod *lod, size_t index, uint32_t row,
                  struct rln__range_bucket *out)
{
    const struct rln__open *open = &lod->engine.pairing.pool[index];

    if (open->state == RLN__FREE || (open->state & RLN__LOST) ||
        index >= lod->begun_capacity || lod->begun[index].row != row)
        return 0;
    *out = (struct rln__range_bucket){
        .start_ns = open->t_ns,
        .end_ns = rln__lod_end_of_open(lod, open),
        .address = lod->begun[index].event.address,
        .end_thread = open->thread,
        .value_type = lod->begun[index].value_type,
        .has_payloads = lod->begun[index].has_payloads & 1u,
        .attr = open->attr,
        .n = 1,
        .is_open = 1,
    };
    return open->attr < lod->n_attrs && lod->attrs[open->attr].name &&
           open_matches(lod, open, out->end_ns);
}

int rln__lod_merge_durations(const struct rln__lod *lod, const uint8_t *names,
                             struct rln__duration_histogram *out)
{
    int failed = 0;

    for (size_t i = 0; i < lod->n_names && !failed; i++)
        if (names[i])
            failed = rln__duration_histogram_merge(out, &lod->names[i].durations);
    return failed;
}

/* --- From one to the next --------------------------------------------------------- */

/* The index of the first bucket that begins at `ns` or later. */
static size_t first_from(const struct rln__range_buckets *buckets, int64_t ns)
{
    size_t low = 0, high = buckets->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (buckets->items[middle].start_ns < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t first_after(const struct rln__range_buckets *buckets, int64_t ns)
{
    return ns == INT64_MAX ? buckets->n : first_from(buckets, ns + 1);
}

/* The tie index within [first, end), whose buckets begin at the same time. */
static size_t tie_at(size_t first, size_t end, uint32_t tie_index)
{
    return tie_index < end - first ? first + tie_index : end - 1;
}

const struct rln__range_bucket *rln__lod_item(struct rln__lod *lod,
                                              const struct rln__lod_position *p)
{
    struct rln__range_buckets *buckets = &lod->rows[p->row].buckets;
    size_t first, end;

    (void)rln__range_buckets_from(buckets, 0); /* sorts the row */
    first = first_from(buckets, p->start_ns);
    end = first_after(buckets, p->start_ns);
    return first == end ? NULL : &buckets->items[tie_at(first, end, p->tie_index)];
}

uint32_t rln__lod_tie_index(const struct rln__lod *lod, uint32_t row,
                            const struct rln__range_bucket *bucket)
{
    const struct rln__range_buckets *buckets = &lod->rows[row].buckets;
    const size_t at = (size_t)(bucket - buckets->items);

    if (at + 1 == buckets->n || bucket[1].start_ns != bucket->start_ns)
        return RLN__NONE;
    return (uint32_t)(at - first_from(buckets, bucket->start_ns));
}

/* The first bucket of a row after a position, or the end of those before it. */
static size_t go_on(const struct rln__range_buckets *buckets, uint32_t row,
                    const struct rln__lod_position *p, int is_earlier)
{
    const size_t first = first_from(buckets, p->start_ns);
    const size_t end = first_after(buckets, p->start_ns);

    if (row != p->row || first == end)
        return row < p->row ? end : first;
    return tie_at(first, end, p->tie_index) + (is_earlier ? 0 : 1);
}

/* Of buckets that begin at the same time, those of earlier rows come first. */
static int is_better(const struct rln__range_bucket *bucket,
                     const struct rln__range_bucket *best, int is_earlier)
{
    if (!best)
        return 1;
    return is_earlier ? bucket->start_ns >= best->start_ns
                      : bucket->start_ns < best->start_ns;
}

static const struct rln__range_bucket *next_in_row(struct rln__lod *lod, uint32_t row,
                                                   const struct rln__lod_sought *sought,
                                                   const struct rln__lod_position *p,
                                                   const struct rln__range_bucket *best)
{
    const struct rln__range_buckets *buckets = &lod->rows[row].buckets;

    for (size_t i = go_on(buckets, row, p, 0);
         i < buckets->n && is_better(&buckets->items[i], best, 0); i++) {
        if (rln__lod_is_sought(lod, sought, &buckets->items[i]))
            return &buckets->items[i];
    }
    return NULL;
}

static const struct rln__range_bucket *last_in_row(struct rln__lod *lod, uint32_t row,
                                                   const struct rln__lod_sought *sought,
                                                   const struct rln__lod_position *p,
                                                   const struct rln__range_bucket *best)
{
    const struct rln__range_buckets *buckets = &lod->rows[row].buckets;

    for (size_t i = go_on(buckets, row, p, 1);
         i > 0 && is_better(&buckets->items[i - 1], best, 1); i--) {
        if (rln__lod_is_sought(lod, sought, &buckets->items[i - 1]))
            return &buckets->items[i - 1];
    }
    return NULL;
}

int rln__lod_next(struct rln__lod *lod, const struct rln__lod_sought *sought,
                  const struct rln__lod_position *from, int is_earlier,
                  struct rln__lod_found *out)
{
    out->bucket = NULL;
    for (uint32_t row = 0; row < lod->n_rows; row++) {
        const struct rln__range_bucket *bucket;

        if (!rln__lod_is_row_sought(lod, sought, row))
            continue;
        (void)rln__range_buckets_from(&lod->rows[row].buckets, 0); /* sorts the row */
        bucket = is_earlier ? last_in_row(lod, row, sought, from, out->bucket)
                            : next_in_row(lod, row, sought, from, out->bucket);
        if (bucket)
            *out = (struct rln__lod_found){row, bucket};
    }
    return out->bucket != NULL;
}

uint64_t rln__lod_count(struct rln__lod *lod, const struct rln__lod_sought *sought,
                        int *is_rough)
{
    uint64_t n = 0;

    *is_rough = 0;
    for (uint32_t row = 0; row < lod->n_rows; row++) {
        const struct rln__range_buckets *buckets = &lod->rows[row].buckets;

        for (size_t i = 0; i < buckets->n && rln__lod_is_row_sought(lod, sought, row);
             i++) {
            *is_rough |= buckets->items[i].n > 1 && buckets->items[i].is_varied;
            if (rln__lod_is_sought(lod, sought, &buckets->items[i]))
                n += buckets->items[i].n;
        }
    }
    return n;
}

/* --- The n-th --------------------------------------------------------------------- */

static int has_name(const struct rln__lod *lod, size_t row,
                    const struct rln__range_bucket *bucket, uint32_t name)
{
    return lod->rows[row].kind != RLN__LOD_PROJECTED && bucket->attr < lod->n_attrs &&
           lod->attrs[bucket->attr].name == name + 1;
}

size_t rln__lod_count_before(struct rln__lod *lod, uint32_t name, int64_t ns)
{
    size_t n = 0;

    for (size_t row = 0; row < lod->n_rows; row++) {
        struct rln__range_buckets *buckets = &lod->rows[row].buckets;

        (void)rln__range_buckets_from(buckets, 0); /* sorts the row */
        for (size_t i = 0; i < buckets->n && buckets->items[i].start_ns < ns; i++)
            n += has_name(lod, row, &buckets->items[i], name) ? 1 : 0;
    }
    return n;
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

int rln__lod_nth(struct rln__lod *lod, uint32_t name, uint64_t n, int64_t *start_ns)
{
    const size_t n_all = rln__lod_count_before(lod, name, INT64_MAX);
    int64_t *starts; /* owned */
    size_t at = 0;

    *start_ns = 0;
    if (n == 0 || n > n_all)
        return 0;
    starts = rln__alloc(n_all, sizeof(*starts));
    if (!starts)
        return -1;
    for (size_t row = 0; row < lod->n_rows; row++) {
        const struct rln__range_buckets *buckets = &lod->rows[row].buckets;

        for (size_t i = 0; i < buckets->n && at < n_all; i++) {
            if (has_name(lod, row, &buckets->items[i], name))
                starts[at++] = buckets->items[i].start_ns;
        }
    }
    qsort(starts, at, sizeof(*starts), by_time);
    *start_ns = starts[n - 1];
    rln__free(starts);
    return 1;
}
