/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff/diff_rows.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

static uint32_t add_text(struct rln__diff *d, rln_text text)
{
    return rln__strings_add(&d->texts, text.length ? text.bytes : "", text.length);
}

static size_t row_number(struct rln__diff *d, const struct rln__diff_path *path)
{
    const uint32_t domain = add_text(d, path->domain_name);
    const uint32_t message = add_text(d, path->message);
    const struct rln__key key = {{path->parent + 1, path->style,
                                  (uint64_t)domain << 1 | path->is_default_domain,
                                  message}};
    const uint32_t number = rln__key_index_number(&d->keys, &key);
    const size_t n_known = d->n;
    struct rln__diff_item *item;

    if (!domain || !message)
        return SIZE_MAX;
    item = rln__key_index_item(&d->items, &d->n, &d->capacity, number, sizeof(*item));
    if (!item || number < n_known)
        return item ? number : SIZE_MAX;
    item->row = (struct rln__diff_row){
        .style = path->style,
        .parent = path->parent,
        .level = path->parent == SIZE_MAX ? 0 : d->items[path->parent].row.level + 1,
        .is_default_domain = path->is_default_domain,
        .domain_name = rln__strings_get(&d->texts, domain),
        .message = rln__strings_get(&d->texts, message),
        .p_middle = 1,
        .p_tail = 1,
        .p_runs = 1,
        .superiority = 0.5,
        .least_change = NAN,
        .most_change = NAN,
    };
    return number;
}

size_t rln__diff_row_number(struct rln__diff *d, const struct rln__diff_path *path)
{
    if (d->on_processor && row_number(d->on_processor, path) == SIZE_MAX)
        return SIZE_MAX;
    return row_number(d, path);
}

int rln__diff_add_run(struct rln__diff *d, size_t row, int side,
                      struct rln__samples *samples)
{
    struct rln__diff_runs *of = &d->items[row].runs[side];
    struct rln__diff_run *runs =
        rln__grow(d->runs, &d->runs_capacity, d->n_all_runs + 1, sizeof(*runs));

    if (!runs) {
        rln__samples_clear(samples);
        return -1;
    }
    d->runs = runs;
    runs[d->n_all_runs++] = (struct rln__diff_run){*samples, 0};
    if (of->first)
        runs[of->last - 1].next = (uint32_t)d->n_all_runs;
    else
        of->first = (uint32_t)d->n_all_runs;
    of->last = (uint32_t)d->n_all_runs;
    of->n_runs++;
    of->n_samples += samples->n;
    memset(samples, 0, sizeof(*samples));
    return 0;
}
