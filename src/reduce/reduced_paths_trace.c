/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_paths_trace.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/summary/summary.h"

#include <string.h>

/* --- While the trace is read ------------------------------------------------------ */

/* Ranges of a node of the tree, or of none, that count under a name. */
struct entry {
    uint32_t node, row; /* 0: a start/end range; the summary's row of the name */
    uint32_t last_process, sum; /* the last lookup: index of its sum + 1 */
    struct rln__duration_histogram histogram;
    struct rln__reduced_cpu cpu;
};

struct sum {
    uint32_t entry, process;
    struct rln__reduced_row row; /* without path and origin */
};

struct rln__path_reading {
    struct rln__reduced_paths *paths; /* borrowed, like the next */
    struct rln__reduced_reading *of;
    struct rln__key_index entry_keys; /* {node, row} */
    struct entry *entries;            /* owned, as all arrays */
    size_t n_entries, entries_capacity;
    uint32_t *entry_of_node; /* of ranges that have their node's name: + 1 */
    size_t n_nodes, nodes_capacity;
    struct rln__map sums_by_key; /* entry, process -> index + 1 */
    struct sum *sums;
    size_t n_sums, sums_capacity;
};

/* NULL: no memory. */
static struct rln__path_reading *reading_of(struct rln__reduced_paths *p,
                                            struct rln__reduced_reading *of)
{
    if (!p->reading) {
        p->reading = rln__alloc(1, sizeof(*p->reading));
        if (p->reading)
            *p->reading = (struct rln__path_reading){.paths = p, .of = of};
    }
    return p->reading;
}

void rln__path_reading_free(struct rln__path_reading *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n_entries; i++) {
        rln__duration_histogram_clear(&r->entries[i].histogram);
        rln__reduced_cpu_clear(&r->entries[i].cpu);
    }
    rln__key_index_clear(&r->entry_keys);
    rln__free(r->entries);
    rln__free(r->entry_of_node);
    rln__map_clear(&r->sums_by_key);
    rln__free(r->sums);
    rln__free(r);
}

static struct entry *entry_slow(struct rln__path_reading *r, uint32_t node,
                                uint32_t row)
{
    const struct rln__key key = {{node, row}};
    const uint32_t number = rln__key_index_number(&r->entry_keys, &key);
    struct entry *entry = rln__key_index_item(
        &r->entries, &r->n_entries, &r->entries_capacity, number, sizeof(*entry));

    if (!entry)
        return NULL;
    entry->node = node;
    entry->row = row;
    return entry;
}

static struct entry *entry_of(struct rln__path_reading *r, uint32_t node, uint32_t row)
{
    struct entry *entry;
    uint32_t *nodes;

    if (!node || r->of->summary->nodes[node].row != row)
        return entry_slow(r, node, row);
    if (node < r->n_nodes && r->entry_of_node[node])
        return &r->entries[r->entry_of_node[node] - 1];
    entry = entry_slow(r, node, row);
    nodes = rln__grow_to(r->entry_of_node, &r->n_nodes, &r->nodes_capacity, node,
                         sizeof(*nodes));
    if (!entry || !nodes)
        return NULL;
    r->entry_of_node = nodes;
    nodes[node] = (uint32_t)(entry - r->entries) + 1;
    return entry;
}

static struct sum *sum_of(struct rln__path_reading *r, struct entry *entry,
                          uint32_t process)
{
    const uint32_t number = (uint32_t)(entry - r->entries);
    const uint64_t key = (uint64_t)number << 32 | process;
    uint64_t found;
    struct sum *sum;

    if (entry->sum && entry->last_process == process)
        return &r->sums[entry->sum - 1];
    found = rln__map_get(&r->sums_by_key, key);
    if (!found) {
        sum = rln__append(&r->sums, &r->n_sums, &r->sums_capacity, sizeof(*sum));
        if (!sum)
            return NULL;
        *sum = (struct sum){.entry = number, .process = process};
        found = r->n_sums;
        if (rln__map_put(&r->sums_by_key, key, found))
            return NULL;
    }
    entry->last_process = process;
    entry->sum = (uint32_t)found;
    return &r->sums[found - 1];
}

/* As rln__reduced_row_add(). */
static int add_to_row(struct rln__reduced_row *row,
                      const struct rln__reduced_range *range)
{
    const uint64_t ns = range->ns;

    if (!row->n++) {
        row->min_ns = ns;
        row->first_ns = row->last_ns = range->start_ns;
    }
    row->n_open += range->is_open;
    row->min_ns = ns < row->min_ns ? ns : row->min_ns;
    row->max_ns = ns > row->max_ns ? ns : row->max_ns;
    row->first_ns = range->start_ns < row->first_ns ? range->start_ns : row->first_ns;
    row->last_ns = range->start_ns > row->last_ns ? range->start_ns : row->last_ns;
    row->on_processor_ns += range->split.on_ns; /* less than the total */
    return __builtin_add_overflow(row->total_ns, ns, &row->total_ns) ||
                   __builtin_add_overflow(row->self_ns, range->self_ns,
                                          &row->self_ns) ||
                   __builtin_add_overflow(row->squares, (rln__u128)ns * ns,
                                          &row->squares)
               ? -1
               : 0;
}

int rln__reduced_paths_add(void *paths, struct rln__reduced_reading *of,
                           const struct rln__reduced_range *range)
{
    struct rln__path_reading *r = reading_of(paths, of);
    struct entry *entry = r ? entry_of(r, range->node, range->row) : NULL;
    struct sum *sum = entry ? sum_of(r, entry, range->process) : NULL;

    if (!sum || rln__duration_histogram_add(&entry->histogram, range->ns) ||
        (of->has_cpu_times &&
         rln__reduced_cpu_add(&entry->cpu, &range->split, range->is_comparable)))
        return -1;
    if (add_to_row(&sum->row, range)) {
        r->of->summary->engine.status =
            rln__fail(r->of->summary->engine.err, RLN_ERR_FORMAT, 0,
                      "cannot add sums: they exceed 64 bits");
        return -1;
    }
    return 0;
}

/* --- When it has been read -------------------------------------------------------- */

/* Marks nodes with ranges, and those around them. */
static void mark_used(const struct rln__path_reading *r, uint8_t *is_used)
{
    for (size_t i = 0; i < r->n_entries; i++)
        is_used[r->entries[i].node] = 1;
    for (size_t i = r->of->summary->n_nodes; i-- > 1;) {
        if (is_used[i])
            is_used[r->of->summary->nodes[i].parent] = 1;
    }
}

static uint32_t add_path(struct rln__path_reading *r, uint32_t parent, uint32_t style,
                         uint32_t row)
{
    const struct rln__names *names = &r->of->reader->names;
    const struct rln__summary_row *name = &r->of->summary->rows[row];
    int failed = 0;
    const uint32_t domain = rln__reduced_string(
        r->of->to, rln__strings_get(&names->strings, names->domains[name->domain].name),
        &failed);
    const uint32_t message = rln__reduced_string(
        r->of->to, rln__strings_get(&names->strings, name->message), &failed);

    return failed ? UINT32_MAX
                  : rln__reduced_path(r->paths, parent, style,
                                      name->domain ? domain : 0, message);
}

/* The paths of all nodes; with a filter, only of those with ranges, and those around
 * them, as in the tree. `paths` has that of each. */
static int add_node_paths(struct rln__path_reading *r, uint32_t *paths)
{
    const struct rln__summary *s = r->of->summary;
    uint8_t *is_used = rln__alloc(s->n_nodes, 1);

    if (!is_used)
        return -1;
    if (r->of->reader->filter)
        mark_used(r, is_used);
    else
        memset(is_used, 1, s->n_nodes);
    paths[0] = UINT32_MAX;
    for (uint32_t i = 1; i < s->n_nodes; i++) {
        if (!is_used[i])
            continue;
        paths[i] =
            add_path(r, paths[s->nodes[i].parent], RLN_RANGE_PUSH_POP, s->nodes[i].row);
        if (paths[i] == UINT32_MAX)
            break;
    }
    rln__free(is_used);
    for (uint32_t i = 1; i < s->n_nodes; i++) {
        if (paths[i] == UINT32_MAX)
            return -1;
    }
    return 0;
}

/* The path of an entry: that of its node, or a child of it for a name that ranges got
 * at their end. */
static uint32_t path_of(struct rln__path_reading *r, const struct entry *entry,
                        const uint32_t *paths)
{
    if (!entry->node)
        return add_path(r, UINT32_MAX, RLN_RANGE_START_END, entry->row);
    if (r->of->summary->nodes[entry->node].row == entry->row)
        return paths[entry->node];
    return add_path(r, paths[entry->node], RLN__RENAMED, entry->row);
}

/* `paths` has room for all entries after those of nodes. */
static rln_status add_sums(struct rln__path_reading *r, uint32_t *paths, rln_error *err)
{
    uint32_t *of_entries = paths + r->of->summary->n_nodes;
    rln_status status = RLN_OK;

    if (add_node_paths(r, paths))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < r->n_entries; i++) {
        struct rln__reduced_whole *whole;

        of_entries[i] = path_of(r, &r->entries[i], paths);
        if (of_entries[i] == UINT32_MAX)
            return rln__fail_nomem(err);
        whole = &r->paths->wholes[of_entries[i]];
        if (rln__duration_histogram_merge(&whole->durations,
                                          &r->entries[i].histogram) ||
            rln__reduced_cpu_merge(&whole->cpu, &r->entries[i].cpu))
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < r->n_sums && !status; i++) {
        struct rln__reduced_row row = r->sums[i].row;

        row.path = of_entries[r->sums[i].entry];
        row.origin =
            rln__reduced_origin_of(r->of->to, r->of->reader, r->sums[i].process);
        status = row.origin == UINT32_MAX ? rln__fail_nomem(err)
                                          : rln__reduced_add_row(r->paths, &row, err);
    }
    return status;
}

rln_status rln__reduced_paths_take(void *paths, struct rln__reduced_reading *of,
                                   rln_error *err)
{
    struct rln__reduced_paths *p = paths;
    struct rln__path_reading *r = reading_of(p, of);
    uint32_t *numbers =
        r ? rln__alloc(of->summary->n_nodes + r->n_entries + 1, sizeof(*numbers))
          : NULL;
    const rln_status status =
        numbers ? add_sums(r, numbers, err) : rln__fail_nomem(err);

    rln__free(numbers);
    rln__path_reading_free(r);
    p->reading = NULL;
    return status;
}
