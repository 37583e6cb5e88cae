/* SPDX-License-Identifier: Apache-2.0 */
/* lod_sums.c - sums up the ranges of a span.
 *
 *   row of level 0    |------ a ------|   |--- a ---|      paths: a       (rows are in
 *   row of level 1      |-b-|   |-c-|       |-b-|                 a;b      the order of
 *                                                                 a;c      levels)
 *
 * Ranges of a lane are in those of the lane around it, and may overlap: what they cover
 * of it is found when all rows have been summed up.
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
    uint64_t names; /* a bit for each that matches, and for each around it */
};

/* A row's buckets in the span. */
struct span_row {
    size_t first, n;
    struct enclosing *buckets; /* owned */
    size_t cursor;             /* position of the last lookup from the rows below */
    uint32_t inside, next;     /* a row of a lane begun in it, and the next: + 1 */
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
    int has_others;           /* in one row, whatever encloses them */
    int is_inside;            /* ranges of this row match nothing */
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

static uint64_t bit_of(uint32_t name)
{
    return (uint64_t)1 << (name & 63u);
}

/* Whether what begins at a time is inside one of its name that matches. */
static int is_nested(const struct summing *s, const struct enclosing *around,
                     uint32_t name, int64_t ns)
{
    for (; around && around->names & bit_of(name); around = around->around) {
        if (around->matches && around->bucket->end_ns > ns &&
            name_of(s, around->bucket->attr) == name)
            return 1;
    }
    return 0;
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

static void add(struct rln__lod_sum *sum, const struct rln__range_bucket *bucket,
                uint64_t ns)
{
    sum->total_ns += ns;
    add_self(sum, ns);
    sum->n += bucket->n;
    if (sum->longest_ns < rln__range_bucket_longest(bucket))
        sum->longest_ns = rln__range_bucket_longest(bucket);
}

/* `*e` encloses what is inside the bucket from now on. */
static int add_bucket(struct summing *s, enum rln__lod_kind kind,
                      const struct rln__range_bucket *bucket,
                      const struct enclosing *around, struct enclosing *e)
{
    const int takes_time = kind == RLN__LOD_PUSHED;
    const struct rln__range_bucket *parent = around ? around->bucket : NULL;
    const uint64_t ns = time_in_span(s, bucket);
    struct rln__lod_sum *sum;
    uint32_t name;

    *e = (struct enclosing){bucket, around, around ? around->path : 0, 0,
                            around ? around->names : 0};
    /* A range may look open in a refined index while the whole index knows that it was
     * lost. */
    if (rln__lod_name_of(s->lod, bucket) == RLN__NONE ||
        (parent && rln__lod_name_of(s->lod, parent) == RLN__NONE))
        return 0;
    e->matches = s->is_inside ? 0 : rln__lod_matches(s->lod, &s->cache, bucket->attr);
    if (e->matches < 0)
        return -1;
    s->out->are_names_rough |= is_rough(s, bucket) || is_perhaps_between(s, parent);
    if (takes_time && take_from(s, bucket, ns, around, 0))
        return -1;
    if (!e->matches)
        return 0;
    name = name_of(s, bucket->attr);
    e->names |= bit_of(name);
    sum = sum_of_name(s, name);
    if (!sum)
        return -1;
    add(sum, bucket, ns);
    sum->nested_ns += is_nested(s, around, name, bucket->start_ns) ? ns : 0;
    if (kind == RLN__LOD_CALLS) /* not known to be inside ranges of their thread */
        return 0;
    e->path = child_of(s, e->path, name);
    if (!e->path || (takes_time && take_from(s, bucket, ns, around, 1)))
        return -1;
    add(&s->out->paths[e->path - 1], bucket, ns);
    return 0;
}

/* The nearest enclosing bucket; NULL: none. Without a filter it is in the next row
 * above; with one, that row may be empty there. */
static const struct enclosing *parent_of(struct summing *s,
                                         const struct rln__lod_row *row,
                                         const struct rln__range_bucket *bucket)
{
    uint32_t above = row->above;

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
    s->has_others |= own->n && row->thread == RLN__NONE;
    own->buckets = rln__alloc(own->n, sizeof(*own->buckets));
    if (!own->buckets)
        return -1;
    for (uint32_t above = row->above; above != RLN__NONE;
         above = s->lod->is_filtered ? s->lod->rows[above].above : RLN__NONE)
        s->rows[above].cursor = 0;
    for (i = 0; i < own->n; i++) {
        const struct rln__range_bucket *bucket = &row->buckets.items[own->first + i];

        if (bucket->end_ns < s->from_ns ||
            (bucket->end_ns == s->from_ns && bucket->start_ns < s->from_ns) ||
            (bucket->start_ns == s->to_ns && bucket->end_ns > s->to_ns))
            continue; /* touches the span, but is not in it */
        s->out->are_names_rough |= is_shared(row);
        if (add_bucket(s, row->kind, bucket, parent_of(s, row, bucket),
                       &own->buckets[i]))
            return -1;
    }
    return 0;
}

/* --- Lanes ------------------------------------------------------------------------ */

static int by_start(const void *a, const void *b)
{
    const struct rln__range_bucket *x = (*(const struct enclosing *const *)a)->bucket;
    const struct rln__range_bucket *y = (*(const struct enclosing *const *)b)->bucket;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x > y) - (x < y);
}

/* Takes what is inside others from their self times, in the order of starts: each what
 * no earlier one has covered. Of paths, only those that match have any. */
static int take_covered(struct summing *s, struct enclosing *const *inside, size_t n,
                        int are_paths)
{
    const struct enclosing *last = NULL;
    int64_t to_ns = 0;

    for (size_t i = 0; i < n; i++) {
        struct enclosing around = *inside[i]->around;
        struct rln__range_bucket rest = *inside[i]->bucket;

        if (are_paths && !inside[i]->matches)
            continue;
        rest.n = 1;
        if (inside[i]->around == last && to_ns > rest.start_ns)
            rest.start_ns = to_ns;
        if (rest.end_ns > around.bucket->end_ns)
            rest.end_ns = around.bucket->end_ns;
        if (rest.end_ns <= rest.start_ns)
            continue;
        last = inside[i]->around;
        to_ns = rest.end_ns;
        around.around = NULL; /* what is around it has lost the time already */
        s->out->are_names_rough |= inside[i]->bucket->n > 1 || around.bucket->n > 1;
        if (take_from(s, &rest, time_in_span(s, &rest), &around, are_paths))
            return -1;
    }
    return 0;
}

static int sum_lanes_in(struct summing *s, const struct span_row *outer)
{
    struct enclosing **inside = NULL; /* owned */
    size_t n = 0, capacity = 0;
    int failed = 0;

    for (uint32_t at = outer->inside; at && !failed; at = s->rows[at - 1].next) {
        const struct span_row *row = &s->rows[at - 1];

        for (size_t i = 0; i < row->n && !failed; i++) {
            struct enclosing **added =
                row->buckets[i].around
                    ? rln__append(&inside, &n, &capacity, sizeof(*added))
                    : NULL;

            failed = !added && row->buckets[i].around;
            if (added)
                *added = &row->buckets[i];
        }
    }
    if (n)
        qsort(inside, n, sizeof(struct enclosing *), by_start);
    failed = failed || take_covered(s, inside, n, 0) || take_covered(s, inside, n, 1);
    rln__free(inside);
    return failed ? -1 : 0;
}

static int sum_lanes(struct summing *s)
{
    for (size_t i = s->lod->n_rows; i-- > 0;) {
        const struct rln__lod_row *row = &s->lod->rows[i];

        if (row->kind != RLN__LOD_STARTED || row->above == RLN__NONE)
            continue;
        s->rows[i].next = s->rows[row->above].inside;
        s->rows[row->above].inside = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < s->lod->n_rows; i++) {
        if (s->rows[i].inside && sum_lanes_in(s, &s->rows[i]))
            return -1;
    }
    return 0;
}

/* --- All -------------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct rln__lod_sum *x = a, *y = b;
    const uint64_t x_ns = x->total_ns - x->nested_ns, y_ns = y->total_ns - y->nested_ns;

    if (x_ns != y_ns)
        return x_ns < y_ns ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

/* The whole trace was added up as it was read, but not what of a kind is inside another
 * one of it: that is as the rows say. */
static int sum_all_names(struct summing *s)
{
    struct rln__lod_sum *by_rows = s->out->names; /* owned */
    const size_t n_by_rows = s->out->n_names;
    const int is_rough = s->out->are_names_rough;

    s->out->names = NULL;
    s->out->n_names = s->out->names_capacity = 0;
    memset(s->index_of_name, 0, s->lod->n_names * sizeof(*s->index_of_name));
    for (uint32_t i = 0; i < s->lod->n_names; i++) {
        const struct rln__lod_name *name = &s->lod->names[i];
        struct rln__lod_sum *sum =
            name->durations.n ? sum_of_name(s, s->kinds ? s->kinds[i] : i) : NULL;

        if (!sum && name->durations.n) {
            rln__free(by_rows);
            return -1;
        }
        if (!sum)
            continue;
        sum->n += name->durations.n;
        sum->total_ns += name->total_ns;
        sum->nested_ns += name->nested_ns;
        add_self(sum, name->self_ns);
        if (sum->longest_ns < name->durations.max_ns)
            sum->longest_ns = name->durations.max_ns;
    }
    s->out->are_names_rough = 0;
    for (size_t i = 0; i < n_by_rows && s->kinds; i++) {
        struct rln__lod_sum *sum = sum_of_name(s, by_rows[i].name);

        if (!sum || by_rows[i].nested_ns <= sum->nested_ns)
            continue;
        sum->nested_ns = by_rows[i].nested_ns < sum->total_ns - sum->longest_ns
                             ? by_rows[i].nested_ns
                             : sum->total_ns - sum->longest_ns;
        s->out->are_names_rough |= is_rough;
    }
    rln__free(by_rows);
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
            const int counts =
                filter && filter->rows ? filter->rows[i] : RLN__LOD_ROW_COUNTS;

            if (counts == RLN__LOD_ROW_IS_SKIPPED)
                continue;
            s.is_inside = counts == RLN__LOD_ROW_IS_INSIDE;
            if (lod->rows[i].kind == RLN__LOD_PUSHED ||
                lod->rows[i].kind == RLN__LOD_STARTED ||
                lod->rows[i].kind == RLN__LOD_CALLS)
                result = sum_row(&s, i);
        }
        if (!result)
            result = sum_lanes(&s);
        for (size_t i = 0; i < lod->n_rows; i++)
            rln__free(s.rows[i].buckets);
        out->are_paths_rough = out->are_names_rough;
        /* Numbers apart, names may be inside each other that are one without them. */
        if (!result && is_all(&s) && (out->are_names_rough || s.has_others || !s.kinds))
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
