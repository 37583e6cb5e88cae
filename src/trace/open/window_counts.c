/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/window_counts.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <string.h>

rln_status rln__window_counts_begin(struct rln__window_counts *c,
                                    const struct rln__windows *windows, rln_error *err)
{
    *c = (struct rln__window_counts){.windows = windows};
    c->items = rln__alloc(windows->n, sizeof(*c->items));
    if (!c->items)
        return rln__fail_nomem(err);
    c->n = windows->n;
    for (size_t i = 0; i < c->n; i++) {
        c->items[i] = windows->items[i];
        if (c->items[i].is_open)
            c->items[i].closed_ns = c->items[i].opened_ns;
    }
    return RLN_OK;
}

void rln__window_counts_clear(struct rln__window_counts *c)
{
    rln__free(c->items);
    memset(c, 0, sizeof(*c));
}

/* The window of an event, by its index; SIZE_MAX: it is of none. */
static size_t window_of(struct rln__window_counts *c, uint32_t part, int64_t t_ns)
{
    /* Mostly it is the window of the previous event. */
    if (!c->last_span.is_window || !rln__span_has(&c->last_span, part, t_ns)) {
        const struct rln__window_info *window = rln__windows_at(c->windows, part, t_ns);

        if (!window)
            return SIZE_MAX;
        c->last = (size_t)(window - c->windows->items);
        c->last_span = rln__windows_span(c->windows, c->last);
    }
    return c->last;
}

int rln__window_counts_add_all(struct rln__window_counts *c, uint32_t part, uint64_t n,
                               int64_t first_ns, int64_t last_ns)
{
    size_t window;
    struct rln__window_info *w;

    if (!c->n)
        return 1;
    window = window_of(c, part, first_ns);
    if (first_ns != last_ns && /* there may be windows between two that are of none */
        (window == SIZE_MAX || window_of(c, part, last_ns) != window))
        return 0;
    if (window == SIZE_MAX)
        return 1;
    w = &c->items[window];
    w->n_events += n;
    if (w->is_open && last_ns > w->closed_ns)
        w->closed_ns = last_ns;
    return 1;
}

void rln__window_counts_add(struct rln__window_counts *c, uint32_t part, int64_t t_ns)
{
    (void)rln__window_counts_add_all(c, part, 1, t_ns, t_ns);
}
