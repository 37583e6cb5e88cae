/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/key_index.h"
#include "base/renaming.h"

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

/* What is known of a name; if numbers are folded, of all names that are one then. */
struct name {
    uint64_t most_ns; /* of a thread: its calls outside names that are called often */
    uint64_t longest_ns; /* of these calls */
    size_t n;            /* calls */
    size_t range;        /* one of them */
    bool is_frequent;
};

struct survey {
    struct name *names;     /* owned; a group's is that of its first name */
    unsigned char *is_deep; /* owned: of each range, whether it is in a frequent one */
    uint32_t *groups;     /* borrowed; names without numbers: the first that is alike */
    struct rln__buf text; /* owned: a name without its numbers */
    size_t n_names;
    bool is_folded;
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
        const uint32_t group = survey->groups[row.name];
        const uint64_t key = (uint64_t)row.thread << 32 | group;
        struct name *name = &survey->names[group];
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

/* One long call, such as the first of a function that is called everywhere, makes no
 * step. */
static uint64_t weight_of(const struct name *name)
{
    return name->most_ns - name->longest_ns;
}

/* A parent comes before its children. Threads are not added up: many may wait for work
 * at once. */
static int sum_outermost(const struct rln__run *run, struct survey *survey)
{
    struct rln__map sums = {0};
    rln_nesting_row row;
    int failed = 0;

    for (size_t i = 0; !failed && rln_nesting_get(run->nesting, i, &row); i++) {
        const uint32_t group = survey->groups[row.name];
        const uint64_t key = (uint64_t)row.thread << 32 | group;
        struct name *name = &survey->names[group];

        if (row.parent != SIZE_MAX && survey->is_deep[row.parent])
            survey->is_deep[i] = 1;
        if (!survey->is_deep[i] && name->is_frequent && is_complete(&row)) {
            const uint64_t ns =
                rln__map_get(&sums, key) + (uint64_t)(row.end_ns - row.start_ns);

            failed = rln__map_put(&sums, key, ns);
            name->most_ns = ns > name->most_ns ? ns : name->most_ns;
            if ((uint64_t)(row.end_ns - row.start_ns) > name->longest_ns)
                name->longest_ns = (uint64_t)(row.end_ns - row.start_ns);
        }
        survey->is_deep[i] |= name->is_frequent;
    }
    rln__map_clear(&sums);
    return failed;
}

/* The text of a range's name, as the survey has it; without bytes if it is none.
 * Borrowed until the next one. */
static rln_text name_of(struct survey *survey, const rln_nesting_row *row)
{
    if (!survey->is_folded || !row->message.length)
        return row->message;
    survey->text.length = 0;
    rln__fold_numbers(&survey->text, row->message);
    return (rln_text){survey->text.bytes, survey->text.length};
}

static bool is_requested(const struct rln__step_request *request, rln_text name,
                         const rln_nesting_row *row)
{
    if (!rln__text_is(name, request->message))
        return false;
    if (!request->domain)
        return row->is_default_domain;
    return strcmp(request->domain, "*") == 0 ||
           (!row->is_default_domain && rln__text_is(row->domain_name, request->domain));
}

static rln_status refuse_step(const struct rln__run *run, struct survey *survey,
                              const struct rln__step_request *request, rln_error *err)
{
    const struct rln__step_request anywhere = {request->message, "*"};
    rln_nesting_row row;

    survey->is_folded = true;
    for (size_t i = 0; i < survey->n_names; i++)
        if (survey->names[i].n &&
            rln_nesting_get(run->nesting, survey->names[i].range, &row) &&
            (is_requested(&anywhere, row.message, &row) ||
             is_requested(&anywhere, name_of(survey, &row), &row)))
            return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                             "cannot analyze: step=\"%s\": no such push/pop range in "
                             "this domain\nhint: use --step '%s@*' for any domain",
                             request->message, request->message);
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot analyze: step=\"%s\": no such push/pop range\nhint: "
                     "`rangeline stats -r nvtx_pushpop_sum` lists them",
                     request->message);
}

/* The step of a survey. */
struct choice {
    size_t n; /* calls; 0: there is none */
    size_t name;
    size_t range; /* one of them */
};

static struct choice choose_step(const struct rln__run *run, struct survey *survey,
                                 const struct rln__step_request *request)
{
    struct choice best = {0};
    rln_nesting_row row;

    for (size_t i = 0; i < survey->n_names; i++) {
        const struct name *name = &survey->names[i];
        rln_text text;

        if (!name->n || !rln_nesting_get(run->nesting, name->range, &row))
            continue;
        text = name_of(survey, &row);
        if (!text.bytes)
            continue;
        if (request->message ? !is_requested(request, text, &row) : !name->is_frequent)
            continue;
        if (!best.n || weight_of(name) > weight_of(&survey->names[best.name]))
            best = (struct choice){name->n, i, name->range};
    }
    return best;
}

static void adopt(struct rln__run *run, struct survey *survey, struct choice step)
{
    rln_nesting_row row;

    if (!step.n || !rln_nesting_get(run->nesting, step.range, &row))
        return;
    run->step = (uint32_t)step.name;
    run->domain_name = row.domain_name;
    run->is_default_domain = row.is_default_domain;
    run->message = row.message;
    run->is_folded = survey->is_folded;
    if (!survey->is_folded)
        return;
    run->message = name_of(survey, &row);
    run->folded_name = survey->text;
    memset(&survey->text, 0, sizeof(survey->text));
}

static int take_survey(struct rln__run *run, struct survey *survey)
{
    memset(survey->names, 0, survey->n_names * sizeof(*survey->names));
    memset(survey->is_deep, 0, rln_nesting_count(run->nesting));
    return count_calls(run, survey) || sum_outermost(run, survey) ? -1 : 0;
}

/* What two names that are one without numbers have in common. */
static uint64_t hash_of(struct survey *survey, const rln_nesting_row *row)
{
    const rln_text text = name_of(survey, row);
    const uint64_t domain =
        row->is_default_domain
            ? 0
            : rln__hash_bytes(row->domain_name.bytes, row->domain_name.length);

    return rln__hash_bytes(text.bytes, text.length) ^ rln__mix(domain + 1);
}

/* Makes one group of names that differ only in numbers. */
static int fold(const struct rln__run *run, struct survey *survey)
{
    struct rln__map first = {0};
    rln_nesting_row row;
    int failed = 0;

    survey->is_folded = true;
    for (size_t i = 0; !failed && i < survey->n_names; i++) {
        uint64_t key, found;

        if (!survey->names[i].n ||
            !rln_nesting_get(run->nesting, survey->names[i].range, &row) ||
            !row.message.length)
            continue;
        key = hash_of(survey, &row);
        found = rln__map_get(&first, key);
        if (found)
            survey->groups[i] = (uint32_t)found - 1;
        else
            failed = rln__map_put(&first, key, i + 1);
    }
    rln__map_clear(&first);
    return failed || survey->text.has_failed ? -1 : 0;
}

static void unfold(struct survey *survey)
{
    survey->is_folded = false;
    for (size_t i = 0; i < survey->n_names; i++)
        survey->groups[i] = (uint32_t)i;
}

static size_t count_names(const struct survey *survey, size_t group)
{
    size_t n = 0;

    for (size_t i = 0; i < survey->n_names; i++)
        n += survey->groups[i] == group;
    return n;
}

static bool is_inside(const struct rln__run *run, const struct survey *survey,
                      size_t range, size_t group)
{
    rln_nesting_row row;

    while (rln_nesting_get(run->nesting, range, &row)) {
        if (survey->groups[row.name] == group)
            return true;
        range = row.parent;
    }
    return false;
}

/* Whether names that differ only in numbers are rather the step than one name is:
 * "step 1", "step 2" around a `forward` each, but not "epoch 1", "epoch 2" around many
 * a `batch`, and not the jobs of another thread. */
static bool is_better(const struct rln__run *run, const struct survey *survey,
                      struct choice plain, struct choice folded)
{
    if (!folded.n || count_names(survey, folded.name) < 2)
        return false;
    return !plain.n || (plain.n / RLN__LEAST_CALLS < folded.n &&
                        is_inside(run, survey, plain.range, folded.name));
}

static int choose_or_fold(struct rln__run *run, struct survey *survey,
                          const struct rln__step_request *request)
{
    struct choice plain, folded;

    if (take_survey(run, survey))
        return -1;
    plain = choose_step(run, survey, request);
    if (plain.n && request->message) {
        adopt(run, survey, plain);
        return 0;
    }
    if (fold(run, survey) || take_survey(run, survey))
        return -1;
    folded = choose_step(run, survey, request);
    if (is_better(run, survey, plain, folded)) {
        adopt(run, survey, folded);
        return 0;
    }
    unfold(survey);
    adopt(run, survey, plain);
    return 0;
}

static rln_status find_step(struct rln__run *run,
                            const struct rln__step_request *request, rln_error *err)
{
    struct survey survey = {.n_names = rln_nesting_count_names(run->nesting)};
    rln_status status = RLN_OK;

    survey.names = rln__alloc(survey.n_names + 1, sizeof(*survey.names));
    survey.is_deep = rln__alloc(rln_nesting_count(run->nesting) + 1, 1);
    survey.groups = run->groups = rln__alloc(survey.n_names + 1, sizeof(*run->groups));
    if (survey.names && survey.is_deep && survey.groups) {
        unfold(&survey);
        if (choose_or_fold(run, &survey, request))
            status = rln__fail_nomem(err);
    } else {
        status = rln__fail_nomem(err);
    }
    if (!status && (survey.text.has_failed || run->folded_name.has_failed))
        status = rln__fail_nomem(err);
    if (!status && request->message && !run->message.bytes)
        status = refuse_step(run, &survey, request, err);
    rln__free(survey.names);
    rln__free(survey.is_deep);
    rln__buf_clear(&survey.text);
    return status;
}

bool rln__run_is_step(const struct rln__run *run, uint32_t name)
{
    return run->message.bytes && run->groups[name] == run->step;
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
    unsigned char *is_nested = rln__alloc(rln_nesting_count(run->nesting) + 1, 1);
    struct loose_call *calls = rln__alloc(1, sizeof(*calls));
    size_t capacity = 1;
    rln_nesting_row row;

    for (size_t i = 0; is_nested && rln_nesting_get(run->nesting, i, &row); i++) {
        struct loose_call *grown;

        if (row.parent != SIZE_MAX && is_nested[row.parent]) {
            is_nested[i] = 1;
            continue;
        }
        if (!rln__run_is_step(run, row.name))
            continue;
        is_nested[i] = 1;
        if (!is_complete(&row))
            continue;
        grown = rln__grow(calls, &capacity, run->n_calls + 1, sizeof(*calls));
        if (!grown) {
            rln__free(calls);
            rln__free(is_nested);
            return NULL;
        }
        calls = grown;
        calls[run->n_calls++] =
            (struct loose_call){{i, row.start_ns, (double)(row.end_ns - row.start_ns)},
                                row.thread,
                                row.process};
    }
    if (!is_nested) {
        rln__free(calls);
        return NULL;
    }
    rln__free(is_nested);
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

/* The longest of any process: traces may come from different times, and a process may
 * do other things before its first step and after its last one. */
static int measure_span(struct rln__run *run)
{
    const uint32_t n_processes = rln_info_totals(run->info)->n_processes;
    struct {
        int64_t from, to;
    } *spans = rln__alloc(n_processes + 1, sizeof(*spans));

    if (!spans)
        return -1;
    run->span_ns = run->n_tracks ? 0 : run->span_ns;
    for (size_t i = 0; i < run->n_tracks; i++) {
        const struct rln__track *t = &run->tracks[i];
        const struct rln__call *first = &t->calls[0], *last = &t->calls[t->n - 1];
        const int64_t end = last->start_ns + (int64_t)last->ns;
        const int is_first = spans[t->process].to == spans[t->process].from;

        if (is_first || first->start_ns < spans[t->process].from)
            spans[t->process].from = first->start_ns;
        if (is_first || end > spans[t->process].to)
            spans[t->process].to = end;
        run->span_ns =
            fmax(run->span_ns, (double)(spans[t->process].to - spans[t->process].from));
    }
    rln__free(spans);
    return 0;
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

        run->n_ranks +=
            rln__track_has_rank(track) && !rln__map_get(&ranks, track->rank);
        if (rln__map_put(&ranks, track->rank, 1)) {
            status = rln__fail_nomem(err);
            goto out;
        }
        if (track->n < RLN__LEAST_CALLS)
            continue;
        run->n_long_tracks++;
        measure(track, scratch);
    }
    if (measure_span(run))
        status = rln__fail_nomem(err);
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
    rln__free(run->groups);
    rln__buf_clear(&run->folded_name);
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
