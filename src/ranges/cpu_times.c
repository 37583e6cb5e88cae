/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_times.c - switches, processor by processor --> states, thread by thread.
 *
 *   read      {thread, time, state}          in the order of the file
 *   sort      thread 0: states | thread 1: states | ...
 *             a thread comes as another one leaves the processor for it
 *   settle    what cannot be is unknown, and what was lost
 *   sum       before each 64th change
 */
#include "ranges/cpu_times.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/processor_moves.h"
#include "ranges/switch_losses.h"

#include <stdlib.h>
#include <string.h>

/* The lower bits of a change. At the same time, the greater comes later. */
enum state {
    BLOCKED,
    PREEMPTED,
    PREEMPTED_TO_OWN, /* other threads of the program had the processor */
    ON,
    EXECED, /* on a processor, whatever was before */
    ENDED,
    BORN,     /* preempted: it can go on, and has not yet */
    RUNNABLE, /* on a processor or preempted, as the next one shows */
    UNKNOWN,
};

#define STATE_BITS 4
#define LEAST_NS (-(1ll << 59))
#define MOST_NS (-(LEAST_NS + 1))
#define EACH_SUM 64u

static uint64_t change_of(int64_t t_ns, enum state state)
{
    const int64_t clamped = t_ns < LEAST_NS  ? LEAST_NS
                            : t_ns > MOST_NS ? MOST_NS
                                             : t_ns;

    return (uint64_t)(clamped - LEAST_NS) << STATE_BITS | (uint64_t)state;
}

static int64_t time_of(uint64_t change)
{
    return (int64_t)(change >> STATE_BITS) + LEAST_NS;
}

static enum state state_of(uint64_t change)
{
    return (enum state)(change & ((1u << STATE_BITS) - 1));
}

/* --- Reading ---------------------------------------------------------------------- */

struct raw {
    uint64_t change;
    uint32_t thread;
    uint32_t processor; /* in the moves; RLN__NONE: any */
};

struct loader {
    struct rln__cpu_times *times;
    struct raw *raw; /* owned, as the next */
    size_t n_raw, raw_capacity;
    struct raw *sorted; /* by thread, then by time */
    struct rln__moves moves;
    struct rln__switch_losses losses;
    int64_t *until_ns; /* owned: by part; LEAST_NS: none */
};

static uint64_t tid_key(uint32_t part, uint32_t tid)
{
    return (uint64_t)part << 32 | tid;
}

/* The index of a thread; RLN__NONE: no memory. */
static uint32_t thread_of(struct rln__cpu_times *t, uint32_t part, uint32_t tid)
{
    const uint64_t found = rln__map_get(&t->by_tid, tid_key(part, tid));
    struct rln__cpu_thread *thread;

    if (found)
        return (uint32_t)found - 1;
    thread =
        rln__append(&t->threads, &t->n_threads, &t->threads_capacity, sizeof(*thread));
    if (!thread || rln__map_put(&t->by_tid, tid_key(part, tid), t->n_threads))
        return RLN__NONE;
    *thread = (struct rln__cpu_thread){.part = part};
    return (uint32_t)t->n_threads - 1;
}

/* What begins with a switch. */
static enum state state_from(const struct rln__switch *s)
{
    static const enum state states[] = {
        [RLN__SWITCH_BLOCKED] = BLOCKED, [RLN__SWITCH_PREEMPTED] = PREEMPTED,
        [RLN__SWITCH_ON] = ON,           [RLN__SWITCH_ENDED] = ENDED,
        [RLN__SWITCH_EXECED] = EXECED,   [RLN__SWITCH_RUNNABLE] = RUNNABLE,
    };

    return s->kind == RLN__SUB_BORN            ? BORN
           : s->kind == RLN__SUB_SWITCHES_LOST ? UNKNOWN
                                               : states[s->kind];
}

static int take(void *context, const struct rln__switch *s)
{
    struct loader *l = context;
    struct raw *raw;
    uint32_t thread, processor;

    if (s->kind == RLN__SUB_SWITCHES_UNTIL) {
        if (s->t_ns > l->until_ns[s->part])
            l->until_ns[s->part] = s->t_ns;
        return 0;
    }
    if (s->kind == RLN__SUB_SWITCHES_LOST && !s->tid)
        return rln__switch_losses_add(
            &l->losses, &(struct rln__switch_loss){s->part, s->t_ns, s->to_ns});
    thread = thread_of(l->times, s->part, s->tid);
    raw = thread == RLN__NONE
              ? NULL
              : rln__append(&l->raw, &l->n_raw, &l->raw_capacity, sizeof(*raw));
    if (!raw || rln__moves_add(&l->moves, s, thread, &processor))
        return -1;
    *raw = (struct raw){change_of(s->t_ns, state_from(s)), thread, processor};
    l->times->threads[thread].n++;
    return 0;
}

static int by_change(const void *a, const void *b)
{
    const struct raw *x = a, *y = b;

    return (x->change > y->change) - (x->change < y->change);
}

/* --- Sorting ---------------------------------------------------------------------- */

/* A thread that moves to another processor may leave one after its next one is free. */
static void bring_forward(const struct loader *l, struct raw *all, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t came_ns;

        if (state_of(all[i].change) != ON)
            continue;
        came_ns = rln__moves_came_ns(&l->moves, all[i].processor, all[i].thread,
                                     time_of(all[i].change));
        if (came_ns >= time_of(all[i - 1].change))
            all[i].change = change_of(came_ns, ON);
    }
}

static int sort(struct loader *l)
{
    struct rln__cpu_times *t = l->times;
    size_t first = 0;

    l->sorted = rln__alloc(l->n_raw + 1, sizeof(*l->sorted));
    if (!l->sorted)
        return -1;
    rln__moves_sort(&l->moves);
    for (size_t i = 0; i < t->n_threads; i++) {
        t->threads[i].first = first;
        first += t->threads[i].n;
        t->threads[i].n = 0;
    }
    for (size_t i = 0; i < l->n_raw; i++) {
        struct rln__cpu_thread *thread = &t->threads[l->raw[i].thread];

        l->sorted[thread->first + thread->n++] = l->raw[i];
    }
    for (size_t i = 0; i < t->n_threads; i++) {
        struct raw *of = l->sorted + t->threads[i].first;

        qsort(of, t->threads[i].n, sizeof(*of), by_change);
        bring_forward(l, of, t->threads[i].n);
    }
    return 0;
}

/* --- What cannot be --------------------------------------------------------------- */

static int is_off(enum state state)
{
    return state == BLOCKED || state == PREEMPTED || state == PREEMPTED_TO_OWN;
}

/* The state that a change begins, given the next one. */
static enum state begun(enum state state, enum state next)
{
    switch (state) {
    case BORN:
        return PREEMPTED;
    case EXECED:
        return ON;
    case RUNNABLE:
        return next == ON ? PREEMPTED : ON;
    default:
        return state;
    }
}

/* Whether a thread cannot have one state after the other: one between them was not seen,
 * on a processor that it had moved to. */
static int cannot_follow(enum state state, enum state next)
{
    const enum state is = begun(state, next);

    return is == ON ? next == ON : is_off(is) && is_off(next);
}

static int append(struct rln__cpu_times *t, int64_t t_ns, enum state state)
{
    uint64_t *change =
        rln__append(&t->changes, &t->n_changes, &t->changes_capacity, sizeof(*change));

    if (!change)
        return -1;
    *change = change_of(t_ns, state);
    return 0;
}

/* A preempted thread waits for its processor, which others of the program have for a part
 * of that time: it comes first, whenever it was. */
static int append_preempted(struct loader *l, const struct raw *raw, int64_t until_ns)
{
    const int64_t t_ns = time_of(raw->change);
    const int64_t own_ns =
        rln__moves_busy_ns(&l->moves, raw->processor, t_ns, until_ns);

    if (own_ns > 0 && append(l->times, t_ns, PREEMPTED_TO_OWN))
        return -1;
    return own_ns < until_ns - t_ns ? append(l->times, t_ns + own_ns, PREEMPTED) : 0;
}

/* A change, and where its state ends to be known before the next one. */
static int settle_change(struct loader *l, const struct raw *raw, uint64_t next)
{
    const uint32_t part = l->times->threads[raw->thread].part;
    const int64_t t_ns = time_of(raw->change), next_ns = time_of(next);
    const struct rln__switch_loss *loss =
        rln__switch_loss_after(&l->losses, part, t_ns);
    int64_t known_ns = next_ns < l->until_ns[part] ? next_ns : l->until_ns[part];
    enum state state = begun(state_of(raw->change), state_of(next));

    if (loss && loss->from_ns < known_ns)
        known_ns = loss->from_ns;
    else if (cannot_follow(state_of(raw->change), state_of(next)))
        state = UNKNOWN;
    if (known_ns < t_ns)
        known_ns = t_ns;
    if (state == PREEMPTED ? append_preempted(l, raw, known_ns)
                           : append(l->times, t_ns, state))
        return -1;
    return known_ns < next_ns && state != UNKNOWN && state != ENDED
               ? append(l->times, known_ns, UNKNOWN)
               : 0;
}

static int settle(struct loader *l)
{
    struct rln__cpu_times *t = l->times;
    int result = 0;

    for (size_t i = 0; i < t->n_threads && !result; i++) {
        struct rln__cpu_thread *thread = &t->threads[i];
        const struct raw *of = l->sorted + thread->first;
        const size_t n = thread->n;

        thread->first = t->n_changes;
        for (size_t k = 0; k < n && !result; k++) {
            const uint64_t next =
                k + 1 < n ? of[k + 1].change : change_of(INT64_MAX, ENDED);

            result = settle_change(l, &of[k], next);
        }
        thread->n = t->n_changes - thread->first;
    }
    return result;
}

/* --- Sums ------------------------------------------------------------------------- */

/* A settled state: begun(). */
static void add(struct rln__cpu_split *sum, enum state state, int64_t ns)
{
    uint64_t *const of[] = {
        [UNKNOWN] = &sum->unknown_ns,
        [BLOCKED] = &sum->blocked_ns,
        [PREEMPTED] = &sum->preempted_ns,
        [PREEMPTED_TO_OWN] = &sum->preempted_ns,
        [ON] = &sum->on_ns,
        [ENDED] = &sum->unknown_ns,
    };

    if (ns <= 0)
        return;
    *of[state] += (uint64_t)ns;
    if (state == PREEMPTED_TO_OWN)
        sum->to_own_ns += (uint64_t)ns;
}

/* How long the state of a change lasted; of a thread's last one, 0. */
static int64_t lasted(const struct rln__cpu_times *t,
                      const struct rln__cpu_thread *thread, size_t change)
{
    return change + 1 < thread->first + thread->n
               ? time_of(t->changes[change + 1]) - time_of(t->changes[change])
               : 0;
}

static int sum_up(struct rln__cpu_times *t)
{
    struct rln__cpu_split sum = {0};

    t->sums = rln__alloc(t->n_changes / EACH_SUM + 1, sizeof(*t->sums));
    if (!t->sums)
        return -1;
    for (size_t i = 0; i < t->n_threads; i++) {
        const struct rln__cpu_thread *thread = &t->threads[i];

        for (size_t k = thread->first; k < thread->first + thread->n; k++) {
            if (k % EACH_SUM == 0)
                t->sums[k / EACH_SUM] = sum;
            add(&sum, state_of(t->changes[k]), lasted(t, thread, k));
        }
    }
    return 0;
}

/* --- Whose ------------------------------------------------------------------------ */

static uint32_t find_thread(const struct rln__cpu_times *t,
                            const struct rln__trace_thread *thread)
{
    if (thread->is_stream || thread->process >= t->n_processes ||
        !t->is_known[thread->process])
        return 0;
    return (uint32_t)rln__map_get(
        &t->by_tid,
        tid_key(t->reader->names.processes[thread->process].part, thread->tid));
}

/* Those that the reader has found since. 0, or -1: no memory. */
static int find_threads(struct rln__cpu_times *t)
{
    const rln_reader *r = t->reader;
    const size_t n = t->n_of_thread;
    uint32_t *of;

    if (n >= r->n_threads)
        return 0;
    of = rln__grow_to(t->of_thread, &t->n_of_thread, &t->of_thread_capacity,
                      r->n_threads - 1, sizeof(*of));
    if (!of)
        return -1;
    t->of_thread = of;
    for (size_t i = n; i < t->n_of_thread; i++)
        of[i] = find_thread(t, &r->threads[i]);
    return 0;
}

static int find_processes(struct rln__cpu_times *t)
{
    t->is_known = rln__switches_processes(t->reader);
    t->n_processes = t->reader->names.n_processes;
    return t->is_known && !find_threads(t) ? 0 : -1;
}

/* --- The table -------------------------------------------------------------------- */

/* Room for all switches: each is a word, at least. */
static int reserve(struct loader *l)
{
    const uint64_t n_bytes = rln__switches_bytes(l->times->reader, RLN__NONE);

    l->raw_capacity = (size_t)(n_bytes / 8) + 1;
    l->raw = rln__resize(NULL, l->raw_capacity, sizeof(*l->raw));
    return l->raw && !rln__moves_reserve(&l->moves, l->raw_capacity) ? 0 : -1;
}

static int begin(struct loader *l)
{
    const size_t n = l->times->reader->layout.n_parts;

    l->until_ns = rln__alloc(n + 1, sizeof(*l->until_ns));
    for (size_t i = 0; l->until_ns && i < n; i++)
        l->until_ns[i] = LEAST_NS;
    return l->until_ns && !reserve(l) ? 0 : -1;
}

static int finish(struct loader *l)
{
    rln__switch_losses_sort(&l->losses);
    return sort(l) || settle(l) || sum_up(l->times) || find_processes(l->times);
}

int rln__has_cpu_times(const rln_reader *reader, uint32_t part)
{
    return rln__switches_bytes(reader, part) != 0;
}

rln_status rln__cpu_times_load(struct rln__cpu_times *t, rln_reader *reader,
                               rln_error *err)
{
    struct loader l = {.times = t};
    rln_status status;

    memset(t, 0, sizeof(*t));
    t->reader = reader;
    status =
        begin(&l) ? rln__fail_nomem(err) : rln__switches_read(reader, take, &l, err);
    if (!status && finish(&l))
        status = rln__fail_nomem(err);
    rln__free(l.raw);
    rln__free(l.sorted);
    rln__switch_losses_clear(&l.losses);
    rln__moves_clear(&l.moves);
    rln__free(l.until_ns);
    if (status)
        rln__cpu_times_clear(t);
    return status;
}

void rln__cpu_times_clear(struct rln__cpu_times *t)
{
    rln__free(t->changes);
    rln__free(t->sums);
    rln__free(t->threads);
    rln__free(t->of_thread);
    rln__free(t->is_known);
    rln__map_clear(&t->by_tid);
    memset(t, 0, sizeof(*t));
}

/* --- Questions -------------------------------------------------------------------- */

/* The last change at or before `t_ns`: index + 1 within the thread's; 0: none. */
static size_t change_at(const struct rln__cpu_times *t,
                        const struct rln__cpu_thread *thread, int64_t t_ns)
{
    const uint64_t *changes = t->changes + thread->first;
    size_t from = 0, to = thread->n;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (time_of(changes[middle]) <= t_ns)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The same for the end of a range, which is mostly near that of the one before. */
static size_t change_near(const struct rln__cpu_times *t,
                          const struct rln__cpu_thread *thread, int64_t t_ns)
{
    const uint64_t *changes = t->changes + thread->first;
    size_t at = thread->last;

    if (at && time_of(changes[at - 1]) > t_ns)
        return change_at(t, thread, t_ns);
    for (unsigned i = 0; i < 8; i++, at++)
        if (at == thread->n || time_of(changes[at]) > t_ns)
            return at;
    return change_at(t, thread, t_ns);
}

static void subtract(struct rln__cpu_split *sum, const struct rln__cpu_split *other)
{
    sum->on_ns -= other->on_ns;
    sum->preempted_ns -= other->preempted_ns;
    sum->blocked_ns -= other->blocked_ns;
    sum->unknown_ns -= other->unknown_ns;
    sum->to_own_ns -= other->to_own_ns;
}

/* Adds the states from one change to another, of one thread. */
static void add_changes(const struct rln__cpu_times *t,
                        const struct rln__cpu_thread *thread, size_t from, size_t to,
                        struct rln__cpu_split *sum)
{
    if (to - from >= 2 * EACH_SUM) {
        const size_t first = (from + EACH_SUM - 1) / EACH_SUM, last = to / EACH_SUM;
        struct rln__cpu_split between = t->sums[last];

        subtract(&between, &t->sums[first]);
        rln__cpu_split_add(sum, &between);
        for (size_t i = from; i < first * EACH_SUM; i++)
            add(sum, state_of(t->changes[i]), lasted(t, thread, i));
        from = last * EACH_SUM;
    }
    for (size_t i = from; i < to; i++)
        add(sum, state_of(t->changes[i]), lasted(t, thread, i));
}

/* From the first time to the second, at which the change of `end` is the last one. */
static struct rln__cpu_split split(const struct rln__cpu_times *t,
                                   const struct rln__cpu_thread *thread,
                                   int64_t start_ns, int64_t end_ns, size_t end)
{
    const uint64_t *changes = t->changes + thread->first;
    const int is_short = end == 0 || time_of(changes[end - 1]) <= start_ns;
    const size_t start = is_short ? end : change_at(t, thread, start_ns);
    const enum state first = start ? state_of(changes[start - 1]) : UNKNOWN;
    struct rln__cpu_split sum = {0};

    if (start == end) {
        add(&sum, first, end_ns - start_ns);
        return sum;
    }
    add(&sum, first, time_of(changes[start]) - start_ns);
    add_changes(t, thread, thread->first + start, thread->first + end - 1, &sum);
    add(&sum, state_of(changes[end - 1]), end_ns - time_of(changes[end - 1]));
    return sum;
}

struct rln__cpu_split rln__cpu_times_of(struct rln__cpu_times *t, uint32_t thread,
                                        int64_t start_ns, int64_t end_ns)
{
    struct rln__cpu_split unknown = {0};
    struct rln__cpu_thread *of;
    uint32_t index = 0;

    if (thread < t->n_of_thread || (thread < t->reader->n_threads && !find_threads(t)))
        index = t->of_thread[thread];
    if (!index) {
        add(&unknown, UNKNOWN, end_ns - start_ns);
        return unknown;
    }
    of = &t->threads[index - 1];
    of->last = change_near(t, of, end_ns);
    return split(t, of, start_ns, end_ns, of->last);
}

struct rln__cpu_split rln__cpu_times_of_range(struct rln__cpu_times *t, uint32_t thread,
                                              int64_t start_ns, int64_t end_ns)
{
    const struct rln__span *span = &t->reader->span;

    return rln__cpu_times_of(t, thread, rln__span_clip(span, start_ns),
                             rln__span_clip(span, end_ns));
}
