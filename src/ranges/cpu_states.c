/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/cpu_states.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/clock_readings.h"
#include "ranges/processor_moves.h"
#include "ranges/switch_losses.h"
#include "trace/decode/switches.h"

#include <string.h>

/* --- Reading ---------------------------------------------------------------------- */

struct raw {
    uint64_t change;
    uint32_t thread;
    uint32_t processor; /* in the moves; RLN__NONE: any. MIXED: index of its reading */
};

struct loader {
    struct rln__cpu_times *times;
    struct raw *raw; /* owned, as the next */
    size_t n_raw, raw_capacity;
    struct raw *sorted;                  /* by thread, then by time */
    struct rln__clock_reading *readings; /* owned */
    size_t n_readings, readings_capacity;
    struct rln__moves moves;
    struct rln__switch_losses losses;
    int64_t *until_ns; /* owned: by part; RLN__CPU_LEAST_NS: none */
};

/* The index of a thread; RLN__NONE: no memory. */
static uint32_t thread_of(struct rln__cpu_times *t, uint32_t part, uint32_t tid)
{
    const uint64_t found = rln__map_get(&t->by_tid, rln__cpu_tid_key(part, tid));
    struct rln__cpu_thread *thread;

    if (found)
        return (uint32_t)found - 1;
    thread =
        rln__append(&t->threads, &t->n_threads, &t->threads_capacity, sizeof(*thread));
    if (!thread || rln__map_put(&t->by_tid, rln__cpu_tid_key(part, tid), t->n_threads))
        return RLN__NONE;
    *thread = (struct rln__cpu_thread){.part = part};
    return (uint32_t)t->n_threads - 1;
}

/* What begins with a switch. */
static enum rln__cpu_state state_from(const struct rln__switch *s)
{
    static const enum rln__cpu_state states[] = {
        [RLN__SWITCH_BLOCKED] = RLN__CPU_BLOCKED,
        [RLN__SWITCH_PREEMPTED] = RLN__CPU_PREEMPTED,
        [RLN__SWITCH_ON] = RLN__CPU_ON,
        [RLN__SWITCH_ENDED] = RLN__CPU_ENDED,
        [RLN__SWITCH_EXECED] = RLN__CPU_EXECED,
        [RLN__SWITCH_RUNNABLE] = RLN__CPU_RUNNABLE,
    };

    return s->kind == RLN__SUB_CPU_CLOCKS      ? RLN__CPU_MIXED
           : s->kind == RLN__SUB_BORN          ? RLN__CPU_BORN
           : s->kind == RLN__SUB_SWITCHES_LOST ? RLN__CPU_UNKNOWN
                                               : states[s->kind];
}

static int add_reading(struct loader *l, const struct rln__switch *s, uint32_t *index)
{
    struct rln__clock_reading *reading = rln__append(
        &l->readings, &l->n_readings, &l->readings_capacity, sizeof(*reading));

    if (!reading || l->n_readings > RLN__NONE)
        return -1;
    l->times->by_readings[s->part] = 1;
    *reading = (struct rln__clock_reading){
        .t_ns = rln__cpu_change_ns(rln__cpu_change(s->t_ns, RLN__CPU_MIXED)),
        .on_ns = s->on_ns,
        .waited_ns = s->waited_ns,
    };
    *index = (uint32_t)l->n_readings - 1;
    return 0;
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
    if (!raw || (s->kind == RLN__SUB_CPU_CLOCKS
                     ? add_reading(l, s, &processor)
                     : rln__moves_add(&l->moves, s, thread, &processor)))
        return -1;
    *raw = (struct raw){rln__cpu_change(s->t_ns, state_from(s)), thread, processor};
    l->times->threads[thread].n++;
    return 0;
}

/* --- Sorting ---------------------------------------------------------------------- */

/* Merges two runs that are in order, one after the other, into `to`. */
static void merge_runs(const struct raw *from, size_t middle, size_t n, struct raw *to)
{
    size_t i = 0, k = middle;

    while (i < middle && k < n)
        *to++ = from[k].change < from[i].change ? from[k++] : from[i++];
    memcpy(to, from + i, (middle - i) * sizeof(*to));
    memcpy(to + (middle - i), from + k, (n - k) * sizeof(*to));
}

/* Where the run that begins at `at` ends. */
static size_t end_of_run(const struct raw *of, size_t at, size_t n)
{
    while (at + 1 < n && of[at].change <= of[at + 1].change)
        at++;
    return at < n ? at + 1 : n;
}

/* Each ring has its switches in the order of time, and is read many at a time: a few long
 * runs, which qsort() would not see. `room` is as long. */
static void sort_runs(struct raw *of, struct raw *room, size_t n)
{
    struct raw *from = of, *to = room;
    size_t first = end_of_run(from, 0, n);

    while (first < n) {
        for (size_t begin = 0; begin < n;) {
            const size_t middle = end_of_run(from, begin, n);
            const size_t end = end_of_run(from, middle, n);

            merge_runs(from + begin, middle - begin, end - begin, to + begin);
            begin = end;
        }
        from = to;
        to = to == room ? of : room;
        first = end_of_run(from, 0, n);
    }
    if (from != of)
        memcpy(of, from, n * sizeof(*of));
}

/* A thread that moves to another processor may leave one after its next one is free. */
static void bring_forward(struct loader *l, struct raw *all, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t came_ns;

        if (rln__cpu_change_state(all[i].change) != RLN__CPU_ON)
            continue;
        came_ns = rln__moves_came_ns(&l->moves, all[i].processor, all[i].thread,
                                     rln__cpu_change_ns(all[i].change));
        if (came_ns >= rln__cpu_change_ns(all[i - 1].change))
            all[i].change = rln__cpu_change(came_ns, RLN__CPU_ON);
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

        sort_runs(of, l->raw, t->threads[i].n); /* all of which is in its place */
        bring_forward(l, of, t->threads[i].n);
    }
    return 0;
}

/* --- What cannot be --------------------------------------------------------------- */

static int is_off(enum rln__cpu_state state)
{
    return state == RLN__CPU_BLOCKED || state == RLN__CPU_PREEMPTED ||
           state == RLN__CPU_PREEMPTED_TO_OWN;
}

/* The state that a change begins, given the next one. */
static enum rln__cpu_state begun(enum rln__cpu_state state, enum rln__cpu_state next)
{
    switch (state) {
    case RLN__CPU_BORN:
        return RLN__CPU_PREEMPTED;
    case RLN__CPU_EXECED:
        return RLN__CPU_ON;
    case RLN__CPU_RUNNABLE:
        return next == RLN__CPU_ON ? RLN__CPU_PREEMPTED : RLN__CPU_ON;
    case RLN__CPU_MIXED: /* among switches: of another thread with this number */
        return RLN__CPU_UNKNOWN;
    default:
        return state;
    }
}

/* Whether a thread cannot have one state after the other: one between them was not seen,
 * on a processor that it had moved to. */
static int cannot_follow(enum rln__cpu_state state, enum rln__cpu_state next)
{
    const enum rln__cpu_state is = begun(state, next);

    return is == RLN__CPU_ON ? next == RLN__CPU_ON : is_off(is) && is_off(next);
}

static int append(struct rln__cpu_times *t, int64_t t_ns, enum rln__cpu_state state)
{
    uint64_t *change =
        rln__append(&t->changes, &t->n_changes, &t->changes_capacity, sizeof(*change));

    if (!change)
        return -1;
    *change = rln__cpu_change(t_ns, state);
    return 0;
}

/* A preempted thread waits for its processor, which others of the program have for a part
 * of that time: it comes first, whenever it was. */
static int append_preempted(struct loader *l, const struct raw *raw, int64_t until_ns)
{
    const int64_t t_ns = rln__cpu_change_ns(raw->change);
    const int64_t own_ns =
        rln__moves_busy_ns(&l->moves, raw->processor, t_ns, until_ns);

    if (own_ns > 0 && append(l->times, t_ns, RLN__CPU_PREEMPTED_TO_OWN))
        return -1;
    return own_ns < until_ns - t_ns
               ? append(l->times, t_ns + own_ns, RLN__CPU_PREEMPTED)
               : 0;
}

/* A change, and where its state ends to be known before the next one. */
static int settle_change(struct loader *l, const struct raw *raw, uint64_t next)
{
    const uint32_t part = l->times->threads[raw->thread].part;
    const int64_t t_ns = rln__cpu_change_ns(raw->change),
                  next_ns = rln__cpu_change_ns(next);
    const struct rln__switch_loss *loss =
        rln__switch_loss_after(&l->losses, part, t_ns);
    int64_t known_ns = next_ns < l->until_ns[part] ? next_ns : l->until_ns[part];
    enum rln__cpu_state state =
        begun(rln__cpu_change_state(raw->change), rln__cpu_change_state(next));

    if (loss && loss->from_ns < known_ns)
        known_ns = loss->from_ns;
    else if (cannot_follow(rln__cpu_change_state(raw->change),
                           rln__cpu_change_state(next)))
        state = RLN__CPU_UNKNOWN;
    if (known_ns < t_ns)
        known_ns = t_ns;
    if (state == RLN__CPU_PREEMPTED ? append_preempted(l, raw, known_ns)
                                    : append(l->times, t_ns, state))
        return -1;
    return known_ns < next_ns && state != RLN__CPU_UNKNOWN && state != RLN__CPU_ENDED
               ? append(l->times, known_ns, RLN__CPU_UNKNOWN)
               : 0;
}

static int settle_switches(struct loader *l, const struct raw *of, size_t n)
{
    int result = 0;

    for (size_t i = 0; i < n && !result; i++) {
        const uint64_t next =
            i + 1 < n ? of[i + 1].change : rln__cpu_change(INT64_MAX, RLN__CPU_ENDED);

        result = settle_change(l, &of[i], next);
    }
    return result;
}

/* From a reading to the next one. */
static int append_mix(struct rln__cpu_times *t,
                      const struct rln__clock_reading *reading)
{
    const int is_known = reading->on_ns != RLN__CLOCKS_UNKNOWN;
    struct rln__cpu_mix *mixes;

    if (append(t, reading->t_ns, is_known ? RLN__CPU_MIXED : RLN__CPU_UNKNOWN))
        return -1;
    mixes = rln__grow_to(t->mixes, &t->n_mixes, &t->mixes_capacity, t->n_changes - 1,
                         sizeof(*mixes));
    if (!mixes)
        return -1;
    t->mixes = mixes;
    if (is_known)
        mixes[t->n_changes - 1] = (struct rln__cpu_mix){
            .on_ns = reading->on_ns,
            .preempted_ns = reading->waited_ns,
            .late_ns = reading->late_ns,
        };
    return 0;
}

static int settle_readings(struct loader *l, const struct raw *of, size_t n)
{
    struct rln__clock_reading *readings = rln__alloc(n, sizeof(*readings));
    size_t n_readings = 0;
    int result = readings ? 0 : -1;

    for (size_t i = 0; i < n && !result; i++)
        if (rln__cpu_change_state(of[i].change) == RLN__CPU_MIXED)
            readings[n_readings++] = l->readings[of[i].processor];
    rln__clock_readings_settle(readings, n_readings);
    for (size_t i = 0; i < n_readings && !result; i++)
        result = append_mix(l->times, &readings[i]);
    rln__free(readings);
    return result;
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
        thread->has_readings =
            n && rln__cpu_change_state(of[0].change) == RLN__CPU_MIXED;
        if (n)
            result = thread->has_readings ? settle_readings(l, of, n)
                                          : settle_switches(l, of, n);
        thread->n = t->n_changes - thread->first;
    }
    return result;
}

/* --- All of them ------------------------------------------------------------------ */

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
        l->until_ns[i] = RLN__CPU_LEAST_NS;
    l->times->by_readings = rln__alloc(n + 1, 1);
    return l->until_ns && l->times->by_readings && !reserve(l) ? 0 : -1;
}

rln_status rln__cpu_states_read(struct rln__cpu_times *t, rln_error *err)
{
    struct loader l = {.times = t};
    rln_status status =
        begin(&l) ? rln__fail_nomem(err) : rln__switches_read(t->reader, take, &l, err);

    rln__switch_losses_sort(&l.losses);
    if (!status && (sort(&l) || settle(&l)))
        status = rln__fail_nomem(err);
    t->n_readings = l.n_readings;
    rln__free(l.raw);
    rln__free(l.sorted);
    rln__free(l.readings);
    rln__switch_losses_clear(&l.losses);
    rln__moves_clear(&l.moves);
    rln__free(l.until_ns);
    return status;
}
