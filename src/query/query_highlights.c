/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_highlights.h"

#include "base/alloc.h"
#include "base/json.h"
#include "query/query_inside.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_gpu_gaps.h"
#include "timeline/lod_longest.h"
#include "timeline/lod_step.h"
#include "timeline/lod_sums.h"

#include <stdlib.h>

#define MOST_SLOW 5u
#define LEAST_EXCESS 0.1 /* of the median, that a slow one is longer */
#define MOST_RARE 5u
#define LEAST_RARE 0.01 /* of the time of all occurrences, that a part takes */
#define LEAST_GAP_NS 10000u

/* --- Steps ------------------------------------------------------------------------ */

/* A slow occurrence, and the part that grew most in it. */
struct slow {
    uint64_t part_ns;
    double part_median_ns, most_ns;
    uint32_t part;
};

/* A part that less than half of the occurrences have. */
struct rare {
    uint32_t part, longest; /* in which occurrence it is longest */
    size_t n_with;
    uint64_t ns;
};

struct steps {
    struct rln__lod *lod;
    const uint32_t *kinds; /* borrowed */
    uint32_t step;         /* a kind */
    uint8_t *names;        /* owned: by name, whether it is of that kind */
    struct rln__lod_gpus gpus;
    struct rln__lod_occurrences all, slowest; /* outermost ones */
    struct rln__lod_inside usual, inside;     /* of each */
    double median_ns, sum_ns, *values;        /* owned */
    struct slow slow[MOST_SLOW];              /* as `slowest` */
    uint8_t is_open[MOST_SLOW];               /* likewise */
    struct rare rare[MOST_RARE];              /* the longest first */
    size_t n_rare;
};

/* Of all of the kind: those that were merged count, too. */
static int find_exact_median(struct steps *s)
{
    struct rln__duration_histogram durations = {0};
    struct rln__duration_histogram_spread spread = {.n_bars = 0};
    const int failed = rln__lod_merge_durations(s->lod, s->names, &durations) ||
                       rln__duration_histogram_spread(&durations, &spread);

    if (spread.n_bars && durations.n == s->all.n_all)
        s->median_ns = spread.median_ns;
    rln__duration_histogram_clear(&durations);
    return failed;
}

/* What is usual inside is known if most occurrences are not merged. */
static int find_usual(struct steps *s)
{
    if (rln__lod_find_occurrences(s->lod, s->names, 1, &s->all))
        return -1;
    s->values = rln__alloc(s->all.n, sizeof(*s->values));
    if (!s->values)
        return -1;
    for (size_t i = 0; i < s->all.n; i++)
        s->sum_ns += (double)rln__lod_length(&s->all.items[i]);
    if (!rln__lod_are_usual(&s->all))
        return find_exact_median(s);
    s->median_ns = rln__lod_median_length(&s->all, s->values);
    return find_exact_median(s) ||
           rln__lod_measure_inside(s->lod, s->lod, s->kinds, &s->gpus, &s->all,
                                   &s->usual);
}

static int by_row(const void *a, const void *b)
{
    const struct rln__lod_found *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->bucket->start_ns > y->bucket->start_ns) -
           (x->bucket->start_ns < y->bucket->start_ns);
}

/* Keeps of the longest those to list, in the order of their rows. */
static size_t choose_slowest(const struct steps *s, struct rln__lod_longest *longest)
{
    size_t n = 0;

    for (size_t i = 0; i < longest->n && n < MOST_SLOW; i++) {
        const struct rln__lod_found *found = &longest->items[i];

        if (found->bucket->n == 1 &&
            rln__query_is_outermost(s->lod, s->names, found->row,
                                    found->bucket->start_ns) &&
            (double)rln__range_bucket_ns(found->bucket) >
                s->median_ns * (1 + LEAST_EXCESS))
            longest->items[n++] = *found;
    }
    if (n)
        qsort(longest->items, n, sizeof(*longest->items), by_row);
    return n;
}

static int find_slowest(struct steps *s)
{
    const struct rln__lod_sought sought = {.names = s->names};
    struct rln__lod_longest longest;
    int failed =
        rln__lod_longest(s->lod, &sought, s->lod->first_ns, s->lod->last_ns, &longest);
    const size_t n = failed ? 0 : choose_slowest(s, &longest);

    for (size_t i = 0; i < n && !failed; i++) {
        const struct rln__range_bucket *bucket = longest.items[i].bucket;
        struct rln__lod_occurrence *added = rln__append(
            &s->slowest.items, &s->slowest.n, &s->slowest.capacity, sizeof(*added));

        if (added)
            *added = (struct rln__lod_occurrence){longest.items[i].row,
                                                  bucket->start_ns, bucket->end_ns};
        s->is_open[i] = bucket->is_open;
        failed = !added;
    }
    rln__lod_longest_clear(&longest);
    return failed || rln__lod_measure_inside(s->lod, s->lod, s->kinds, &s->gpus,
                                             &s->slowest, &s->inside);
}

/* GPU work is in a child as well, which says more; calls of the step inside itself are no
 * part of it. */
static int says_something(const struct steps *s, uint32_t part)
{
    return part == RLN__LOD_SELF || (!(part & RLN__LOD_OF_GPU) && part != s->step);
}

/* Which part grew most in each of the slowest. */
static void find_causes(struct steps *s)
{
    for (size_t i = 0; i < s->inside.n && s->usual.n; i++) {
        const struct rln__lod_time_inside *time = &s->inside.times[i];
        struct slow *slow = &s->slow[time->occurrence];
        double median_ns;

        if (!says_something(s, time->part))
            continue;
        median_ns = rln__lod_median_of_part(
            &s->usual, rln__lod_find_part(&s->usual, time->part), s->all.n, s->values);
        if ((double)time->ns - median_ns > slow->most_ns)
            *slow = (struct slow){.part = time->part,
                                  .part_ns = time->ns,
                                  .part_median_ns = median_ns,
                                  .most_ns = (double)time->ns - median_ns};
    }
}

static void offer_rare(struct steps *s, size_t first, size_t end)
{
    struct rare rare = {.part = s->usual.times[first].part, .n_with = end - first};
    uint64_t longest_ns = 0;
    size_t at = s->n_rare;

    for (size_t i = first; i < end; i++) {
        const struct rln__lod_time_inside *time = &s->usual.times[i];

        rare.ns += time->ns;
        if (time->ns >= longest_ns) {
            longest_ns = time->ns;
            rare.longest = time->occurrence;
        }
    }
    if ((double)rare.ns < LEAST_RARE * s->sum_ns)
        return;
    while (at && s->rare[at - 1].ns < rare.ns)
        at--;
    if (at == MOST_RARE)
        return;
    s->n_rare += s->n_rare < MOST_RARE;
    for (size_t k = s->n_rare - 1; k > at; k--)
        s->rare[k] = s->rare[k - 1];
    s->rare[at] = rare;
}

static void find_rare(struct steps *s)
{
    for (size_t first = 0, end; first < s->usual.n; first = end) {
        end = rln__lod_end_of_part(&s->usual, first);
        if (says_something(s, s->usual.times[first].part) &&
            (end - first) * 2 < s->all.n)
            offer_rare(s, first, end);
    }
}

static int compare_steps(struct steps *s)
{
    s->names = rln__alloc(s->lod->n_names, 1);
    for (size_t i = 0; i < s->lod->n_names && s->names; i++)
        s->names[i] = s->kinds[i] == s->step;
    if (!s->names || rln__lod_find_gpus(s->lod, &s->gpus) || find_usual(s) ||
        find_slowest(s))
        return -1;
    find_causes(s);
    find_rare(s);
    return 0;
}

static void put_occurrence(struct rln__buf *out, struct steps *s,
                           const struct rln__lod_occurrence *o)
{
    const struct rln__lod_position at = {o->start_ns, o->row, RLN__NONE};

    rln__query_begin_item(out, s->lod, o->row, rln__lod_item(s->lod, &at));
}

static void put_steps(struct rln__buf *out, struct steps *s)
{
    rln__json_begin(out, "step", '{');
    rln__json_u64(out, "name", s->step);
    rln__json_u64(out, "n", s->all.n_all);
    rln__json_key(out, "median");
    rln__put_real(out, s->median_ns);
    rln__json_bool(out, "isRough", s->all.n < s->all.n_all || s->usual.is_rough);
    if (s->all.n_inner)
        rln__json_bool(out, "isOutermost", 1);
    rln__json_begin(out, "slow", '[');
    for (size_t i = 0; i < s->slowest.n; i++) {
        const struct slow *slow = &s->slow[i];

        rln__buf_text(out, i ? ",\n" : "");
        put_occurrence(out, s, &s->slowest.items[i]);
        if (s->is_open[i])
            rln__json_bool(out, "isOpen", 1);
        if (slow->most_ns > 0) {
            rln__json_begin(out, "part", '{');
            rln__query_put_part(out, &s->gpus, slow->part);
            rln__json_u64(out, "ns", slow->part_ns);
            rln__json_key(out, "median");
            rln__put_real(out, slow->part_median_ns);
            rln__buf_char(out, '}');
        }
        rln__buf_char(out, '}');
    }
    rln__buf_text(out, "]");
    rln__json_begin(out, "rare", '[');
    for (size_t i = 0; i < s->n_rare; i++) {
        const struct rare *rare = &s->rare[i];

        rln__json_begin(out, NULL, '{');
        rln__query_put_part(out, &s->gpus, rare->part);
        rln__json_u64(out, "with", rare->n_with);
        rln__json_u64(out, "of", s->all.n);
        rln__json_u64(out, "ns", rare->ns);
        rln__json_key(out, "longest");
        put_occurrence(out, s, &s->all.items[rare->longest]);
        rln__buf_text(out, "}}");
    }
    rln__buf_text(out, "]}");
}

static int answer_steps(struct rln__lod *lod, struct rln__buf *out)
{
    struct steps s = {
        .lod = lod, .kinds = rln__lod_kinds_of_names(lod), .step = RLN__NONE};
    int failed = !s.kinds || rln__lod_find_step(lod, s.kinds, &s.step);

    if (!failed && s.step != RLN__NONE)
        failed = compare_steps(&s);
    if (!failed && s.all.n_all >= RLN__LOD_LEAST_STEPS && s.median_ns > 0)
        put_steps(out, &s);
    else
        rln__buf_text(out, "\"step\":null");
    rln__lod_gpus_clear(&s.gpus);
    rln__lod_occurrences_clear(&s.all);
    rln__lod_occurrences_clear(&s.slowest);
    rln__lod_inside_clear(&s.usual);
    rln__lod_inside_clear(&s.inside);
    rln__free(s.names);
    rln__free(s.values);
    return failed;
}

/* --- Idle GPUs -------------------------------------------------------------------- */

/* The name in which a thread was longest, without inner ranges. RLN__NONE: in none. */
static int find_innermost(struct rln__lod *lod, const struct rln__lod_gpu_gap *gap,
                          uint32_t thread, struct rln__lod_sum *out)
{
    uint8_t *rows = rln__alloc(lod->n_rows, 1); /* owned */
    const struct rln__lod_filter filter = {.rows = rows};
    struct rln__lod_sums sums = {.n_names = 0};
    int failed = !rows;

    *out = (struct rln__lod_sum){.name = RLN__NONE};
    for (size_t i = 0; i < lod->n_rows && rows; i++)
        rows[i] = !lod->rows[i].is_stream &&
                  rln__lod_is_same_thread(lod, lod->rows[i].thread, thread) != 0;
    failed =
        failed || rln__lod_sum_up(lod, gap->start_ns, gap->end_ns, &filter, 0, &sums);
    for (size_t i = 0; i < sums.n_names && !failed; i++)
        if (sums.names[i].self_ns > out->self_ns)
            *out = sums.names[i];
    rln__lod_sums_clear(&sums);
    rln__free(rows);
    return failed;
}

static int put_gap(struct rln__buf *out, struct rln__lod *lod,
                   const struct rln__lod_gpu_gap *gap)
{
    const struct rln__lod_row *row = &lod->rows[gap->row];
    const uint32_t thread =
        rln__lod_has_call(row, gap->next) ? rln__lod_owner(lod, gap->next) : RLN__NONE;
    struct rln__lod_sum innermost = {.name = RLN__NONE};

    if (thread != RLN__NONE && find_innermost(lod, gap, thread, &innermost))
        return -1;
    rln__json_begin(out, NULL, '{');
    rln__json_i64(out, "start", gap->start_ns);
    rln__json_i64(out, "end", gap->end_ns);
    rln__json_u64(out, "row", gap->row);
    rln__json_i64(out, "thread", thread == RLN__NONE ? -1 : (int64_t)thread);
    rln__json_i64(out, "name",
                  innermost.name == RLN__NONE ? -1 : (int64_t)innermost.name);
    rln__json_i64(out, "ns", innermost.self_ns);
    rln__buf_char(out, '}');
    return 0;
}

static int put_idle(struct rln__buf *out, struct rln__lod *lod, rln_text name,
                    const struct rln__lod_gpu_idle *idle)
{
    int failed = 0;

    rln__json_begin(out, NULL, '{');
    rln__put_text(out, "label", name);
    rln__json_u64(out, "row", idle->row);
    rln__json_i64(out, "from", idle->first_ns);
    rln__json_i64(out, "to", idle->last_ns);
    rln__json_u64(out, "idle", idle->idle_ns);
    rln__json_bool(out, "isRough", idle->is_rough);
    rln__json_begin(out, "gaps", '[');
    for (size_t i = 0; i < idle->n && !failed; i++)
        if (rln__lod_gap_ns(&idle->longest[i]) >= LEAST_GAP_NS)
            failed = put_gap(out, lod, &idle->longest[i]);
    rln__buf_text(out, "]}");
    return failed;
}

static int answer_gpus(struct rln__lod *lod, struct rln__buf *out)
{
    struct rln__lod_gpus gpus;
    struct rln__lod_gpu_idle *idle = NULL; /* owned */
    int failed = rln__lod_find_gpus(lod, &gpus);

    if (!failed)
        idle = rln__alloc(gpus.n, sizeof(*idle));
    failed = failed || !idle || rln__lod_find_gpu_gaps(lod, &gpus, idle);
    rln__json_begin(out, "gpus", '[');
    for (size_t i = 0; i < gpus.n && !failed; i++)
        if (idle[i].n_operations)
            failed = put_idle(out, lod, gpus.items[i].name, &idle[i]);
    rln__buf_char(out, ']');
    rln__lod_gpus_clear(&gpus);
    rln__free(idle);
    return failed;
}

int rln__query_highlights(const struct rln__query_context *a, struct rln__buf *out)
{
    int failed;

    if (a->lod->is_filtered) { /* what it left out is no gap, and is missing nowhere */
        rln__buf_text(out, "{\"step\":null,\"gpus\":[]}");
        return 200;
    }
    rln__buf_char(out, '{');
    failed = answer_steps(a->lod, out) || answer_gpus(a->lod, out);
    rln__buf_char(out, '}');
    return failed ? 500 : 200;
}
