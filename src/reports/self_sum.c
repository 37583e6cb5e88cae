/* SPDX-License-Identifier: Apache-2.0 */
/* self_sum.c - where the time is: the self time of each name, wherever it is called.
 *
 *   paths of the call tree    step             self 10   --> load   self 50, total 80
 *                             step/load        self 30       step   self 10, total 60
 *                             load             self 20
 *
 * Ranges of several domains may cross. Then a path also has names of ranges that ended
 * before its last one did, or even began, so totals are those of the ranges themselves:
 *
 *     x: step  |-----|     |------|     load began in step, and the second step in load;
 *     y: load      |-----------------|  but no step is inside another
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "trace/open/opened.h"

/* All push/pop ranges of a name. */
struct name {
    const struct rln__tree_node *node; /* one of them */
    uint64_t self_ns, n_calls, n_open;
    uint64_t total_ns; /* of those that are in no other of this name */
    uint32_t n_around; /* those on the path to where the walk is */
};

struct names {
    struct rln__key_index keys;
    struct name *all; /* owned, as the next */
    size_t n, capacity;
    uint32_t *path;    /* by level: the number of the name, or NO_NAME */
    bool is_recursive; /* a path has a name twice */
};

#define NO_NAME UINT32_MAX

static void names_clear(struct names *names)
{
    rln__key_index_clear(&names->keys);
    rln__free(names->all);
    rln__free(names->path);
}

static struct rln__key key_of(uint8_t is_default_domain, rln_text domain,
                              rln_text message)
{
    return (struct rln__key){
        {is_default_domain, rln__key_of_text(domain), rln__key_of_text(message)}};
}

static void add(struct names *names, struct name *name,
                const struct rln__tree_node *node)
{
    name->node = node;
    name->self_ns += node->self_ns;
    name->n_calls += node->n_calls;
    name->n_open += node->n_open;
    names->is_recursive |= name->n_around > 0;
    if (!name->n_around++)
        name->total_ns += node->total_ns;
}

/* A node that has no calls is there for those below it, and has no time. */
static int visit(struct names *names, const struct rln__tree_node *node)
{
    const struct rln__key key =
        key_of(node->is_default_domain, node->domain_name, node->message);
    struct name *name;

    names->path[node->level] = NO_NAME;
    if (!node->n_calls)
        return 0;
    names->path[node->level] = rln__key_index_number(&names->keys, &key);
    name = rln__key_index_item(&names->all, &names->n, &names->capacity,
                               names->path[node->level], sizeof(*names->all));
    if (!name)
        return -1;
    add(names, name, node);
    return 0;
}

static uint32_t count_levels(const struct rln__tree *tree)
{
    const struct rln__tree_node *node;
    uint32_t n = 0;

    for (size_t i = 0; (node = rln__tree_at(tree, i)); i++)
        n = node->level >= n ? node->level + 1 : n;
    return n;
}

/* Nodes come in pre-order. */
static int walk(struct names *names, const struct rln__tree *tree)
{
    const struct rln__tree_node *node;
    uint32_t level = 0; /* the path has this many */

    names->path = rln__alloc(count_levels(tree) + 1, sizeof(*names->path));
    if (!names->path)
        return -1;
    for (size_t i = 0; (node = rln__tree_at(tree, i)); i++) {
        while (level > node->level)
            if (names->path[--level] != NO_NAME)
                names->all[names->path[level]].n_around--;
        if (visit(names, node))
            return -1;
        level = node->level + 1;
    }
    return 0;
}

/* --- Where ranges cross ----------------------------------------------------------- */

/* Whether a range reached beyond the one that it began in: those of a path had less time
 * than their own and that of the ranges below them. 0, or -1: no memory. */
static int find_crossing(const struct rln__tree *tree, bool *crosses)
{
    uint64_t *below = rln__alloc(rln__tree_count(tree) + 1, sizeof(*below));
    const struct rln__tree_node *node;

    *crosses = false;
    if (!below)
        return -1;
    for (size_t i = 0; (node = rln__tree_at(tree, i)); i++) {
        if (node->parent != SIZE_MAX)
            below[node->parent] += node->total_ns;
    }
    for (size_t i = 0; (node = rln__tree_at(tree, i)); i++)
        *crosses |= node->n_calls && below[i] > node->total_ns - node->self_ns;
    rln__free(below);
    return 0;
}

/* Counts the ranges that are inside no other of their name. Those of one name and thread
 * do not cross, and come by their beginnings. */
static int add_rows(struct names *names, const struct rln__nesting *nesting)
{
    struct rln__map ends = {0}; /* of the last one: thread, name -> end, + 1 */
    struct rln__nesting_row row;
    int result = 0;

    for (size_t i = 0; !result && rln__nesting_get(nesting, i, &row); i++) {
        const struct rln__key key =
            key_of(row.is_default_domain, row.domain_name, row.message);
        const uint32_t number =
            rln__key_index_number(&names->keys, &key); /* it is there */
        const uint64_t key_of_end = (uint64_t)row.thread << 32 | row.name;
        const uint64_t end = rln__map_get(&ends, key_of_end);

        if (end && row.start_ns < (int64_t)(end - 1))
            continue;
        result = rln__map_put(&ends, key_of_end, (uint64_t)row.end_ns + 1);
        if (number < names->n)
            names->all[number].total_ns += rln__nesting_row_ns(&row);
    }
    rln__map_clear(&ends);
    return result;
}

/* Whether the paths do not show which ranges are inside others of their name. A filter
 * may exclude what crosses, but not from the paths. 0, or -1: no memory. */
static int needs_rows(const struct names *names,
                      const struct rln__report_source *source, bool *needs)
{
    *needs = false;
    if (!names->is_recursive || !source->reader) /* sums of traces have only paths */
        return 0;
    *needs = source->reader->filter != NULL;
    return *needs ? 0 : find_crossing(source->tree, needs);
}

static rln_status total_rows(struct names *names, rln_reader *reader, rln_error *err)
{
    struct rln__nesting *nesting;
    rln_status status = rln__nesting_new(reader, &nesting, err);

    if (status)
        return status;
    for (size_t i = 0; i < names->n; i++)
        names->all[i].total_ns = 0;
    if (add_rows(names, nesting))
        status = rln__fail_nomem(err);
    rln__nesting_free(nesting);
    return status;
}

/* --- The report ------------------------------------------------------------------- */

static int by_self(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order;

    if (x->self_ns != y->self_ns)
        return x->self_ns > y->self_ns ? -1 : 1;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    order = rln__compare_domains(x->node->is_default_domain, x->node->domain_name,
                                 y->node->is_default_domain, y->node->domain_name);
    return order ? order : rln__compare_text(x->node->message, y->node->message);
}

static void put(rln_report *out, const struct names *names)
{
    uint64_t whole = 0;

    for (size_t i = 0; i < names->n; i++)
        whole += names->all[i].self_ns;
    for (size_t i = 0; i < names->n; i++) {
        const struct name *name = &names->all[i];

        rln__report_put_percent(out, name->self_ns, whole);
        rln__report_put_ns(out, name->self_ns);
        rln__report_put_ns(out, name->total_ns);
        rln__report_put_count(out, name->n_calls);
        rln__report_put_count(out, name->n_open);
        rln__report_put_qualified(out, name->node->domain_name, name->node->message);
    }
}

static rln_status build_self(const struct rln__report_source *source, rln_report *out)
{
    struct names names = {0};
    rln_status status = RLN_OK;
    bool needs;

    if (walk(&names, source->tree) || needs_rows(&names, source, &needs))
        status = rln__fail_nomem(source->err);
    else if (needs)
        status = total_rows(&names, source->reader, source->err);
    if (!status && names.n)
        qsort(names.all, names.n, sizeof(*names.all), by_self);
    if (!status)
        put(out, &names);
    names_clear(&names);
    return status;
}

static const rln_report_column columns[] = {
    RLN__NUMBERS("Self (%)"), RLN__TIMES("Self Time"), RLN__TIMES("Total Time"),
    RLN__NUMBERS("Calls"),    RLN__NUMBERS("Open"),    RLN__TEXTS("Name"),
};

const struct rln__report_kind rln__report_self_sum = {
    .about = {.name = "self_sum",
              .title = "Self Time",
              .help =
                  "where the time is: push/pop ranges, by name, without the time of "
                  "those inside them",
              .subject = "push/pop ranges",
              .details =
                  "One row per name and domain, the longest Self Time first: the time "
                  "in which its ranges were the innermost on their thread. Self (%): "
                  "share of all rows' Self Time, which is the time of all threads in "
                  "ranges; each nanosecond of it counts once. Total Time: with the "
                  "ranges inside; of a range inside another of its name, only the "
                  "outer one counts. Open: calls that were never closed; they count up "
                  "to the last event of their trace. Start/end ranges are left out."},
    .build = build_self,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_PARTS | RLN__NEEDS_TREE,
};
