/* SPDX-License-Identifier: Apache-2.0 */
/* lod_sums.c - sums up the ranges of a span.
 *
 *   row of level 0    |------ a ------|   |--- a ---|      paths: a       (rows are in
 *   row of level 1      |-b-|   |-c-|       |-b-|                 a;b      the order of
 *                                                                 a;c      levels)
 */
#include "timeline/lod_sums.h"

#include "base/alloc.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_rows.h"

#include <stdlib.h>
#include <string.h>

/* A bucket that encloses others. It may end before what began in it: then those around
 * it go on without it. */
struct enclosing {
    const struct rln__range_bucket *bucket; /* NULL: nothing does */
    const struct enclosing *around;         /* NULL: nothing */
    uint32_t path; /* of the nearest one that matches, + 1; 0: none does */
    int matches;
};

/* A row's buckets in the span. */
struct span_row {
    size_t first, n;
    struct enclosing *buckets; /* owned */
    size_t cursor;             /* position of the last lookup from the rows below */
};

struct summing {
    struct rln__lod *lod, *narrow; /* may be the same */
    struct rln__lod_filter_cache cache;
    struct rln__lod_sums *out;
    int64_t from_ns, to_ns;
    const uint32_t *kinds;    /* borrowed: by name; NULL: names are summed up */
    struct span_row *rows;    /* owned, as all these */
    uint32_t *index_of_name;  /* + 1 */
    struct rln__map children; /* {path + 1, name} -> path + 1 */
};

/* The time of a bucket inside the span; for several ranges, a proportional share. */
static uint64_t time_in_span(const struct summing *s,
                             const struct rln__range_bucket *bucket)
{
    const int64_t from = bucket->start_ns > s->from_ns ? bucket->start_ns : s->from_ns;
    const int64_t to = bucket->end_ns < s->to_ns ? bucket->end_ns : s->to_ns;
    const uint64_t inside = to > from ? (uint64_t)(to - from) : 0;
    const uint64_t whole = (uint64_t)rln__range_bucket_ns(bucket);

    if (bucket->n == 1 || inside == whole || whole == 0)
        return bucket->n == 1 ? inside : bucket->covered_ns;
    return (uint64_t)((double)bucket->covered_ns * ((double)inside / (double)whole));
}

/* The name under which ranges with these attributes are summed up. */
static uint32_t name_of(const struct summing *s, uint32_t attr)
{
    const uint32_t name = s->lod->attrs[attr].name - 1;

    return s->kinds ? s->kinds[name] : name;
}

static struct rln__lod_sum *sum_of_name(struct summing *s, uint32_t name)
{
    struct rln__lod_sums *out = s->out;
    struct rln__lod_sum *sum;

    if (s->index_of_name[name])
        return &out->names[s->index_of_name[name] - 1];
    sum = rln__append(&out->names, &out->n_names, &out->names_capacity, sizeof(*sum));
    if (!sum)
        return NULL;
    *sum = (struct rln__lod_sum){.name = name, .parent = RLN__NONE};
    s->index_of_name[name] = (uint32_t)out->n_names;
    return sum;
}

/* A path + 1; 0 when there is no memory. */
static uint32_t child_of(struct summing *s, uint32_t above, uint32_t name)
{
    struct rln__lod_sums *out = s->out;
    const uint64_t key = (uint64_t)above << 32 | name;
    const uint64_t found = rln__map_get(&s->children, key);
    struct rln__lod_sum *sum;

    if (found)
        return (uint32_t)found;
    sum = rln__append(&out->paths, &out->n_paths, &out->paths_capacity, sizeof(*sum));
    if (!sum)
        return 0;
    *sum = (struct rln__lod_sum){.name = name, .parent = above ? above - 1 : RLN__NONE};
    return rln__map_put(&s->children, key, out->n_paths) ? 0 : (uint32_t)out->n_paths;
}

/* The bucket of a row above that was open when this one began; NULL: none. */
static const struct rln__range_bucket *
parent_in(struct span_row *above, const struct rln__range_buckets *buckets,
          const struct rln__range_bucket *bucket, size_t *index)
{
    const struct rln__range_bucket *found;

    while (above->cursor + 1 < above->n &&
           buckets->items[above->first + above->cursor + 1].start_ns <=
               bucket->start_ns)
        above->cursor++;
    if (above->n == 0)
        return NULL;
    *index = above->cursor;
    found = &buckets->items[above->first + above->cursor];
    return found->start_ns <= bucket->start_ns && found->end_ns >= bucket->start_ns
               ? found
               : NULL;
}

/* Whether some of its ranges' names are unknown, or how much of them is inside. */
static int is_rough(const struct summing *s, const struct rln__range_bucket *bucket)
{
    return bucket->is_varied || (bucket->n > 1 && (bucket->start_ns < s->from_ns ||
                                                   bucket->end_ns > s->to_ns));
}

/* Whether ranges in a row may be inside each other, so that their parents, and with
 * them their self time, are unknown. */
static int is_shared(const struct rln__lod_row *row)
{
    return row->kind == RLN__LOD_PUSHED && row->level >= RLN__LOD_LEVELS;
}

/* With a filter, a parent bucket of several ranges may have a hole where this bucket
 * is.
 */
static int is_perhaps_between(const struct summing *s,
                              const struct rln__range_bucket *parent)
{
    return s->lod->is_filtered && parent && parent->n > 1;
}

/* The row from the index with the finer resolution. */
static struct rln__lod_row *row_of(const struct summing *s, size_t number)
{
    struct rln__lod_row *row = &s->lod->rows[number];

    return rln__lod_is_close(row) ? &s->narrow->rows[number] : row;
}

/* Times of a damaged trace may exceed all numbers: they wrap, as totals do. */
static void add_self(struct rln__lod_sum *sum, uint64_t ns)
{
    sum->self_ns = (int64_t)((uint64_t)sum->self_ns + ns);
}

/* Takes a bucket's time from the self times of what encloses it: from each up to its
 * end. Of paths, only those that match have any. */
static int take_from(struct summing *s, const struct rln__range_bucket *bucket,
                     uint64_t ns, const struct enclosing *e, int are_paths)
{
    int64_t from = bucket->start_ns > s->from_ns ? bucket->start_ns : s->from_ns;

    for (; e && ns; e = e->around) {
        const uint64_t room =
            e->bucket->end_ns > from ? (uint64_t)(e->bucket->end_ns - from) : 0;
        const uint64_t part = ns < room ? ns : room;
        struct rln__lod_sum *sum;

        if (are_paths && !e->matches)
            continue;
        if (e->matches) {
            sum = are_paths ? &s->out->paths[e->path - 1]
                            : sum_of_name(s, name_of(s, e->bucket->attr));
            if (!sum)
                return -1;
            add_self(sum, 0 - part);
        }
        ns -= part;
        from += (int64_t)part;
    }
    return 0;
}

/* `*e` encloses what is inside the bucket from now on. */
static int add_bucket(struct summing *s, const struct rln__range_bucket *bucket,
                      const struct enclosing *around, struct enclosing *e)
{
    const struct rln__range_bucket *parent = around ? around->bucket : NULL;
    const uint64_t ns = time_in_span(s, bucket);
    struct rln__lod_sum *sum;

    *e = (struct enclosing){bucket, around, around ? around->path : 0, 0};
    /* A range may look open in a refined index while the whole index knows that it was
     * lost. */
    if (rln__lod_name_of(s->lod, bucket) == RLN__NONE ||
        (parent && rln__lod_name_of(s->lod, parent) == RLN__NONE))
        return 0;
    e->matches = rln__lod_matches(s->lod, &s->cache, bucket->attr);
    if (e->matches < 0)
        return -1;
    s->out->are_names_rough |= is_rough(s, bucket) || is_perhaps_between(s, parent);
    if (take_from(s, bucket, ns, around, 0))
        return -1;
    if (!e->matches)
        return 0;
    e->path = child_of(s, e->path, name_of(s, bucket->attr));
    sum = sum_of_name(s, name_of(s, bucket->attr));
    if (!sum || !e->path || take_from(s, bucket, ns, around, 1))
        return -1;
    for (int i = 0; i < 2; i++, sum = &s->out->paths[e->path - 1]) {
        sum->total_ns += ns;
        add_self(sum, ns);
        sum->n += bucket->n;
        if (sum->longest_ns < rln__range_bucket_longest(bucket))
            sum->longest_ns = rln__range_bucket_longest(bucket);
    }
    return 0;
}

/* The row with the ranges whose self times those of a row are taken from. Of a lane
 * there is none: the times of ranges begun in the same one may overlap. */
static uint32_t row_above(const struct rln__lod_row *row)
{
    return row->kind == RLN__LOD_STARTED ? RLN__NONE : row->above;
}

/* The nearest enclosing bucket; NULL: none. Without a filter it is in the next row
 * above; with one, that row may be empty there. */
static const struct enclosing *parent_of(struct summing *s,
                                         const struct rln__lod_row *row,
                                         const struct rln__range_bucket *bucket)
{
    uint32_t above = row_above(row);

    while (above != RLN__NONE) {
        struct span_row *looked = &s->rows[above];
        size_t at = 0;

        if (parent_in(looked, &row_of(s, above)->buckets, bucket, &at) &&
            looked->buckets[at].bucket)
            return &looked->buckets[at];
        above = s->lod->is_filtered ? s->lod->rows[above].above : RLN__NONE;
    }
    return NULL;
}

static int sum_row(struct summing *s, size_t number)
{
    struct rln__lod_row *row = row_of(s, number);
    struct span_row *own = &s->rows[number];
    size_t i;

    own->first = rln__range_buckets_from(&row->buckets, s->from_ns);
    for (i = own->first;
         i < row->buckets.n && row->buckets.items[i].start_ns <= s->to_ns;)
        i++;
    own->n = i - own->first;
    own->buckets = rln__alloc(own->n, sizeof(*own->buckets));
    if (!own->buckets)
        return -1;
    for (uint32_t above = row_above(row); above != RLN__NONE;
         above = s->lod->is_filtered ? s->lod->rows[above].above : RLN__NONE)
        s->rows[above].cursor = 0;
    for (i = 0; i < own->n; i++) {
        const struct rln__range_bucket *bucket = &row->buckets.items[own->first + i];

        if (bucket->end_ns < s->from_ns ||
            (bucket->end_ns == s->from_ns && bucket->start_ns < s->from_ns) ||
            (bucket->start_ns == s->to_ns && bucket->end_ns > s->to_ns))
            continue; /* touches the span, but is not in it */
        s->out->are_names_rough |= is_shared(row);
        if (add_bucket(s, bucket, parent_of(s, row, bucket), &own->buckets[i]))
            return -1;
    }
    return 0;
}

static int by_total(const void *a, const void *b)
{
    const struct rln__lod_sum *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

/* The whole trace was added up as it was read. */
static int sum_all_names(struct summing *s)
{
    s->out->n_names = 0;
    memset(s->index_of_name, 0, s->lod->n_names * sizeof(*s->index_of_name));
    for (uint32_t i = 0; i < s->lod->n_names; i++) {
        const struct rln__lod_name *name = &s->lod->names[i];
        struct rln__lod_sum *sum =
            name->durations.n ? sum_of_name(s, s->kinds ? s->kinds[i] : i) : NULL;

        if (!sum && name->durations.n)
            return -1;
        if (!sum)
            continue;
        sum->n += name->durations.n;
        sum->total_ns += name->total_ns;
        add_self(sum, name->self_ns);
        if (sum->longest_ns < name->durations.max_ns)
            sum->longest_ns = name->durations.max_ns;
    }
    s->out->are_names_rough = 0;
    return 0;
}

static int is_all(const struct summing *s)
{
    return !s->cache.filter && s->lod->is_complete && s->from_ns <= s->lod->first_ns &&
           s->to_ns >= s->lod->last_ns;
}

int rln__lod_sum_up(struct rln__lod *lod, int64_t from_ns, int64_t to_ns,
                    const struct rln__lod_filter *filter, int are_kinds,
                    struct rln__lod_sums *out)
{
    struct summing s = {.lod = lod,
                        .narrow = rln__lod_refine(lod, from_ns, to_ns, 0),
                        .out = out,
                        .from_ns = from_ns,
                        .to_ns = to_ns};
    int result = -1;

    memset(out, 0, sizeof(*out));
    s.cache.filter = filter;
    s.rows = rln__alloc(lod->n_rows, sizeof(*s.rows));
    s.index_of_name = rln__alloc(lod->n_names, sizeof(*s.index_of_name));
    s.kinds = are_kinds ? rln__lod_kinds_of_names(lod) : NULL;
    if (s.rows && s.index_of_name && (s.kinds || !are_kinds)) {
        result = 0;
        for (size_t i = 0; i < lod->n_rows && !result; i++) {
            if (filter && filter->rows && !filter->rows[i])
                continue;
            if (lod->rows[i].kind == RLN__LOD_PUSHED ||
                lod->rows[i].kind == RLN__LOD_STARTED)
                result = sum_row(&s, i);
        }
        for (size_t i = 0; i < lod->n_rows; i++)
            rln__free(s.rows[i].buckets);
        out->are_paths_rough = out->are_names_rough;
        if (!result && is_all(&s))
            result = sum_all_names(&s);
        else /* the time of inner ranges that a filter excludes is not known here */
            out->are_names_rough |= lod->is_filtered;
    }
    if (out->n_names)
        qsort(out->names, out->n_names, sizeof(*out->names), by_total);
    rln__free(s.rows);
    rln__free(s.index_of_name);
    rln__map_clear(&s.children);
    rln__lod_filter_cache_clear(&s.cache);
    return result;
}

/* --- The longest ------------------------------------------------------------------ */

/* The least total among the `most` longest paths. */
static int least_of_longest(const struct rln__lod_sums *sums, size_t most, uint64_t *ns)
{
    struct rln__lod_sum *sorted = rln__alloc(sums->n_paths, sizeof(*sorted));

    if (!sorted)
        return -1;
    memcpy(sorted, sums->paths, sums->n_paths * sizeof(*sorted));
    qsort(sorted, sums->n_paths, sizeof(*sorted), by_total);
    *ns = sorted[most - 1].total_ns;
    rln__free(sorted);
    return 0;
}

int rln__lod_keep_longest(struct rln__lod_sums *sums, size_t most, uint64_t *rest_ns)
{
    uint32_t *kept; /* owned: each path's new index; RLN__NONE: left out */
    uint64_t least_ns;
    size_t n = 0;

    *rest_ns = 0;
    if (sums->n_paths <= most)
        return 0;
    kept = rln__alloc(sums->n_paths, sizeof(*kept));
    if (!kept || least_of_longest(sums, most, &least_ns)) {
        rln__free(kept);
        return -1;
    }
    for (size_t i = 0; i < sums->n_paths; i++) {
        struct rln__lod_sum path = sums->paths[i];
        const int is_root = path.parent == RLN__NONE;

        kept[i] = RLN__NONE;
        if (n < most && path.total_ns >= least_ns &&
            (is_root || kept[path.parent] != RLN__NONE)) {
            path.parent = is_root ? RLN__NONE : kept[path.parent];
            kept[i] = (uint32_t)n;
            sums->paths[n++] = path;
        } else if (is_root) {
            *rest_ns += path.total_ns;
        }
    }
    sums->n_paths = n;
    rln__free(kept);
    return 0;
}

void rln__lod_sums_clear(struct rln__lod_sums *sums)
{
    rln__free(sums->names);
    rln__free(sums->paths);
    memset(sums, 0, sizeof(*sums));
}
