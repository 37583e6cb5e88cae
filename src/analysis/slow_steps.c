/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/slow_steps.h"
#include "base/alloc.h"
#include "base/fail.h"

static bool is_asked(const struct rln__slow_steps_rule *rule,
                     const struct rln__track *track)
{
    if (rule->is_of_few)
        return track->n >= RLN__FEW_CALLS && track->n < RLN__LEAST_CALLS;
    return track->n >= RLN__LEAST_CALLS &&
           (double)(track->n - track->n_warm_up) >= rule->least_calls;
}

static int look_at_all(struct rln__slow_steps *slow,
                       const struct rln__slow_steps_rule *rule, size_t *n_tracks)
{
    const struct rln__run *run = slow->q->run;

    if (!slow->compared || !slow->f)
        return -1;
    for (size_t i = 0; i < run->n_tracks; i++) {
        const struct rln__track *track = &run->tracks[i];

        if (!is_asked(rule, track))
            continue;
        ++*n_tracks;
        if (rule->look_at(slow, track))
            return -1;
    }
    return 0;
}

rln_status rln__find_slow_steps(struct rln__inquiry *q,
                                const struct rln__slow_steps_rule *rule, void *own,
                                size_t *n_tracks, rln_error *err)
{
    struct rln__slow_steps slow = {.q = q,
                                   .f = rln__finding_of_step(q, NULL),
                                   .compared = rln__compared_new(q->run),
                                   .own = own};
    rln_status status = RLN_OK;
    double won_ns;

    *n_tracks = 0;
    if (look_at_all(&slow, rule, n_tracks)) {
        status = rln__fail_nomem(err);
        goto out;
    }
    won_ns = rln__win_total(&slow.win);
    if (!rln__is_worth(q, won_ns)) {
        rln__finding_drop(q);
        goto out;
    }
    status = rln__find_cause(q, slow.compared, rule->least_cause, slow.f, err);
    if (!status) {
        rln__finding_won(slow.f, q, won_ns);
        rule->describe(&slow);
    }
out:
    rln__win_clear(&slow.win);
    rln__free(slow.compared);
    return status;
}

void rln__title_step(struct rln__slow_steps *slow)
{
    const struct rln__run *run = slow->q->run;

    rln__buf_range(&slow->f->title, run->domain_name, run->is_default_domain,
                   run->message);
}
