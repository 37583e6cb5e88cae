/* SPDX-License-Identifier: Apache-2.0 */
/* lod_fill.c - puts what the pass over a trace has found into its rows, on a second
 * core where there is one.
 *
 *   pass      read, pair: fill a | give a, fill b              | give b, fill a ...
 *   worker                       | a: buckets, durations       | b: ...
 *
 * Only one thread uses the reader, and the other follows it in the same order: so the
 * index is the same with one core or two. The worker owns the buckets of rows, the
 * durations of names, the number of buckets and the resolution; the pass owns
 * everything else. Before rows or names move in memory, and before others read them,
 * the pass waits for the worker.
 */
#include "timeline/lod_fill.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "timeline/lod_pass.h"

#include <stddef.h>

/* What goes into a row. */
struct entry {
    uint32_t row;
    uint32_t name; /* of a range or mark; RLN__NONE: it is a sample */
    union {
        struct {
            struct rln__range_bucket bucket;
            uint64_t self_ns;
        };
        struct rln__sample_bucket sample_bucket;
    };
};

_Static_assert(sizeof(struct entry) <= 64, "an entry is a cache line");
_Static_assert(offsetof(struct rln__lod_row, buckets) -
                       offsetof(struct rln__lod_row, kinships) >=
                   64,
               "what each core writes or reads all the time is on lines of its own");

struct rln__lod_filler {
    struct rln__relay relay; /* of entries */
    size_t n_rows;           /* that existed when the worker got its entries */
};

/* --- On either thread ------------------------------------------------------------- */

/* The parts of an index that the worker uses, apart from those that the pass writes all
 * the time: sharing a cache line would make two cores slower than one. */
struct filling {
    struct rln__lod_row *rows; /* borrowed, as the next */
    struct rln__lod_name *names;
    size_t n_rows, n_buckets, most_buckets;
    int64_t resolution_ns;
};

/* Estimates how many buckets there would be. */
static size_t estimate(const struct filling *f, int64_t resolution_ns)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n_rows; i++)
        n += rln__range_buckets_estimate(&f->rows[i].buckets, resolution_ns);
    return n;
}

static void coarsen_rows(struct filling *f)
{
    f->n_buckets = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        struct rln__lod_row *row = &f->rows[i];

        rln__range_buckets_coarsen(&row->buckets, f->resolution_ns);
        rln__sample_buckets_coarsen(&row->sample_buckets, f->resolution_ns);
        f->n_buckets += row->buckets.n + row->sample_buckets.n;
    }
}

/* Halves the resolution everywhere until there is room. The estimate skips resolutions
 * at which few buckets would merge, without going through all of them. */
static void coarsen(struct filling *f)
{
    const size_t most = f->most_buckets / 2;

    while (f->n_buckets > most && f->resolution_ns < INT64_MAX / 4) {
        do
            f->resolution_ns = f->resolution_ns ? f->resolution_ns * 2 : 16;
        while (f->resolution_ns < INT64_MAX / 4 &&
               estimate(f, f->resolution_ns) > most);
        coarsen_rows(f);
    }
}

static int count_range(struct rln__lod_name *name, uint64_t ns, uint64_t self_ns)
{
    name->total_ns += ns;
    name->self_ns += self_ns;
    return rln__duration_histogram_add(&name->durations, ns);
}

static int put(struct filling *f, const struct entry *e)
{
    struct rln__lod_row *row = &f->rows[e->row];
    const size_t before = row->buckets.n + row->sample_buckets.n;
    int failed;

    if (e->name == RLN__NONE) {
        failed = rln__sample_buckets_add(&row->sample_buckets, &e->sample_bucket,
                                         f->resolution_ns);
    } else {
        struct rln__lod_name *name = &f->names[e->name];

        failed = rln__range_buckets_add(&row->buckets, &e->bucket, f->resolution_ns);
        if (row->kind == RLN__LOD_MARKS)
            name->n_marks++;
        else if (!failed)
            failed = count_range(name, (uint64_t)rln__range_bucket_ns(&e->bucket),
                                 e->self_ns);
    }
    f->n_buckets += row->buckets.n + row->sample_buckets.n - before;
    if (f->n_buckets > f->most_buckets)
        coarsen(f);
    return failed;
}

static rln_status put_all(void *context, const void *given, size_t n, rln_error *err)
{
    struct rln__lod *lod = context;
    struct filling f = {lod->rows,      lod->names,        lod->filler->n_rows,
                        lod->n_buckets, lod->most_buckets, lod->resolution_ns};
    const struct entry *entries = given;
    int failed = 0;

    for (size_t i = 0; i < n && !failed; i++)
        failed = put(&f, &entries[i]);
    lod->n_buckets = f.n_buckets;
    lod->resolution_ns = f.resolution_ns;
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

/* --- On the thread of the pass ---------------------------------------------------- */

static struct rln__lod_filler *filler_of(struct rln__lod *lod)
{
    struct rln__lod_filler *f = lod->filler;

    if (f)
        return f;
    f = rln__alloc(1, sizeof(*f));
    if (!f)
        return NULL;
    rln__relay_init(&f->relay, lod->batch, put_all, lod);
    if (lod->n_cores)
        f->relay.n_cores = lod->n_cores;
    lod->filler = f;
    return f;
}

/* Passes on what has been filled. 0, or -1: no memory, now or before. */
static int give(struct rln__lod *lod, struct rln__lod_filler *f)
{
    if (rln__relay_wait(&f->relay, NULL))
        return -1;
    f->n_rows = lod->n_rows;
    return rln__relay_give(&f->relay, NULL) ? -1 : 0;
}

/* Room for an entry; NULL: there is no memory. */
static struct entry *next_entry(struct rln__lod *lod)
{
    struct rln__lod_filler *f = filler_of(lod);

    if (!f || (rln__relay_is_full(&f->relay) && give(lod, f)))
        return NULL;
    return rln__relay_next(&f->relay, sizeof(struct entry));
}

int rln__lod_fill(struct rln__lod *lod, uint32_t row, uint32_t name,
                  const struct rln__range_bucket *bucket, uint64_t self_ns)
{
    struct entry *e = next_entry(lod);

    if (!e)
        return -1;
    e->row = row;
    e->name = name;
    e->self_ns = self_ns;
    e->bucket = *bucket;
    return 0;
}

int rln__lod_add_sample_bucket(struct rln__lod *lod, uint32_t row,
                               const struct rln__sample_bucket *sample_bucket)
{
    struct entry *e = next_entry(lod);

    if (!e)
        return -1;
    e->row = row;
    e->name = RLN__NONE;
    e->sample_bucket = *sample_bucket;
    return 0;
}

int rln__lod_catch_up(struct rln__lod *lod)
{
    struct rln__lod_filler *f = lod->filler;

    if (!f)
        return 0;
    if (rln__relay_wait(&f->relay, NULL))
        return -1;
    f->n_rows = lod->n_rows;
    return rln__relay_catch_up(&f->relay, NULL) ? -1 : 0;
}

void rln__lod_end_filling(struct rln__lod *lod)
{
    struct rln__lod_filler *f = lod->filler;

    if (!f)
        return;
    rln__relay_clear(&f->relay);
    rln__free(f);
    lod->filler = NULL;
}
