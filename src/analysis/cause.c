/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/cause.h"

#include "base/alloc.h"
#include "base/fail.h"

/* So many usual calls make one known. */
#define LEAST_USUAL 4

struct child {
    double ns[2]; /* in usual and in unusual calls */
    rln_text domain_name, message;
    bool is_default_domain;
};

unsigned char *rln__compared_new(const struct rln__run *run)
{
    return rln__alloc(rln__nesting_count(run->nesting) + 1, 1);
}

/* Deferred children may be in several calls; they count where their parent is. */
static void sum_children(const struct rln__run *run, const unsigned char *compared,
                         struct child *children)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        struct child *child = &children[row.name];

        if (row.parent == SIZE_MAX || !compared[row.parent])
            continue;
        child->ns[compared[row.parent] - RLN__USUAL] +=
            (double)(row.end_ns - row.start_ns);
        child->domain_name = row.domain_name;
        child->message = row.message;
        child->is_default_domain = row.is_default_domain;
    }
}

/* Mean times of calls, and how many there are, of both sides. */
struct sides {
    double n[2], ns[2];
};

static void sum_calls(const struct rln__run *run, const unsigned char *compared,
                      struct sides *sides)
{
    for (size_t i = 0; i < run->n_calls; i++) {
        const unsigned char side = compared[run->calls[i].range];

        if (side) {
            sides->n[side - RLN__USUAL]++;
            sides->ns[side - RLN__USUAL] += run->calls[i].ns;
        }
    }
}

/* The time of the step outside all ranges inside, as if it were one of them. */
static struct child find_outside(const struct rln__run *run,
                                 const struct child *children, size_t n_names,
                                 const struct sides *sides)
{
    struct child outside = {.ns = {sides->ns[0], sides->ns[1]},
                            .domain_name = run->domain_name,
                            .message = run->message,
                            .is_default_domain = run->is_default_domain};

    for (size_t i = 0; i < n_names; i++)
        for (int side = 0; side < 2; side++)
            outside.ns[side] -= children[i].ns[side];
    return outside;
}

static double growth_of(const struct child *child, const struct sides *sides)
{
    return child->ns[1] / sides->n[1] - child->ns[0] / sides->n[0];
}

static void blame(const struct child *child, bool is_step, const struct sides *sides,
                  double least, struct rln__finding *f)
{
    const double usual_share = child->ns[0] / sides->ns[0];

    if (f->cause_share < least || !rln__is_own_share(f->cause_share, usual_share)) {
        f->unexplained =
            is_step && f->cause_share >= least
                ? "the step itself grew most, but most of the time is its own, as on a "
                  "busy machine"
                : "no range inside grew far more than its share, as on a busy machine";
        f->grew_alike = true;
        return;
    }
    f->cause_domain = child->domain_name;
    f->cause = child->message;
    f->is_cause_default_domain = child->is_default_domain;
    f->is_cause_step = is_step;
    f->cause_chance = 1; /* a power, by steps: pow() differs between libraries */
    for (size_t n = (size_t)sides->n[1]; n > 0 && f->cause_chance > 0; n--)
        f->cause_chance *= usual_share;
}

/* Takes the time in ranges of a name, which may lie deeper, out of the children. */
static void leave_out(const struct rln__run *run, const unsigned char *compared,
                      uint32_t name, struct child *children, struct sides *sides)
{
    struct rln__nesting_row row, up;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        const double ns = (double)(row.end_ns - row.start_ns);

        if (row.name != name)
            continue;
        for (up = row; up.parent != SIZE_MAX;
             up = rln__nesting_at(run->nesting, up.parent)) {
            if (!compared[up.parent])
                continue;
            children[up.name].ns[compared[up.parent] - RLN__USUAL] -= ns;
            sides->ns[compared[up.parent] - RLN__USUAL] -= ns;
            break;
        }
    }
}

rln_status rln__find_cause_outside(const struct rln__run *run,
                                   const unsigned char *compared, uint32_t name,
                                   double least, struct rln__finding *f, rln_error *err)
{
    const size_t n_names = rln__nesting_count_names(run->nesting);
    struct child *children = rln__alloc(n_names + 1, sizeof(*children));
    const struct child *most = NULL;
    struct sides sides = {0};
    struct child outside;
    size_t n_inside = 0;
    double growth, grown = 0;

    if (!children)
        return rln__fail_nomem(err);
    sum_children(run, compared, children);
    sum_calls(run, compared, &sides);
    if (name < n_names)
        leave_out(run, compared, name, children, &sides);
    growth = sides.n[0] > 0 && sides.n[1] > 0
                 ? sides.ns[1] / sides.n[1] - sides.ns[0] / sides.n[0]
                 : 0;
    for (size_t i = 0; growth > 0 && i < n_names; i++) {
        if (!children[i].message.bytes)
            continue;
        n_inside++;
        if (growth_of(&children[i], &sides) > grown) {
            most = &children[i];
            grown = growth_of(most, &sides);
        }
    }
    outside = find_outside(run, children, n_names, &sides);
    if (n_inside && growth_of(&outside, &sides) > grown) {
        most = &outside;
        grown = growth_of(most, &sides);
    }
    f->unexplained =
        growth > 0 && !n_inside ? "no range lies inside" : "no range inside grew";
    if (most) {
        f->unexplained = NULL;
        f->cause_share = grown / growth;
        blame(most, most == &outside, &sides, least, f);
    }
    rln__free(children);
    return RLN_OK;
}

/* --- What the growth was made of -------------------------------------------------- */

/* What is known of calls, usual and unusual ones. */
struct known_calls {
    struct rln__cpu_split splits[2];
    struct sides sides;
};

static void sum_known(const struct rln__inquiry *q, const unsigned char *compared,
                      struct known_calls *out)
{
    const struct rln__run *run = q->run;

    for (size_t i = 0; i < run->n_calls; i++) {
        const struct rln__call *call = &run->calls[i];
        const int side = compared[call->range] - RLN__USUAL;
        struct rln__cpu_split split;

        if (!compared[call->range])
            continue;
        split = rln__cpu_times_between(
            q->cpu, rln__nesting_at(run->nesting, call->range).thread, call->start_ns,
            rln__call_end(call));
        if (!rln__cpu_split_is_known(&split))
            continue;
        rln__cpu_split_add(&out->splits[side], &split);
        out->sides.n[side]++;
        out->sides.ns[side] += call->ns;
    }
}

/* Enough are known of the unusual calls, and of the usual ones to compare them with. */
static bool is_enough(const struct sides *known, const struct sides *all)
{
    return known->n[0] >= LEAST_USUAL && known->n[1] >= all->n[1] / 2;
}

static double grown(uint64_t usual_ns, uint64_t unusual_ns, const struct sides *sides)
{
    return (double)unusual_ns / sides->n[1] - (double)usual_ns / sides->n[0];
}

static void find_growth(const struct rln__inquiry *q, const unsigned char *compared,
                        struct rln__growth *out)
{
    struct known_calls known = {0};
    const struct rln__cpu_split *usual = &known.splits[0], *unusual = &known.splits[1];
    struct sides all = {0};
    double growth;

    if (!q->cpu->n_threads)
        return;
    sum_calls(q->run, compared, &all);
    sum_known(q, compared, &known);
    if (all.n[1] < 1 || !is_enough(&known.sides, &all))
        return;
    growth =
        known.sides.ns[1] / known.sides.n[1] - known.sides.ns[0] / known.sides.n[0];
    *out = (struct rln__growth){
        .is_known = growth > 0,
        .on = grown(usual->on_ns, unusual->on_ns, &known.sides) / growth,
        .preempted =
            grown(usual->preempted_ns, unusual->preempted_ns, &known.sides) / growth,
        .blocked = grown(usual->blocked_ns, unusual->blocked_ns, &known.sides) / growth,
    };
}

rln_status rln__find_cause(const struct rln__inquiry *q, const unsigned char *compared,
                           double least, struct rln__finding *f, rln_error *err)
{
    find_growth(q, compared, &f->growth);
    return rln__find_cause_outside(q->run, compared, UINT32_MAX, least, f, err);
}
