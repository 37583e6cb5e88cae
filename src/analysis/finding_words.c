/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/finding_words.h"

#include <math.h>

#include "base/human_units.h"
#include "base/percent.h"

/* Steps with that share of the run are the run. */
#define WHOLE 0.95

/* Around a range, on each side, as a share of it. */
#define MARGIN 4

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
