/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/summary_sums.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/names.h"

#include <string.h>

/* Entries of 24 bytes: enough that the scan does not wait for a second core that comes
 * late. */
#define BATCH 32768

/* --- The worker's ----------------------------------------------------------------- */

static int make_names(struct rln__summary_sums *s, size_t index)
{
    const size_t before = s->n_names;
    struct rln__name_sum *names =
        rln__grow_to(s->names, &s->n_names, &s->names_capacity, index, sizeof(*names));

    if (!names)
        return -1;
    s->names = names;
    for (size_t i = before; i < s->n_names; i++)
        names[i].min_ns = UINT64_MAX;
    return 0;
}

static int make_paths(struct rln__summary_sums *s, size_t index)
{
    struct rln__path_sum *paths =
        rln__grow_to(s->paths, &s->n_paths, &s->paths_capacity, index, sizeof(*paths));

    if (!paths)
        return -1;
    s->paths = paths;
    return 0;
}

/* Parts come one after the other, so the group is mostly the first. */
static int add_to_group(struct rln__summary_sums *s, struct rln__group_heads *heads,
                        uint32_t index, const struct rln__closed *c)
{
    struct rln__sample_group *added;
    uint32_t *first;
    uint32_t at;

    if (index >= heads->n) {
        first = rln__grow_to(heads->first, &heads->n, &heads->capacity, index,
                             sizeof(*first));
        if (!first)
            return -1;
        heads->first = first;
    }
    first = &heads->first[index];
    for (at = *first; at && s->groups[at - 1].part != s->worker_part;)
        at = s->groups[at - 1].next;
    if (!at) {
        added =
            rln__append(&s->groups, &s->n_groups, &s->groups_capacity, sizeof(*added));
        if (!added)
            return -1;
        *added = (struct rln__sample_group){
            .samples = {.keeps_order = 1}, .next = *first, .part = s->worker_part};
        *first = at = (uint32_t)s->n_groups;
    }
    return rln__samples_add(&s->groups[at - 1].samples, c->ns);
}

static int add_to_name(struct rln__summary_sums *s, uint32_t row, uint64_t ns)
{
    struct rln__name_sum *name;

    if (row >= s->n_names && make_names(s, row))
        return -1;
    name = &s->names[row];
    name->total_ns += ns;
    name->min_ns = ns < name->min_ns ? ns : name->min_ns;
    name->max_ns = ns > name->max_ns ? ns : name->max_ns;
    return rln__samples_add(&name->samples, ns);
}

static int add_to_path(struct rln__summary_sums *s, uint32_t node, uint64_t ns,
                       uint64_t self_ns)
{
    if (node >= s->n_paths && make_paths(s, node))
        return -1;
    s->paths[node].total_ns += ns;
    s->paths[node].self_ns += self_ns;
    s->paths[node].n_calls++;
    return 0;
}

static int keep(struct rln__summary_sums *s, const struct rln__closed *c)
{
    if (c->node != RLN__NONE)
        return add_to_group(s, &s->of_paths, c->node, c);
    return add_to_group(s, &s->of_names, c->row, c);
}

static rln_status add_all(void *context, const void *given, size_t n, rln_error *err)
{
    struct rln__summary_sums *s = context;
    const struct rln__closed *closed = given;
    int failed = 0;

    for (const struct rln__closed *c = closed; c < closed + n && !failed; c++) {
        if (c->row == RLN__NONE) {
            s->worker_part = (uint32_t)c->ns;
            continue;
        }
        failed = (c->node != RLN__NONE && add_to_path(s, c->node, c->ns, c->self_ns)) ||
                 add_to_name(s, c->row, c->ns) || (s->keeps_groups && keep(s, c));
    }
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

/* --- The scan's ------------------------------------------------------------------- */

void rln__summary_sums_init(struct rln__summary_sums *s, int keeps_groups)
{
    memset(s, 0, sizeof(*s));
    s->keeps_groups = keeps_groups;
    rln__relay_init(&s->relay, BATCH, add_all, s);
}

int rln__summary_sums_give(struct rln__summary_sums *s)
{
    return rln__relay_give(&s->relay, NULL) ? -1 : 0;
}

rln_status rln__summary_sums_finish(struct rln__summary_sums *s, size_t n_rows,
                                    size_t n_nodes, rln_error *err)
{
    rln_status status = rln__relay_catch_up(&s->relay, err);

    if (status)
        return status;
    if ((n_rows > s->n_names && make_names(s, n_rows - 1)) ||
        (n_nodes > s->n_paths && make_paths(s, n_nodes - 1)))
        return rln__fail_nomem(err);
    return RLN_OK;
}

void rln__summary_sums_clear(struct rln__summary_sums *s)
{
    rln__relay_clear(&s->relay);
    for (size_t i = 0; i < s->n_names; i++)
        rln__samples_clear(&s->names[i].samples);
    for (size_t i = 0; i < s->n_groups; i++)
        rln__samples_clear(&s->groups[i].samples);
    rln__free(s->names);
    rln__free(s->paths);
    rln__free(s->groups);
    rln__free(s->of_paths.first);
    rln__free(s->of_names.first);
    memset(s, 0, sizeof(*s));
}
