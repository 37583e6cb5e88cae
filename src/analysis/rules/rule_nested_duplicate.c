/* SPDX-License-Identifier: Apache-2.0 */
/* rule_nested_duplicate.c - a range lies in one of the same name and domain, so that
 * sums count its time twice. */
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/key_index.h"
#include "base/thousands.h"
#include "ranges/function_domain.h"
#include "ranges/pattern.h"

enum { SHARE };

struct twice {
    double ns;
    size_t n, n_calls;
    size_t range;   /* a nested one */
    size_t finding; /* its index + 1; 0: there is none */
};

static bool is_recursive(const struct rln__inquiry *q, rln_text domain, rln_text name)
{
    if (rln__is_function_domain(domain)) /* functions call themselves */
        return true;
    /* Operators of PyTorch are overloaded: one calls another one of its name. */
    if (rln__text_matches("aten::*", name))
        return true;
    for (size_t i = 0; q->recursive && q->recursive[i]; i++)
        if (rln__text_matches(q->recursive[i], name))
            return true;
    return false;
}

static bool is_nested(const struct rln__nesting *nesting,
                      const struct rln__nesting_row *row)
{
    struct rln__nesting_row up;

    return !(row->flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED)) &&
           rln__enclosing_call(nesting, row, &up) &&
           !(up.flags & RLN_FLAG_OPEN); /* never-closed reports that one */
}

static void sum(const struct rln__run *run, struct twice *names)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        struct twice *name = &names[row.name];

        name->n_calls++;
        if (!row.message.bytes || !is_nested(run->nesting, &row))
            continue;
        name->n++;
        name->ns += (double)(row.end_ns - row.start_ns);
        name->range = i;
    }
}

/* Shows the nested calls of all findings. */
static void show(struct rln__inquiry *q, const struct twice *names)
{
    const struct rln__nesting *nesting = q->run->nesting;
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(nesting, i, &row); i++)
        if (names[row.name].finding && is_nested(nesting, &row))
            rln__finding_show(&q->findings[names[row.name].finding - 1], i,
                              (double)(row.end_ns - row.start_ns));
}

static rln_status add(struct rln__inquiry *q, struct twice *name, rln_error *err)
{
    struct rln__finding *f;
    struct rln__nesting_row row;

    if (!rln__nesting_get(q->run->nesting, name->range, &row) ||
        is_recursive(q, row.domain_name, row.message))
        return RLN_OK;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    rln__finding_measure(f, "nested", (double)name->n);
    rln__finding_measure(f, "calls", (double)name->n_calls);
    rln__finding_measure(f, "repeated_ns", name->ns);
    name->finding = q->n;
    rln__buf_count(&f->title, name->n);
    rln__buf_text(&f->title, " of ");
    rln__buf_count(&f->title, name->n_calls);
    rln__buf_text(&f->title, " calls of ");
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    rln__buf_text(&f->title, " lie in another one: the sum of their times is ");
    rln__buf_duration(&f->title, name->ns);
    rln__buf_text(&f->title, " too large");
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const size_t n_names = rln__nesting_count_names(q->run->nesting);
    struct twice *names = rln__alloc(n_names + 1, sizeof(*names));
    rln_status status = RLN_OK;

    if (!names)
        return rln__fail_nomem(err);
    sum(q->run, names);
    for (size_t i = 0; !status && i < n_names; i++)
        if (names[i].n && rln__is_worth(q, names[i].ns))
            status = add(q, &names[i], err);
    if (!status && q->n)
        show(q, names);
    rln__free(names);
    return status;
}

const struct rln__rule rln__rule_nested_duplicate = {
    .id = "nested-duplicate",
    .question = "is time counted twice?",
    .fires =
        "closed push/pop ranges lie in a range of the same name and domain, for at "
        "least `share` of the run; operators of PyTorch (aten::*), and functions that "
        "a "
        "profiler named (domain nvtx.py), do so by design",
    .severity = "a note",
    .against = "a function that calls itself is no mistake: name it with --recursive",
    .next = "rangeline stats -r tree {traces}",
    .needs = RLN__NEEDS_ALL_EVENTS,
    .thresholds = {{"share", 0.01, "less does not change a sum"}},
    .evaluate = evaluate,
};
