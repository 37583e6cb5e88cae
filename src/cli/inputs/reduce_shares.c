/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/reduce_shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allowance.h"
#include "base/worker.h"
#include "cli/inputs/filter_options.h"
#include "console/die.h"

#define USUAL_SHARES 8

enum state { UNREAD, READ, UNREADABLE, DAMAGED, FAILED };

/* Of an input. */
struct outcome {
    enum state state;
    uint64_t n_damages, damage_offset;
    char *message; /* owned: why; NULL: nothing to say, or no memory */
};

struct share {
    const struct rln__shares *all; /* borrowed, like the next */
    struct outcome *outcomes;      /* of all inputs */
    size_t first;                  /* the share has each n-th input from here on */
    bool may_adopt;                /* the options of its first input */
    struct rln__reduced *sums;     /* owned */
};

unsigned rln__usual_shares(size_t n_inputs)
{
    size_t n = rln__processors();

    n = n < USUAL_SHARES ? n : USUAL_SHARES;
    n = n < n_inputs ? n : n_inputs;
    return n ? (unsigned)n : 1;
}

/* --- In a thread ------------------------------------------------------------------ */

static void fail(struct outcome *outcome, enum state state, const char *message)
{
    outcome->state = state;
    outcome->message = strdup(message);
}

/* Without options on the command line, those of the first sums hold. */
static void add_sums(struct share *s, size_t input)
{
    struct outcome *outcome = &s->outcomes[input];
    struct rln__reduced *sums;
    rln_error err = {0};
    rln_status status = rln__reduced_open(s->all->inputs->items[input], &sums, &err);

    if (!status && input == s->first && s->may_adopt) {
        rln__reduced_free(s->sums);
        s->sums = sums;
    } else if (!status) {
        status = rln__reduced_merge(s->sums, sums, &err);
        rln__reduced_free(sums);
    }
    outcome->state = READ;
    if (status)
        fail(outcome, FAILED, err.message);
}

static void add_trace(struct share *s, size_t input)
{
    struct outcome *outcome = &s->outcomes[input];
    const struct rln__reduced_trace_info *trace;
    rln_error err = {0};
    const rln_status status =
        rln__reduced_add_trace(s->sums, s->all->inputs->items[input], &err);

    outcome->state = READ;
    if (status) {
        fail(outcome,
             status == RLN_ERR_NOMEM || status == RLN_ERR_ARGUMENT ? FAILED
                                                                   : UNREADABLE,
             err.message);
        return;
    }
    trace = rln__reduced_trace_at(s->sums, rln__reduced_count_traces(s->sums) - 1);
    if (!trace->n_damages)
        return;
    outcome->state = DAMAGED;
    outcome->n_damages = trace->n_damages;
    outcome->damage_offset = trace->damage_offset;
    outcome->message = strndup(trace->damage.bytes, trace->damage.length);
}

static rln_status read_share(void *share, rln_error *err)
{
    struct share *s = share;

    (void)err; /* outcomes have it */
    for (size_t i = s->first; i < s->all->inputs->n; i += s->all->n) {
        if (rln__reduced_is(s->all->inputs->items[i]))
            add_sums(s, i);
        else
            add_trace(s, i);
        if (s->outcomes[i].state == FAILED)
            break;
    }
    return RLN_OK;
}

/* --- All -------------------------------------------------------------------------- */

static void say(const char *path, const struct outcome *o,
                struct rln__shares_result *out)
{
    const char *message = o->message ? o->message : "out of memory";

    switch (o->state) {
    case UNREAD: /* a share has failed */
        break;
    case READ:
        out->n_read++;
        break;
    case UNREADABLE:
        out->n_unreadable++;
        rln__complain("%s", message);
        break;
    case DAMAGED:
        out->n_read++;
        out->n_damaged++;
        rln__complain("%" PRIu64
                      " place%s could not be read, first: file=\"%s\", offset=%" PRIu64
                      ": %s",
                      o->n_damages, o->n_damages == 1 ? "" : "s", path,
                      o->damage_offset, message);
        break;
    default:
        rln__die(RLN__EXIT_FAILED, "%s", message);
    }
}

/* Without options on the command line, traces are read with the steps of the first
 * sums: in all shares, so that their number does not matter. Owned by the caller; NULL:
 * none. */
static char *first_steps(const struct rln__shares *all)
{
    struct rln__reduced *sums = NULL;
    char *steps = NULL;

    if (all->inputs->n && rln__reduced_is(all->inputs->items[0]) &&
        !rln__reduced_open(all->inputs->items[0], &sums, NULL))
        steps = strdup(rln__reduced_steps(sums));
    rln__reduced_free(sums);
    return steps;
}

static void begin(struct share *shares, const struct rln__shares *all,
                  struct outcome *outcomes)
{
    struct rln__reduced_options options = *all->options;
    const bool has_none = !options.filter && !options.n_rules && !options.steps;
    char *steps = has_none ? first_steps(all) : NULL;
    rln_error err = {0};

    options.steps = steps ? steps : options.steps;
    for (unsigned i = 0; i < all->n; i++) {
        shares[i] = (struct share){
            .all = all, .outcomes = outcomes, .first = i, .may_adopt = has_none};
        rln__die_of_rules(rln__reduced_new(&options, &shares[i].sums, &err), &err);
    }
    free(steps);
}

static void read_in_threads(struct share *shares, unsigned n)
{
    struct rln__worker workers[RLN__MOST_SHARES];

    for (unsigned i = 1; i < n; i++) {
        rln__worker_start(&workers[i]);
        if (!rln__worker_wait(&workers[i], NULL))
            rln__worker_give(&workers[i], read_share, &shares[i]);
    }
    (void)read_share(&shares[0], NULL);
    for (unsigned i = 1; i < n; i++) {
        (void)rln__worker_wait(&workers[i], NULL);
        rln__worker_stop(&workers[i]);
    }
}

void rln__shares_read(const struct rln__shares *all, struct rln__shares_result *out)
{
    struct outcome *outcomes = calloc(all->inputs->n + 1, sizeof(*outcomes));
    struct share shares[RLN__MOST_SHARES];
    rln_error err = {0};

    memset(out, 0, sizeof(*out));
    if (!outcomes)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    begin(shares, all, outcomes);
    read_in_threads(shares, all->n);
    for (size_t i = 0; i < all->inputs->n; i++) {
        say(all->inputs->items[i], &outcomes[i], out);
        free(outcomes[i].message);
    }
    free(outcomes);
    for (unsigned i = 1; i < all->n; i++) {
        rln__die_if(rln__reduced_merge(shares[0].sums, shares[i].sums, &err), &err);
        rln__reduced_free(shares[i].sums);
    }
    out->sums = shares[0].sums;
}
