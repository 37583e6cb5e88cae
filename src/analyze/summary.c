/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/summary.h"
#include "model/events.h"
#include "model/scan.h"

#include <string.h>

#define TIME_BIAS                                                                      \
    ((uint64_t)1 << 63) /* a map's values are not 0, and times are signed */

/* --- Rows ------------------------------------------------------------------------- */

static uint32_t add_row(struct rln__summary *s, uint32_t attr, rln_range_style style)
{
    const struct rln__attr *a = &s->reader->names.attrs[attr];
    const uint32_t message =
        rln__strings_get(&s->reader->names.strings, a->message).length ? a->message : 0;
    const uint64_t key = ((uint64_t)(style == RLN_RANGE_START_END) << 63) |
                         ((uint64_t)(a->domain & 0x7fffffff) << 32) | message;
    const uint64_t found = rln__map_get(&s->by_name, key);
    struct rln__summary_row *rows;

    if (found)
        return (uint32_t)found - 1;
    rows = rln__grow(s->rows, &s->rows_capacity, s->n_rows + 1, sizeof(*rows));
    if (!rows)
        return RLN__NONE;
    s->rows = rows;
    if (rln__map_put(&s->by_name, key, s->n_rows + 1))
        return RLN__NONE;
    memset(&rows[s->n_rows], 0, sizeof(*rows));
    rows[s->n_rows].domain = a->domain;
    rows[s->n_rows].message = message;
    rows[s->n_rows].style = style;
    rows[s->n_rows].min_ns = UINT64_MAX;
    return (uint32_t)s->n_rows++;
}

static uint32_t row_of_slow(struct rln__summary *s, uint32_t attr,
                            rln_range_style style)
{
    const size_t slot = (size_t)attr * 2 + (style == RLN_RANGE_START_END);
    uint32_t row;

    if (slot >= s->n_row_of_attr) {
        uint32_t *moved = rln__grow(s->row_of_attr, &s->row_of_attr_capacity, slot + 1,
                                    sizeof(*moved));

        if (!moved)
            return RLN__NONE;
        memset(moved + s->n_row_of_attr, 0,
               (s->row_of_attr_capacity - s->n_row_of_attr) * sizeof(*moved));
        s->row_of_attr = moved;
        s->n_row_of_attr = s->row_of_attr_capacity;
    }
    row = add_row(s, attr, style);
    if (row != RLN__NONE)
        s->row_of_attr[slot] = row + 1;
    return row;
}

static inline uint32_t row_of(struct rln__summary *s, uint32_t attr,
                              rln_range_style style)
{
    const size_t slot = (size_t)attr * 2 + (style == RLN_RANGE_START_END);

    if (slot < s->n_row_of_attr && s->row_of_attr[slot])
        return s->row_of_attr[slot] - 1;
    return row_of_slow(s, attr, style);
}

static inline int add_sample(struct rln__summary *s, uint32_t row, uint64_t ns)
{
    struct rln__summary_row *r = &s->rows[row];

    r->total_ns += ns;
    r->min_ns = ns < r->min_ns ? ns : r->min_ns;
    r->max_ns = ns > r->max_ns ? ns : r->max_ns;
    s->totals.n_ranges++;
    return rln__samples_add(&r->samples, ns);
}

/* --- The tree --------------------------------------------------------------------- */

static uint32_t child_of_slow(struct rln__summary *s, uint32_t parent, uint32_t row)
{
    const uint64_t key = ((uint64_t)parent << 32) | row;
    uint64_t child = rln__map_get(&s->children, key);

    if (!child) {
        struct rln__summary_node *nodes =
            rln__grow(s->nodes, &s->nodes_capacity, s->n_nodes + 1, sizeof(*nodes));

        if (!nodes || s->n_nodes >= RLN__NONE)
            return RLN__NONE;
        s->nodes = nodes;
        child = s->n_nodes;
        if (rln__map_put(&s->children, key, child))
            return RLN__NONE;
        memset(&nodes[child], 0, sizeof(*nodes));
        nodes[child].parent = parent;
        nodes[child].row = row;
        s->n_nodes++;
    }
    s->nodes[parent].last_row = row;
    s->nodes[parent].last_child = (uint32_t)child;
    return (uint32_t)child;
}

static inline uint32_t child_of(struct rln__summary *s, uint32_t parent, uint32_t row)
{
    const struct rln__summary_node *node = &s->nodes[parent];

    return node->last_child && node->last_row == row ? node->last_child
                                                     : child_of_slow(s, parent, row);
}

static inline void close_node(struct rln__summary *s, const struct rln__open *range,
                              uint64_t ns)
{
    struct rln__summary_node *node = &s->nodes[range->node];
    const int is_detached = range->value != 0;

    node->total_ns += ns;
    node->n_calls++;
    if (!is_detached)
        s->nodes[node->parent].inside_ns += ns;
}

/* --- Visiting --------------------------------------------------------------------- */

static inline int visit_push(struct rln__summary *s, const struct rln__item *item,
                             int64_t t_ns)
{
    const uint32_t row = row_of(s, item->ref, RLN_RANGE_PUSH_POP);
    const uint32_t around = rln__pair_newest(&s->pairing, item->thread);
    const uint32_t parent = around == RLN__NONE ? 0 : s->pairing.pool[around].node;
    uint32_t node, index;

    if (row == RLN__NONE)
        return -1;
    node = child_of(s, parent, row);
    if (node == RLN__NONE)
        return -1;
    index = rln__pair_push(&s->pairing, s->reader->names.attrs[item->ref].domain_id,
                           item->thread, t_ns, item->ref);
    if (index == RLN__NONE)
        return -1;
    s->pairing.pool[index].node = node;
    return 0;
}

static inline int visit_pop(struct rln__summary *s, const struct rln__item *item,
                            int64_t t_ns)
{
    uint32_t index, depth;
    const unsigned flags =
        rln__pair_pop(&s->pairing, item->thread, item->ref, &index, &depth);
    struct rln__open *range;
    uint64_t ns;

    if (index == RLN__NONE) {
        s->totals.n_unmatched += (flags & RLN_FLAG_UNMATCHED) != 0;
        s->totals.n_inherited += (flags & RLN_FLAG_INHERITED) != 0;
        return 0;
    }
    range = &s->pairing.pool[index];
    ns = t_ns > range->t_ns ? (uint64_t)(t_ns - range->t_ns) : 0;
    if (range->newer != RLN__NONE) {
        struct rln__open *child = &s->pairing.pool[range->newer];

        /* Crossed: see the top of summary.h. */
        if (!child->value && s->nodes[child->node].parent == range->node)
            s->nodes[range->node].inside_ns += (uint64_t)(t_ns - child->t_ns);
        child->value = 1;
    }
    close_node(s, range, ns);
    rln__pair_release(&s->pairing, index);
    return add_sample(s, s->nodes[range->node].row, ns);
}

static int visit_start(struct rln__summary *s, const struct rln__item *item,
                       int64_t t_ns, uint32_t part)
{
    const uint64_t id = rln__start_id(s->reader, part, item->offset);
    const uint64_t early = s->early.n ? rln__map_get(&s->early, id) : 0;
    const int64_t end_ns = (int64_t)(early - TIME_BIAS);
    const uint32_t row = row_of(s, item->ref, RLN_RANGE_START_END);

    if (row == RLN__NONE)
        return -1;
    if (early && end_ns >= t_ns) {
        (void)rln__map_remove(&s->early, id);
        return add_sample(s, row, (uint64_t)(end_ns - t_ns));
    }
    return rln__pair_start(&s->pairing, id, item->thread, t_ns, item->ref) == RLN__NONE
               ? -1
               : 0;
}

static int visit_end(struct rln__summary *s, const struct rln__item *item, int64_t t_ns,
                     uint32_t part)
{
    const uint64_t id = rln__range_id(part, item->value);
    const uint32_t index = rln__pair_end(&s->pairing, id);
    const struct rln__open *range;
    uint32_t row;

    if (index == RLN__NONE) {
        /* Another thread's chunk may still bring its start. An end that comes again is
         * kept here, too, and counted as unmatched. */
        if (rln__map_get(&s->early, id)) {
            s->totals.n_unmatched++;
            return 0;
        }
        return rln__map_put(&s->early, id, (uint64_t)t_ns + TIME_BIAS);
    }
    range = &s->pairing.pool[index];
    if (t_ns < range->t_ns) {
        s->totals.n_unmatched++;
        return rln__map_put(&s->pairing.starts, id, (uint64_t)index + 1);
    }
    row = row_of(s, range->attr, RLN_RANGE_START_END);
    rln__pair_release(&s->pairing, index);
    return row == RLN__NONE ? -1 : add_sample(s, row, (uint64_t)(t_ns - range->t_ns));
}

static rln_status visit_reset(struct rln__summary *s, const struct rln__item *item,
                              uint32_t part, rln_error *err)
{
    const int is_gap = item->kind == RLN__ITEM_GAP;
    uint64_t *words = NULL; /* owned */
    enum rln__pair_reset why = RLN__RESET_THREAD;
    rln_status status = RLN_OK;

    if (item->kind != RLN__ITEM_THREAD) {
        why = is_gap ? RLN__RESET_GAP : RLN__RESET_INHERITED;
        status =
            rln__stream_words(s->reader->layout.parts[part].file, item, &words, err);
        if (status)
            return status;
    }
    if (is_gap) {
        s->totals.n_gaps++;
        s->totals.n_lost_events += item->value;
    }
    if (rln__pair_reset(&s->pairing, item->thread, why, words ? words + 3 : NULL,
                        words ? item->n_words - 3 : 0))
        status = rln__fail_nomem(err);
    rln__free(words);
    return status;
}

RLN__INLINE rln_status visit(void *context, const struct rln__item *item, int64_t t_ns,
                             uint32_t part, rln_error *err)
{
    struct rln__summary *s = context;
    int failed = 0;

    if (item->kind >= RLN__ITEM_THREAD)
        return visit_reset(s, item, part, err);
    s->totals.n_events++;
    s->totals.first_ns = t_ns < s->totals.first_ns ? t_ns : s->totals.first_ns;
    s->totals.last_ns = t_ns > s->totals.last_ns ? t_ns : s->totals.last_ns;
    if (item->kind == RLN__PUSH)
        failed = visit_push(s, item, t_ns);
    else if (item->kind == RLN__POP)
        failed = visit_pop(s, item, t_ns);
    else if (item->kind == RLN__START)
        failed = visit_start(s, item, t_ns, part);
    else if (item->kind == RLN__END)
        failed = visit_end(s, item, t_ns, part);
    else
        s->totals.n_marks++;
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

/* --- The end ---------------------------------------------------------------------- */

/* Ranges that nobody closed end with the last event. */
static rln_status close_open(struct rln__summary *s, rln_error *err)
{
    const size_t n = rln__pairing_drain(&s->pairing);

    for (size_t i = 0; i < n; i++) {
        const struct rln__open *range = &s->pairing.pool[i];
        const uint64_t ns = s->totals.last_ns > range->t_ns
                                ? (uint64_t)(s->totals.last_ns - range->t_ns)
                                : 0;
        const rln_range_style style =
            range->id ? RLN_RANGE_START_END : RLN_RANGE_PUSH_POP;
        uint32_t row;

        if (range->state == RLN__LOST) {
            s->totals.n_lost_ranges++;
            continue;
        }
        row = row_of(s, range->attr, style);
        if (row == RLN__NONE || add_sample(s, row, ns))
            return rln__fail_nomem(err);
        s->totals.n_open++;
        s->rows[row].n_open++;
        if (!range->id) {
            close_node(s, range, ns);
            s->nodes[range->node].n_open++;
        }
    }
    return RLN_OK;
}

rln_status rln__summary_read(struct rln__summary *s, rln_reader *reader, rln_error *err)
{
    rln_status status;

    memset(s, 0, sizeof(*s));
    s->reader = reader;
    rln__pairing_init(&s->pairing);
    s->totals.first_ns = INT64_MAX;
    s->totals.last_ns = INT64_MIN;
    s->nodes = rln__grow(NULL, &s->nodes_capacity, 1, sizeof(*s->nodes));
    if (!s->nodes)
        return rln__fail_nomem(err);
    memset(&s->nodes[s->n_nodes++], 0, sizeof(*s->nodes));

    status = rln__scan_all(reader, visit, s, err);
    if (!status)
        status = close_open(s, err);
    s->totals.n_unmatched += s->early.n;
    if (s->totals.n_events == 0)
        s->totals.first_ns = s->totals.last_ns = 0;
    rln__pairing_clear(&s->pairing);
    if (status)
        rln__summary_clear(s);
    return status;
}

void rln__summary_clear(struct rln__summary *s)
{
    for (size_t i = 0; i < s->n_rows; i++)
        rln__samples_clear(&s->rows[i].samples);
    rln__pairing_clear(&s->pairing);
    rln__free(s->rows);
    rln__free(s->nodes);
    rln__free(s->row_of_attr);
    rln__map_clear(&s->by_name);
    rln__map_clear(&s->children);
    rln__map_clear(&s->early);
    memset(s, 0, sizeof(*s));
}

static int compare_text(rln_text a, rln_text b)
{
    const size_t n = a.length < b.length ? a.length : b.length;
    const int order = n ? memcmp(a.bytes, b.bytes, n) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

int rln__compare_names(const rln_reader *reader, const struct rln__summary_row *a,
                       const struct rln__summary_row *b)
{
    const struct rln__names *names = &reader->names;
    int order;

    if ((a->domain == 0) != (b->domain == 0))
        return a->domain == 0 ? -1 : 1;
    order =
        compare_text(rln__strings_get(&names->strings, names->domains[a->domain].name),
                     rln__strings_get(&names->strings, names->domains[b->domain].name));
    return order ? order
                 : compare_text(rln__strings_get(&names->strings, a->message),
                                rln__strings_get(&names->strings, b->message));
}

rln_status rln__report_new(rln_reader *reader, rln_stats **stats, rln_tree **tree,
                           rln_error *err)
{
    struct rln__summary summary;
    rln_status status;

    *stats = NULL;
    *tree = NULL;
    status = rln__summary_read(&summary, reader, err);
    if (status)
        return status;
    status = rln__tree_of(&summary, tree, err);
    if (!status)
        status = rln__stats_of(&summary, stats, err);
    if (status) {
        rln_tree_free(*tree);
        *tree = NULL;
    }
    rln__summary_clear(&summary);
    return status;
}
