/* SPDX-License-Identifier: Apache-2.0 */
/* rule_calls_differ.c - a rank calls a range more often or less often than all others
 * do.
 */
#include "analysis/ranks.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/thousands.h"
#include "reports/check/check_findings.h"
#include "reports/sums.h"

#include <stdio.h>

enum { AGREE };

/* How often the ranks call a name. */
struct name {
    size_t range;       /* one of the calls */
    uint32_t n_callers; /* ranks that call it */
    uint32_t rank;      /* one of those that differ: index */
    uint64_t n, usual;  /* its calls, and those of the ranks that agree */
    uint32_t n_differ;
    bool is_different;
};

struct search {
    const struct rln__run *run;
    struct rln__ranks steps;
    uint32_t *rank_of;  /* owned; by process: index + 1, or 0 */
    struct name *names; /* owned */
    uint64_t *scratch;  /* owned; calls by rank */
    struct rln__map counts;
    size_t n_names;
};

static uint64_t key_of(size_t name, size_t rank)
{
    return (uint64_t)name << 32 | rank;
}

/* A rank may have several processes. 0, or -1 when there is no memory. */
static int number_ranks(struct search *s, uint32_t n_processes)
{
    struct rln__map by_rank = {0};
    int failed = 0;

    for (size_t i = 0; !failed && i < s->steps.n_ranks; i++)
        failed = rln__map_put(&by_rank, s->steps.ranks[i]->rank, i + 1);
    for (uint32_t i = 0; !failed && i < n_processes; i++)
        s->rank_of[i] = (uint32_t)rln__map_get(&by_rank, rln__run_rank(s->run, i));
    rln__map_clear(&by_rank);
    return failed;
}

static int count(struct search *s, uint32_t n_processes)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++) {
        uint64_t key, n;

        if (row.process >= n_processes || !s->rank_of[row.process] ||
            !row.message.bytes || row.flags & RLN_FLAG_RESUMED)
            continue;
        key = key_of(row.name, s->rank_of[row.process] - 1);
        n = rln__map_get(&s->counts, key);
        s->names[row.name].range = i;
        s->names[row.name].n_callers += n == 0;
        if (rln__map_put(&s->counts, key, n + 1))
            return -1;
    }
    return 0;
}

/* What most ranks have; `*n_agree` is how many. */
static uint64_t find_usual(const uint64_t *counts, size_t n, size_t *n_agree)
{
    uint64_t usual = 0;
    size_t votes = 0;

    /* Only a majority is asked for: Boyer and Moore's vote finds it. */
    for (size_t i = 0; i < n; i++) {
        if (votes == 0)
            usual = counts[i];
        votes += counts[i] == usual ? 1 : (size_t)-1;
    }
    *n_agree = 0;
    for (size_t i = 0; i < n; i++)
        *n_agree += counts[i] == usual;
    return usual;
}

/* Ranges that only some ranks call are as they are meant. */
static void compare(const struct rln__inquiry *q, struct search *s, size_t index)
{
    struct name *name = &s->names[index];
    const size_t n_ranks = s->steps.n_ranks;
    size_t n_agree;

    if (name->n_callers < 2)
        return;
    for (size_t rank = 0; rank < n_ranks; rank++)
        s->scratch[rank] = rln__map_get(&s->counts, key_of(index, rank));
    name->usual = find_usual(s->scratch, n_ranks, &n_agree);
    if (name->usual < RLN__LEAST_CALLS || n_agree == n_ranks ||
        (n_agree + 1 < n_ranks && (double)n_agree < q->limits[AGREE] * (double)n_ranks))
        return;
    name->is_different = true;
    name->n_differ = (uint32_t)(n_ranks - n_agree);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        if (s->scratch[rank] != name->usual) {
            name->rank = rank;
            name->n = s->scratch[rank];
            break;
        }
}

/* Whether the range around it differs, too: then that is the one to report. */
static bool is_explained(const struct search *s, const struct name *name)
{
    struct rln__nesting_row row;

    if (!rln__nesting_get(s->run->nesting, name->range, &row))
        return false;
    while (rln__nesting_get(s->run->nesting, row.parent, &row))
        if (s->names[row.name].is_different)
            return true;
    return false;
}

/* The rank's longest calls. */
static void show(const struct search *s, uint32_t name, uint32_t rank,
                 struct rln__finding *f)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++)
        if (row.name == name && s->rank_of[row.process] == rank + 1)
            rln__finding_show(f, i, (double)(row.end_ns - row.start_ns));
}

static rln_status add(struct rln__inquiry *q, const struct search *s,
                      const struct name *name, rln_error *err)
{
    const struct rln__run *run = q->run;
    const uint32_t rank = s->steps.ranks[name->rank]->rank;
    struct rln__finding *f;
    struct rln__nesting_row row;
    char tail[40];

    if (!rln__nesting_get(run->nesting, name->range, &row))
        return RLN_OK;
    (void)snprintf(tail, sizeof(tail), "rank=%u", rank);
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message,
                         run->rank_kind == RLN__RANK_OF_JOB ? tail : NULL);
    if (!f)
        return rln__fail_nomem(err);
    show(s, row.name, name->rank, f);
    if (!f->n_evidence)
        rln__finding_show(f, name->range, 0); /* on another rank: this one has none */
    rln__finding_measure(f, "calls", (double)name->n);
    rln__finding_measure(f, "usual", (double)name->usual);
    rln__finding_measure(f, "differ", name->n_differ);
    rln__finding_measure(f, "ranks", (double)s->steps.n_ranks);
    rln__buf_format(&f->title, "%s %u calls ", rln__rank_word(run), rank);
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    rln__buf_text(&f->title, " ");
    rln__buf_count(&f->title, name->n);
    rln__buf_text(&f->title, " times, where the others do ");
    rln__buf_count(&f->title, name->usual);
    rln__buf_text(&f->title, " times");
    if (name->n_differ > 1)
        rln__buf_format(&f->title, "; so do %u more", name->n_differ - 1);
    return RLN_OK;
}

static rln_status search_all(struct rln__inquiry *q, struct search *s,
                             uint32_t n_processes, rln_error *err)
{
    rln_status status = RLN_OK;

    if (number_ranks(s, n_processes) || count(s, n_processes))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < s->n_names; i++)
        compare(q, s, i);
    for (size_t i = 0; !status && i < s->n_names; i++)
        if (s->names[i].is_different && !is_explained(s, &s->names[i]))
            status = add(q, s, &s->names[i], err);
    return status;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const uint32_t n_processes = rln_info_totals(q->run->info)->n_processes;
    struct search s = {.run = q->run,
                       .n_names = rln__nesting_count_names(q->run->nesting)};
    rln_status status = RLN_OK;

    s.rank_of = rln__alloc(n_processes + 1, sizeof(*s.rank_of));
    s.names = rln__alloc(s.n_names + 1, sizeof(*s.names));
    if (!s.rank_of || !s.names || rln__ranks_read(q->run, &s.steps) ||
        !(s.scratch = rln__alloc(s.steps.n_ranks + 1, sizeof(*s.scratch))))
        status = rln__fail_nomem(err);
    else if (s.steps.n_ranks < 3)
        q->why = "fewer than three ranks have enough calls of the step";
    else
        status = search_all(q, &s, n_processes, err);
    rln__ranks_clear(&s.steps);
    rln__map_clear(&s.counts);
    rln__free(s.rank_of);
    rln__free(s.names);
    rln__free(s.scratch);
    return status;
}

const struct rln__rule rln__rule_calls_differ = {
    .id = "calls-differ",
    .question = "do all ranks call the same?",
    .fires = "all ranks but one, or at least `agree` of them, call a range equally "
             "often, at least 20 times, and the others do not",
    .severity = "a note",
    .against =
        "a rank with other work, such as writing output, has other calls; one that "
        "was recorded for a shorter time has fewer",
    .next = "rangeline stats -r rank_sum {traces}",
    .needs = RLN__NEEDS_STEP | RLN__NEEDS_ALL_EVENTS | RLN__NEEDS_RANKS,
    .thresholds = {{"agree", 0.9, "fewer than that are two groups of ranks"}},
    .evaluate = evaluate,
};
