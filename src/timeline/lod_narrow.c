/* SPDX-License-Identifier: Apache-2.0 */
/* lod_narrow.c - refines an index: where several ranges share a bucket, the chunks of a
 * narrow span are read again, so that each range has its own bucket.
 *
 *   chunks of a thread   [        ][        ][        ][        ]
 *   segments             ^ open: a ^ a b    ^ a        ^ a c
 *   span                              |---|
 *   read again                     [        ]           from "a b are open" on
 *
 * A range still open after the last chunk read has its end from the index: exact if it
 * is long enough for its own bucket there, else exact to a bucket.
 */
#include "timeline/lod_narrow.h"

#include "base/alloc.h"
#include "timeline/lod.h"
#include "timeline/lod_fill.h"
#include "timeline/lod_pass.h"
#include "timeline/lod_query.h"

#include <string.h>

#define MOST_BYTES (6u << 20) /* to read again: some 20 ms */

static int is_in_span(const struct rln__lod_segment *s, int64_t from_ns, int64_t to_ns)
{
    return s->from_ns <= to_ns && s->to_ns >= from_ns;
}

/* The chunks of a span, in the order in which they were read. NULL: too many, or there
 * is no memory. */
static struct rln__chunk_info *find_chunks(const struct rln__lod *lod, int64_t from_ns,
                                           int64_t to_ns, size_t *n)
{
    struct rln__chunk_info *chunks = NULL;
    uint64_t n_bytes = 0;
    size_t capacity = 0;

    *n = 0;
    for (size_t i = 0; i < lod->n_segments; i++) {
        const struct rln__lod_segment *s = &lod->segments[i];
        struct rln__chunk_info *added;

        if (!is_in_span(s, from_ns, to_ns) ||
            (*n && chunks[*n - 1].offset == s->chunk.offset &&
             chunks[*n - 1].part == s->chunk.part))
            continue;
        n_bytes += s->chunk.end - s->chunk.offset;
        added = n_bytes > MOST_BYTES
                    ? NULL
                    : rln__append(&chunks, n, &capacity, sizeof(*added));
        if (!added) {
            rln__free(chunks);
            return NULL;
        }
        *added = s->chunk;
    }
    return chunks;
}

static int has_chunk(const struct rln__chunk_info *chunks, size_t n,
                     const struct rln__chunk_info *chunk)
{
    for (size_t i = 0; i < n; i++) {
        if (chunks[i].offset == chunk->offset && chunks[i].part == chunk->part)
            return 1;
    }
    return 0;
}

/* Seeds each thread in these chunks with the ranges that were open at the first of
 * them. */
static int seed_threads(struct rln__lod *narrow, const struct rln__lod *lod,
                        const struct rln__chunk_info *chunks, size_t n)
{
    struct rln__map seen = {0};
    int failed = 0;

    for (size_t i = 0; i < lod->n_segments && !failed; i++) {
        const struct rln__lod_segment *s = &lod->segments[i];

        if (!has_chunk(chunks, n, &s->chunk) || rln__map_get(&seen, s->thread))
            continue;
        failed = rln__map_put(&seen, s->thread, 1);
        for (uint32_t k = 0; k < s->n_open && !failed; k++)
            failed = rln__lod_seed(narrow, s, &s->open[k]);
    }
    rln__map_clear(&seen);
    return failed;
}

/* Adds the ranges that go on after the chunks. */
static int add_open(struct rln__lod *narrow, struct rln__lod *lod)
{
    for (size_t i = 0; i < narrow->engine.pairing.n_pool; i++) {
        const struct rln__open *open = &narrow->engine.pairing.pool[i];
        const struct rln__range_bucket *whole;
        struct rln__range_bucket bucket;

        if (open->state == RLN__FREE || (open->state & RLN__LOST))
            continue;
        if (!rln__lod_open(narrow, i, narrow->begun[i].row, &bucket))
            continue;
        whole = rln__lod_at(lod, narrow->begun[i].row, open->t_ns);
        if (whole) {
            bucket.end_ns =
                whole->end_ns > bucket.end_ns ? whole->end_ns : bucket.end_ns;
            bucket.is_open = whole->n == 1 && whole->is_open;
        }
        /* Filter tests that need the end of a range are answered by the index. */
        if (lod->reader->filter &&
            (!whole || (whole->n == 1 && whole->address != bucket.address)))
            continue;
        if (rln__lod_add(narrow, narrow->begun[i].row, &bucket, 0))
            return -1;
    }
    return 0;
}

static struct rln__lod_narrow *
read_again(struct rln__lod *lod, const struct rln__chunk_info *chunks, size_t n)
{
    struct rln__lod_narrow *narrow = rln__alloc(1, sizeof(*narrow));

    if (!narrow)
        return NULL;
    if (rln__lod_init(&narrow->lod, lod->reader, lod, UINT64_MAX, NULL)) {
        rln__free(narrow);
        return NULL;
    }
    narrow->lod.is_narrow = 1;
    if (seed_threads(&narrow->lod, lod, chunks, n) ||
        rln__lod_read_chunks(&narrow->lod, chunks, n, NULL) ||
        add_open(&narrow->lod, lod)) {
        rln__lod_clear(&narrow->lod);
        rln__free(narrow);
        return NULL;
    }
    rln__lod_end_building(&narrow->lod);
    narrow->lod.is_complete = 1;
    return narrow;
}

struct rln__lod *rln__lod_refine(struct rln__lod *lod, int64_t from_ns, int64_t to_ns,
                                 int64_t pixel_ns)
{
    struct rln__lod_narrow *narrow = lod->narrow;
    struct rln__chunk_info *chunks; /* owned */
    size_t n;

    if (!lod->is_complete || lod->is_narrow || lod->saved ||
        lod->resolution_ns <= pixel_ns)
        return lod;
    for (size_t i = 0; i < lod->reader->n_files; i++) {
        if (lod->reader->files[i]->live_fd >= 0)
            return lod; /* a copy, and perhaps no longer the one that was indexed */
    }
    if (narrow && narrow->from_ns <= from_ns && narrow->to_ns >= to_ns)
        return &narrow->lod;
    chunks = find_chunks(lod, from_ns, to_ns, &n);
    narrow = chunks ? read_again(lod, chunks, n) : NULL;
    rln__free(chunks);
    if (!narrow)
        return lod;
    if (lod->narrow)
        rln__lod_clear(&lod->narrow->lod);
    rln__free(lod->narrow);
    lod->narrow = narrow;
    narrow->from_ns = from_ns;
    narrow->to_ns = to_ns;
    return &narrow->lod;
}
