/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff/diff_traces.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/diff/diff_rows.h"
#include "reports/diff/diff_samples.h"

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

/* The first group of a path or a name: index + 1, or 0. */
static uint32_t first_group(const struct rln__diff_heads *heads, size_t index)
{
    return index < heads->n ? heads->first[index] : 0;
}

/* Takes the samples of a run, if there are any. */
static int add_run(struct rln__diff *d, size_t row, int side,
                   struct rln__samples *samples, uint64_t total_ns)
{
    struct rln__diff_side *to = rln__diff_side_of(&d->items[row].row, side);

    if (!samples->n)
        return 0;
    to->n_ranges += samples->n;
    to->total_ns += total_ns;
    return rln__diff_add_run(d, row, side, samples);
}

static int fill_side(struct rln__diff *d, size_t row, int side,
                     struct rln__diff_samples *s, uint32_t first, uint64_t n_open)
{
    rln__diff_side_of(&d->items[row].row, side)->n_open += n_open;
    for (uint32_t i = first; i; i = s->groups[i - 1].next) {
        struct rln__diff_group *group = &s->groups[i - 1];

        if (add_run(d, row, side, &group->durations, group->total_ns) ||
            add_run(d->on_processor, row, side, &group->on_processor,
                    group->on_processor_ns))
            return -1;
    }
    return 0;
}

static int add_tree(struct rln__diff *d, struct rln__diff_samples *from, int side)
{
    const struct rln__summary *s = &from->summary;
    size_t *rows = rln__alloc(s->n_nodes, sizeof(*rows)); /* of nodes */
    int failed = !rows;

    if (rows)
        rows[0] = SIZE_MAX;
    for (size_t i = 1; i < s->n_nodes && !failed; i++) { /* parents come first */
        const struct rln__summary_node *node = &s->nodes[i];

        rows[i] = row_of(d, rows[node->parent], s, &s->rows[node->row]);
        failed = rows[i] == SIZE_MAX ||
                 fill_side(d, rows[i], side, from, first_group(&from->of_paths, i),
                           node->n_open);
    }
    rln__free(rows);
    return failed ? -1 : 0;
}

/* Start/end ranges have no place in the tree. */
static int add_others(struct rln__diff *d, struct rln__diff_samples *from, int side)
{
    const struct rln__summary *s = &from->summary;

    for (size_t i = 0; i < s->n_rows; i++) {
        const uint32_t first = first_group(&from->of_names, i);
        size_t row;

        if (!first)
            continue;
        row = row_of(d, SIZE_MAX, s, &s->rows[i]);
        if (row == SIZE_MAX || fill_side(d, row, side, from, first, s->rows[i].n_open))
            return -1;
    }
    return 0;
}

rln_status rln__diff_add_traces(struct rln__diff *d, int side, rln_reader *reader,
                                rln_error *err)
{
    struct rln__diff_samples samples;
    rln_status status = rln__diff_samples_read(&samples, reader, err);

    if (status)
        return status;
    d->sources[side].n_traces += reader->layout.n_parts;
    d->sources[side].n_runs += reader->layout.n_parts;
    for (uint32_t i = 0; i < reader->layout.n_parts; i++)
        if (samples.has_cpu_times && !samples.cpu_times.by_readings[i] &&
            rln__has_cpu_times(reader, i)) {
            d->on_processor->sources[side].n_traces++;
            d->on_processor->sources[side].n_runs++;
        }
    if (add_tree(d, &samples, side) || add_others(d, &samples, side))
        status = rln__fail_nomem(err);
    rln__diff_samples_clear(&samples);
    return status;
}
