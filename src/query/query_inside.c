/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_inside.h"

#include "base/alloc.h"
#include "base/json.h"
#include "query/query_sought.h"
#include "query/query_states.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_usual_states.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_OCCURRENCES 3u /* the median of fewer says nothing */
#define MOST_PARTS 30u

/* A part of the occurrence, and what is usual. */
struct part {
    uint32_t part, n;
    uint64_t ns;
    double median_ns;
};

struct comparison {
    const struct rln__query_context *asked;
    struct rln__lod_gpus gpus;
    struct rln__lod_occurrences all, own; /* the second: the one that is asked about */
    struct rln__lod_inside usual, inside;
    double median_ns;   /* of `all` */
    struct part *parts; /* owned */
    size_t n;
    struct rln__lod_usual_states states;
};

void rln__query_put_part(struct rln__buf *out, const struct rln__lod_gpus *gpus,
                         uint32_t part)
{
    const int is_name = part != RLN__LOD_SELF && !(part & RLN__LOD_OF_GPU);

    rln__json_i64(out, "name", is_name ? (int64_t)part : -1);
    if (part == RLN__LOD_SELF)
        rln__json_bool(out, "isSelf", 1);
    else if (!is_name)
        rln__put_text(out, "gpu", gpus->items[part & ~RLN__LOD_OF_GPU].name);
}

int rln__query_is_outermost(struct rln__lod *lod, const uint8_t *names, uint32_t row,
                            int64_t start_ns)
{
    const struct rln__lod_sought sought = {.names = names};

    for (row = lod->rows[row].above; row != RLN__NONE; row = lod->rows[row].above) {
        const struct rln__range_bucket *around = rln__lod_at(lod, row, start_ns);

        if (around && rln__lod_is_sought(lod, &sought, around))
            return 0;
    }
    return 1;
}

/* The range that is asked about, as `own`, in the finest index that has it. */
static int find_own(struct comparison *c, struct rln__lod **narrow)
{
    const struct rln__question *q = c->asked->question;
    const struct rln__lod_position at = {q->start, q->row, q->tie_index};
    struct rln__lod *lod = c->asked->lod;
    const int is_close = rln__lod_is_close(&lod->rows[q->row]);
    const struct rln__range_bucket *bucket;
    struct rln__lod_occurrence *own;

    *narrow = is_close ? rln__lod_refine(lod, q->start, q->start, 0) : lod;
    bucket = rln__lod_item(*narrow, &at);
    if (!bucket || bucket->n > 1)
        return 0;
    own = rln__append(&c->own.items, &c->own.n, &c->own.capacity, sizeof(*own));
    if (!own)
        return -1;
    *own = (struct rln__lod_occurrence){q->row, bucket->start_ns, bucket->end_ns};
    *narrow = rln__lod_refine(lod, own->start_ns, own->end_ns, 0);
    return 0;
}

/* One that is inside no other is beside those that are not, if there are enough of them. */
static int find_others(struct comparison *c, const uint8_t *names)
{
    struct rln__lod *lod = c->asked->lod;
    const struct rln__lod_occurrence *own = c->own.items;

    if (c->own.n && rln__query_is_outermost(lod, names, own->row, own->start_ns)) {
        if (rln__lod_find_occurrences(lod, names, 1, &c->all))
            return -1;
        if (c->all.n >= LEAST_OCCURRENCES)
            return 0;
        rln__lod_occurrences_clear(&c->all);
    }
    return rln__lod_find_occurrences(lod, names, 0, &c->all);
}

static int measure(struct comparison *c)
{
    struct rln__lod *lod = c->asked->lod, *narrow;
    const int is_folded = c->asked->question->is_folded;
    const uint32_t *kinds = is_folded ? rln__lod_kinds_of_names(lod) : NULL;
    uint8_t *names = rln__query_names_sought(c->asked); /* owned */
    int failed = !names || (is_folded && !kinds);

    failed = failed || rln__lod_find_gpus(lod, &c->gpus) || find_own(c, &narrow);
    failed = failed || find_others(c, names);
    rln__free(names);
    if (failed || c->all.n < LEAST_OCCURRENCES || !rln__lod_are_usual(&c->all) ||
        !c->own.n)
        return failed;
    if (rln__query_states_known(c->asked) == RLN__LOD_STATES_KNOWN &&
        rln__lod_usual_states(lod, c->own.items, &c->all, &c->states))
        return -1;
    return rln__lod_measure_inside(lod, narrow, kinds, &c->gpus, &c->own, &c->inside) ||
           rln__lod_measure_inside(lod, lod, kinds, &c->gpus, &c->all, &c->usual);
}

static double difference_of(const struct part *part)
{
    return fabs((double)part->ns - part->median_ns);
}

static int by_difference(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    if (difference_of(x) != difference_of(y))
        return difference_of(x) < difference_of(y) ? 1 : -1;
    return (x->part > y->part) - (x->part < y->part);
}

/* All parts of the one or of what is usual; both lists are in the order of parts. */
static int compare(struct comparison *c)
{
    double *values = rln__alloc(c->all.n, sizeof(*values)); /* owned */
    size_t i = 0, k = 0;

    c->parts = rln__alloc(c->inside.n + c->usual.n, sizeof(*c->parts));
    while (values && c->parts && (i < c->inside.n || k < c->usual.n)) {
        const struct rln__lod_time_inside *own = &c->inside.times[i];
        const struct rln__lod_time_inside *usual = &c->usual.times[k];
        const int is_own =
            i < c->inside.n && (k == c->usual.n || own->part <= usual->part);
        const int is_usual =
            k < c->usual.n && (i == c->inside.n || usual->part <= own->part);
        struct part part = {.part = is_own ? own->part : usual->part};

        if (is_own) {
            part.ns = own->ns;
            part.n = own->n;
            i++;
        }
        if (is_usual) {
            part.median_ns = rln__lod_median_of_part(&c->usual, k, c->all.n, values);
            k = rln__lod_end_of_part(&c->usual, k);
        }
        if (part.ns || part.median_ns > 0)
            c->parts[c->n++] = part;
    }
    if (values)
        c->median_ns = rln__lod_median_length(&c->all, values);
    rln__free(values);
    if (!values || !c->parts)
        return -1;
    if (c->n)
        qsort(c->parts, c->n, sizeof(*c->parts), by_difference);
    return 0;
}

static void put_states(struct rln__buf *out, const struct rln__lod_usual_states *states)
{
    if (!states->n)
        return;
    rln__json_begin(out, "states", '[');
    for (size_t i = 0; i < states->n; i++) {
        rln__json_begin(out, NULL, '{');
        rln__json_word(out, "state", states->items[i].name);
        rln__json_u64(out, "ns", states->items[i].ns);
        rln__json_key(out, "median");
        rln__put_real(out, states->items[i].median_ns);
        rln__buf_char(out, '}');
    }
    rln__buf_char(out, ']');
}

static void put(struct rln__buf *out, const struct comparison *c)
{
    const size_t n = c->n < MOST_PARTS ? c->n : MOST_PARTS;
    const int is_rough =
        c->all.n < c->all.n_all || c->usual.is_rough || c->inside.is_rough;

    rln__json_begin(out, NULL, '{');
    rln__json_u64(out, "n", c->all.n_all);
    rln__json_key(out, "median");
    rln__put_real(out, c->median_ns);
    rln__json_bool(out, "isRough", is_rough);
    if (c->all.n_inner)
        rln__json_bool(out, "isOutermost", 1);
    rln__json_u64(out, "more", c->n - n);
    rln__json_begin(out, "rows", '[');
    for (size_t i = 0; i < n; i++) {
        const struct part *part = &c->parts[i];

        rln__json_begin(out, NULL, '{');
        rln__query_put_part(out, &c->gpus, part->part);
        rln__json_u64(out, "ns", part->ns);
        rln__json_u64(out, "calls", part->n);
        rln__json_key(out, "median");
        rln__put_real(out, part->median_ns);
        rln__buf_char(out, '}');
    }
    rln__buf_char(out, ']');
    put_states(out, &c->states);
    rln__buf_char(out, '}');
}

int rln__query_inside(const struct rln__query_context *a, struct rln__buf *out)
{
    struct comparison c = {.asked = a};
    int failed;

    if (a->question->row >= a->lod->n_rows || a->question->name >= a->lod->n_names)
        return 404;
    failed = measure(&c) || compare(&c);
    if (!failed)
        put(out, &c);
    rln__lod_gpus_clear(&c.gpus);
    rln__lod_occurrences_clear(&c.all);
    rln__lod_occurrences_clear(&c.own);
    rln__lod_inside_clear(&c.usual);
    rln__lod_inside_clear(&c.inside);
    rln__free(c.parts);
    return failed ? 500 : 200;
}
