/* SPDX-License-Identifier: Apache-2.0 */
/* rule_never_closed.c - a range has no end although its thread went on. Ranges that are
 * open because the program ended are none of these:
 *
 *     main |-- step |-- load |--      killed: each is open, and the thread ended there
 *     step |-- step |-- step |--      a pop is missing: open in an open one
 *     step |--------------------      open for far longer than others of its name
 */
#include "analysis/rules.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/thousands.h"

enum { TIMES };

/* Of one name. */
struct leak {
    double closed_ns;
    size_t n_closed, n_open;
    size_t n_leaked;    /* of the open ones */
    size_t range;       /* one of these */
    size_t first, last; /* open ones, as indices in survey.open, + 1 */
};

/* A range without an end. */
struct open_range {
    size_t range;
    size_t next; /* of the same name, as in struct leak; 0: none */
};

struct survey {
    struct leak *names;      /* owned */
    struct open_range *open; /* owned */
    size_t n_open, capacity;
};

/* The number of a name; all that are the step have one. */
static uint32_t name_of(const struct rln__inquiry *q,
                        const struct rln__nesting_row *row)
{
    return rln__run_is_step(q->run, row->name) ? q->run->groups[row->name] : row->name;
}

static bool went_on(const struct rln__inquiry *q, const struct rln__nesting_row *row,
                    const struct leak *name)
{
    const rln_thread_info *thread = rln_info_thread(q->run->info, row->thread);
    const double usual = name->n_closed ? name->closed_ns / (double)name->n_closed : 0;
    struct rln__nesting_row up;

    if (rln__enclosing_call(q->run->nesting, row, &up) && up.flags & RLN_FLAG_OPEN)
        return true;
    return thread && usual > 0 &&
           (double)(thread->last_ns - row->start_ns) > q->limits[TIMES] * usual;
}

static bool is_open(const struct rln__nesting_row *row)
{
    return row->flags & RLN_FLAG_OPEN && !(row->flags & RLN_FLAG_DEFERRED) &&
           row->message.bytes;
}

static int add_open(struct survey *s, struct leak *name, size_t range)
{
    struct open_range *open =
        rln__append(&s->open, &s->n_open, &s->capacity, sizeof(*open));

    if (!open)
        return -1;
    *open = (struct open_range){range, 0};
    if (name->last)
        s->open[name->last - 1].next = s->n_open;
    else
        name->first = s->n_open;
    name->last = s->n_open;
    return 0;
}

static int read_ranges(const struct rln__inquiry *q, struct survey *s)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(q->run->nesting, i, &row); i++) {
        struct leak *name = &s->names[name_of(q, &row)];

        if (is_open(&row)) {
            if (add_open(s, name, i))
                return -1;
            name->n_open++;
        } else if (!(row.flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED))) {
            name->n_closed++;
            name->closed_ns += (double)(row.end_ns - row.start_ns);
        }
    }
    return 0;
}

static void find_leaks(const struct rln__inquiry *q, struct survey *s)
{
    struct rln__nesting_row row;

    for (size_t i = 0; i < s->n_open; i++) {
        if (!rln__nesting_get(q->run->nesting, s->open[i].range, &row) ||
            !went_on(q, &row, &s->names[name_of(q, &row)]))
            continue;
        s->names[name_of(q, &row)].n_leaked++;
        s->names[name_of(q, &row)].range = s->open[i].range;
    }
}

static rln_status add(struct rln__inquiry *q, const struct survey *s,
                      const struct leak *name, rln_error *err)
{
    const struct rln__nesting *nesting = q->run->nesting;
    struct rln__finding *f;
    struct rln__nesting_row row, other;

    if (!rln__nesting_get(nesting, name->range, &row))
        return RLN_OK;
    if (rln__run_is_step(q->run, row.name))
        row.message = q->run->message;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    f->severity = RLN_SEVERITY_WARNING;
    rln__finding_measure(f, "open", (double)name->n_open);
    rln__finding_measure(f, "closed", (double)name->n_closed);
    for (size_t i = name->first; i; i = s->open[i - 1].next)
        if (rln__nesting_get(nesting, s->open[i - 1].range, &other))
            rln__finding_show(f, s->open[i - 1].range,
                              (double)(other.end_ns - other.start_ns));
    rln__buf_count(&f->title, name->n_open);
    rln__buf_format(&f->title, " call%s of ", name->n_open == 1 ? "" : "s");
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    rln__buf_format(&f->title, " %s never closed, although the thread went on; ",
                    name->n_open == 1 ? "was" : "were");
    rln__buf_count(&f->title, name->n_closed);
    rln__buf_text(&f->title, " closed");
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const size_t n_names = rln__nesting_count_names(q->run->nesting);
    struct survey s = {0};
    rln_status status = RLN_OK;

    if (q->run->is_ring) {
        q->why = "a ring buffer ends wherever the run was copied";
        return RLN_OK;
    }
    s.names = rln__alloc(n_names + 1, sizeof(*s.names));
    if (!s.names || read_ranges(q, &s))
        status = rln__fail_nomem(err);
    else
        find_leaks(q, &s);
    for (size_t i = 0; !status && i < n_names; i++)
        if (s.names[i].n_leaked)
            status = add(q, &s, &s.names[i], err);
    rln__free(s.names);
    rln__free(s.open);
    return status;
}

const struct rln__rule rln__rule_never_closed = {
    .id = "never-closed",
    .question = "is a pop missing?",
    .fires =
        "a push/pop range without an end lies in another one of its name that has "
        "none, or is open for over `times` times the mean of those of its name that "
        "were closed, while its thread recorded more",
    .severity = "a warning",
    .against = "a program that was killed leaves ranges open, but only the innermost "
               "ones of each thread",
    .next = "rangeline check {traces}",
    .needs = RLN__NEEDS_ALL_EVENTS,
    .thresholds = {{"times", 10, "the last call of a killed program is hardly longer"}},
    .evaluate = evaluate,
};
