/* SPDX-License-Identifier: Apache-2.0 */
/* step.h - which range a run repeats: run.h says what that is. */
#ifndef RLN_ANALYSIS_STEP_H
#define RLN_ANALYSIS_STEP_H

#include "analysis/run.h"

/* Sets the step of a run that has a nesting, its groups of names, and its time from the
 * first range to the last. RLN_ERR_ARGUMENT: there is no such step. */
rln_status rln__find_step(struct rln__run *run, const struct rln__step_request *request,
                          rln_error *err);

/* Whether a range has begun and ended on a thread. */
static inline bool rln__is_complete_call(const struct rln__nesting_row *row)
{
    return !(row->flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED)) &&
           row->thread != UINT32_MAX;
}

/* Whether ranges of that name are calls of the step. */
bool rln__run_is_step(const struct rln__run *run, uint32_t name);

#endif
