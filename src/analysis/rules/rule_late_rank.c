/* SPDX-License-Identifier: Apache-2.0 */
/* rule_late_rank.c - ranks wait in collective calls that say which call they are, as
 * those of MPI do: the calls of ranks are joined by that, not by names and clocks as in
 * rule_wait_at_collective.c. */
#include <stdlib.h>

#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "reports/joined_calls.h"
#include "trace/open/rank.h"

enum { SHARE, WARNING };

/* The waits in a function for one rank. */
struct late {
    rln_text function;
    uint32_t rank;
    size_t n_calls;
    double waited_ns; /* by all others */
};

/* The waits in a function, for any rank. */
struct waits {
    double waited_ns; /* by all */
    size_t n_calls;
    const struct late *most;
};

struct waiting {
    struct rln__joined_calls calls;
    struct late *late; /* owned */
    size_t n, capacity;
    struct rln__key_index keys; /* {function, rank} */
};

static int sum(struct waiting *w)
{
    for (size_t i = 0; i < w->calls.n; i++) {
        const struct rln__joined_call *call = &w->calls.items[i];
        const struct rln__key key = {{rln__key_of_text(call->name), call->last_rank}};
        struct late *late;

        if (!rln__is_whole_call(call))
            continue;
        late =
            rln__key_index_item(&w->late, &w->n, &w->capacity,
                                rln__key_index_number(&w->keys, &key), sizeof(*late));
        if (!late)
            return -1;
        late->function = call->name;
        late->rank = call->last_rank;
        late->n_calls++;
        late->waited_ns += (double)rln__joined_wait(call);
    }
    return 0;
}

static int by_function(const void *a, const void *b)
{
    const struct late *x = a, *y = b;
    const int order = rln__compare_text(x->function, y->function);

    if (order)
        return order;
    if (x->waited_ns != y->waited_ns)
        return x->waited_ns > y->waited_ns ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Those of the function that begins at `first`, whose first row has the most. Returns
 * where the next one begins. */
static size_t waits_of(const struct waiting *w, size_t first, struct waits *out)
{
    size_t i = first;

    *out = (struct waits){.most = &w->late[first]};
    for (; i < w->n && w->late[i].function.bytes == w->late[first].function.bytes;
         i++) {
        out->waited_ns += w->late[i].waited_ns;
        out->n_calls += w->late[i].n_calls;
    }
    return i;
}

static rln_status add(struct rln__inquiry *q, const struct waits *waits, double n_ranks,
                      rln_error *err)
{
    static const rln_text domain = {"MPI", 3};
    const struct late *most = waits->most;
    struct rln__finding *f = rln__finding_new(q, domain, false, most->function, NULL);

    if (!f)
        return rln__fail_nomem(err);
    rln__finding_won(f, q, waits->waited_ns / n_ranks);
    rln__finding_measure(f, "last", most->waited_ns / waits->waited_ns);
    rln__finding_measure(f, "calls", (double)waits->n_calls);
    rln__finding_measure(f, "ranks", n_ranks);
    rln__buf_text(&f->title, "ranks wait in ");
    rln__buf_range(&f->title, domain, false, most->function);
    rln__buf_text(&f->title, " for the last one to come, each for ");
    rln__buf_duration(&f->title, waits->waited_ns / n_ranks);
    rln__buf_text(&f->title, " in ");
    rln__buf_counted(&f->title, waits->n_calls, "call", "calls");
    rln__buf_format(&f->title, "; %.0f %% of that for rank %u",
                    100 * most->waited_ns / waits->waited_ns, most->rank);
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const double n_ranks = (double)rln__reader_count_ranks(q->reader);
    struct waiting w = {.n = 0};
    rln_status status = rln__joined_calls_read(&w.calls, q->reader, err);
    struct waits waits;

    if (!status && sum(&w))
        status = rln__fail_nomem(err);
    if (!status && !w.n)
        q->why = w.calls.has_twice ? "the traces are of several jobs: name those of one"
                 : w.calls.n       ? "not all ranks of a collective call are there"
                                   : "no calls of MPI were recorded in which all wait: "
                                     "record with `rangeline profile -t mpi`";
    if (w.n)
        qsort(w.late, w.n, sizeof(*w.late), by_function);
    for (size_t i = 0; !status && i < w.n;) {
        i = waits_of(&w, i, &waits);
        if (rln__is_worth(q, waits.waited_ns / n_ranks))
            status = add(q, &waits, n_ranks, err);
    }
    rln__free(w.late);
    rln__key_index_clear(&w.keys);
    rln__joined_calls_clear(&w.calls);
    return status;
}

const struct rln__rule rln__rule_late_rank = {
    .id = "late-rank",
    .question = "which rank do the others wait for?",
    .fires = "ranks wait in a collective function of MPI for the last one to come, on "
             "average for at least `share` of the run",
    .against = "with more ranks than processors, ranks come late by turns, because "
               "another one has the processor",
    .next = "rangeline stats -r late_rank_sum {traces}",
    .needs = RLN__NEEDS_ALL_EVENTS | RLN__READS_TRACE,
    .thresholds = {{"share", 0.03,
                    "ranks with equal work wait for up to 2 % of the time"},
                   {"warning", 0.05, "below it, a finding is a note"}},
    .evaluate = evaluate,
};
