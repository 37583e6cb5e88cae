/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/step.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/key_index.h"
#include "base/renaming.h"
#include "base/shell_word.h"
#include "reports/joined_calls.h"

/* What is known of a name; if numbers are folded, of all names that are one then. */
struct name {
    uint64_t most_ns; /* of a thread: its calls outside names that are called often */
    uint64_t longest_ns; /* of these calls */
    size_t n;            /* calls */
    size_t range;        /* one of them, or one that was never closed */
    bool is_there;       /* a range has this name */
    bool is_frequent;
};

/* The calls of a group on one thread. */
struct thread_sum {
    size_t n;
    double ns, longest_ns;
};

struct survey {
    struct name *names;      /* owned; a group's is that of its first name */
    struct thread_sum *sums; /* owned; as names */
    double thread_ns;        /* of that thread, in any range */
    unsigned char *is_deep;  /* owned: of each range, whether it is in a frequent one */
    uint32_t *groups;     /* borrowed; names without numbers: the first that is alike */
    struct rln__buf text; /* owned: a name without its numbers */
    size_t n_names;
    uint64_t least_calls; /* of a thread, for a name that is called often */
    double least_share;   /* of what the thread records */
    bool is_folded;
};

/* Counts calls per thread and name. */
static int count_calls(struct rln__run *run, struct survey *survey)
{
    struct rln__map counts = {0};
    struct rln__nesting_row row;
    int failed = 0;

    for (size_t i = 0; !failed && rln__nesting_get(run->nesting, i, &row); i++) {
        const uint32_t group = survey->groups[row.name];
        const uint64_t key = (uint64_t)row.thread << 32 | group;
        struct name *name = &survey->names[group];
        uint64_t n;

        if (i == 0)
            run->first_ns = run->last_ns = row.start_ns;
        run->last_ns = row.end_ns > run->last_ns ? row.end_ns : run->last_ns;
        if (!rln__is_complete_call(&row)) {
            name->range = name->is_there ? name->range : i;
            name->is_there = true;
            continue;
        }
        n = rln__map_get(&counts, key) + 1;
        failed = rln__map_put(&counts, key, n);
        name->is_frequent |= n >= survey->least_calls;
        name->range = i;
        name->is_there = true;
        name->n++;
    }
    run->span_ns = (double)(run->last_ns - run->first_ns);
    rln__map_clear(&counts);
    return failed;
}

/* A parent comes before its children. Threads are not added up: many may wait for work
 * at once. */
static int sum_outermost(const struct rln__run *run, struct survey *survey)
{
    struct rln__map sums = {0};
    struct rln__nesting_row row;
    int failed = 0;

    for (size_t i = 0; !failed && rln__nesting_get(run->nesting, i, &row); i++) {
        const uint32_t group = survey->groups[row.name];
        const uint64_t key = (uint64_t)row.thread << 32 | group;
        struct name *name = &survey->names[group];

        if (row.parent != SIZE_MAX && survey->is_deep[row.parent])
            survey->is_deep[i] = 1;
        if (!survey->is_deep[i] && name->is_frequent && rln__is_complete_call(&row)) {
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
static rln_text name_of(struct survey *survey, const struct rln__nesting_row *row)
{
    if (!survey->is_folded || !row->message.length)
        return row->message;
    survey->text.length = 0;
    rln__fold_numbers(&survey->text, row->message);
    return (rln_text){survey->text.bytes, survey->text.length};
}

static bool is_requested(const struct rln__step_request *request, rln_text name,
                         const struct rln__nesting_row *row)
{
    if (!rln__text_is(name, request->message))
        return false;
    if (!request->domain)
        return row->is_default_domain;
    return strcmp(request->domain, "*") == 0 ||
           (!row->is_default_domain && rln__text_is(row->domain_name, request->domain));
}

/* The name is of whoever typed it, or of a trace that suggested it. */
static rln_status refuse_domain(const char *message, rln_error *err)
{
    struct rln__buf step = {0}, word = {0};
    rln_status status;

    for (const char *c = message; *c; c++) {
        if (*c == '@' || *c == '\\')
            rln__buf_char(&step, '\\');
        rln__buf_char(&step, *c);
    }
    rln__buf_text(&step, "@*");
    if (!step.has_failed)
        rln__buf_shell_word(&word, step.bytes, step.length);
    status = rln__fail(err, RLN_ERR_ARGUMENT, 0,
                       "cannot analyze: step=\"%s\": no such push/pop range in this "
                       "domain\nhint: `--step %.*s` is that of any domain",
                       message, (int)word.length, word.bytes ? word.bytes : "");
    rln__buf_clear(&step);
    rln__buf_clear(&word);
    return status;
}

static rln_status refuse_step(const struct rln__run *run, struct survey *survey,
                              const struct rln__step_request *request, rln_error *err)
{
    const struct rln__step_request anywhere = {request->message, "*"};
    struct rln__nesting_row row;

    survey->is_folded = true;
    for (size_t i = 0; i < survey->n_names; i++)
        if (survey->names[i].n &&
            rln__nesting_get(run->nesting, survey->names[i].range, &row) &&
            (is_requested(&anywhere, row.message, &row) ||
             is_requested(&anywhere, name_of(survey, &row), &row)))
            return refuse_domain(request->message, err);
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

static bool is_on_main_thread(const struct rln__run *run, size_t range)
{
    struct rln__nesting_row row;

    return rln__nesting_get(run->nesting, range, &row) && row.tid == row.pid;
}

/* One long call, such as the first of a function that is called everywhere, makes no
 * step. Of two that take as long, the step is rather what the main thread repeats than
 * what a thread does that serves it, such as a loader of data. */
static uint64_t weight_of(const struct rln__run *run, const struct name *name)
{
    const uint64_t ns = name->most_ns - name->longest_ns;

    return is_on_main_thread(run, name->range) ? 2 * ns : ns;
}

/* Not a call of MPI, unless it is asked for: ranks wait there for what the others do. */
static struct choice choose_step(const struct rln__run *run, struct survey *survey,
                                 const struct rln__step_request *request)
{
    struct choice best = {0};
    struct rln__nesting_row row;

    for (size_t i = 0; i < survey->n_names; i++) {
        const struct name *name = &survey->names[i];
        rln_text text;

        if (!name->n || !rln__nesting_get(run->nesting, name->range, &row))
            continue;
        text = name_of(survey, &row);
        if (!text.bytes)
            continue;
        if (request->message ? !is_requested(request, text, &row)
                             : !name->is_frequent || rln__is_of_mpi(row.domain_name))
            continue;
        if (!best.n || weight_of(run, name) > weight_of(run, &survey->names[best.name]))
            best = (struct choice){name->n, i, name->range};
    }
    return best;
}

static void adopt(struct rln__run *run, struct survey *survey, struct choice step)
{
    struct rln__nesting_row row;

    if (!step.n || !rln__nesting_get(run->nesting, step.range, &row))
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
    memset(survey->is_deep, 0, rln__nesting_count(run->nesting));
    return count_calls(run, survey) || sum_outermost(run, survey) ? -1 : 0;
}

/* What two names that are one without numbers have in common. */
static uint64_t hash_of(struct survey *survey, const struct rln__nesting_row *row)
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
    struct rln__nesting_row row;
    int failed = 0;

    survey->is_folded = true;
    for (size_t i = 0; !failed && i < survey->n_names; i++) {
        uint64_t key, found;

        if (!survey->names[i].is_there ||
            !rln__nesting_get(run->nesting, survey->names[i].range, &row) ||
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
    struct rln__nesting_row row;

    while (rln__nesting_get(run->nesting, range, &row)) {
        if (survey->groups[row.name] == group)
            return true;
        range = row.parent;
    }
    return false;
}

/* Whether names that differ only in numbers are rather the step than one name is:
 * "step 1", "step 2" around a `forward` each, but not "epoch 1", "epoch 2" around many
 * a `batch`; those of the main thread rather than what another one repeats, as a
 * loader of data does, but not the jobs of another thread. */
static bool is_better(const struct rln__run *run, const struct survey *survey,
                      struct choice plain, struct choice folded)
{
    if (!folded.n || count_names(survey, folded.name) < 2)
        return false;
    if (!plain.n)
        return true;
    if (is_inside(run, survey, plain.range, folded.name))
        return plain.n / survey->least_calls < folded.n;
    return is_on_main_thread(run, folded.range) && !is_on_main_thread(run, plain.range);
}

/* Fewer are no repetition. */
#define LEAST_REPEATS 5
/* A step takes at least this share of a range that is repeated around it. */
#define LEAST_OF_AROUND (1.0 / 3)

/* Sums up the calls of each group on the thread of a range. */
static void sum_thread(const struct rln__run *run, struct survey *survey, size_t range)
{
    struct rln__nesting_row like, row;

    memset(survey->sums, 0, survey->n_names * sizeof(*survey->sums));
    survey->thread_ns = 0;
    if (!rln__nesting_get(run->nesting, range, &like))
        return;
    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        struct thread_sum *sum = &survey->sums[survey->groups[row.name]];
        const double ns = (double)(row.end_ns - row.start_ns);

        if (row.thread != like.thread)
            continue;
        sum->n++;
        sum->ns += ns;
        sum->longest_ns = fmax(sum->longest_ns, ns);
        survey->thread_ns += row.parent == SIZE_MAX ? ns : 0;
    }
}

/* Without the longest of its calls, which may have been left open. */
static double usual_ns(const struct survey *survey, size_t group)
{
    return survey->sums[group].ns - survey->sums[group].longest_ns;
}

/* A range with a name that the program repeats around a step, which takes less than half
 * of its time: eight `step #` around many an operator, but not five `epoch #` that
 * consist of steps. */
static struct choice find_around(const struct rln__run *run, struct survey *survey,
                                 struct choice step)
{
    struct rln__nesting_row row;
    double step_ns;

    sum_thread(run, survey, step.range);
    if (!rln__nesting_get(run->nesting, step.range, &row))
        return (struct choice){0};
    step_ns = usual_ns(survey, survey->groups[row.name]);
    for (size_t at = row.parent; rln__nesting_get(run->nesting, at, &row);
         at = row.parent) {
        const uint32_t group = survey->groups[row.name];

        if (row.message.bytes && survey->sums[group].n >= LEAST_REPEATS &&
            step_ns < LEAST_OF_AROUND * usual_ns(survey, group))
            return (struct choice){survey->sums[group].n, group, at};
    }
    return (struct choice){0};
}

/* Less than this share of what a thread records is no step; of a thread with few calls
 * of it, which may be of anything, LEAST_OF_FEW. */
#define LEAST_OF_THREAD 0.1
#define LEAST_OF_FEW 0.5

static bool is_sliver(const struct rln__run *run, struct survey *survey,
                      struct choice step)
{
    struct rln__nesting_row row;

    sum_thread(run, survey, step.range);
    return rln__nesting_get(run->nesting, step.range, &row) &&
           usual_ns(survey, survey->groups[row.name]) <
               survey->least_share * survey->thread_ns;
}

static int choose_or_fold(struct rln__run *run, struct survey *survey,
                          const struct rln__step_request *request)
{
    struct choice plain, folded, around = {0};

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
    if (!is_better(run, survey, plain, folded))
        folded = (struct choice){0};
    if (!request->message && (folded.n || plain.n))
        around = find_around(run, survey, folded.n ? folded : plain);
    if (around.n)
        folded = around;
    if (!folded.n)
        unfold(survey);
    if (folded.n)
        plain = folded;
    if (request->message || !plain.n || !is_sliver(run, survey, plain))
        adopt(run, survey, plain);
    return 0;
}

/* First a name that is called often, then one that is called a few times. */
static int search(struct rln__run *run, struct survey *survey,
                  const struct rln__step_request *request)
{
    survey->least_calls = RLN__LEAST_CALLS;
    survey->least_share = LEAST_OF_THREAD;
    unfold(survey);
    if (choose_or_fold(run, survey, request))
        return -1;
    if (run->message.bytes || request->message)
        return 0;
    survey->least_calls = RLN__FEW_CALLS;
    survey->least_share = LEAST_OF_FEW;
    unfold(survey);
    return choose_or_fold(run, survey, request);
}

rln_status rln__find_step(struct rln__run *run, const struct rln__step_request *request,
                          rln_error *err)
{
    struct survey survey = {.n_names = rln__nesting_count_names(run->nesting)};
    rln_status status = RLN_OK;

    survey.names = rln__alloc(survey.n_names + 1, sizeof(*survey.names));
    survey.sums = rln__alloc(survey.n_names + 1, sizeof(*survey.sums));
    survey.is_deep = rln__alloc(rln__nesting_count(run->nesting) + 1, 1);
    survey.groups = run->groups = rln__alloc(survey.n_names + 1, sizeof(*run->groups));
    if (survey.names && survey.sums && survey.is_deep && survey.groups) {
        if (search(run, &survey, request))
            status = rln__fail_nomem(err);
    } else {
        status = rln__fail_nomem(err);
    }
    if (!status && (survey.text.has_failed || run->folded_name.has_failed))
        status = rln__fail_nomem(err);
    if (!status && request->message && !run->message.bytes)
        status = refuse_step(run, &survey, request, err);
    rln__free(survey.names);
    rln__free(survey.sums);
    rln__free(survey.is_deep);
    rln__buf_clear(&survey.text);
    return status;
}

bool rln__run_is_step(const struct rln__run *run, uint32_t name)
{
    return run->message.bytes && run->groups[name] == run->step;
}
