/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/slow_calls.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/median.h"

int rln__slow_calls_find(const struct rln__track *track, double times, double spreads,
                         struct rln__slow_calls *out)
{
    const double limit =
        fmax(times * track->median_ns, track->median_ns + spreads * track->spread_ns);

    memset(out, 0, sizeof(*out));
    for (size_t i = track->n_warm_up; i < track->n; i++) {
        size_t *at;

        if (track->calls[i].ns <= limit)
            continue;
        at = rln__append(&out->at, &out->n, &out->capacity, sizeof(*at));
        if (!at)
            return -1;
        *at = i;
    }
    return 0;
}

void rln__slow_calls_clear(struct rln__slow_calls *slow)
{
    rln__free(slow->at);
    memset(slow, 0, sizeof(*slow));
}

bool rln__are_regular(double *distances, size_t n,
                      const struct rln__regularity *regularity, double *median)
{
    double most = 0;

    *median = rln__median(distances, n);
    for (size_t i = 0; i < n; i++) {
        distances[i] = fabs(distances[i] - *median);
        most = fmax(most, distances[i]);
    }
    return most <= regularity->deviation * *median &&
           rln__median(distances, n) <= regularity->mad * *median;
}

int rln__slow_calls_period(const struct rln__track *track,
                           const struct rln__slow_calls *slow,
                           const struct rln__regularity *regularity,
                           struct rln__period *out)
{
    double *calls, *ns; /* owned */
    bool is_in_time;

    memset(out, 0, sizeof(*out));
    if (slow->n < 2 || (double)slow->n < regularity->least)
        return 0;
    calls = rln__alloc(slow->n, sizeof(*calls));
    ns = rln__alloc(slow->n, sizeof(*ns));
    if (calls && ns) {
        for (size_t i = 0; i + 1 < slow->n; i++) {
            const struct rln__call *a = &track->calls[slow->at[i]];
            const struct rln__call *b = &track->calls[slow->at[i + 1]];

            calls[i] = (double)(slow->at[i + 1] - slow->at[i]);
            ns[i] = (double)(b->start_ns - a->start_ns);
        }
        out->is_in_calls =
            rln__are_regular(calls, slow->n - 1, regularity, &out->calls);
        is_in_time = rln__are_regular(ns, slow->n - 1, regularity, &out->ns);
        /* Calls in a row are one long disturbance. */
        out->is_regular = out->calls > 1 && (out->is_in_calls || is_in_time);
    }
    rln__free(ns);
    rln__free(calls);
    return calls && ns ? 0 : -1;
}
