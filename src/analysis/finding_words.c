/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/finding_words.h"

#include <math.h>

#include "base/count.h"
#include "base/human_units.h"
#include "base/percent.h"
#include "base/thousands.h"

/* Steps with that share of the run are the run. */
#define WHOLE 0.95

/* Of a growth: less of it is rounded to nothing. */
#define LEAST_SHARE 0.005

/* Around a range, on each side, as a share of it. */
#define MARGIN 4

size_t rln__analysis_count_abstained(const struct rln__analysis *a)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_outcomes; i++)
        n += a->outcomes[i].why != NULL;
    return n;
}

static void add_step(struct rln__buf *out, const struct rln__run *run)
{
    if (!run->message.bytes) {
        const size_t n = rln__nesting_count(run->nesting);

        rln__buf_count(out, n);
        rln__buf_format(out, " push/pop range%s", n == 1 ? "" : "s");
        return;
    }
    rln__buf_count(out, run->n_calls);
    rln__buf_format(out, " call%s of ", run->n_calls == 1 ? "" : "s");
    rln__buf_range(out, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(out, " on %zu thread%s", run->n_tracks,
                    run->n_tracks == 1 ? "" : "s");
}

void rln__analysis_put_checked(const struct rln__analysis *a, struct rln__buf *out)
{
    rln__buf_counted(out, a->n_outcomes - rln__analysis_count_abstained(a), "rule",
                     "rules");
    rln__buf_text(out, " checked ");
    add_step(out, &a->run);
    rln__buf_text(out, " in ");
    rln__buf_duration(out, a->run.span_ns);
}

void rln__finding_put_share(const struct rln__run *run, double share,
                            struct rln__buf *out)
{
    const double whole_ns = (double)(run->last_ns - run->first_ns);

    rln__buf_format(out, "%.1f %% of the ", share * 100);
    if (run->span_ns > WHOLE * whole_ns) {
        rln__buf_text(out, "run");
        return;
    }
    rln__buf_duration(out, run->span_ns);
    rln__buf_text(out, " of steps");
}

void rln__finding_put_cause(const struct rln__finding *f, struct rln__buf *out)
{
    if (!f->cause.bytes)
        return;
    rln__buf_range(out, f->cause_domain, f->is_cause_default_domain, f->cause);
    if (f->is_cause_step)
        rln__buf_text(out, " itself, outside all ranges inside");
    /* Over all, if other ranges shrank. */
    rln__buf_format(out, ", %.0f %% of %s", fmin(f->cause_share, 1) * 100,
                    f->cause_of ? f->cause_of : "the growth");
}

void rln__finding_put_growth(const struct rln__finding *f, struct rln__buf *out)
{
    struct {
        double share;
        const char *state;
    } parts[] = {{f->growth.on, "on CPU"},
                 {f->growth.preempted, "preempted"},
                 {f->growth.blocked, "blocked"}};
    size_t n = f->growth.is_known ? RLN_COUNT(parts) : 0;

    for (bool has_any = false; n > 0; n--) {
        size_t most = 0;

        for (size_t i = 1; i < n; i++)
            most = parts[i].share > parts[most].share ? i : most;
        if (fabs(parts[most].share) >= LEAST_SHARE) {
            rln__buf_format(out, "%s%.0f %% %s", has_any ? ", " : "",
                            parts[most].share * 100, parts[most].state);
            has_any = true;
        }
        parts[most] = parts[n - 1];
    }
}

void rln__finding_put_address(const struct rln__nesting_row *row, struct rln__buf *out)
{
    const int64_t margin = (row->end_ns - row->start_ns) / MARGIN + 1;

    rln__buf_text(out, "t=");
    rln__buf_i64(out, row->start_ns - margin);
    rln__buf_char(out, ',');
    rln__buf_i64(out, row->end_ns + margin);
    if (row->message.length) {
        rln__buf_text(out, "&find=");
        rln__buf_percent(out, row->message.bytes, row->message.length, ":/");
    }
}
