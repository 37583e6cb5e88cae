/* SPDX-License-Identifier: Apache-2.0 */
/* wait_ends.c - ranges that end near the end of a wait --> by name, for how much of the
 * waiting one did --> the name for which that is neither chance nor a wait itself.
 */
#include "analysis/inputs/wait_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/by_time.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/count.h"

/* Near the end of a wait. In a trial of 195 waits, ahead of all other work of the machine,
 * the thread that was woken was on a processor within 10 us after 182, and within 50 us
 * after nearly all: one that sleeps deeply, or whose host has to be asked, takes longer. In Python,
 * from the end of a range to the call that wakes, as of a queue, some 100 us pass: if
 * none is near in the first sense, one may be in the second. */
static const int64_t before_ns[] = {50000, 200000};
/* The other thread may have woken it already when it ends its range: the call that wakes
 * takes up to some 10 us. */
#define AFTER_NS 20000

/* Time in which the other thread is preempted meanwhile, as by the one that it wakes, does
 * not count. No scheduler lets a thread wait for longer, as a rule. */
#define MOST_NS 1000000000

/* So many times as long as is near, at least: else it would be mostly near its own end. */
#define LEAST_WAIT 2

/* Names that would be near so large a share of waits by chance are none. */
#define MOST_CHANCE 0.5

/* The share of waiting that is not chance: from what chance would be to all of it. */
#define CLEAR_MAJORITY (2.0 / 3)
/* And so many standard deviations beyond chance: thousands of names are tried. */
#define CLEAR_DEVIATIONS 4

/* Ranges around each other end together. The shortest counts whose time covers nearly as
 * much of the waiting as any: `decode`, and neither the loop around it nor the call in
 * its end that wakes. */
#define NEARLY_AS_MUCH 0.8

struct name_ends {
    double all_near_ns;             /* of calls of the step, near an end of one */
    double near_ns;                 /* waiting, at the end of which one did */
    double covered_ns, duration_ns; /* of these: of the waiting, and in sum */
    size_t range;
};

/* A range that ended near the end of a wait. */
struct near_end {
    uint32_t name;
    size_t wait, range;
    double covered_ns, duration_ns;
};

struct search {
    const struct rln__run *run;
    const struct rln__track *track;
    const struct rln__blocked_waits *waits;
    struct rln__cpu_times *cpu;
    struct name_ends *names; /* owned */
    struct near_end *near;   /* owned */
    size_t n_near, near_capacity;
    int64_t before_ns; /* that is near */
    double step_ns;
    double n_equal; /* as many waits of equal length would be as good a sample */
};

static void sum_up(struct search *s)
{
    double squares = 0;

    for (size_t i = 0; i < s->track->n; i++)
        s->step_ns += s->track->calls[i].ns;
    for (size_t i = 0; i < s->waits->n; i++) {
        const double ns = rln__blocked_wait_ns(&s->waits->at[i]);

        squares += ns * ns;
    }
    s->n_equal = squares > 0 ? s->waits->ns * s->waits->ns / squares : 0;
}

static bool is_of_other_thread(const struct search *s,
                               const struct rln__nesting_row *row)
{
    return row->process == s->track->process && row->thread != s->track->thread &&
           row->message.bytes && !(row->flags & RLN_FLAG_DEFERRED) &&
           rln__is_complete_call(row);
}

/* The time near the end of a range. */
struct near_time {
    int64_t from_ns, to_ns;
};

/* Of the `ns` before the end of a range, or, if negative, after it: how long its thread
 * was not preempted. */
static int64_t not_preempted_ns(const struct search *s,
                                const struct rln__nesting_row *row, int64_t ns)
{
    const int64_t other_ns = row->end_ns - ns;
    const int64_t length = ns < 0 ? -ns : ns;
    const struct rln__cpu_split split =
        rln__cpu_times_of(s->cpu, row->thread, ns < 0 ? row->end_ns : other_ns,
                          ns < 0 ? other_ns : row->end_ns);

    return length - (int64_t)split.preempted_ns;
}

/* The longest time before the end of a range, or after it if `sign` is -1, of which its
 * thread was not preempted for `ns`. */
static int64_t reach(const struct search *s, const struct rln__nesting_row *row,
                     int sign, int64_t ns)
{
    int64_t low = ns, high = ns;

    if (not_preempted_ns(s, row, sign * ns) == ns)
        return ns;
    while (high < MOST_NS && not_preempted_ns(s, row, sign * high) <= ns)
        high *= 2;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (not_preempted_ns(s, row, sign * middle) <= ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static struct near_time near_time(const struct search *s,
                                  const struct rln__nesting_row *row)
{
    return (struct near_time){row->end_ns - reach(s, row, 1, AFTER_NS),
                              row->end_ns + reach(s, row, -1, s->before_ns)};
}

/* How likely one of the name would end near the end of a wait if it had nothing to do
 * with it; at most, since several ends may be near the same. */
static double chance(const struct search *s, const struct name_ends *name)
{
    return name->all_near_ns / s->step_ns;
}

/* How much of it is in calls of the step, in which the waits are. */
static double in_step_ns(const struct rln__track *track, const struct near_time *near)
{
    size_t i = rln__count_until(&track->calls->start_ns, track->n,
                                sizeof(*track->calls), near->from_ns);
    double ns = 0;

    for (i -= i > 0; i < track->n && track->calls[i].start_ns < near->to_ns; i++) {
        const int64_t start_ns = track->calls[i].start_ns;
        const int64_t end_ns = rln__call_end(&track->calls[i]);
        const int64_t from = start_ns > near->from_ns ? start_ns : near->from_ns;
        const int64_t to = end_ns < near->to_ns ? end_ns : near->to_ns;

        if (to > from)
            ns += (double)(to - from);
    }
    return ns;
}

static void sum_ends(struct search *s)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++) {
        struct name_ends *name = &s->names[row.name];
        struct near_time near;

        if (!is_of_other_thread(s, &row) || chance(s, name) > MOST_CHANCE)
            continue;
        near = near_time(s, &row);
        name->all_near_ns += in_step_ns(s->track, &near);
    }
}

static bool is_same_name(const struct search *s, size_t range, uint32_t name)
{
    struct rln__nesting_row row;

    return rln__nesting_get(s->run->nesting, range, &row) && row.name == name;
}

/* Whether the other thread could have ended the wait: it was not blocked until after it.
 * Else the wait's thread may have let it go on. */
static bool could_wake(const struct search *s, const struct rln__nesting_row *row,
                       const struct rln__blocked_wait *wait)
{
    const int64_t from_ns = wait->end_ns - s->before_ns;

    return row->end_ns <= wait->end_ns ||
           rln__cpu_times_of(s->cpu, row->thread, from_ns, wait->end_ns).blocked_ns <
               (uint64_t)s->before_ns;
}

/* Of time in which the other thread was blocked itself, half counts as covered: it may
 * read a file. Two threads that wait in ranges of the same name wait for a third. */
static int add_near(struct search *s, const struct rln__nesting_row *row, size_t range,
                    size_t index)
{
    const struct rln__blocked_wait *wait = &s->waits->at[index];
    const int64_t from =
        row->start_ns > wait->start_ns ? row->start_ns : wait->start_ns;
    const int64_t to = row->end_ns < wait->end_ns ? row->end_ns : wait->end_ns;
    const double both_ns = to > from ? (double)(to - from) : 0;
    struct near_end *near;
    double blocked_ns = 0;

    if (row->start_ns > wait->end_ns || !could_wake(s, row, wait))
        return 0;
    if (to > from)
        blocked_ns =
            (double)rln__cpu_times_of(s->cpu, row->thread, from, to).blocked_ns;
    if (blocked_ns > both_ns / 2 && is_same_name(s, wait->range, row->name))
        return 0;
    near = rln__append(&s->near, &s->n_near, &s->near_capacity, sizeof(*near));
    if (!near)
        return -1;
    *near = (struct near_end){row->name, index, range, both_ns - blocked_ns / 2,
                              (double)rln__nesting_row_ns(row)};
    return 0;
}

static int add_waits(struct search *s, const struct rln__nesting_row *row, size_t range)
{
    const struct near_time near = near_time(s, row);
    const struct rln__blocked_waits *waits = s->waits;
    size_t i = rln__count_before(&waits->at->end_ns, waits->n, sizeof(*waits->at),
                                 near.from_ns);

    for (; i < waits->n && waits->at[i].end_ns <= near.to_ns; i++)
        if (waits->at[i].has_woken &&
            waits->at[i].end_ns - waits->at[i].start_ns >= LEAST_WAIT * s->before_ns &&
            add_near(s, row, range, i))
            return -1;
    return 0;
}

static int find_near(struct search *s)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++)
        if (is_of_other_thread(s, &row) &&
            chance(s, &s->names[row.name]) <= MOST_CHANCE && add_waits(s, &row, i))
            return -1;
    return 0;
}

static int by_name_and_wait(const void *a, const void *b)
{
    const struct near_end *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->wait != y->wait)
        return x->wait < y->wait ? -1 : 1;
    return (x->range > y->range) - (x->range < y->range);
}

/* Of several of a name near the same wait, the first begun counts. */
static void sum_near(struct search *s)
{
    if (s->n_near)
        qsort(s->near, s->n_near, sizeof(*s->near), by_name_and_wait);
    for (size_t i = 0; i < s->n_near; i++) {
        const struct near_end *near = &s->near[i];
        struct name_ends *name = &s->names[near->name];

        if (i && near[-1].name == near->name && near[-1].wait == near->wait)
            continue;
        name->near_ns += rln__blocked_wait_ns(&s->waits->at[near->wait]);
        name->covered_ns += near->covered_ns;
        name->duration_ns += near->duration_ns;
        name->range = near->range;
    }
}

static bool is_clear(const struct search *s, const struct name_ends *name)
{
    const double share = name->near_ns / s->waits->ns, by_chance = chance(s, name);
    const double beyond = share - by_chance;

    return name->near_ns > 0 && beyond >= CLEAR_MAJORITY * (1 - by_chance) &&
           beyond >= CLEAR_DEVIATIONS * sqrt(by_chance * (1 - by_chance) / s->n_equal);
}

static void choose(const struct search *s, struct rln__wait_end *out)
{
    const size_t n = rln__nesting_count_names(s->run->nesting);
    double most = 0, shortest = INFINITY;

    for (size_t i = 0; i < n; i++)
        if (is_clear(s, &s->names[i]))
            most = fmax(most, s->names[i].covered_ns);
    for (size_t i = 0; i < n; i++) {
        const struct name_ends *name = &s->names[i];

        if (!is_clear(s, name) || name->covered_ns < NEARLY_AS_MUCH * most ||
            name->duration_ns >= shortest)
            continue;
        shortest = name->duration_ns;
        *out = (struct rln__wait_end){name->range, name->near_ns / s->waits->ns};
    }
}

/* One that is near in one sense. 0, or -1 when there is no memory. */
static int find(struct search *s, int64_t near_ns, struct rln__wait_end *out)
{
    const size_t n_names = rln__nesting_count_names(s->run->nesting);

    s->before_ns = near_ns;
    s->n_near = 0;
    memset(s->names, 0, n_names * sizeof(*s->names));
    sum_ends(s);
    if (find_near(s))
        return -1;
    sum_near(s);
    choose(s, out);
    return 0;
}

int rln__wait_end_find(const struct rln__run *run, struct rln__cpu_times *cpu,
                       const struct rln__track *track,
                       const struct rln__blocked_waits *waits,
                       struct rln__wait_end *out)
{
    struct search s = {
        .run = run,
        .track = track,
        .waits = waits,
        .cpu = cpu,
        .names =
            rln__alloc(rln__nesting_count_names(run->nesting) + 1, sizeof(*s.names)),
    };
    int failed = s.names ? 0 : -1;

    *out = (struct rln__wait_end){SIZE_MAX, 0};
    sum_up(&s);
    for (size_t i = 0; i < RLN_COUNT(before_ns) && waits->n && !failed; i++)
        if (out->range == SIZE_MAX)
            failed = find(&s, before_ns[i], out);
    rln__free(s.names);
    rln__free(s.near);
    return failed;
}
