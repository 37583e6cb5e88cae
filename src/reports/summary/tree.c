/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - puts the nodes of a summary in the order in which a tree is read. */
#include "rangeline/tree.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/summary/summary.h"

#include <stdlib.h>
#include <string.h>

struct rln_tree {
    rln_tree_node *nodes; /* owned */
    size_t n;
};

struct ranked {
    const struct rln__summary *summary;
    uint32_t node;
};

static int is_thread(const struct rln__summary *s, uint32_t node)
{
    return s->nodes[node].row == RLN__NONE;
}

static uint64_t time_of(const struct rln__summary *s, uint32_t node)
{
    const struct rln__path_sum *sum = &s->sums.paths[node];

    return is_thread(s, node) ? sum->self_ns : sum->total_ns;
}

/* Children of one parent are adjacent: threads before deferred ranges, the longest
 * first. */
static int by_parent(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const struct rln__summary *s = x->summary;
    const struct rln__summary_node *m = &s->nodes[x->node], *n = &s->nodes[y->node];
    const uint64_t p_ns = time_of(s, x->node), q_ns = time_of(s, y->node);

    if (m->parent != n->parent)
        return m->parent < n->parent ? -1 : 1;
    if (is_thread(s, x->node) != is_thread(s, y->node))
        return is_thread(s, x->node) ? -1 : 1;
    if (p_ns != q_ns)
        return p_ns > q_ns ? -1 : 1;
    if (is_thread(s, x->node))
        return x->node < y->node ? -1 : 1;
    return rln__compare_names(s->reader, &s->rows[m->row], &s->rows[n->row]);
}

/* Of a thread: the time of its outermost ranges. */
static void fill_thread(const struct rln__summary *s, uint32_t from, rln_tree_node *to)
{
    to->thread = from - 1;
    to->total_ns = time_of(s, from);
    to->gpu_ns = s->gpu_ns ? s->gpu_ns[from] : 0;
}

static void fill_node(const struct rln__summary *s, uint32_t from, rln_tree_node *to)
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
    to->gpu_ns = s->gpu_ns ? s->gpu_ns[from] : 0;
}

/* With a window or a filter, or by thread: keeps nodes with calls, and their ancestors.
 * `omits[i]` is set if node i is left out; children have higher numbers than their
 * parents. */
static size_t omit_others(const struct rln__summary *s, uint8_t *omits)
{
    size_t n_kept = s->n_nodes;

    if (!s->span.is_window && !s->reader->filter && !s->n_thread_nodes)
        return n_kept;
    for (size_t i = 1; i < s->n_nodes; i++)
        omits[i] = 1;
    for (size_t i = s->n_nodes - 1; i > 0; i--) {
        if (omits[i] && s->sums.paths[i].n_calls == 0) {
            n_kept--;
            continue;
        }
        omits[i] = 0;
        omits[s->nodes[i].parent] = 0;
    }
    return n_kept;
}

/* Walks down from the root with an explicit stack: recursion in the traced program must
 * not become recursion here. `first[n]` is where the children of n begin in
 * `ranked`. */
static void walk(const struct rln__summary *s, const struct ranked *ranked,
                 const uint32_t *first, uint32_t *stack, rln_tree *tree)
{
    size_t *place_of; /* summary node -> index in the tree */
    size_t n_stack = 0;

    place_of = rln__alloc(s->n_nodes, sizeof(*place_of));
    if (!place_of)
        return;
    for (size_t i = first[1]; i > first[0]; i--)
        stack[n_stack++] = ranked[i - 1].node;
    while (n_stack) {
        const uint32_t at = stack[--n_stack];
        const uint32_t parent = s->nodes[at].parent;
        rln_tree_node *node = &tree->nodes[tree->n];

        node->thread = parent ? tree->nodes[place_of[parent]].thread : UINT32_MAX;
        if (is_thread(s, at))
            fill_thread(s, at, node);
        else
            fill_node(s, at, node);
        node->parent = parent ? place_of[parent] : SIZE_MAX;
        node->level = parent ? tree->nodes[place_of[parent]].level + 1 : 0;
        place_of[at] = tree->n++;
        for (size_t i = first[at + 1]; i > first[at]; i--)
            stack[n_stack++] = ranked[i - 1].node;
    }
    rln__free(place_of);
}

rln_status rln__tree_of(struct rln__summary *s, rln_tree **out, rln_error *err)
{
    const size_t n = s->n_nodes;
    size_t n_kept, n_ranked = 0;
    uint8_t *omits = rln__alloc(n, sizeof(*omits));
    rln_tree *tree = rln__alloc(1, sizeof(*tree));
    struct ranked *ranked = rln__alloc(n, sizeof(*ranked));
    uint32_t *first = rln__alloc(n + 1, sizeof(*first));
    uint32_t *stack = rln__alloc(n, sizeof(*stack));
    rln_status status = RLN_OK;

    *out = NULL;
    if (tree)
        tree->nodes = rln__alloc(n, sizeof(*tree->nodes));
    if (!omits || !tree || !tree->nodes || !ranked || !first || !stack) {
        status = rln__fail_nomem(err);
        goto out;
    }
    n_kept = omit_others(s, omits);
    for (uint32_t i = 1; i < n; i++) {
        if (omits[i])
            continue;
        ranked[n_ranked++] = (struct ranked){s, i};
        first[s->nodes[i].parent + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    qsort(ranked, n_ranked, sizeof(*ranked), by_parent);
    walk(s, ranked, first, stack, tree);
    if (tree->n + 1 != n_kept) {
        status = rln__fail_nomem(err);
        goto out;
    }
    *out = tree;
    tree = NULL;

out:
    rln_tree_free(tree);
    rln__free(omits);
    rln__free(ranked);
    rln__free(first);
    rln__free(stack);
    return status;
}

static rln_status new_tree(rln_reader *reader,
                           rln_status (*read)(struct rln__summary *, rln_reader *,
                                              rln_error *),
                           rln_tree **out, rln_error *err)
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

rln_status rln_tree_new(rln_reader *reader, rln_tree **out, rln_error *err)
{
    return new_tree(reader, rln__summary_read, out, err);
}

rln_status rln_tree_new_by_thread(rln_reader *reader, rln_tree **out, rln_error *err)
{
    return new_tree(reader, rln__summary_read_threads, out, err);
}

void rln_tree_free(rln_tree *tree)
{
    if (!tree)
        return;
    rln__free(tree->nodes);
    rln__free(tree);
}

size_t rln_tree_count(const rln_tree *tree)
{
    return tree->n;
}

const rln_tree_node *rln_tree_at(const rln_tree *tree, size_t index)
{
    return index < tree->n ? &tree->nodes[index] : NULL;
}
