/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_step.h"

#include "base/alloc.h"
#include "timeline/lod_marks.h"

struct survey {
    struct rln__lod *lod;
    const uint32_t *kinds; /* borrowed */
    uint64_t *sums;        /* owned: by kind, of the row at hand */
    uint32_t *touched;     /* owned: kinds with sums */
    size_t n_touched;
    uint8_t *is_frequent; /* owned: by kind */
    uint8_t **is_in_step; /* owned, both: by row and bucket, whether it is a frequent
                             * one or inside one */
    uint64_t thread_ns;   /* that its outermost ranges cover */
    uint64_t best_ns;
    uint32_t best;
};

/* RLN__NONE: its name is unknown. */
static uint32_t kind_of(const struct survey *s, const struct rln__range_bucket *bucket)
{
    const uint32_t name = rln__lod_name_of(s->lod, bucket);

    return name == RLN__NONE ? RLN__NONE : s->kinds[name];
}

static void add(struct survey *s, uint32_t kind, uint64_t n)
{
    if (n && !s->sums[kind])
        s->touched[s->n_touched++] = kind;
    s->sums[kind] += n;
}

static void count_calls(struct survey *s, struct rln__lod_row *row)
{
    for (size_t i = rln__range_buckets_from(&row->buckets, INT64_MIN);
         i < row->buckets.n; i++) {
        const uint32_t kind = kind_of(s, &row->buckets.items[i]);

        if (kind != RLN__NONE)
            add(s, kind, row->buckets.items[i].n);
    }
}

/* Marks the kinds that repeat on the thread whose calls have been counted. */
static void mark_frequent(struct survey *s)
{
    for (size_t i = 0; i < s->n_touched; i++) {
        s->is_frequent[s->touched[i]] |= s->sums[s->touched[i]] >= RLN__LOD_LEAST_STEPS;
        s->sums[s->touched[i]] = 0;
    }
    s->n_touched = 0;
}

/* Of the thread whose times have been summed up. */
static void take_best(struct survey *s)
{
    for (size_t i = 0; i < s->n_touched; i++) {
        const uint32_t kind = s->touched[i];
        const uint64_t ns = s->sums[kind];

        s->sums[kind] = 0;
        if (ns > s->best_ns &&
            (double)ns >= RLN__LOD_LEAST_STEP_SHARE * (double)s->thread_ns) {
            s->best_ns = ns;
            s->best = kind;
        }
    }
    s->n_touched = 0;
    s->thread_ns = 0;
}

/* Rows come after those above them. */
static int sum_outermost(struct survey *s, uint32_t number)
{
    const struct rln__lod_row *row = &s->lod->rows[number];
    uint8_t *is_in = rln__lod_inherit_marks(s->lod, number, s->is_in_step);

    s->is_in_step[number] = is_in;
    if (!is_in)
        return -1;
    for (size_t i = 0; i < row->buckets.n; i++) {
        const struct rln__range_bucket *bucket = &row->buckets.items[i];
        const uint32_t kind = kind_of(s, bucket);
        const int is_frequent = kind != RLN__NONE && s->is_frequent[kind];

        if (row->above == RLN__NONE)
            s->thread_ns += rln__range_bucket_covered(bucket);
        if (is_frequent && !is_in[i])
            add(s, kind, rln__range_bucket_covered(bucket));
        is_in[i] |= (uint8_t)is_frequent;
    }
    return 0;
}

/* The rows of ranges, those of a thread together, in their order. Returns how many. */
static size_t sort_rows(const struct rln__lod *lod, uint32_t *rows, size_t *first)
{
    size_t n = 0;

    for (size_t i = 0; i < lod->n_rows; i++)
        if (rln__lod_is_of_ranges(&lod->rows[i]))
            first[lod->rows[i].group + 1]++;
    for (size_t i = 0; i < lod->n_groups; i++)
        first[i + 1] += first[i];
    for (uint32_t i = 0; i < lod->n_rows; i++) {
        if (!rln__lod_is_of_ranges(&lod->rows[i]))
            continue;
        rows[first[lod->rows[i].group]++] = i;
        n++;
    }
    return n;
}

static int survey_rows(struct survey *s, const uint32_t *rows, size_t n)
{
    const struct rln__lod_row *all = s->lod->rows;

    for (size_t i = 0; i < n; i++) {
        count_calls(s, &s->lod->rows[rows[i]]);
        if (i + 1 == n || all[rows[i + 1]].group != all[rows[i]].group)
            mark_frequent(s);
    }
    for (size_t i = 0; i < n; i++) {
        if (sum_outermost(s, rows[i]))
            return -1;
        if (i + 1 == n || all[rows[i + 1]].group != all[rows[i]].group)
            take_best(s);
    }
    return 0;
}

int rln__lod_find_step(struct rln__lod *lod, const uint32_t *kinds, uint32_t *step)
{
    struct survey s = {.lod = lod, .kinds = kinds, .best = RLN__NONE};
    uint32_t *rows = rln__alloc(lod->n_rows, sizeof(*rows));
    size_t *first = rln__alloc(lod->n_groups + 1, sizeof(*first));
    int failed;

    s.sums = rln__alloc(lod->n_names, sizeof(*s.sums));
    s.touched = rln__alloc(lod->n_names, sizeof(*s.touched));
    s.is_frequent = rln__alloc(lod->n_names, 1);
    s.is_in_step = rln__alloc(lod->n_rows, sizeof(*s.is_in_step));
    failed =
        !rows || !first || !s.sums || !s.touched || !s.is_frequent || !s.is_in_step;
    if (!failed)
        failed = survey_rows(&s, rows, sort_rows(lod, rows, first));
    rln__lod_free_marks(lod, s.is_in_step);
    rln__free(rows);
    rln__free(first);
    rln__free(s.sums);
    rln__free(s.touched);
    rln__free(s.is_frequent);
    *step = s.best;
    return failed;
}
