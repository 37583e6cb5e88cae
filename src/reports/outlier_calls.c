/* SPDX-License-Identifier: Apache-2.0 */
/* outlier_calls.c - the calls of one range that took longest, beside what is usual: of
 * each child its time in this call, its median and its 99.9th percentile over all calls.
 *
 *   calls     of the range, in the order of their beginnings
 *   children  time of {name of a child, call}, added up within a call; a child that a
 *             call lacks took 0 there
 *   states    of the calls' threads, where the trace has switches: like children, of
 *             calls of which they are known
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/cpu_times.h"
#include "reports/outlier_calls.h"
#include "statistics/percentile.h"
#include "statistics/sort_numbers.h"

#define MOST_CALLS 10
#define MOST_CHILDREN 6 /* of a call: those that differ the most */

#define SELF UINT32_MAX /* the name of the time without children: sorts last */
#define N_STATES 4
#define STATES                                                                         \
    (UINT32_MAX - N_STATES) /* names of the states of its thread, from here on */

static const char *const states[N_STATES] = {"(on CPU)", "(preempted)", "(blocked)",
                                             "(unknown)"};

struct call {
    size_t range; /* index in the nesting */
    uint64_t ns;
};

struct child {
    uint64_t ns;
    uint32_t name, call;
};

/* What is usual for a name, over all calls. */
struct usual {
    size_t first, n; /* of its children */
    double median_ns;
    uint64_t p999_ns;
};

struct calls {
    const struct rln__nesting *nesting;
    struct rln__cpu_times *times; /* borrowed; NULL: there are no switches */
    struct call *calls;           /* owned, as all these */
    size_t n_calls, calls_capacity;
    struct child *children; /* by name, and of each by call */
    size_t n_children, children_capacity;
    struct usual *usual; /* by name, as in the children; the last is SELF */
    size_t n_usual;
    size_t *examples; /* by name: a range of it */
};

static int is_state(uint32_t name)
{
    return name >= STATES && name != SELF;
}

static int by_index(const void *key, const void *item)
{
    const size_t range = *(const size_t *)key;
    const struct call *call = item;

    return (range > call->range) - (range < call->range);
}

static int add_child(struct calls *c, uint32_t name, size_t call, uint64_t ns)
{
    struct child *children = rln__grow(c->children, &c->children_capacity,
                                       c->n_children + 1, sizeof(*children));

    if (!children)
        return -1;
    c->children = children;
    children[c->n_children++] = (struct child){ns, name, (uint32_t)call};
    return 0;
}

static int add_range(struct calls *c, size_t index,
                     const struct rln__nesting_row *range, const struct call *parent)
{
    c->examples[range->name] = index;
    return add_child(c, range->name, (size_t)(parent - c->calls),
                     rln__nesting_row_ns(range));
}

static int add_states(struct calls *c, size_t call,
                      const struct rln__nesting_row *range)
{
    const struct rln__cpu_split split = rln__cpu_times_of_range(
        c->times, range->thread, range->start_ns, range->end_ns);
    const uint64_t ns[N_STATES] = {split.on_ns, split.preempted_ns, split.blocked_ns,
                                   split.unknown_ns};
    int failed = 0;

    if (!rln__cpu_split_is_known(&split))
        return 0;
    for (uint32_t i = 0; i < N_STATES && !failed; i++)
        failed = add_child(c, STATES + i, call, ns[i]);
    return failed;
}

static int add_call(struct calls *c, size_t index, const struct rln__nesting_row *range)
{
    struct call *calls =
        rln__grow(c->calls, &c->calls_capacity, c->n_calls + 1, sizeof(*calls));
    const uint64_t ns = rln__nesting_row_ns(range);

    if (!calls)
        return -1;
    c->calls = calls;
    calls[c->n_calls++] = (struct call){index, ns};
    if (c->times && add_states(c, c->n_calls - 1, range))
        return -1;
    return add_child(c, SELF, c->n_calls - 1,
                     ns > range->children_ns ? ns - range->children_ns : 0);
}

/* Parents come before their children. */
static int collect(struct calls *c, const char *name)
{
    struct rln__nesting_row range;

    c->examples =
        rln__alloc(rln__nesting_count_names(c->nesting) + 1, sizeof(*c->examples));
    if (!c->examples)
        return -1;
    for (size_t i = 0; rln__nesting_get(c->nesting, i, &range); i++) {
        const struct call *parent = range.parent == SIZE_MAX || !c->n_calls
                                        ? NULL
                                        : bsearch(&range.parent, c->calls, c->n_calls,
                                                  sizeof(*c->calls), by_index);

        if (parent && add_range(c, i, &range, parent))
            return -1;
        if (rln__is_named(name, range.domain_name, range.message) &&
            add_call(c, i, &range))
            return -1;
    }
    return 0;
}

static int by_name_and_call(const void *a, const void *b)
{
    const struct child *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* Adds up the times of equal names in a call. */
static void merge_children(struct calls *c)
{
    size_t n = 0;

    qsort(c->children, c->n_children, sizeof(*c->children), by_name_and_call);
    for (size_t i = 0; i < c->n_children; i++) {
        const struct child *child = &c->children[i];

        if (n && by_name_and_call(&c->children[n - 1], child) == 0)
            c->children[n - 1].ns += child->ns;
        else
            c->children[n++] = *child;
    }
    c->n_children = n;
}

/* The first `n_without` are 0. */
static uint64_t at_rank(const uint64_t *sorted, size_t n_without, size_t rank)
{
    return rank < n_without ? 0 : sorted[rank - n_without];
}

/* `sorted` has the `n` times that are not 0 for lack of this child, of so many calls. */
static void find_usual_of(uint64_t *sorted, size_t n, size_t n_calls, struct usual *out)
{
    const size_t n_without = n_calls - n;

    rln__sort_lengths(sorted, n);
    out->median_ns = ((double)at_rank(sorted, n_without, (n_calls - 1) / 2) +
                      (double)at_rank(sorted, n_without, n_calls / 2)) /
                     2;
    out->p999_ns =
        at_rank(sorted, n_without, (size_t)rln__index_of_p999((uint64_t)n_calls));
}

/* That of the calls themselves goes to `whole`. */
static int find_usual(struct calls *c, struct usual *whole)
{
    uint64_t *sorted = rln__alloc(c->n_calls + 1, sizeof(*sorted));
    size_t n_names = 0;

    for (size_t i = 0; i < c->n_children; i++)
        n_names += i == 0 || c->children[i].name != c->children[i - 1].name;
    c->usual = rln__alloc(n_names + 1, sizeof(*c->usual));
    if (!sorted || !c->usual) {
        rln__free(sorted);
        return -1;
    }
    for (size_t i = 0; i < c->n_children;) {
        struct usual *usual = &c->usual[c->n_usual++];
        const uint32_t name = c->children[i].name;

        usual->first = i;
        for (; i < c->n_children && c->children[i].name == name; i++)
            sorted[usual->n++] = c->children[i].ns;
        find_usual_of(sorted, usual->n, is_state(name) ? usual->n : c->n_calls, usual);
    }
    for (size_t i = 0; i < c->n_calls; i++)
        sorted[i] = c->calls[i].ns;
    find_usual_of(sorted, c->n_calls, c->n_calls, whole);
    rln__free(sorted);
    return 0;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column columns[] = {
    RLN__IDS("Call"),    RLN__TIMES("This"),       RLN__TIMES("Med"),
    RLN__TIMES("P99.9"), RLN__TIMES("Difference"), RLN__TIMES("Start"),
    RLN__IDS("PID"),     RLN__IDS("TID"),          RLN__TEXTS("Child"),
};

/* A child in a call. */
struct part {
    uint64_t ns;
    const struct usual *usual;
    double difference_ns;
    int is_here;
};

static int by_difference(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    const double of_x = x->difference_ns < 0 ? -x->difference_ns : x->difference_ns;
    const double of_y = y->difference_ns < 0 ? -y->difference_ns : y->difference_ns;

    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    return (x->usual > y->usual) - (x->usual < y->usual);
}

static int by_call(const void *key, const void *item)
{
    const uint32_t call = *(const uint32_t *)key;
    const struct child *child = item;

    return (call > child->call) - (call < child->call);
}

static void put_times(rln_report *out, uint64_t ns, const struct usual *usual)
{
    rln__report_put_ns(out, ns);
    rln__report_put_mean(out, usual->median_ns);
    rln__report_put_ns(out, usual->p999_ns);
    rln__report_put_distance(out, (int64_t)((double)ns - usual->median_ns));
}

static void put_part(const struct calls *c, size_t number, const struct part *part,
                     rln_report *out)
{
    const uint32_t name = c->children[part->usual->first].name;
    struct rln__nesting_row range;

    rln__report_put_id(out, number);
    put_times(out, part->ns, part->usual);
    rln__report_put_empty(out); /* start */
    rln__report_put_empty(out); /* pid */
    rln__report_put_empty(out); /* tid */
    if (name == SELF)
        rln__report_put_word(out, "(self)");
    else if (name >= STATES)
        rln__report_put_word(out, states[name - STATES]);
    else if (rln__nesting_get(c->nesting, c->examples[name], &range))
        rln__report_put_qualified(out, range.domain_name, range.message);
    else
        rln__report_put_empty(out);
}

/* What of a name there was in a call. */
static struct part find_part(const struct calls *c, uint32_t call,
                             const struct usual *usual)
{
    const struct child *child =
        bsearch(&call, c->children + usual->first, usual->n, sizeof(*child), by_call);
    const uint64_t ns = child ? child->ns : 0;

    return (struct part){ns, usual, (double)ns - usual->median_ns, child != NULL};
}

static void put_call(const struct calls *c, size_t number, uint32_t call,
                     const struct usual *whole, struct part *parts, rln_report *out)
{
    const struct rln__nesting_row range =
        rln__nesting_at(c->nesting, c->calls[call].range);
    size_t n = 0;

    rln__report_put_id(out, number);
    put_times(out, c->calls[call].ns, whole);
    rln__report_put_time(out, range.start_ns);
    rln__report_put_id(out, range.pid);
    rln__report_put_id(out, range.tid);
    rln__report_put_word(out, "(all)");
    for (size_t i = 0; i < c->n_usual; i++) {
        const struct part part = find_part(c, call, &c->usual[i]);

        if (is_state(c->children[part.usual->first].name)) {
            if (part.is_here && (part.ns || part.usual->median_ns > 0))
                put_part(c, number, &part, out);
        } else if (part.is_here || part.usual->median_ns > 0) {
            parts[n++] = part;
        }
    }
    qsort(parts, n, sizeof(*parts), by_difference);
    for (size_t i = 0; i < n && i < MOST_CHILDREN; i++)
        put_part(c, number, &parts[i], out);
}

/* The calls that took longest, the longest first; returns how many. */
static size_t find_longest(const struct calls *c, uint32_t longest[MOST_CALLS])
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_calls; i++) {
        size_t at;

        if (n == MOST_CALLS && c->calls[i].ns <= c->calls[longest[n - 1]].ns)
            continue;
        n += n < MOST_CALLS;
        for (at = n - 1; at && c->calls[longest[at - 1]].ns < c->calls[i].ns; at--)
            longest[at] = longest[at - 1];
        longest[at] = (uint32_t)i;
    }
    return n;
}

static int put_calls(struct calls *c, rln_report *out)
{
    uint32_t longest[MOST_CALLS];
    const size_t n = find_longest(c, longest);
    struct part *parts; /* owned */
    struct usual whole = {0};

    merge_children(c);
    if (find_usual(c, &whole))
        return -1;
    parts = rln__alloc(c->n_usual + 1, sizeof(*parts));
    if (!parts)
        return -1;
    for (size_t i = 0; i < n; i++)
        put_call(c, i + 1, longest[i], &whole, parts, out);
    rln__free(parts);
    return 0;
}

rln_status rln__build_outlier_calls(const struct rln__report_source *source,
                                    rln_report *out)
{
    struct calls c = {.nesting = source->nesting};
    struct rln__cpu_times times = {0};
    int failed;

    if (rln__has_cpu_times(source->reader, RLN__NONE)) {
        const rln_status status =
            rln__cpu_times_load(&times, source->reader, source->err);

        if (status)
            return status;
        c.times = &times;
    }
    rln__set_columns(out, columns, RLN_COUNT(columns));
    failed = collect(&c, source->argument) || (c.n_calls && put_calls(&c, out));
    rln__free(c.calls);
    rln__free(c.children);
    rln__free(c.usual);
    rln__free(c.examples);
    rln__cpu_times_clear(&times);
    return failed ? rln__fail_nomem(source->err) : RLN_OK;
}
