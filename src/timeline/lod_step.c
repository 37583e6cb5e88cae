/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_step.h"

#include "base/alloc.h"
#include "timeline/lod_marks.h"

/* Where a kind repeats: one task of its name repeats nothing. */
enum { IN_LEVELS = 1, IN_LANES = 2 };

/* By kind, and which kinds have some. */
struct sums {
    uint64_t *of_kind; /* owned, both */
    uint32_t *touched;
    size_t n_touched;
};

struct survey {
    struct rln__lod *lod;
    const uint32_t *kinds;       /* borrowed */
    struct sums here, of_thread; /* of the row at hand, and of its thread */
    uint64_t *totals;            /* owned: by kind, of all threads */
    uint8_t *is_frequent;        /* owned: by kind */
    /* Owned, both: by row and bucket, whether it is a frequent one or inside one. */
    uint8_t **is_in_step;
    /* That its outermost ranges cover: those of all levels, and of the lane with most. */
    uint64_t thread_ns, lane_ns;
};

/* RLN__NONE: its name is unknown. */
static uint32_t kind_of(const struct survey *s, const struct rln__range_bucket *bucket)
{
    const uint32_t name = rln__lod_name_of(s->lod, bucket);

    return name == RLN__NONE ? RLN__NONE : s->kinds[name];
}

static void add(struct sums *sums, uint32_t kind, uint64_t n)
{
    if (n && !sums->of_kind[kind])
        sums->touched[sums->n_touched++] = kind;
    sums->of_kind[kind] += n;
}

static int is_lane(const struct rln__lod_row *row)
{
    return row->kind == RLN__LOD_STARTED;
}

static void count_calls(struct survey *s, struct rln__lod_row *row)
{
    struct sums *counts = is_lane(row) ? &s->of_thread : &s->here;

    for (size_t i = rln__range_buckets_from(&row->buckets, INT64_MIN);
         i < row->buckets.n; i++) {
        const uint32_t kind = kind_of(s, &row->buckets.items[i]);

        if (kind != RLN__NONE)
            add(counts, kind, row->buckets.items[i].n);
    }
}

/* Takes the sum of the last kind that has one; 0: none has. */
static uint64_t take(struct sums *sums, uint32_t *kind)
{
    uint64_t n;

    if (!sums->n_touched)
        return 0;
    *kind = sums->touched[--sums->n_touched];
    n = sums->of_kind[*kind];
    sums->of_kind[*kind] = 0;
    return n;
}

static void mark_those_of(struct survey *s, struct sums *counts, uint8_t mark)
{
    uint32_t kind;

    for (uint64_t n; (n = take(counts, &kind)) != 0;)
        if (n >= RLN__LOD_LEAST_STEPS)
            s->is_frequent[kind] |= mark;
}

/* Marks the kinds that repeat on the thread whose calls have been counted. */
static void mark_frequent(struct survey *s)
{
    mark_those_of(s, &s->here, IN_LEVELS);
    mark_those_of(s, &s->of_thread, IN_LANES);
}

/* Tasks of a thread overlap: those of one lane stand for those of all. */
static void end_row(struct survey *s, const struct rln__lod_row *row)
{
    uint32_t kind;

    for (uint64_t ns; (ns = take(&s->here, &kind)) != 0;) {
        const uint64_t before_ns = s->of_thread.of_kind[kind];

        if (!is_lane(row))
            add(&s->of_thread, kind, ns);
        else if (ns > before_ns)
            add(&s->of_thread, kind, ns - before_ns);
    }
}

static void end_thread(struct survey *s)
{
    const uint64_t all_ns = s->thread_ns > s->lane_ns ? s->thread_ns : s->lane_ns;
    uint32_t kind;

    for (uint64_t ns; (ns = take(&s->of_thread, &kind)) != 0;)
        if ((double)ns >= RLN__LOD_LEAST_STEP_SHARE * (double)all_ns)
            s->totals[kind] += ns;
    s->thread_ns = s->lane_ns = 0;
}

/* Rows come after those above them. */
static int sum_outermost(struct survey *s, uint32_t number)
{
    const struct rln__lod_row *row = &s->lod->rows[number];
    const uint8_t mark = is_lane(row) ? IN_LANES : IN_LEVELS;
    uint8_t *is_in = rln__lod_inherit_marks(s->lod, number, s->is_in_step);
    uint64_t outermost_ns = 0;

    s->is_in_step[number] = is_in;
    if (!is_in)
        return -1;
    for (size_t i = 0; i < row->buckets.n; i++) {
        const struct rln__range_bucket *bucket = &row->buckets.items[i];
        const uint32_t kind = kind_of(s, bucket);
        const int is_frequent = kind != RLN__NONE && s->is_frequent[kind] & mark;

        if (row->above == RLN__NONE)
            outermost_ns += rln__range_bucket_covered(bucket);
        if (is_frequent && !is_in[i])
            add(&s->here, kind, rln__range_bucket_covered(bucket));
        is_in[i] |= (uint8_t)is_frequent;
    }
    end_row(s, row);
    if (!is_lane(row))
        s->thread_ns += outermost_ns;
    else if (outermost_ns > s->lane_ns)
        s->lane_ns = outermost_ns;
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
            end_thread(s);
    }
    return 0;
}

static int survey_init(struct survey *s)
{
    const size_t n = s->lod->n_names;

    s->here.of_kind = rln__alloc(n, sizeof(*s->here.of_kind));
    s->here.touched = rln__alloc(n, sizeof(*s->here.touched));
    s->of_thread.of_kind = rln__alloc(n, sizeof(*s->of_thread.of_kind));
    s->of_thread.touched = rln__alloc(n, sizeof(*s->of_thread.touched));
    s->totals = rln__alloc(n, sizeof(*s->totals));
    s->is_frequent = rln__alloc(n, 1);
    s->is_in_step = rln__alloc(s->lod->n_rows, sizeof(*s->is_in_step));
    return s->here.of_kind && s->here.touched && s->of_thread.of_kind &&
                   s->of_thread.touched && s->totals && s->is_frequent && s->is_in_step
               ? 0
               : -1;
}

static void survey_clear(struct survey *s)
{
    rln__lod_free_marks(s->lod, s->is_in_step);
    rln__free(s->here.of_kind);
    rln__free(s->here.touched);
    rln__free(s->of_thread.of_kind);
    rln__free(s->of_thread.touched);
    rln__free(s->totals);
    rln__free(s->is_frequent);
}

int rln__lod_find_step(struct rln__lod *lod, const uint32_t *kinds, uint32_t *step)
{
    struct survey s = {.lod = lod, .kinds = kinds};
    uint32_t *rows = rln__alloc(lod->n_rows, sizeof(*rows));
    size_t *first = rln__alloc(lod->n_groups + 1, sizeof(*first));
    uint64_t best_ns = 0;
    int failed = survey_init(&s) || !rows || !first;

    if (!failed)
        failed = survey_rows(&s, rows, sort_rows(lod, rows, first));
    *step = RLN__NONE;
    for (uint32_t kind = 0; kind < lod->n_names && !failed; kind++) {
        if (s.totals[kind] <= best_ns)
            continue;
        best_ns = s.totals[kind];
        *step = kind;
    }
    survey_clear(&s);
    rln__free(rows);
    rln__free(first);
    return failed;
}
