/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"

/* A call over this many medians is slow. */
#define SLOW 1.5
/* Durations that differ by less than this share of the median are alike. */
#define LEAST_SPREAD 0.02

/* --- Statistics ------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double rln__sorted_median(double *values, size_t n)
{
    if (!n)
        return 0;
    qsort(values, n, sizeof(*values), by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* What is usual on a track, and which of its first calls are not. */
static void measure(struct rln__track *track, double *scratch)
{
    for (size_t i = 0; i < track->n; i++)
        scratch[i] = track->calls[i].ns;
    track->median_ns = rln__sorted_median(scratch, track->n);
    for (size_t i = 0; i < track->n; i++)
        scratch[i] = fabs(track->calls[i].ns - track->median_ns);
    track->spread_ns = fmax(1.4826 * rln__sorted_median(scratch, track->n),
                            LEAST_SPREAD * track->median_ns);
    for (size_t i = 0; track->median_ns > 0 && i < track->n / 10; i++) {
        if (track->calls[i].ns <= SLOW * track->median_ns)
            break;
        track->n_warm_up++;
        track->warm_up_ns += track->calls[i].ns - track->median_ns;
    }
}

/* --- The step --------------------------------------------------------------------- */

/* What is known of each name of the nesting. */
struct name {
    double total_ns; /* of calls outside names that are called often */
    size_t n;        /* calls */
    size_t range;    /* one of them */
    bool is_frequent;
};

struct survey {
    struct name *names;     /* owned */
    unsigned char *is_deep; /* owned: of each range, whether it is in a frequent one */
    size_t n_names;
};

static bool is_complete(const rln_nesting_row *row)
{
    return !(row->flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED)) &&
           row->thread != UINT32_MAX;
}

/* Counts calls per thread and name. */
static int count_calls(struct rln__run *run, struct survey *survey)
{
    struct rln__map counts = {0};
    rln_nesting_row row;
    int failed = 0;

    for (size_t i = 0; !failed && rln_nesting_get(run->nesting, i, &row); i++) {
        const uint64_t key = (uint64_t)row.thread << 32 | row.name;
        struct name *name = &survey->names[row.name];
        uint64_t n;

        if (i == 0)
            run->first_ns = run->last_ns = row.start_ns;
        run->last_ns = row.end_ns > run->last_ns ? row.end_ns : run->last_ns;
        if (!is_complete(&row))
            continue;
        n = rln__map_get(&counts, key) + 1;
        failed = rln__map_put(&counts, key, n);
        name->is_frequent |= n >= RLN__LEAST_CALLS;
        name->range = i;
        name->n++;
    }
    run->span_ns = (double)(run->last_ns - run->first_ns);
    rln__map_clear(&counts);
    return failed;
}

/* A parent comes before its children. */
static void sum_outermost(const struct rln__run *run, struct survey *survey)
{
    rln_nesting_row row;

    for (size_t i = 0; rln_nesting_get(run->nesting, i, &row); i++) {
        struct name *name = &survey->names[row.name];

        if (row.parent != SIZE_MAX && survey->is_deep[row.parent])
            survey->is_deep[i] = 1;
        if (!survey->is_deep[i] && is_complete(&row))
            name->total_ns += (double)(row.end_ns - row.start_ns);
        survey->is_deep[i] |= name->is_frequent;
    }
}

static bool is_text(rln_text text, const char *other)
{
    return text.length == strlen(other) && memcmp(text.bytes, other, text.length) == 0;
}

static bool is_requested(const struct rln__step_request *request,
                         const rln_nesting_row *row)
{
    if (!is_text(row->message, request->message))
        return false;
    if (!request->domain)
        return row->is_default_domain;
    return strcmp(request->domain, "*") == 0 ||
           (!row->is_default_domain && is_text(row->domain_name, request->domain));
}

static rln_status refuse_step(const struct rln__run *run, const struct survey *survey,
                              const struct rln__step_request *request, rln_error *err)
{
    const struct rln__step_request anywhere = {request->message, "*"};
    rln_nesting_row row;

    for (size_t i = 0; i < survey->n_names; i++)
        if (survey->names[i].n &&
            rln_nesting_get(run->nesting, survey->names[i].range, &row) &&
            is_requested(&anywhere, &row))
            return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                             "cannot analyze: step=\"%s\": no such push/pop range in "
                             "this domain\nhint: use --step '%s@*' for any domain",
                             request->message, request->message);
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot analyze: step=\"%s\": no such push/pop range\nhint: "
                     "`rangeline stats -r nvtx_pushpop_sum` lists them",
                     request->message);
}

static rln_status choose_step(struct rln__run *run, const struct survey *survey,
                              const struct rln__step_request *request, rln_error *err)
{
    const struct name *best = NULL;
    rln_nesting_row row;

    for (size_t i = 0; i < survey->n_names; i++) {
        const struct name *name = &survey->names[i];

        if (!name->n || !rln_nesting_get(run->nesting, name->range, &row) ||
            !row.message.bytes)
            continue;
        if (request->message ? !is_requested(request, &row) : !name->is_frequent)
            continue;
        if (best && name->total_ns <= best->total_ns)
            continue;
        best = name;
        run->step = row.name;
        run->message = row.message;
        run->domain_name = row.domain_name;
        run->is_default_domain = row.is_default_domain;
    }
    return !best && request->message ? refuse_step(run, survey, request, err) : RLN_OK;
}

static rln_status find_step(struct rln__run *run,
                            const struct rln__step_request *request, rln_error *err)
{
    struct survey survey = {.n_names = rln_nesting_count_names(run->nesting)};
    rln_status status;

    survey.names = rln__alloc(survey.n_names + 1, sizeof(*survey.names));
    survey.is_deep = rln__alloc(rln_nesting_count(run->nesting) + 1, 1);
    if (!survey.names || !survey.is_deep || count_calls(run, &survey)) {
        status = rln__fail_nomem(err);
    } else {
        sum_outermost(run, &survey);
        status = choose_step(run, &survey, request, err);
    }
    rln__free(survey.names);
    rln__free(survey.is_deep);
    return status;
}

/* --- Tracks ----------------------------------------------------------------------- */

/* A call before it is known how many there are on its thread. */
struct loose_call {
    struct rln__call call;
    uint32_t thread, process;
};

static int by_thread(const void *a, const void *b)
{
    const struct loose_call *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->call.range > y->call.range) - (x->call.range < y->call.range);
}

/* The calls of the step that are in no other call of it; owned. */
static struct loose_call *collect(struct rln__run *run)
{
    unsigned char *is_inside = rln__alloc(rln_nesting_count(run->nesting) + 1, 1);
    struct loose_call *calls = rln__alloc(1, sizeof(*calls));
    size_t capacity = 1;
    rln_nesting_row row;

    for (size_t i = 0; is_inside && rln_nesting_get(run->nesting, i, &row); i++) {
        struct loose_call *grown;

        if (row.parent != SIZE_MAX && is_inside[row.parent]) {
            is_inside[i] = 1;
            continue;
        }
        if (row.name != run->step)
            continue;
        is_inside[i] = 1;
        if (!is_complete(&row))
            continue;
        grown = rln__grow(calls, &capacity, run->n_calls + 1, sizeof(*calls));
        if (!grown) {
            rln__free(calls);
            rln__free(is_inside);
            return NULL;
        }
        calls = grown;
        calls[run->n_calls++] =
            (struct loose_call){{i, row.start_ns, (double)(row.end_ns - row.start_ns)},
                                row.thread,
                                row.process};
    }
    if (!is_inside) {
        rln__free(calls);
        return NULL;
    }
    rln__free(is_inside);
    qsort(calls, run->n_calls, sizeof(*calls), by_thread);
    return calls;
}

static void cut_into_tracks(struct rln__run *run, const struct loose_call *calls)
{
    struct rln__track *track = NULL;

    for (size_t i = 0; i < run->n_calls; i++) {
        run->calls[i] = calls[i].call;
        if (i == 0 || calls[i].thread != calls[i - 1].thread) {
            track = &run->tracks[run->n_tracks++];
            track->thread = calls[i].thread;
            track->process = calls[i].process;
            track->rank = rln__run_rank(run, track->process);
            track->calls = run->calls + i;
        }
        track->n++;
    }
}

static rln_status make_tracks(struct rln__run *run, rln_error *err)
{
    struct loose_call *calls = collect(run);
    double *scratch = calls ? rln__alloc(run->n_calls + 1, sizeof(*scratch)) : NULL;
    rln_status status = RLN_OK;
    struct rln__map ranks = {0};

    run->calls = calls ? rln__alloc(run->n_calls + 1, sizeof(*run->calls)) : NULL;
    run->tracks = calls ? rln__alloc(run->n_calls + 1, sizeof(*run->tracks)) : NULL;
    if (!scratch || !run->calls || !run->tracks) {
        status = rln__fail_nomem(err);
        goto out;
    }
    cut_into_tracks(run, calls);
    for (size_t i = 0; i < run->n_tracks; i++) {
        struct rln__track *track = &run->tracks[i];

        run->n_ranks += !rln__map_get(&ranks, track->rank);
        if (rln__map_put(&ranks, track->rank, 1)) {
            status = rln__fail_nomem(err);
            goto out;
        }
        if (track->n < RLN__LEAST_CALLS)
            continue;
        run->n_long_tracks++;
        measure(track, scratch);
    }
out:
    rln__map_clear(&ranks);
    rln__free(scratch);
    rln__free(calls);
    return status;
}

/* --- The whole -------------------------------------------------------------------- */

uint32_t rln__run_rank(const struct rln__run *run, uint32_t process)
{
    const rln_process_info *about = rln_info_process(run->info, process);

    if (!about)
        return 0;
    if (run->rank_kind == RLN__RANK_OF_JOB)
        return about->rank;
    return run->rank_kind == RLN__RANK_OF_TRACE ? about->part : about->pid;
}

static void describe(struct rln__run *run, const rln_reader *reader)
{
    const rln_totals *totals = rln_info_totals(run->info);
    const rln_finding *f;
    const rln_part_info *part;

    run->has_all_events = !totals->n_lost && !totals->n_dropped &&
                          !totals->n_damages_found && !totals->n_overwritten;
    run->has_steady_clock = true;
    for (size_t i = 0; (f = rln_check_at(run->check, i)); i++)
        run->has_steady_clock &= f->kind != RLN_FINDING_CLOCK;
    for (uint32_t i = 0; (part = rln_info_part(run->info, i)); i++)
        run->is_ring |= part->buffer_bytes != 0;
    if (rln_reader_count_ranks(reader))
        run->rank_kind = RLN__RANK_OF_JOB;
    else
        run->rank_kind =
            totals->n_parts > 1 ? RLN__RANK_OF_TRACE : RLN__RANK_OF_PROCESS;
}

rln_status rln__run_read(rln_reader *reader, const struct rln__step_request *request,
                         struct rln__run *out, rln_error *err)
{
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln_check_new(reader, &out->check, err);
    if (status)
        return status;
    out->info = rln_check_info(out->check);
    describe(out, reader);
    status = rln_nesting_new(reader, &out->nesting, err);
    if (!status)
        status = find_step(out, request, err);
    if (!status && out->message.bytes)
        status = make_tracks(out, err);
    return status;
}

void rln__run_clear(struct rln__run *run)
{
    rln__free(run->calls);
    rln__free(run->tracks);
    rln_nesting_free(run->nesting);
    rln_check_free(run->check);
    memset(run, 0, sizeof(*run));
}

const struct rln__track *rln__run_next_track(const struct rln__run *run, size_t *at)
{
    while (*at < run->n_tracks) {
        const struct rln__track *track = &run->tracks[(*at)++];

        if (track->n >= RLN__LEAST_CALLS)
            return track;
    }
    return NULL;
}
