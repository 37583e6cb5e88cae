/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_steps.c - each range of the name of steps, one by one. */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_merge.h"
#include "reduce/reduced_put.h"
#include "reduce/reduced_ranks.h"
#include "reduce/reduced_take.h"
#include "reports/report_build.h"
#include "reports/report_parts.h"
#include "reports/summary/summary.h"

#include <stddef.h>

struct step {
    uint32_t origin;
    int64_t start_ns; /* CLOCK_REALTIME */
    uint64_t ns;
};

struct steps {
    struct step *items; /* owned, like the next; in any order */
    size_t n, capacity;
    uint8_t *of_rows; /* while a trace is read: whether a name is that of steps */
    size_t n_rows, rows_capacity;
    uint32_t last_process, last_origin; /* of the last item, while a trace is read */
};

enum { NOT_ASKED, NO, YES };

static int add(struct steps *s, const struct step *step)
{
    struct step *added = rln__append(&s->items, &s->n, &s->capacity, sizeof(*added));

    if (!added)
        return -1;
    *added = *step;
    return 0;
}

/* --- Of a trace ------------------------------------------------------------------- */

static uint8_t ask(const struct rln__reduced_reading *reading, uint32_t row)
{
    const struct rln__names *names = &reading->reader->names;
    const struct rln__summary_row *name = &reading->summary->rows[row];

    return rln__is_named(
               reading->to->steps_name.bytes,
               rln__strings_get(&names->strings, names->domains[name->domain].name),
               rln__strings_get(&names->strings, name->message))
               ? YES
               : NO;
}

static __attribute__((noinline)) int add_step(struct steps *s,
                                              struct rln__reduced_reading *reading,
                                              const struct rln__reduced_range *range)
{
    struct step step = {s->last_origin, range->start_ns, range->ns};
    uint8_t *rows;

    rows = rln__grow_to(s->of_rows, &s->n_rows, &s->rows_capacity, range->row,
                        sizeof(*rows));
    if (!rows)
        return -1;
    s->of_rows = rows;
    if (rows[range->row] == NOT_ASKED)
        rows[range->row] = ask(reading, range->row);
    if (rows[range->row] == NO)
        return 0;
    if (!s->n || s->last_process != range->process)
        step.origin =
            rln__reduced_origin_of(reading->to, reading->reader, range->process);
    s->last_process = range->process;
    s->last_origin = step.origin;
    return step.origin == UINT32_MAX ? -1 : add(s, &step);
}

static int add_range(void *sums, struct rln__reduced_reading *reading,
                     const struct rln__reduced_range *range)
{
    struct steps *s = sums;

    if (!*reading->to->steps_name.bytes ||
        (range->row < s->n_rows && s->of_rows[range->row] == NO))
        return 0;
    return add_step(s, reading, range);
}

static rln_status merge(void *into, const void *from,
                        struct rln__reduced_numbers *numbers, rln_error *err)
{
    const struct steps *s = from;

    for (size_t i = 0; i < s->n; i++) {
        struct step step = s->items[i];

        step.origin = numbers->origins[step.origin];
        if (add(into, &step))
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

static void clear(void *sums)
{
    struct steps *s = sums;

    rln__free(s->items);
    rln__free(s->of_rows);
}

/* --- The file --------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

_Static_assert(offsetof(struct step, origin) == 0, "rln__put_sorted() needs it");

static void put_all(void *sums, struct rln__reduced_orders *o, struct rln__buf *out)
{
    const struct steps *s = sums;
    struct step *steps =
        rln__put_sorted(o->origins, s->items, s->n, sizeof(*steps), by_start, out);

    for (size_t i = 0; steps && i < s->n; i++) {
        const int is_next = i && steps[i].origin == steps[i - 1].origin;
        const int64_t from_ns = is_next ? steps[i - 1].start_ns : o->base_ns;

        rln__put_number(out,
                        i ? steps[i].origin - steps[i - 1].origin : steps[i].origin);
        rln__put_number(out, (uint64_t)steps[i].start_ns - (uint64_t)from_ns);
        rln__put_number(out, steps[i].ns);
    }
    rln__free(steps);
}

/* By origin, by start and by duration; alike ones may follow each other. */
static void read_all(void *sums, struct rln__reduced_cursor *c)
{
    const size_t n = rln__take_count(c, 3);
    struct step last = {0};

    if (n && !*c->r->steps_name.bytes)
        rln__take_fault(c, "steps without a name");
    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        const uint64_t origin =
            last.origin + rln__take_at_most(c, UINT32_MAX, "no such origin");
        const int is_next = i && origin == last.origin;
        const int64_t from_ns = is_next ? last.start_ns : c->base_ns;
        struct step step = {.origin = (uint32_t)origin};

        step.start_ns = (int64_t)((uint64_t)from_ns + rln__take_number(c));
        step.ns = rln__take_number(c);
        if (origin >= c->r->origins.n)
            rln__take_fault(c, "no such origin");
        if (step.start_ns < from_ns ||
            (is_next && step.start_ns == from_ns && step.ns < last.ns))
            rln__take_fault(c, "out of order");
        if (!rln__take_is_bad(c) && add(sums, &step))
            c->is_full = 1;
        last = step;
    }
}

/* --- Reports ---------------------------------------------------------------------- */

/* When the first trace began. */
static int64_t find_begin(const struct rln__reduced *r)
{
    int64_t begin = INT64_MAX;

    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++) {
            if (r->traces[i].parts[k].start_ns < begin)
                begin = r->traces[i].parts[k].start_ns;
        }
    }
    return r->n_traces ? begin : 0;
}

static rln_status report(const void *sums, const struct rln__reduced_ranks *ranks,
                         struct rln__report_parts *parts, rln_error *err)
{
    const struct steps *s = sums;
    const struct rln__reduced *r = ranks->of;
    const int64_t begin = find_begin(r);
    struct rln__rank_steps *steps = &parts->steps;

    steps->kind = ranks->kind;
    if (!*r->steps_name.bytes)
        return RLN_OK;
    steps->name = rln__copy_name(r->steps_name.bytes);
    steps->items = rln__alloc(s->n + 1, sizeof(*steps->items));
    if (!steps->name || !steps->items)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < s->n; i++) {
        const struct step *step = &s->items[i];
        const uint32_t rank = rln__reduced_rank_of(ranks, step->origin);

        if (rank != UINT32_MAX)
            steps->items[steps->n++] = (struct rln__rank_step){
                step->start_ns - begin, step->ns, ranks->items[rank].number};
    }
    return RLN_OK;
}

const struct rln__reduced_kind rln__reduced_steps_kind = {
    .size = sizeof(struct steps),
    .add = add_range,
    .merge = merge,
    .put = put_all,
    .read = read_all,
    .report = report,
    .clear = clear,
};

size_t rln__reduced_count_steps(const struct rln__reduced *r)
{
    const struct steps *s = rln__reduced_sums(r, &rln__reduced_steps_kind);

    return s->n;
}
