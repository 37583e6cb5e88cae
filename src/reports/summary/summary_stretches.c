/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/summary_stretches.h"
#include "base/alloc.h"
#include "base/allowance.h"
#include "base/fail.h"
#include "ranges/stretch_ranges.h"
#include "reports/summary/summary_visitor.h"
#include "trace/order/stretches.h"

#include <string.h>

/* A reader costs some MB of memory, for durations, and saves less than 10 ms below. */
#define BYTES_PER_READER (16u << 20)
/* Of all processors that a process may use: more would wait for the one who stitches. */
#define MOST_READERS 32
/* So that no reader waits for the slowest one. */
#define SLOTS_PER_READER 3

/* What a stretch has of its own. */
struct result {
    struct rln__summary_node *nodes; /* owned, as the next */
    size_t n_nodes, nodes_capacity;
    struct rln__path_sum *paths;
    size_t n_paths, paths_capacity;
    struct rln__leftover leftover;
};

/* A reader's. In `summary`, nodes and paths are those of the current stretch; a node
 * without a row is around the ranges of the thread that is its `parent`. */
struct share {
    struct rln__summary summary; /* first: it is the visitor */
    struct rln__stretch_ranges ranges;
};

/* The caller's. */
struct stitching {
    struct rln__summary *summary; /* borrowed, like the next */
    const struct rln__summary_rest *rest;
    uint32_t *nodes; /* owned: in the summary, by node of the stretch */
    size_t nodes_capacity;
};

/* --- Reading a stretch ------------------------------------------------------------ */

static uint32_t add_around(void *summary, uint32_t thread)
{
    struct rln__summary *s = summary;
    struct rln__summary_node *node =
        rln__append(&s->nodes, &s->n_nodes, &s->nodes_capacity, sizeof(*node));

    if (!node)
        return RLN__NONE;
    *node = (struct rln__summary_node){.parent = thread, .row = RLN__NONE};
    return (uint32_t)s->n_nodes - 1;
}

static int leave_pop(void *summary, const struct rln__item *pop, unsigned flags,
                     uint32_t depth, int64_t t_ns, uint32_t part)
{
    struct share *share = summary;

    (void)flags;
    (void)depth;
    return rln__stretch_leave_change(&share->ranges, pop, t_ns, part);
}

static const struct rln__range_ops ops = {
    .tag = rln__summary_tag,
    .outermost = add_around,
    .close = rln__summary_close_whole,
    .unmatched = leave_pop,
    .counted = rln__summary_counted,
};

/* What opens ranges at a window's begin needs to know which were open. An end that
 * renames its range is for the caller, too; one that does not is like any other. */
static int may_visit(void *context, struct rln__item *item, uint32_t part)
{
    struct share *share = context;

    if (item->kind == RLN__ITEM_RESUMED)
        return 0;
    if ((item->kind != RLN__POP && item->kind != RLN__END) || !rln__item_payloads(item))
        return 1;
    if (rln__end_may_rename(share->summary.reader, part, item))
        return 0;
    item->n_payloads = 0;
    return 1;
}

RLN__INLINE rln_status visit(void *context, const struct rln__item *item, int64_t t_ns,
                             uint32_t part, rln_error *err)
{
    struct share *share = context;
    struct rln__summary *s = &share->summary;
    int failed;

    if (item->kind >= RLN__ITEM_THREAD) {
        if (item->kind == RLN__ITEM_GAP) {
            s->totals.n_gaps++;
            s->totals.n_lost_events += item->value;
        }
        failed = rln__stretch_restate(&share->ranges, item, t_ns, part);
    } else {
        rln__summary_counted(s, 1, item->kind == RLN__MARK, 0, t_ns, t_ns);
        failed = rln__stretch_event(&share->ranges, &ops, item, t_ns, part);
    }
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

static rln_status visit_run(void *context, const struct rln__word_run *run,
                            size_t *n_taken, uint64_t *last_word, rln_error *err)
{
    struct share *share = context;

    return rln__engine_run(&share->summary.engine, &ops, share, run, n_taken, last_word,
                           err);
}

static rln_status read_stretch(struct rln__stretch_reader *reader,
                               struct rln__stretch *stretch, rln_error *err)
{
    struct share *share = reader->visitor;
    struct rln__summary *s = &share->summary;
    struct result *r = stretch->result;
    rln_status status;

    s->nodes = r->nodes;
    s->nodes_capacity = r->nodes_capacity;
    s->sums.paths = r->paths;
    s->sums.paths_capacity = r->paths_capacity;
    s->n_nodes = s->sums.n_paths = 0;
    rln__map_empty(&s->children);
    for (size_t i = 0; i < s->n_rows && s->leaves_paths_out; i++)
        s->rows[i].node = 0;
    rln__stretch_ranges_begin(&share->ranges, &r->leftover);
    status = rln__stretch_read(reader, stretch, may_visit, visit, visit_run, err);
    if (rln__stretch_ranges_end(&share->ranges) && !status)
        status = rln__fail_nomem(err);
    r->nodes = s->nodes;
    r->n_nodes = s->n_nodes;
    r->nodes_capacity = s->nodes_capacity;
    r->paths = s->sums.paths;
    r->n_paths = s->sums.n_paths;
    r->paths_capacity = s->sums.paths_capacity;
    s->nodes = NULL;
    s->sums.paths = NULL;
    return status;
}

/* --- Stitching -------------------------------------------------------------------- */

/* Finds the nodes below `n` of a stretch in the summary. A node comes after the one that
 * encloses it. */
static int find_nodes(struct stitching *g, const struct result *r, size_t *at, size_t n)
{
    struct rln__summary *s = g->summary;

    for (; *at < n; (*at)++) {
        const struct rln__summary_node *node = &r->nodes[*at];
        uint32_t found;

        if (node->row == RLN__NONE)
            found = rln__engine_enclosing(
                &s->engine, &rln__summary_whole, s, node->parent,
                rln__pair_innermost(&s->engine.pairing, node->parent));
        else
            found = rln__summary_child_of(s, g->nodes[node->parent], node->attr);
        if (found == RLN__NONE)
            return -1;
        g->nodes[*at] = found;
    }
    return 0;
}

static rln_status take_item(struct rln__summary *s, struct rln__leftover *leftover,
                            const struct rln__left_item *left, rln_error *err)
{
    const struct rln__item *item = &left->item;
    int failed;

    if (item->kind == RLN__START || item->kind == RLN__END) {
        failed = rln__engine_range(&s->engine, &rln__summary_whole, s, item, left->t_ns,
                                   left->part);
    } else {
        if (rln__leftover_pass(&s->engine, leftover, item->thread, left))
            return rln__fail_nomem(err);
        if (item->kind == RLN__ITEM_THREAD)
            rln__stream_name_thread(s->reader, item->thread, item);
        if (item->kind >= RLN__ITEM_THREAD)
            return rln__engine_restate(&s->engine, &rln__summary_whole, s, item,
                                       left->t_ns, left->part, err);
        failed = rln__engine_range(&s->engine, &rln__summary_whole, s, item, left->t_ns,
                                   left->part);
    }
    if (failed)
        return s->engine.status ? s->engine.status : rln__fail_nomem(err);
    return RLN_OK;
}

static int add_paths(struct stitching *g, const struct result *r)
{
    struct rln__summary_sums *sums = &g->summary->sums;

    for (size_t i = 0; i < r->n_paths; i++) {
        const uint32_t node = g->nodes[i];

        if (!r->paths[i].n_calls)
            continue;
        if (node >= sums->n_paths && rln__summary_sums_make_path(sums, node))
            return -1;
        sums->paths[node].total_ns += r->paths[i].total_ns;
        sums->paths[node].self_ns += r->paths[i].self_ns;
        sums->paths[node].n_calls += r->paths[i].n_calls;
    }
    return 0;
}

/* Leaves the engine as it would be after reading the stretch. */
static int open_ranges(struct stitching *g, struct result *r)
{
    struct rln__engine *e = &g->summary->engine;
    struct rln__leftover *l = &r->leftover;

    for (size_t i = 0; i < l->n_threads; i++) {
        if (rln__leftover_pass(e, l, l->threads[i].thread, NULL))
            return -1;
    }
    for (size_t i = 0; i < l->n_ranges; i++) {
        if (rln__leftover_open(e, &l->ranges[i], g->nodes[l->ranges[i].range.node]))
            return -1;
    }
    return 0;
}

static rln_status stitch(void *context, const struct rln__stretch *stretch,
                         rln_error *err)
{
    struct stitching *g = context;
    struct result *r = stretch->result;
    uint32_t *nodes =
        rln__grow(g->nodes, &g->nodes_capacity, r->n_nodes + 1, sizeof(*nodes));
    size_t at = 0;

    if (!nodes)
        return rln__fail_nomem(err);
    g->nodes = nodes;
    for (size_t i = 0; i < r->leftover.n_items; i++) {
        const struct rln__left_item *left = &r->leftover.items[i];
        const rln_status status = find_nodes(g, r, &at, left->n_tags)
                                      ? rln__fail_nomem(err)
                                      : take_item(g->summary, &r->leftover, left, err);

        if (status)
            return status;
    }
    if (find_nodes(g, r, &at, r->n_nodes) || add_paths(g, r) || open_ranges(g, r))
        return rln__fail_nomem(err);
    return RLN_OK;
}

static rln_status visit_one(void *context, const struct rln__item *item, int64_t t_ns,
                            uint32_t part, rln_error *err)
{
    const struct stitching *g = context;

    return g->rest->visit(g->summary, item, t_ns, part, err);
}

static rln_status read_on(void *context, struct rln__scan *scan, rln_error *err)
{
    const struct stitching *g = context;

    return g->rest->read_on(g->summary, scan, err);
}

/* --- Readers ---------------------------------------------------------------------- */

static int begin_share(struct share *share, struct rln__stretch_reader *reader,
                       const struct rln__summary *whole, rln_error *err)
{
    struct rln__summary *s = &share->summary;

    if (rln__stretch_reader_init(reader, whole->reader, share, err))
        return -1;
    s->reader = &reader->view.reader;
    s->leaves_paths_out = whole->leaves_paths_out;
    s->totals.first_ns = INT64_MAX;
    s->totals.last_ns = INT64_MIN;
    share->ranges = (struct rln__stretch_ranges){
        .engine = &s->engine, .ops = &ops, .visitor = share, .n_tags = &s->n_nodes};
    return rln__engine_init(&s->engine, s->reader, err);
}

/* Adds what the reader added up. */
static int add_share(struct rln__summary *s, const struct share *share)
{
    const struct rln__summary *from = &share->summary;
    const struct rln__stats_totals *t = &from->totals;

    for (size_t i = 0; i < from->sums.n_names; i++) {
        const uint32_t row = rln__summary_row_like(s, &from->rows[i]);

        if (row == RLN__NONE ||
            rln__summary_sums_merge_name(&s->sums, row, &from->sums.names[i]))
            return -1;
    }
    rln__summary_counted(s, t->n_events, t->n_marks, t->n_ranges, t->first_ns,
                         t->last_ns);
    s->totals.n_gaps += t->n_gaps;
    s->totals.n_lost_events += t->n_lost_events;
    for (uint32_t i = 0; i < s->reader->layout.n_parts; i++)
        rln__part_ends_see(&s->engine.part_ends, i, from->engine.part_ends.last_ns[i]);
    return 0;
}

static void end_share(struct share *share, struct rln__stretch_reader *reader)
{
    struct rln__summary *s = &share->summary;

    rln__stretch_ranges_clear(&share->ranges);
    rln__summary_sums_clear(&s->sums);
    rln__engine_clear(&s->engine);
    rln__map_clear(&s->by_name);
    rln__map_clear(&s->children);
    rln__free(s->rows);
    rln__free(s->row_of_attr);
    rln__stretch_reader_clear(reader);
}

static void clear_result(struct result *r)
{
    rln__free(r->nodes);
    rln__free(r->paths);
    rln__leftover_clear(&r->leftover);
}

/* How many readers a trace is worth. */
static size_t count_readers(const rln_reader *reader)
{
    uint64_t n_bytes = 0, n_chunks = 0;

    for (size_t i = 0; i < reader->layout.n_chunks; i++) {
        const struct rln__chunk_info *c = &reader->layout.chunks[i];

        if (!c->is_settled)
            return 1;
        n_bytes += c->end - c->offset;
        n_chunks++;
    }
    return rln__jobs_for(reader->n_jobs, (size_t)n_chunks,
                         (size_t)(n_bytes / BYTES_PER_READER), MOST_READERS);
}

static rln_status read_with(struct stitching *g, struct rln__stretches *s,
                            struct share *shares, struct result *results,
                            rln_error *err)
{
    rln_status status = RLN_OK;
    size_t n = 0;

    for (; n < s->n_readers && !status; n++) {
        if (begin_share(&shares[n], &s->readers[n], g->summary, err))
            status = rln__fail_nomem(err);
    }
    for (size_t i = 0; i < s->n_slots; i++)
        s->slots[i].result = &results[i];
    if (!status)
        status = rln__stretches_scan(g->summary->reader, s, err);
    for (size_t i = 0; i < n && !status; i++) {
        if (add_share(g->summary, &shares[i]))
            status = rln__fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++)
        end_share(&shares[i], &s->readers[i]);
    for (size_t i = 0; i < s->n_slots; i++)
        clear_result(&results[i]);
    return status;
}

rln_status rln__summary_read_stretches(struct rln__summary *summary,
                                       const struct rln__summary_rest *rest,
                                       rln_error *err)
{
    static const struct rln__stretch_ops stretch_ops = {
        .read = read_stretch, .stitch = stitch, .read_on = read_on, .visit = visit_one};
    const size_t n = count_readers(summary->reader);
    struct stitching g = {.summary = summary, .rest = rest};
    struct rln__stretches s = {
        .ops = &stretch_ops,
        .context = &g,
        .n_readers = n,
        .n_slots = n > 1 ? n * SLOTS_PER_READER : 1,
    };
    struct share *shares = rln__alloc(n, sizeof(*shares)); /* owned, as all these */
    struct result *results = rln__alloc(s.n_slots, sizeof(*results));
    rln_status status;

    s.readers = rln__alloc(n, sizeof(*s.readers));
    s.slots = rln__alloc(s.n_slots, sizeof(*s.slots));
    status = shares && results && s.readers && s.slots
                 ? read_with(&g, &s, shares, results, err)
                 : rln__fail_nomem(err);
    rln__free(shares);
    rln__free(results);
    rln__free(s.readers);
    rln__free(s.slots);
    rln__free(g.nodes);
    return status;
}
