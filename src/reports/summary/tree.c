/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - puts the nodes of a summary in the order in which a tree is read. */
#include "reports/summary/tree.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/domain_order.h"
#include "reports/report_parts.h"
#include "reports/summary/stats.h"
#include "reports/summary/summary.h"

#include <stdlib.h>
#include <string.h>

struct rln__tree {
    struct rln__tree_node *nodes; /* owned */
    size_t n;
};

struct ranked {
    const struct rln__tree_item *items; /* all */
    uint32_t item;
};

/* --- From a summary --------------------------------------------------------------- */

/* A thread has the time of its outermost ranges. */
static void fill_thread(const struct rln__summary *s, uint32_t from,
                        struct rln__tree_node *to)
{
    to->thread = from - 1;
    to->total_ns = s->sums.paths[from].self_ns;
}

static void fill_node(const struct rln__summary *s, uint32_t from,
                      struct rln__tree_node *to)
{
    const struct rln__summary_node *node = &s->nodes[from];
    const struct rln__path_sum *sum = &s->sums.paths[from];
    const struct rln__summary_row *row = &s->rows[node->row];
    const struct rln__names *names = &s->reader->names;

    to->is_default_domain = row->domain == 0;
    to->domain_name =
        rln__strings_get(&names->strings, names->domains[row->domain].name);
    to->message = rln__strings_get(&names->strings, row->message);
    to->n_calls = sum->n_calls;
    to->n_open = node->n_open;
    to->total_ns = sum->total_ns;
    to->self_ns = sum->self_ns;
}

void rln__tree_omit(struct rln__tree_item *items, size_t n)
{
    for (size_t i = 1; i < n; i++)
        items[i].is_omitted = 1;
    for (size_t i = n; i-- > 1;) {
        if (items[i].node.n_calls)
            items[i].is_omitted = 0;
        if (!items[i].is_omitted)
            items[items[i].parent].is_omitted = 0;
    }
}

rln_status rln__tree_of(struct rln__summary *s, struct rln__tree **out, rln_error *err)
{
    struct rln__tree_item *items = rln__alloc(s->n_nodes, sizeof(*items));
    rln_status status;

    *out = NULL;
    if (!items)
        return rln__fail_nomem(err);
    for (uint32_t i = 1; i < s->n_nodes; i++) {
        items[i].parent = s->nodes[i].parent;
        items[i].is_thread = s->nodes[i].row == RLN__NONE;
        if (items[i].is_thread)
            fill_thread(s, i, &items[i].node);
        else
            fill_node(s, i, &items[i].node);
        items[i].node.gpu_ns = s->gpu_ns ? s->gpu_ns[i] : 0;
        if (s->splits)
            items[i].node.split = s->splits[i];
    }
    if (s->span.is_window || s->reader->filter || s->n_thread_nodes)
        rln__tree_omit(items, s->n_nodes);
    status = rln__tree_make(items, s->n_nodes, out, err);
    rln__free(items);
    return status;
}

/* --- From items ------------------------------------------------------------------- */

/* Children of one parent are adjacent: threads before deferred ranges, the longest
 * first. */
static int by_parent(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const struct rln__tree_item *m = &x->items[x->item], *n = &y->items[y->item];
    int order;

    if (m->parent != n->parent)
        return m->parent < n->parent ? -1 : 1;
    if (m->is_thread != n->is_thread)
        return m->is_thread ? -1 : 1;
    if (m->node.total_ns != n->node.total_ns)
        return m->node.total_ns > n->node.total_ns ? -1 : 1;
    if (m->is_thread)
        return x->item < y->item ? -1 : 1;
    order = rln__compare_domains(m->node.is_default_domain, m->node.domain_name,
                                 n->node.is_default_domain, n->node.domain_name);
    return order ? order : rln__compare_text(m->node.message, n->node.message);
}

/* Walks down from the root with an explicit stack: recursion in the traced program must
 * not become recursion here. `first[n]` is where the children of n begin in `ranked`;
 * `index_of[n]` becomes its index in the tree. */
static void walk(const struct rln__tree_item *items, const struct ranked *ranked,
                 const uint32_t *first, uint32_t *stack, size_t *index_of,
                 struct rln__tree *tree)
{
    size_t n_stack = 0;

    for (size_t i = first[1]; i > first[0]; i--)
        stack[n_stack++] = ranked[i - 1].item;
    while (n_stack) {
        const uint32_t at = stack[--n_stack];
        const uint32_t parent = items[at].parent;
        struct rln__tree_node *node = &tree->nodes[tree->n];

        *node = items[at].node;
        if (!items[at].is_thread)
            node->thread = parent ? tree->nodes[index_of[parent]].thread : UINT32_MAX;
        node->parent = parent ? index_of[parent] : SIZE_MAX;
        node->level = parent ? tree->nodes[index_of[parent]].level + 1 : 0;
        index_of[at] = tree->n++;
        for (size_t i = first[at + 1]; i > first[at]; i--)
            stack[n_stack++] = ranked[i - 1].item;
    }
}

rln_status rln__tree_make(const struct rln__tree_item *items, size_t n,
                          struct rln__tree **out, rln_error *err)
{
    size_t n_ranked = 0;
    struct rln__tree *tree = rln__alloc(1, sizeof(*tree));
    struct ranked *ranked = rln__alloc(n, sizeof(*ranked));
    uint32_t *first = rln__alloc(n + 1, sizeof(*first));
    uint32_t *stack = rln__alloc(n, sizeof(*stack));
    size_t *index_of = rln__alloc(n, sizeof(*index_of));
    rln_status status = RLN_OK;

    *out = NULL;
    if (tree)
        tree->nodes = rln__alloc(n, sizeof(*tree->nodes));
    if (!tree || !tree->nodes || !ranked || !first || !stack || !index_of) {
        status = rln__fail_nomem(err);
        goto out;
    }
    for (uint32_t i = 1; i < n; i++) {
        if (items[i].is_omitted)
            continue;
        ranked[n_ranked++] = (struct ranked){items, i};
        first[items[i].parent + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    qsort(ranked, n_ranked, sizeof(*ranked), by_parent);
    walk(items, ranked, first, stack, index_of, tree);
    *out = tree;
    tree = NULL;

out:
    rln__tree_free(tree);
    rln__free(ranked);
    rln__free(first);
    rln__free(stack);
    rln__free(index_of);
    return status;
}

static rln_status new_tree(rln_reader *reader,
                           rln_status (*read)(struct rln__summary *, rln_reader *,
                                              rln_error *),
                           struct rln__tree **out, rln_error *err)
{
    struct rln__summary summary;
    rln_status status;

    *out = NULL;
    status = read(&summary, reader, err);
    if (status)
        return status;
    status = rln__tree_of(&summary, out, err);
    rln__summary_clear(&summary);
    return status;
}

rln_status rln__tree_new(rln_reader *reader, struct rln__tree **out, rln_error *err)
{
    return new_tree(reader, rln__summary_read, out, err);
}

rln_status rln__tree_new_by_thread(rln_reader *reader, struct rln__tree **out,
                                   rln_error *err)
{
    return new_tree(reader, rln__summary_read_threads, out, err);
}

void rln__tree_free(struct rln__tree *tree)
{
    if (!tree)
        return;
    rln__free(tree->nodes);
    rln__free(tree);
}

size_t rln__tree_count(const struct rln__tree *tree)
{
    return tree->n;
}

const struct rln__tree_node *rln__tree_at(const struct rln__tree *tree, size_t index)
{
    return index < tree->n ? &tree->nodes[index] : NULL;
}

rln_status rln__tree_and_stats_new(rln_reader *reader, struct rln__tree **tree,
                                   struct rln__stats **stats, rln_error *err)
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
        rln__tree_free(*tree);
        *tree = NULL;
    }
    rln__summary_clear(&summary);
    return status;
}
