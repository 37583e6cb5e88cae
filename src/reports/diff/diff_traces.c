/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff/diff_traces.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/diff/diff_rows.h"
#include "reports/summary/summary.h"

static size_t row_of(struct rln__diff *d, size_t parent, const struct rln__summary *s,
                     const struct rln__summary_row *name)
{
    const struct rln__names *names = &s->reader->names;
    const struct rln__diff_path path = {
        .parent = parent,
        .style = name->style,
        .is_default_domain = name->domain == 0,
        .domain_name =
            rln__strings_get(&names->strings, names->domains[name->domain].name),
        .message = rln__strings_get(&names->strings, name->message),
    };

    return rln__diff_row_number(d, &path);
}

/* Takes the samples out of the summary. */
static int fill_side(struct rln__diff *d, size_t row, int side,
                     struct rln__summary_sums *sums,
                     const struct rln__group_heads *heads, size_t index,
                     uint64_t total_ns, uint64_t n_open)
{
    struct rln__diff_side *to = rln__diff_side_of(&d->items[row].row, side);

    to->n_open += n_open;
    to->total_ns += total_ns;
    for (uint32_t i = index < heads->n ? heads->first[index] : 0; i;
         i = sums->groups[i - 1].next) {
        to->n_ranges += sums->groups[i - 1].samples.n;
        if (rln__diff_add_run(d, row, side, &sums->groups[i - 1].samples))
            return -1;
    }
    return 0;
}

static int add_tree(struct rln__diff *d, struct rln__summary *s, int side)
{
    size_t *rows = rln__alloc(s->n_nodes, sizeof(*rows)); /* of nodes */
    int failed = !rows;

    if (rows)
        rows[0] = SIZE_MAX;
    for (size_t i = 1; i < s->n_nodes && !failed; i++) { /* parents come first */
        const struct rln__summary_node *node = &s->nodes[i];

        rows[i] = row_of(d, rows[node->parent], s, &s->rows[node->row]);
        failed = rows[i] == SIZE_MAX ||
                 fill_side(d, rows[i], side, &s->sums, &s->sums.of_paths, i,
                           s->sums.paths[i].total_ns, node->n_open);
    }
    rln__free(rows);
    return failed ? -1 : 0;
}

/* Start/end ranges have no place in the tree. */
static int add_others(struct rln__diff *d, struct rln__summary *s, int side)
{
    for (size_t i = 0; i < s->n_rows; i++) {
        const struct rln__summary_row *name = &s->rows[i];
        const struct rln__name_sum *sum = &s->sums.names[i];
        size_t row;

        if (name->style != RLN_RANGE_START_END || !sum->samples.n)
            continue;
        row = row_of(d, SIZE_MAX, s, name);
        if (row == SIZE_MAX || fill_side(d, row, side, &s->sums, &s->sums.of_names, i,
                                         sum->total_ns, name->n_open))
            return -1;
    }
    return 0;
}

rln_status rln__diff_add_traces(struct rln__diff *d, int side, rln_reader *reader,
                                rln_error *err)
{
    struct rln__summary summary;
    rln_status status = rln__summary_read_paths(&summary, reader, err);

    if (status)
        return status;
    d->sources[side].n_traces += reader->layout.n_parts;
    d->sources[side].n_runs += reader->layout.n_parts;
    if (add_tree(d, &summary, side) || add_others(d, &summary, side))
        status = rln__fail_nomem(err);
    rln__summary_clear(&summary);
    return status;
}
