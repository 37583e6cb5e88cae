/* SPDX-License-Identifier: Apache-2.0 */
/* test_same_ranges.c - whatever reads a trace finds the same ranges in it.
 *
 *   in the order of time    rln_ranges
 *   thread after thread     rln__nesting, rln__stats, rln__tree, the index of the viewer
 *   a piece at a time       rln_live
 *
 * Compared by style, domain and name: how many there are, how many were never closed,
 * their time, and their self time. Readers that have push/pop ranges only are compared
 * in these, and those that have parents also by the name of the parent: rln__nesting,
 * rln__tree and the flame graph of the index.
 */
#include "base/count.h"
#include "ranges/event_filter.h"
#include "ranges/nesting.h"
#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "temp_trace.h"
#include "timeline/lod_build.h"
#include "timeline/lod_query.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_sums.h"
#include "walk.h"

enum { MOST_NAMES = 4096 };

struct sum {
    int is_started, is_inside;
    rln_text domain, message;
    rln_text parent_domain, parent; /* if it is inside */
    uint64_t n, n_open, total_ns, self_ns;
};

struct sums {
    const char *reader;
    struct sum items[MOST_NAMES];
    size_t n;
};

static int is_same(rln_text a, rln_text b)
{
    return a.length == b.length && (!a.length || !memcmp(a.bytes, b.bytes, a.length));
}

static int is_of(const struct sum *a, const struct sum *b)
{
    return a->is_started == b->is_started && a->is_inside == b->is_inside &&
           is_same(a->domain, b->domain) && is_same(a->message, b->message) &&
           is_same(a->parent_domain, b->parent_domain) && is_same(a->parent, b->parent);
}

/* The sum with the style and the names of `like`. */
static struct sum *sum_like(struct sums *s, const struct sum *like)
{
    struct sum *sum;

    for (size_t i = 0; i < s->n; i++) {
        if (is_of(&s->items[i], like))
            return &s->items[i];
    }
    assert_true(s->n < MOST_NAMES);
    sum = &s->items[s->n++];
    *sum = *like;
    sum->n = sum->n_open = sum->total_ns = sum->self_ns = 0;
    return sum;
}

static struct sum *sum_of(struct sums *s, int is_started, rln_text domain,
                          rln_text message)
{
    return sum_like(
        s,
        &(struct sum){.is_started = is_started, .domain = domain, .message = message});
}

static void begin(struct sums *s, const char *reader)
{
    s->reader = reader;
    s->n = 0;
}

/* --- The readers ------------------------------------------------------------------ */

/* There are ranges whose end may be lost: a tree has them as parents, the index has
 * not.
 */
static int has_lost;

static void read_ranges(struct sums *s, rln_reader *reader)
{
    const uint32_t left_out =
        RLN_FLAG_LOST | RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED | RLN_FLAG_UNPLACED;
    const rln_range *r;
    rln_ranges *ranges;

    begin(s, "rln_ranges");
    has_lost = 0;
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    while (rln_ranges_next(ranges, &r, NULL) == RLN_OK) {
        struct sum *sum;

        has_lost |= (r->flags & RLN_FLAG_LOST) != 0;
        if (r->flags & left_out || r->style > RLN_RANGE_START_END)
            continue;
        sum = sum_of(s, r->style == RLN_RANGE_START_END, r->attributes.domain_name,
                     r->attributes.message);
        sum->n++;
        sum->n_open += (r->flags & RLN_FLAG_OPEN) != 0;
        sum->total_ns +=
            r->end_ns > r->start_ns ? (uint64_t)(r->end_ns - r->start_ns) : 0;
    }
    rln_ranges_close(ranges);
}

static void read_nesting(struct sums *s, struct sums *inside, rln_reader *reader)
{
    struct rln__nesting *nesting;
    struct rln__nesting_row row, parent;
    int64_t *order_ns; /* its start, or its parent's if that is later */

    begin(s, "struct rln__nesting");
    begin(inside, "struct rln__nesting");
    assert_int_equal(rln__nesting_new(reader, &nesting, NULL), RLN_OK);
    order_ns = calloc(rln__nesting_count(nesting) + 1, sizeof(*order_ns));
    assert_non_null(order_ns);
    for (size_t i = 0; rln__nesting_get(nesting, i, &row); i++) {
        struct sum *sum = sum_of(s, 0, row.domain_name, row.message);

        order_ns[i] = row.start_ns;
        if (row.parent != SIZE_MAX) {
            assert_true(row.parent < i);
            if (order_ns[i] < order_ns[row.parent])
                order_ns[i] = order_ns[row.parent];
        }
        assert_true(!i || order_ns[i - 1] <= order_ns[i]);
        sum->n++;
        sum->n_open += (row.flags & RLN_FLAG_OPEN) != 0;
        sum->total_ns += (uint64_t)(row.end_ns - row.start_ns);
        if (row.parent == SIZE_MAX)
            continue;
        assert_int_equal(rln__nesting_get(nesting, row.parent, &parent), 1);
        sum = sum_like(inside, &(struct sum){.is_inside = 1,
                                             .domain = row.domain_name,
                                             .message = row.message,
                                             .parent_domain = parent.domain_name,
                                             .parent = parent.message});
        sum->n++;
        sum->total_ns += (uint64_t)(row.end_ns - row.start_ns);
        sum->self_ns += row.self_ns;
    }
    free(order_ns);
    rln__nesting_free(nesting);
}

static void read_stats(struct sums *s, rln_reader *reader)
{
    struct rln__stats *stats;

    begin(s, "struct rln__stats");
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    for (size_t i = 0; i < rln__stats_count(stats); i++) {
        const struct rln__stats_row *row = rln__stats_at(stats, i);
        struct sum *sum = sum_of(s, row->style == RLN_RANGE_START_END, row->domain_name,
                                 row->message);

        sum->n += row->n_ranges;
        sum->n_open += row->n_open;
        sum->total_ns += row->total_ns;
    }
    rln__stats_free(stats);
}

static void read_tree(struct sums *s, struct sums *inside, rln_reader *reader)
{
    struct rln__tree *tree;

    begin(s, "struct rln__tree");
    begin(inside, "struct rln__tree");
    assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
    for (size_t i = 0; i < rln__tree_count(tree); i++) {
        const struct rln__tree_node *node = rln__tree_at(tree, i), *parent;
        struct sum *sum;

        if (!node->n_calls) /* a path of ranges that did not count */
            continue;
        sum = sum_of(s, 0, node->domain_name, node->message);
        sum->n += node->n_calls;
        sum->n_open += node->n_open;
        sum->total_ns += node->total_ns;
        sum->self_ns += node->self_ns;
        if (node->parent == SIZE_MAX)
            continue;
        parent = rln__tree_at(tree, node->parent);
        sum = sum_like(inside, &(struct sum){.is_inside = 1,
                                             .domain = node->domain_name,
                                             .message = node->message,
                                             .parent_domain = parent->domain_name,
                                             .parent = parent->message});
        sum->n += node->n_calls;
        sum->total_ns += node->total_ns;
        sum->self_ns += node->self_ns;
    }
    rln__tree_free(tree);
}

static int are_paths_rough; /* some are deeper than 255 */
static int has_tasks; /* ranges of lanes that were begun in others: in the index only */

static void read_paths(struct sums *inside, struct rln__lod *lod)
{
    struct rln__lod_sums sums;

    begin(inside, "the flame graph");
    assert_int_equal(rln__lod_sum_up(lod, INT64_MIN, INT64_MAX, NULL, 0, &sums), 0);
    are_paths_rough = sums.are_paths_rough;
    for (size_t i = 0; i < sums.n_paths; i++) {
        const struct rln__lod_sum *path = &sums.paths[i];
        const struct rln__lod_name *name = &lod->names[path->name], *parent;
        struct sum *sum;

        if (path->parent == RLN__NONE)
            continue;
        parent = &lod->names[sums.paths[path->parent].name];
        sum = sum_like(inside, &(struct sum){.is_inside = 1,
                                             .domain = name->domain,
                                             .message = name->message,
                                             .parent_domain = parent->domain,
                                             .parent = parent->message});
        sum->n += path->n;
        sum->total_ns += path->total_ns;
        sum->self_ns += (uint64_t)path->self_ns;
    }
    rln__lod_sums_clear(&sums);
}

/* One name has the ranges of both styles. */
static void read_index(struct sums *s, struct sums *inside, rln_reader *reader)
{
    struct rln__lod lod;

    begin(s, "the index");
    assert_int_equal(rln__lod_init(&lod, reader, NULL, rln__lod_budget(reader), NULL),
                     RLN_OK);
    assert_int_equal(rln__lod_build(&lod, NULL), RLN_OK);
    for (size_t i = 0; i < lod.n_names; i++) {
        const struct rln__lod_name *name = &lod.names[i];
        struct sum *sum;

        if (!name->durations.n || name->field.length)
            continue;
        sum = sum_of(s, 0, name->domain, name->message);
        sum->n += name->durations.n;
        sum->total_ns += name->total_ns;
        sum->self_ns += name->self_ns;
    }
    has_tasks = 0;
    for (size_t i = 0; i < lod.n_rows; i++)
        has_tasks |=
            lod.rows[i].kind == RLN__LOD_STARTED && lod.rows[i].above != RLN__NONE;
    read_paths(inside, &lod);
    rln__lod_clear(&lod);
}

static void read_live(struct sums *s, rln_reader *reader)
{
    const rln_live_row *rows;
    rln_live *live;
    size_t n;

    begin(s, "rln_live");
    assert_int_equal(rln_live_new(reader, &live, NULL), RLN_OK);
    assert_int_equal(rln_live_refresh(live, NULL), RLN_OK);
    rows = rln_live_rows(live, &n);
    for (size_t i = 0; i < n; i++) {
        struct sum *sum;

        if (!rows[i].n_ended && !rows[i].n_open) /* lost ones */
            continue;
        sum = sum_of(s, rows[i].style == RLN_RANGE_START_END, rows[i].domain_name,
                     rows[i].message);
        sum->n += rows[i].n_ended + rows[i].n_open;
        sum->n_open += rows[i].n_open;
        sum->total_ns += rows[i].total_ns;
        sum->self_ns += rows[i].self_ns;
    }
    rln_live_free(live);
}

/* --- Comparing -------------------------------------------------------------------- */

enum {
    NO_STARTED = 1, /* push/pop ranges only */
    NO_OPEN = 2,    /* how many were never closed is not known */
    NO_SELF = 4,
    ADDED_UP = 8, /* both styles as one */
    NO_TIME = 16,
};

/* The sums that a reader with these restrictions would have. */
static void restrict_to(struct sums *out, const struct sums *s, unsigned without)
{
    begin(out, s->reader);
    for (size_t i = 0; i < s->n; i++) {
        const struct sum *from = &s->items[i];
        struct sum like = *from, *to;

        if (without & NO_STARTED && from->is_started)
            continue;
        like.is_started &= !(without & ADDED_UP);
        to = sum_like(out, &like);
        to->n += from->n;
        to->n_open += without & NO_OPEN ? 0 : from->n_open;
        to->total_ns += without & NO_TIME ? 0 : from->total_ns;
        to->self_ns += without & (NO_SELF | NO_TIME) ? 0 : from->self_ns;
    }
}

/* NULL if all are the same; else a description of the first that is not. */
static const char *difference(const struct sums *a, const struct sums *b,
                              unsigned without)
{
    static struct sums x, y;
    static char text[512];

    restrict_to(&x, a, without);
    restrict_to(&y, b, without);
    for (size_t i = 0; i < x.n; i++) {
        const struct sum *p = &x.items[i];
        const struct sum *q = sum_like(&y, p);

        if (p->n == q->n && p->n_open == q->n_open && p->total_ns == q->total_ns &&
            p->self_ns == q->self_ns)
            continue;
        (void)snprintf(text, sizeof(text),
                       "%.*s:%.*s, %s in %.*s:%.*s: %s has %llu, %llu open, %llu ns, "
                       "self %llu; %s %llu, %llu open, %llu ns, self %llu",
                       (int)p->domain.length, p->domain.bytes, (int)p->message.length,
                       p->message.bytes, p->is_started ? "started" : "pushed",
                       (int)p->parent_domain.length, p->parent_domain.bytes,
                       (int)p->parent.length, p->parent.bytes, x.reader,
                       (unsigned long long)p->n, (unsigned long long)p->n_open,
                       (unsigned long long)p->total_ns, (unsigned long long)p->self_ns,
                       y.reader, (unsigned long long)q->n,
                       (unsigned long long)q->n_open, (unsigned long long)q->total_ns,
                       (unsigned long long)q->self_ns);
        return text;
    }
    if (y.n > x.n) {
        (void)snprintf(text, sizeof(text), "%s has %zu names, %s %zu", x.reader, x.n,
                       y.reader, y.n);
        return text;
    }
    return NULL;
}

static void expect_same(const char *trace, const struct sums *a, const struct sums *b,
                        unsigned without)
{
    const char *text = difference(a, b, without);

    if (text)
        fail_msg("%s: %s", trace, text);
}

static struct sums ranges, nesting, stats, tree, in_index, live;
static struct sums in_nesting, in_tree, in_paths; /* by parents */

/* Paths have the names with which ranges began, not those that their ends give them. */
static int renames(const char *trace)
{
    return !strcmp(trace, "payloads");
}

/* Nsight's parents, which rln__nesting has, are other ones where ranges cross. */
static int has_crossed(rln_reader *reader)
{
    int has_crossed = 0;
    rln_check *check;

    assert_int_equal(rln_check_new(reader, &check, NULL), RLN_OK);
    for (size_t i = 0; rln_check_at(check, i); i++)
        has_crossed |= rln_check_at(check, i)->kind == RLN_FINDING_CROSSED;
    rln_check_free(check);
    return has_crossed;
}

/* A tree also has the parents that a filter excludes. */
static void expect_same_parents(const char *trace, rln_reader *reader)
{
    if (reader->filter || renames(trace))
        return;
    if (!has_crossed(reader))
        expect_same(trace, &in_nesting, &in_tree, NO_OPEN | NO_SELF);
}

/* What differs between readers in time order and those of one thread after the other:
 * only what a damaged trace says twice. */
static void expect_same_in_each_order(const char *trace, rln_reader *reader)
{
    read_ranges(&ranges, reader);
    read_nesting(&nesting, &in_nesting, reader);
    expect_same(trace, &ranges, &nesting, NO_STARTED | NO_SELF);
    read_stats(&stats, reader);
    read_tree(&tree, &in_tree, reader);
    if (!renames(trace))
        expect_same(trace, &stats, &tree, NO_STARTED | NO_SELF);
    expect_same_parents(trace, reader);
}

/* A live range that is open lasts until now, which is one time for all parts. */
static void expect_same_ranges(const char *trace, rln_reader *reader)
{
    const unsigned one_now = reader->layout.n_parts > 1 ? NO_TIME : 0;

    expect_same_in_each_order(trace, reader);
    expect_same(trace, &ranges, &stats, NO_SELF);
    read_live(&live, reader);
    if (!renames(trace))
        expect_same(trace, &tree, &live, NO_STARTED | one_now);
    expect_same(trace, &stats, &live, NO_SELF | one_now);
    if (rln__reader_has_gpu_work(reader)) /* of which the index has names, too */
        return;
    read_index(&in_index, &in_paths, reader);
    expect_same(trace, &stats, &in_index, ADDED_UP | NO_OPEN | NO_SELF);
    expect_same(trace, &live, &in_index,
                ADDED_UP | NO_OPEN | one_now | (has_tasks ? NO_SELF : 0));
    if (!reader->filter && !renames(trace) && !has_lost && !are_paths_rough &&
        !has_tasks)
        expect_same(trace, &in_tree, &in_paths, NO_OPEN);
}

/* Deferred events are not live. */
static int has_deferred(const char *trace)
{
    return !strcmp(trace, "deferred") || !strcmp(trace, "pool");
}

static void all_readers_find_the_same_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < SC_COUNT; i++) {
        rln_reader *reader = open_scenario(sc_all[i].build);

        if (has_deferred(sc_all[i].name)) {
            expect_same_in_each_order(sc_all[i].name, reader);
            expect_same(sc_all[i].name, &ranges, &stats, NO_SELF);
        } else {
            expect_same_ranges(sc_all[i].name, reader);
        }
        rln_reader_close(reader);
    }
}

/* --- By hand ---------------------------------------------------------------------- */

/* "step" and "load" are of the default domain, 0, and "io:load" is of domain 1. */
enum { STEP = 1, LOAD = 2, IO_LOAD = 3 };

static struct {
    uint32_t thread;
    unsigned kind, id;
    uint64_t t;
} events[16];
static size_t n_events;

static void add(uint32_t thread, unsigned kind, unsigned id, uint64_t t)
{
    events[n_events].thread = thread;
    events[n_events].kind = kind;
    events[n_events].id = id;
    events[n_events++].t = t;
}

/* A chunk for each event. An end has the number of its start, among all starts. */
static void sc_by_hand(struct tb *tb)
{
    uint64_t ids[16] = {0};
    size_t n_starts = 0, first;

    (void)tb_part(tb, 32);
    sc_names(tb, 1, 100);
    first = tb->size;
    for (size_t i = 0; i < n_events; i++) {
        if (events[i].kind == RLN__START)
            ids[n_starts++] =
                (first + i * TB_CHUNK_BYTES + RLN__CHUNK_HEADER_BYTES) / 8;
    }
    n_starts = 0;
    for (size_t i = 0; i < n_events; i++) {
        struct tb_chunk c = tb_events(tb, 1, events[i].thread, 100 + events[i].thread);
        uint64_t id;

        if (events[i].kind == RLN__END) {
            (void)tb_value(&c, RLN__END, 0, events[i].t, ids[events[i].id]);
            continue;
        }
        id = tb_event(&c, events[i].kind, events[i].id, events[i].t);
        if (events[i].kind == RLN__START)
            assert_int_equal(id, ids[n_starts++]);
    }
    n_events = 0;
}

static void expect_by_hand(const char *what, uint64_t n, uint64_t n_open,
                           uint64_t total_ns)
{
    rln_reader *reader = open_scenario(sc_by_hand);
    uint64_t found[3] = {0};

    expect_same_ranges(what, reader);
    for (size_t i = 0; i < ranges.n; i++) {
        found[0] += ranges.items[i].n;
        found[1] += ranges.items[i].n_open;
        found[2] += ranges.items[i].total_ns;
    }
    assert_int_equal(found[0], n);
    assert_int_equal(found[1], n_open);
    assert_int_equal(found[2], total_ns);
    rln_reader_close(reader);
}

static void an_end_may_be_read_before_its_start_at_the_same_time(void **state)
{
    (void)state;
    add(1, RLN__END, 0, 100);
    add(2, RLN__START, STEP, 100);
    expect_by_hand("an end at its start", 1, 0, 0);
    add(1, RLN__END, 1, 100);
    add(1, RLN__END, 2, 100); /* of nothing */
    add(1, RLN__END, 0, 100);
    add(1, RLN__END, 0, 100);
    add(2, RLN__START, STEP, 100);
    add(2, RLN__START, LOAD, 100);
    add(2, RLN__PUSH, LOAD, 100);
    add(2, RLN__POP, 0, 130);
    expect_by_hand("two ends at their starts", 3, 0, 30);
}

static void an_end_before_its_start_closes_nothing(void **state)
{
    (void)state;
    add(1, RLN__START, STEP, 100);
    add(2, RLN__END, 0, 50);
    expect_by_hand("an end before its start", 1, 1, 0);
    add(1, RLN__END, 0, 50);
    add(2, RLN__END, 0, 200);
    add(3, RLN__START, STEP, 100);
    expect_by_hand("an end before, and one after", 1, 0, 100);
}

static void domains_that_cross_have_the_same_ranges(void **state)
{
    (void)state;
    add(1, RLN__PUSH, STEP, 0);
    add(1, RLN__PUSH, IO_LOAD, 10);
    add(1, RLN__POP, 0, 30);
    add(1, RLN__POP, 1, 50);
    expect_by_hand("crossing", 2, 0, 70);
    add(1, RLN__PUSH, STEP, 0);
    add(1, RLN__PUSH, LOAD, 10);
    add(1, RLN__PUSH, IO_LOAD, 20);
    add(1, RLN__POP, 0, 30);
    add(1, RLN__POP, 1, 60);
    expect_by_hand("crossing, left open", 3, 1, 20 + 40 + 60);
}

/* --- Walks ------------------------------------------------------------------------ */

enum { MOST_STARTED = 64 };

static uint64_t seed;
static uint64_t started[MOST_STARTED];
static size_t n_started;

/* Whether a thread still pushes. Where ranges cross, they nest deeper and deeper; the
 * index has 255 levels, so each thread closes them all at times. */
static int rises(struct walk *w, unsigned thread)
{
    const unsigned n_open = w->depth[thread][0] + w->depth[thread][1];
    const unsigned mine = 1u << thread;

    if (!n_open)
        w->rises |= mine;
    else if (draw(w, 60) == 0)
        w->rises &= ~mine;
    return (w->rises & mine) != 0;
}

/* Either thread ends what one of them has started, perhaps before the start. None ends
 * a start twice: readers may take either end then. */
static void step(struct walk *w, struct tb_chunk *c, unsigned thread, uint64_t base)
{
    const unsigned domain = draw(w, 3) == 0;
    unsigned *depth = &w->depth[thread][domain];
    const uint64_t t = w->t[thread] - base;

    w->t[thread] += draw(w, 20);
    switch (draw(w, 6)) {
    case 0:
        if (n_started < MOST_STARTED)
            started[n_started++] = tb_event(c, RLN__START, domain ? IO_LOAD : STEP, t);
        break;
    case 1:
        if (n_started)
            (void)tb_value(c, RLN__END, domain, t, started[--n_started]);
        break;
    case 2:
        if (*depth < 40 && rises(w, thread)) {
            (void)tb_event(c, RLN__PUSH, domain ? IO_LOAD : 1 + draw(w, 2), t);
            ++*depth;
        }
        break;
    case 3:
        (void)tb_event(c, RLN__POP, domain, t); /* sometimes of nothing */
        *depth -= *depth > 0;
        break;
    default:
        (void)tb_event(c, RLN__MARK, STEP, t);
    }
}

static void sc_walk(struct tb *tb)
{
    n_started = 0;
    walk(tb,
         (struct walk){.step = step, .step_bytes = 64, .seed = seed, .t = {10, 10}});
}

static void random_walks_have_the_same_ranges(void **state)
{
    rln_filter *filter;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "load", NULL), RLN_OK);
    rln_filter_set_min_duration(filter, 40);
    for (seed = 1; seed <= 8; seed++) {
        rln_reader *reader = open_scenario(sc_walk);

        expect_same_ranges("a walk", reader);
        assert_false(are_paths_rough);
        rln_reader_set_filter(reader, filter);
        expect_same_ranges("a filtered walk", reader);
        rln_reader_close(reader);
    }
    rln_filter_free(filter);
}

/* --- Damage ----------------------------------------------------------------------- */

enum { FLIPS = 24 };

/* Bits of the events, of each trace by itself. What is damaged may be said twice: then
 * the two orders may differ, and do so rarely. */
static void damaged_traces_have_the_same_ranges_in_each_order(void **state)
{
    struct walk random = {.seed = 7};
    unsigned n = 0, n_differ = 0;

    (void)state;
    for (size_t i = 0; i < SC_COUNT; i++) {
        struct tb tb = {0};

        sc_all[i].build(&tb);
        for (unsigned k = 0; k < FLIPS; k++) {
            size_t at = draw(&random, (unsigned)tb.size);
            const unsigned char bit = (unsigned char)(1u << draw(&random, 8));
            rln_reader *reader;

            while (!tb.bytes[at]) /* most is padding */
                at = draw(&random, (unsigned)tb.size);
            tb.bytes[at] ^= bit;
            if (!open_bytes(tb.bytes, tb.size, &reader, NULL)) {
                expect_same_in_each_order(sc_all[i].name, reader);
                n_differ += difference(&ranges, &stats, NO_SELF) != NULL;
                n++;
                rln_reader_close(reader);
            }
            tb.bytes[at] ^= bit;
        }
        tb_clear(&tb);
    }
    assert_true(n > SC_COUNT * FLIPS / 2);
    assert_true(n_differ < n / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_readers_find_the_same_ranges),
        cmocka_unit_test(an_end_may_be_read_before_its_start_at_the_same_time),
        cmocka_unit_test(an_end_before_its_start_closes_nothing),
        cmocka_unit_test(domains_that_cross_have_the_same_ranges),
        cmocka_unit_test(random_walks_have_the_same_ranges),
        cmocka_unit_test(damaged_traces_have_the_same_ranges_in_each_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
