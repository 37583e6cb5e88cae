/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - a run as rules see it: its step, and the calls of the step.
 *
 *     thread 1   |step|  |step|  |step|        a track: the calls of a thread
 *     thread 2     |step|  |step|  |step|      another one
 *                   0       1       2          index of a call on its track
 *
 * The *step* is the range that the program repeats: the one that the user names, else
 * the outermost name that a thread calls often, of several the one with the largest
 * total; if there is none, one that is called a few times and takes most of the time. Calls inside a call of the step are none of its calls. Names that
 * differ only in numbers may be one: "step 1" and "step 2" are "step #".
 */
#ifndef RLN_ANALYSIS_RUN_H
#define RLN_ANALYSIS_RUN_H

#include <stdbool.h>

#include "base/buf.h"
#include "rangeline/finding.h"
#include "ranges/nesting.h"
#include "reports/check/check_findings.h"
#include "reports/check/info.h"
#include "reports/sums.h"
#include "trace/open/load.h"

/* A thread with fewer calls has no usual duration. */
#define RLN__LEAST_CALLS 20u
/* A thread with fewer has nothing to compare. */
#define RLN__FEW_CALLS 4u

struct rln__call {
    size_t range; /* index in the nesting */
    int64_t start_ns;
    double ns;
};

static inline int64_t rln__call_end(const struct rln__call *call)
{
    return call->start_ns + (int64_t)call->ns;
}

struct rln__track {
    uint32_t thread, process; /* indices in the info */
    uint32_t rank;            /* as in rln__run.rank_kind */
    const struct rln__call *calls;
    size_t n;
    /* If n is at least RLN__FEW_CALLS: */
    double median_ns;
    double spread_ns;  /* 1.4826 MAD, at least 2 % of the median */
    size_t n_warm_up;  /* the first calls, while over 1.5 medians, at most a tenth */
    double warm_up_ns; /* beyond the median */
};

struct rln__run {
    const rln_info *info;
    rln_check *check;             /* owned */
    struct rln__nesting *nesting; /* owned */
    int64_t first_ns, last_ns;
    double span_ns; /* from the first call of the step to the last, of the process where
                       that is longest; without a step, of all ranges */
    bool has_all_events, has_steady_clock;
    bool is_ring; /* some of it kept only its newest events */

    rln_text domain_name, message; /* of the step; no message: there is none */
    bool is_default_domain;
    bool is_folded;   /* its calls have several names, and `message` is folded_name */
    uint32_t step;    /* its name in the nesting, or the first of its names */
    uint32_t *groups; /* owned: by name, the first name that is the same without
                       * numbers; if not folded, itself */
    struct rln__buf folded_name; /* owned */
    struct rln__call *calls;     /* owned */
    size_t n_calls;
    struct rln__track *tracks;      /* owned; by thread */
    size_t n_tracks, n_long_tracks; /* those with RLN__LEAST_CALLS */
    enum rln__rank_kind rank_kind;  /* what numbers a rank */
    size_t n_ranks;                 /* with calls of the step */
};

/* The step that the user names; zeroed: the run shows it. */
struct rln__step_request {
    const char *message;
    const char *domain; /* NULL: the default one; "*": any */
};

/* Reads the traces. On failure `out` can be cleared. RLN_ERR_ARGUMENT: there is no such
 * step. */
rln_status rln__run_read(rln_reader *reader, const struct rln__step_request *request,
                         struct rln__run *out, rln_error *err);
void rln__run_clear(struct rln__run *run);

/* The rank of a process; UINT32_MAX: of a job, but without a rank. */
uint32_t rln__run_rank(const struct rln__run *run, uint32_t process);

static inline bool rln__track_has_rank(const struct rln__track *track)
{
    return track->rank != UINT32_MAX;
}

/* When its last call ends. */
static inline int64_t rln__track_end_ns(const struct rln__track *track)
{
    const struct rln__call *last = &track->calls[track->n - 1];

    return last->start_ns + (int64_t)last->ns;
}

/* The next track with RLN__LEAST_CALLS calls or more, from `*at` on; NULL ends. */
const struct rln__track *rln__run_next_track(const struct rln__run *run, size_t *at);

/* The same tracks by thread, NULL for the others: as many as the info has threads.
 * Owned by the caller, for rln__free(); NULL when there is no memory. */
const struct rln__track **rln__run_tracks_by_thread(const struct rln__run *run);

#endif
