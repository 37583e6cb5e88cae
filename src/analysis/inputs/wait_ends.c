/* SPDX-License-Identifier: Apache-2.0 */
/* wait_ends.c - ranges that end near the end of a wait --> by name, for how much of the
 * waiting one did --> the name for which that is neither chance nor a wait itself.
 *
 *     other thread  [decode          ]
 *     near                            |first sense|   second   |   ...
 *
 * In each sense, more time may pass between the two.
 * Ranges may be millions, and of dozens of processes: what asks for context switches asks
 * once for a range, and only of names that do not end all the time.
 */
#include "analysis/inputs/wait_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/by_time.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/count.h"

/* By sense, how long before the end of a wait is near. In a trial of 195 waits, ahead of all
 * other work of the machine, the thread that was woken was on a processor within 10 us
 * after 182, and within 50 us after nearly all: one that sleeps deeply, or whose host has
 * to be asked, takes longer. In Python, from the end of a range to the call that wakes, as
 * of a queue, some 100 us pass. */
static const int64_t near_thread_ns[] = {50000, 200000};

/* From process to process it took a pipe in C 20 us. In Python, whose objects are pickled
 * and pass several threads, it took a pool 0.3 ms, and a queue 0.3 ms, too, or 1 ms with
 * 1 MB: the median on a busy machine. But its thread that sends needs the GIL, which the
 * next range, if it is pure Python, gives away after 5 ms: then 5.4 ms. */
static const int64_t near_process_ns[] = {50000, 200000, 1000000, 6000000};

/* One in another process, near in a wide sense, may only have the same rhythm, as that of a
 * screen. Nothing is handed over at its end unless it was at work during the wait: so much
 * of it. One that waits itself counts half, as below. */
#define LEAST_COVERED (1.0 / 3)

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

#define MOST_SENSES RLN_COUNT(near_process_ns)

struct name_ends {
    double
        sure_ns[MOST_SENSES]; /* of calls of the step, near an end of one: at least */
    double all_near_ns;       /* the same: of names that may be clear, exactly */
    double near_ns;           /* waiting, at the end of which one did */
    double covered_ns, duration_ns; /* of these: of the waiting, and in sum */
    size_t range;
};

/* A range that ended near the end of a wait. */
struct near_end {
    uint32_t name;
    unsigned sense; /* the first in which it is near */
    size_t wait;    /* index in the ends */
    size_t range;
    double covered_ns, duration_ns;
};

struct found {
    struct rln__wait_end end;
    double covered_ns; /* of the waiting */
};

struct search {
    const struct rln__run *run;
    const struct rln__track *track;
    const struct rln__blocked_waits *waits;
    struct rln__cpu_times *cpu;
    /* Owned: of the waits, those long enough for the narrowest sense, at whose end the
     * thread could go on. */
    struct rln__blocked_wait *ends;
    size_t n_ends;
    double *before_ns;       /* owned: by call of the step, the time in earlier ones */
    struct name_ends *names; /* owned */
    struct near_end *near;   /* owned */
    size_t n_near, near_capacity;
    bool is_across;         /* of other processes, not of the same one */
    const int64_t *near_ns; /* by sense, up to so long after an end is near */
    unsigned n_senses;
    double step_ns;
    double n_equal; /* as many waits of equal length would be as good a sample */
};

static int sum_up(struct search *s)
{
    double squares = 0;

    s->before_ns = rln__alloc(s->track->n, sizeof(*s->before_ns));
    if (!s->before_ns)
        return -1;
    for (size_t i = 0; i < s->track->n; i++) {
        s->before_ns[i] = s->step_ns;
        s->step_ns += s->track->calls[i].ns;
    }
    for (size_t i = 0; i < s->waits->n; i++) {
        const double ns = rln__blocked_wait_ns(&s->waits->at[i]);

        squares += ns * ns;
    }
    s->n_equal = squares > 0 ? s->waits->ns * s->waits->ns / squares : 0;
    return 0;
}

static int find_ends(struct search *s)
{
    s->ends = rln__alloc(s->waits->n, sizeof(*s->ends));
    if (!s->ends)
        return -1;
    for (size_t i = 0; i < s->waits->n; i++) {
        const struct rln__blocked_wait *wait = &s->waits->at[i];

        if (wait->has_woken &&
            wait->end_ns - wait->start_ns >= LEAST_WAIT * near_thread_ns[0])
            s->ends[s->n_ends++] = *wait;
    }
    return 0;
}

/* The time in calls of the step, in which the waits are, before `t_ns`. */
static double step_ns_before(const struct search *s, int64_t t_ns)
{
    const struct rln__track *track = s->track;
    const size_t n = rln__count_before(&track->calls->start_ns, track->n,
                                       sizeof(*track->calls), t_ns);
    const struct rln__call *last = &track->calls[n - (n > 0)];

    return n ? s->before_ns[n - 1] + fmin((double)(t_ns - last->start_ns), last->ns)
             : 0;
}

static uint32_t part_of(const struct search *s, uint32_t process)
{
    return s->run->nesting->reader->names.processes[process].part;
}

/* Times of the parts of a trace may be of several machines: they agree within tens of us
 * at best. */
static bool is_of_other_thread(const struct search *s,
                               const struct rln__nesting_row *row)
{
    const uint32_t own = s->track->process;

    return (s->is_across
                ? row->process != own && part_of(s, row->process) == part_of(s, own)
                : row->process == own && row->thread != s->track->thread) &&
           row->message.bytes && !(row->flags & RLN_FLAG_DEFERRED) &&
           rln__is_complete_call(row);
}

/* How likely one of the name would end near the end of a wait if it had nothing to do
 * with it; at most, since several ends may be near the same. */
static double chance(const struct search *s, double all_near_ns)
{
    return all_near_ns / s->step_ns;
}

/* Whether it would be, in a sense, even if no thread were ever preempted. */
static bool is_by_chance(const struct search *s, const struct name_ends *name,
                         unsigned sense)
{
    return chance(s, name->sure_ns[sense]) > MOST_CHANCE;
}

static void sum_sure_ends(struct search *s)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++) {
        struct name_ends *name = &s->names[row.name];
        double before_ns;

        if (is_by_chance(s, name, 0) || !is_of_other_thread(s, &row))
            continue;
        before_ns = step_ns_before(s, row.end_ns - AFTER_NS);
        for (unsigned k = 0; k < s->n_senses; k++)
            name->sure_ns[k] +=
                step_ns_before(s, row.end_ns + s->near_ns[k]) - before_ns;
    }
}

/* Between two times, how long the thread of a range was not preempted. */
static int64_t not_preempted_ns(const struct search *s,
                                const struct rln__nesting_row *row, int64_t from_ns,
                                int64_t to_ns)
{
    return to_ns - from_ns -
           (int64_t)rln__cpu_times_of(s->cpu, row->thread, from_ns, to_ns).preempted_ns;
}

static int64_t not_preempted_near(const struct search *s,
                                  const struct rln__nesting_row *row, int sign,
                                  int64_t ns)
{
    return sign > 0 ? not_preempted_ns(s, row, row->end_ns, row->end_ns + ns)
                    : not_preempted_ns(s, row, row->end_ns - ns, row->end_ns);
}

/* --- Near ends -------------------------------------------------------------------- */

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
    const int64_t before_ns = s->near_ns[0];

    return row->end_ns <= wait->end_ns ||
           rln__cpu_times_of(s->cpu, row->thread, wait->end_ns - before_ns,
                             wait->end_ns)
                   .blocked_ns < (uint64_t)before_ns;
}

static int add_near(struct search *s, const struct rln__nesting_row *row, size_t range,
                    size_t wait, unsigned sense)
{
    struct near_end *near =
        rln__append(&s->near, &s->n_near, &s->near_capacity, sizeof(*near));

    if (!near)
        return -1;
    *near = (struct near_end){row->name, sense, wait, range, 0, 0};
    return 0;
}

/* Waits that end after the range. One that is too short for the first sense in which it is
 * near, or near by chance in it, is so in any wider one, too. */
static int add_waits_after(struct search *s, const struct rln__nesting_row *row,
                           size_t range, size_t first)
{
    const int64_t most_ns = s->near_ns[s->n_senses - 1];

    for (size_t i = first; i < s->n_ends; i++) {
        const struct rln__blocked_wait *wait = &s->ends[i];
        unsigned sense = 0;
        int64_t ns;

        if (wait->end_ns - row->end_ns > MOST_NS)
            break;
        ns = not_preempted_ns(s, row, row->end_ns, wait->end_ns);
        if (ns > most_ns)
            break;
        while (ns > s->near_ns[sense])
            sense++;
        if (wait->end_ns - wait->start_ns >= LEAST_WAIT * s->near_ns[sense] &&
            !is_by_chance(s, &s->names[row->name], sense) &&
            add_near(s, row, range, i, sense))
            return -1;
    }
    return 0;
}

/* Waits that end before it does. */
static int add_waits_before(struct search *s, const struct rln__nesting_row *row,
                            size_t range, size_t n)
{
    for (size_t i = n; i > 0; i--) {
        const struct rln__blocked_wait *wait = &s->ends[i - 1];

        if (row->start_ns > wait->end_ns || row->end_ns - wait->end_ns > MOST_NS ||
            not_preempted_ns(s, row, wait->end_ns, row->end_ns) > AFTER_NS)
            break;
        if (add_near(s, row, range, i - 1, 0))
            return -1;
    }
    return 0;
}

static int find_near(struct search *s)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++) {
        size_t n;

        if (is_by_chance(s, &s->names[row.name], 0) || !is_of_other_thread(s, &row))
            continue;
        n = rln__count_before(&s->ends->end_ns, s->n_ends, sizeof(*s->ends),
                              row.end_ns);
        if (add_waits_before(s, &row, i, n) || add_waits_after(s, &row, i, n))
            return -1;
    }
    return 0;
}

/* --- Of which names --------------------------------------------------------------- */

static int by_name_and_wait(const void *a, const void *b)
{
    const struct near_end *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->wait != y->wait)
        return x->wait < y->wait ? -1 : 1;
    return (x->range > y->range) - (x->range < y->range);
}

/* Of time in which the other thread was blocked itself, half counts as covered: it may
 * read a file. Two threads that wait in ranges of the same name wait for a third: false. */
static bool find_covered(const struct search *s, struct near_end *near)
{
    const struct rln__blocked_wait *wait = &s->ends[near->wait];
    const struct rln__nesting_row row = rln__nesting_at(s->run->nesting, near->range);
    const int64_t from = row.start_ns > wait->start_ns ? row.start_ns : wait->start_ns;
    const int64_t to = row.end_ns < wait->end_ns ? row.end_ns : wait->end_ns;
    const double both_ns = to > from ? (double)(to - from) : 0;
    double blocked_ns = 0;

    if (!could_wake(s, &row, wait))
        return false;
    if (to > from)
        blocked_ns = (double)rln__cpu_times_of(s->cpu, row.thread, from, to).blocked_ns;
    near->covered_ns = both_ns - blocked_ns / 2;
    near->duration_ns = (double)rln__nesting_row_ns(&row);
    return blocked_ns <= both_ns / 2 || !is_same_name(s, wait->range, row.name);
}

/* Of a name: the waiting, in any sense. */
static double all_waiting_ns(const struct search *s, const struct near_end *first,
                             size_t n)
{
    double ns = 0;

    for (size_t i = 0; i < n; i++)
        if (!i || first[i].wait != first[i - 1].wait)
            ns += rln__blocked_wait_ns(&s->ends[first[i].wait]);
    return ns;
}

/* Sorts them, and keeps those of names that end near enough waits to be clear: of the
 * others, which are nearly all, no more needs to be known. */
static void keep_candidates(struct search *s)
{
    size_t n, kept = 0;

    if (s->n_near)
        qsort(s->near, s->n_near, sizeof(*s->near), by_name_and_wait);
    for (size_t i = 0; i < s->n_near; i += n) {
        for (n = 1; i + n < s->n_near && s->near[i + n].name == s->near[i].name;)
            n++;
        if (all_waiting_ns(s, &s->near[i], n) < CLEAR_MAJORITY * s->waits->ns)
            continue;
        for (size_t k = i; k < i + n; k++)
            if (find_covered(s, &s->near[k]))
                s->near[kept++] = s->near[k];
    }
    s->n_near = kept;
}

/* In a sense, or a narrower one. Of several of a name near the same wait, the first begun
 * counts. */
static void sum_near(struct search *s, unsigned sense)
{
    const struct near_end *last = NULL;

    for (size_t i = 0; i < rln__nesting_count_names(s->run->nesting); i++)
        s->names[i].near_ns = s->names[i].covered_ns = s->names[i].duration_ns = 0;
    for (size_t i = 0; i < s->n_near; i++) {
        const struct near_end *near = &s->near[i];
        const struct rln__blocked_wait *wait = &s->ends[near->wait];
        struct name_ends *name = &s->names[near->name];

        if (near->sense > sense ||
            wait->end_ns - wait->start_ns < LEAST_WAIT * s->near_ns[sense] ||
            (last && last->name == near->name && last->wait == near->wait))
            continue;
        last = near;
        name->near_ns += rln__blocked_wait_ns(wait);
        name->covered_ns += near->covered_ns;
        name->duration_ns += near->duration_ns;
        name->range = near->range;
    }
}

/* --- What is clear ---------------------------------------------------------------- */

/* The longest time before the end of a range, or after it if `sign` is 1, of which its
 * thread was not preempted for `ns`: to some percent. */
static int64_t reach(const struct search *s, const struct rln__nesting_row *row,
                     int sign, int64_t ns)
{
    int64_t low = ns, high = ns;

    if (not_preempted_near(s, row, sign, ns) == ns)
        return ns;
    while (high < MOST_NS && not_preempted_near(s, row, sign, high) <= ns)
        high *= 2;
    while (high - low > ns / 32) {
        const int64_t middle = low + (high - low) / 2;

        if (not_preempted_near(s, row, sign, middle) <= ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Beyond chance by so much that names without as large a share need not be asked about. */
static bool is_candidate(const struct search *s, const struct name_ends *name)
{
    return name->near_ns > 0 && name->near_ns >= CLEAR_MAJORITY * s->waits->ns &&
           (!s->is_across || name->covered_ns >= LEAST_COVERED * name->near_ns);
}

static void sum_ends(struct search *s, unsigned sense)
{
    struct rln__nesting_row row;

    for (size_t i = 0; i < rln__nesting_count_names(s->run->nesting); i++)
        s->names[i].all_near_ns = 0;
    for (size_t i = 0; rln__nesting_get(s->run->nesting, i, &row); i++) {
        struct name_ends *name = &s->names[row.name];

        if (!is_candidate(s, name) || !is_of_other_thread(s, &row) ||
            chance(s, name->all_near_ns) > MOST_CHANCE)
            continue;
        name->all_near_ns +=
            step_ns_before(s, row.end_ns + reach(s, &row, 1, s->near_ns[sense])) -
            step_ns_before(s, row.end_ns - reach(s, &row, -1, AFTER_NS));
    }
}

static bool is_clear(const struct search *s, const struct name_ends *name)
{
    const double share = name->near_ns / s->waits->ns;
    const double by_chance = chance(s, name->all_near_ns);
    const double beyond = share - by_chance;

    return is_candidate(s, name) && by_chance <= MOST_CHANCE &&
           beyond >= CLEAR_MAJORITY * (1 - by_chance) &&
           beyond >= CLEAR_DEVIATIONS * sqrt(by_chance * (1 - by_chance) / s->n_equal);
}

static void choose(const struct search *s, struct found *out)
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
        *out = (struct found){
            {name->range, name->near_ns / s->waits->ns, s->is_across},
            name->covered_ns,
        };
    }
}

/* Senses in which no wait is long enough say nothing. */
static unsigned count_senses(const struct search *s, size_t n)
{
    int64_t longest_ns = 0;
    unsigned senses = 0;

    for (size_t i = 0; i < s->n_ends; i++) {
        const struct rln__blocked_wait *wait = &s->ends[i];

        if (wait->end_ns - wait->start_ns > longest_ns)
            longest_ns = wait->end_ns - wait->start_ns;
    }
    while (senses < n && longest_ns >= LEAST_WAIT * s->near_ns[senses])
        senses++;
    return senses;
}

static bool has_candidate(const struct search *s)
{
    for (size_t i = 0; i < rln__nesting_count_names(s->run->nesting); i++)
        if (is_candidate(s, &s->names[i]))
            return true;
    return false;
}

/* One that is near in the first sense in which any is. 0, or -1 when there is no memory. */
static int find(struct search *s, const int64_t *near_ns, size_t n, struct found *out)
{
    *out = (struct found){{SIZE_MAX, 0, s->is_across}, 0};
    s->near_ns = near_ns;
    s->n_senses = count_senses(s, n);
    if (!s->n_senses)
        return 0;
    s->n_near = 0;
    memset(s->names, 0, rln__nesting_count_names(s->run->nesting) * sizeof(*s->names));
    sum_sure_ends(s);
    if (find_near(s))
        return -1;
    keep_candidates(s);
    for (unsigned i = 0; i < s->n_senses && out->end.range == SIZE_MAX; i++) {
        sum_near(s, i);
        if (!has_candidate(s))
            continue;
        sum_ends(s, i);
        choose(s, out);
    }
    return 0;
}

/* Threads of the own process come first where both fit equally well: less lies between. */
static int find_best(struct search *s, struct rln__wait_end *out)
{
    struct found own, across;

    if (find(s, near_thread_ns, RLN_COUNT(near_thread_ns), &own))
        return -1;
    s->is_across = true;
    if (find(s, near_process_ns, RLN_COUNT(near_process_ns), &across))
        return -1;
    *out = own.end.range != SIZE_MAX &&
                   own.covered_ns >= NEARLY_AS_MUCH * across.covered_ns
               ? own.end
               : across.end;
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

    *out = (struct rln__wait_end){SIZE_MAX, 0, false};
    if (!failed && waits->n)
        failed = sum_up(&s) || find_ends(&s) || find_best(&s, out) ? -1 : 0;
    rln__free(s.ends);
    rln__free(s.before_ns);
    rln__free(s.names);
    rln__free(s.near);
    return failed;
}
