/* SPDX-License-Identifier: Apache-2.0 */
/* query_overview.c - how busy a trace is from its beginning to its end: the time that
 * outermost ranges of threads, and the work of GPUs, cover in each of `pixels` parts.
 *
 *   ranges   |------ 4 ------|   |-2-|      a range adds its share to the parts at its
 *   parts    | 1 | 2 | 1 | 0 | 1 | 1 |      ends, and its whole density to those
 * between
 */
#include "query/query_overview.h"

#include "base/alloc.h"
#include "base/json.h"

struct busy {
    double *ns;   /* owned: of each part, without those of `whole` */
    double *rise; /* owned: where the density of ranges over whole parts rises */
    size_t n;
    int64_t from_ns;
    double part_ns;
};

static int init(struct busy *b, const struct rln__lod *lod, size_t n)
{
    const double ns = (double)lod->last_ns - (double)lod->first_ns;

    *b = (struct busy){.n = n, .from_ns = lod->first_ns, .part_ns = ns / (double)n};
    b->ns = rln__alloc(n, sizeof(*b->ns));
    b->rise = rln__alloc(n + 1, sizeof(*b->rise));
    return b->ns && b->rise ? 0 : -1;
}

static void clear(struct busy *b)
{
    rln__free(b->ns);
    rln__free(b->rise);
}

static void add(struct busy *b, const struct rln__range_bucket *bucket)
{
    const double length = (double)rln__range_bucket_ns(bucket);
    const double density =
        length > 0 ? (double)rln__range_bucket_covered(bucket) / length : 0;
    double from = ((double)bucket->start_ns - (double)b->from_ns) / b->part_ns;
    double to = ((double)bucket->end_ns - (double)b->from_ns) / b->part_ns;
    size_t first, last;

    from = from < 0 ? 0 : from;
    to = to > (double)b->n ? (double)b->n : to;
    if (!(from < to))
        return;
    first = (size_t)from;
    last = (size_t)to;
    if (last == first || (last == b->n && first == b->n - 1)) {
        b->ns[first] += (to - from) * b->part_ns * density;
        return;
    }
    b->ns[first] += ((double)(first + 1) - from) * b->part_ns * density;
    if (last < b->n)
        b->ns[last] += (to - (double)last) * b->part_ns * density;
    b->rise[first + 1] += density;
    b->rise[last] -= density;
}

static void add_row(struct busy *b, struct rln__lod_row *row)
{
    for (size_t i = 0; i < row->buckets.n; i++)
        add(b, &row->buckets.items[i]);
}

static void put(struct rln__buf *out, const char *key, const struct busy *b)
{
    double density = 0;

    rln__json_begin(out, key, '[');
    for (size_t i = 0; i < b->n; i++) {
        density += b->rise[i];
        rln__json_i64(out, NULL, (int64_t)(b->ns[i] + density * b->part_ns));
    }
    rln__buf_char(out, ']');
}

int rln__query_overview(const struct rln__query_context *a, struct rln__buf *out)
{
    struct rln__lod *lod = a->lod;
    struct busy cpu = {.n = 0}, gpu = {.n = 0};
    const size_t n = lod->last_ns > lod->first_ns ? a->question->pixels : 0;
    const int failed = init(&cpu, lod, n) || init(&gpu, lod, n);

    for (size_t i = 0; i < lod->n_rows && !failed && n; i++) {
        struct rln__lod_row *row = &lod->rows[i];

        if (row->is_stream && !row->is_of_waits)
            add_row(&gpu, row);
        else if (rln__lod_is_of_ranges(row) && row->level == 0)
            add_row(&cpu, row);
    }
    rln__buf_char(out, '{');
    if (!failed) {
        put(out, "cpu", &cpu);
        put(out, "gpu", &gpu);
    }
    rln__buf_char(out, '}');
    clear(&cpu);
    clear(&gpu);
    return failed ? 500 : 200;
}
