/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_durations.h"

#include "base/wide_int.h"
#include "reduce/reduced_put.h"
#include "reduce/reduced_take.h"

void rln__put_durations(struct rln__buf *out, struct rln__duration_histogram *h)
{
    uint64_t last = 0, n = 0;

    if (rln__duration_histogram_is_exact(h)) {
        rln__duration_histogram_sort(h);
        for (size_t i = 0; i < h->n; i++) {
            rln__put_number(out, h->items[i] - last);
            last = h->items[i];
        }
        return;
    }
    for (uint32_t i = 0; i < h->n_steps; i++)
        n += h->items[i] != 0;
    rln__put_number(out, n);
    for (uint32_t i = 0; i < h->n_steps; i++) {
        if (!h->items[i])
            continue;
        rln__put_number(out, h->first_step + i - last); /* one more than the last one */
        rln__put_number(out, h->items[i]);
        last = h->first_step + i + 1;
    }
}

static void read_values(struct rln__reduced_cursor *c,
                        struct rln__duration_histogram *h,
                        const struct rln__durations_read *of)
{
    uint64_t value = 0;

    for (uint64_t i = 0; i < of->n && !rln__take_is_bad(c); i++) {
        if (__builtin_add_overflow(value, rln__take_number(c), &value))
            rln__take_fault(c, "a duration of more than 64 bits");
        if (!rln__take_is_bad(c) && rln__duration_histogram_add(h, value))
            c->is_full = 1;
    }
    if (!rln__take_is_bad(c) && (h->min_ns != of->min_ns || h->max_ns != of->max_ns))
        rln__take_fault(c, "durations that the sums do not have");
}

static void read_counts(struct rln__reduced_cursor *c,
                        struct rln__duration_histogram *h,
                        const struct rln__durations_read *of)
{
    const size_t n_steps = rln__take_count(c, 2);
    uint64_t next = 0, n_counted = 0, first = UINT64_MAX;

    for (size_t i = 0; i < n_steps && !rln__take_is_bad(c); i++) {
        uint64_t step =
            rln__take_at_most(c, RLN__DURATION_HISTOGRAM_N_STEPS, "no such step");
        const uint64_t count = rln__take_number(c);

        step += next;
        next = step + 1;
        first = i ? first : step;
        if (step >= RLN__DURATION_HISTOGRAM_N_STEPS || !count ||
            __builtin_add_overflow(n_counted, count, &n_counted))
            rln__take_fault(c, "no such step");
        if (!rln__take_is_bad(c) &&
            rln__duration_histogram_count(h, (uint32_t)step, count))
            c->is_full = 1;
    }
    if (n_counted != of->n || first != rln__duration_histogram_step(of->min_ns) ||
        next != (uint64_t)rln__duration_histogram_step(of->max_ns) + 1)
        rln__take_fault(c, "durations that the sums do not have");
    h->n = of->n;
    h->min_ns = of->min_ns;
    h->max_ns = of->max_ns;
}

void rln__take_durations(struct rln__reduced_cursor *c,
                         struct rln__duration_histogram *h,
                         const struct rln__durations_read *of)
{
    if (rln__take_is_bad(c))
        return;
    if (of->n <= RLN__DURATION_HISTOGRAM_EXACT)
        read_values(c, h, of);
    else
        read_counts(c, h, of);
}

int rln__is_total(uint64_t total_ns, const struct rln__durations_read *of)
{
    return total_ns >= of->max_ns && total_ns >= (rln__u128)of->n * of->min_ns &&
           total_ns <= (rln__u128)of->n * of->max_ns;
}
