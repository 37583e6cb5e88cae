/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/cpu_times.h"
#include "base/alloc.h"
#include "base/allowance.h"
#include "base/fail.h"
#include "ranges/cpu_states.h"

#include "trace/decode/switches.h"

#include <string.h>

#define EACH_SUM 64u
/* While they are read, a switch takes nine times as much memory as in the file. */
#define BYTES_OF_A_BYTE 9u

/* --- Sums ------------------------------------------------------------------------- */

/* A settled state: begun(). */
static void add(struct rln__cpu_split *sum, enum rln__cpu_state state, int64_t ns)
{
    uint64_t *const of[] = {
        [RLN__CPU_UNKNOWN] = &sum->unknown_ns,
        [RLN__CPU_BLOCKED] = &sum->blocked_ns,
        [RLN__CPU_PREEMPTED] = &sum->preempted_ns,
        [RLN__CPU_PREEMPTED_TO_OWN] = &sum->preempted_ns,
        [RLN__CPU_ON] = &sum->on_ns,
        [RLN__CPU_ENDED] = &sum->unknown_ns,
    };

    if (ns <= 0)
        return;
    *of[state] += (uint64_t)ns;
    if (state == RLN__CPU_PREEMPTED_TO_OWN)
        sum->to_own_ns += (uint64_t)ns;
}

/* How long the state of a change lasted; of a thread's last one, 0. */
static int64_t lasted(const struct rln__cpu_times *t,
                      const struct rln__cpu_thread *thread, size_t change)
{
    return change + 1 < thread->first + thread->n
               ? rln__cpu_change_ns(t->changes[change + 1]) -
                     rln__cpu_change_ns(t->changes[change])
               : 0;
}

/* The time between two readings, all of it: what counts of it. */
static void add_mix(struct rln__cpu_split *sum, const struct rln__cpu_mix *mix,
                    int64_t ns)
{
    add(sum, RLN__CPU_ON, (int64_t)mix->on_ns);
    add(sum, RLN__CPU_PREEMPTED, (int64_t)mix->preempted_ns);
    add(sum, RLN__CPU_BLOCKED, ns - (int64_t)mix->on_ns - (int64_t)mix->preempted_ns);
}

/* The state of a change, as long as it lasted. */
static void add_whole(const struct rln__cpu_times *t,
                      const struct rln__cpu_thread *thread, size_t change,
                      struct rln__cpu_split *sum)
{
    const enum rln__cpu_state state = rln__cpu_change_state(t->changes[change]);

    if (state == RLN__CPU_MIXED)
        add_mix(sum, &t->mixes[change], lasted(t, thread, change));
    else
        add(sum, state, lasted(t, thread, change));
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
            add_whole(t, thread, k, &sum);
        }
    }
    return 0;
}

const char *rln__cpu_split_who(const struct rln__cpu_split *split, int has_readings)
{
    const uint64_t nearly_all_ns = split->preempted_ns - split->preempted_ns / 10;

    if (has_readings)
        return "others, or other threads of the program,";
    if (split->to_own_ns >= nearly_all_ns)
        return "other threads of the program";
    return split->preempted_ns - split->to_own_ns >= nearly_all_ns
               ? "others"
               : "others and other threads of the program";
}

/* --- Whose ------------------------------------------------------------------------ */

static uint32_t find_thread(const struct rln__cpu_times *t,
                            const struct rln__trace_thread *thread)
{
    if (thread->is_stream || thread->process >= t->n_processes ||
        !t->is_known[thread->process])
        return 0;
    return (uint32_t)rln__map_get(
        &t->by_tid, rln__cpu_tid_key(t->reader->names.processes[thread->process].part,
                                     thread->tid));
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

int rln__has_cpu_times(const rln_reader *reader, uint32_t part)
{
    return rln__switches_bytes(reader, part) != 0;
}

int64_t rln__cpu_times_since_ns(const rln_reader *reader, uint32_t part)
{
    return rln__switches_since_ns(reader, part);
}

rln_text rln__cpu_times_why_missing(const rln_reader *reader, uint32_t part)
{
    for (size_t i = 0; i < reader->names.n_processes; i++) {
        const struct rln__trace_process *p = &reader->names.processes[i];

        if (p->no_switches && (part == RLN__NONE || p->part == part))
            return rln__strings_get(&reader->names.strings, p->no_switches);
    }
    return (rln_text){"", 0};
}

rln_status rln__cpu_times_require(const rln_reader *reader, uint32_t part,
                                  rln_error *err)
{
    const rln_text why = rln__cpu_times_why_missing(reader, part);

    if (rln__has_cpu_times(reader, part))
        return RLN_OK;
    return rln__fail(err, RLN_ERR_FORMAT, 0, "no context switches were recorded%s%.*s",
                     why.length ? ": " : "", (int)why.length, why.bytes);
}

rln_status rln__cpu_times_load(struct rln__cpu_times *t, rln_reader *reader,
                               rln_error *err)
{
    rln_status status;

    *t = (struct rln__cpu_times){.reader = reader};
    status = rln__cpu_states_read(t, err);
    if (!status && (sum_up(t) || find_processes(t)))
        status = rln__fail_nomem(err);
    if (status)
        rln__cpu_times_clear(t);
    return status;
}

void rln__cpu_times_clear(struct rln__cpu_times *t)
{
    rln__free(t->changes);
    rln__free(t->mixes);
    rln__free(t->by_readings);
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

        if (rln__cpu_change_ns(changes[middle]) <= t_ns)
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

    if (at && rln__cpu_change_ns(changes[at - 1]) > t_ns)
        return change_at(t, thread, t_ns);
    for (unsigned i = 0; i < 8; i++, at++)
        if (at == thread->n || rln__cpu_change_ns(changes[at]) > t_ns)
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
            add_whole(t, thread, i, sum);
        from = last * EACH_SUM;
    }
    for (size_t i = from; i < to; i++)
        add_whole(t, thread, i, sum);
}

/* --- Of readings ------------------------------------------------------------------ */

/* Takes from a time what may not have been in it. */
static void doubt(struct rln__cpu_split *sum, uint64_t *ns, uint64_t doubtful_ns)
{
    const uint64_t taken_ns = *ns < doubtful_ns ? *ns : doubtful_ns;

    *ns -= taken_ns;
    sum->unknown_ns += taken_ns;
}

/* What was counted as preempted from the first change on may have been before it, and what
 * is from the last one on may have been here. */
static void doubt_ends(const struct rln__cpu_times *t, size_t first, size_t last,
                       struct rln__cpu_split *sum)
{
    doubt(sum, &sum->preempted_ns, t->mixes[first].late_ns);
    doubt(sum, &sum->blocked_ns, t->mixes[last].late_ns);
}

/* Of a part of the time of a mix: what cannot all be in the rest of it. */
static struct rln__cpu_split part_of_mix(const struct rln__cpu_times *t,
                                         const struct rln__cpu_thread *thread,
                                         size_t change, int64_t ns)
{
    const int64_t all_ns = lasted(t, thread, change);
    const uint64_t rest_ns = (uint64_t)(all_ns - ns);
    struct rln__cpu_split sum = {0};

    add_mix(&sum, &t->mixes[change], all_ns);
    doubt_ends(t, change, change + 1, &sum);
    doubt(&sum, &sum.on_ns, rest_ns);
    doubt(&sum, &sum.preempted_ns, rest_ns);
    doubt(&sum, &sum.blocked_ns, rest_ns);
    sum.unknown_ns -= rest_ns;
    return sum;
}

/* --- Between two times ------------------------------------------------------------ */

/* Of the state before a change, as long as it is asked for: of a thread's first change,
 * nothing is known before it. */
static void add_before(const struct rln__cpu_times *t,
                       const struct rln__cpu_thread *thread, size_t change, int64_t ns,
                       struct rln__cpu_split *sum)
{
    const size_t at = thread->first + change - 1;
    const enum rln__cpu_state state =
        change ? rln__cpu_change_state(t->changes[at]) : RLN__CPU_UNKNOWN;

    if (state == RLN__CPU_MIXED && ns > 0) {
        const struct rln__cpu_split part = part_of_mix(t, thread, at, ns);

        rln__cpu_split_add(sum, &part);
    } else if (state != RLN__CPU_MIXED) {
        add(sum, state, ns);
    }
}

/* From the first time to the second, at which the change of `end` is the last one. */
static struct rln__cpu_split split(const struct rln__cpu_times *t,
                                   const struct rln__cpu_thread *thread,
                                   int64_t start_ns, int64_t end_ns, size_t end)
{
    const uint64_t *changes = t->changes + thread->first;
    const int is_short = end == 0 || rln__cpu_change_ns(changes[end - 1]) <= start_ns;
    const size_t start = is_short ? end : change_at(t, thread, start_ns);
    struct rln__cpu_split sum = {0};

    if (start == end) {
        add_before(t, thread, end, end_ns - start_ns, &sum);
        return sum;
    }
    add_changes(t, thread, thread->first + start, thread->first + end - 1, &sum);
    if (thread->has_readings && start + 1 < end)
        doubt_ends(t, thread->first + start, thread->first + end - 1, &sum);
    add_before(t, thread, start, rln__cpu_change_ns(changes[start]) - start_ns, &sum);
    add_before(t, thread, end, end_ns - rln__cpu_change_ns(changes[end - 1]), &sum);
    return sum;
}

/* NULL: nothing is known of a thread. */
static struct rln__cpu_thread *loaded(const struct rln__cpu_times *t, uint32_t thread)
{
    const uint32_t index = thread < t->n_of_thread ? t->of_thread[thread] : 0;

    return index ? &t->threads[index - 1] : NULL;
}

/* The same of one that the reader may have found since. */
static struct rln__cpu_thread *known(struct rln__cpu_times *t, uint32_t thread)
{
    if (thread >= t->n_of_thread && thread < t->reader->n_threads)
        (void)find_threads(t); /* without memory, nothing is known */
    return loaded(t, thread);
}

static struct rln__cpu_split all_unknown(int64_t start_ns, int64_t end_ns)
{
    struct rln__cpu_split sum = {0};

    add(&sum, RLN__CPU_UNKNOWN, end_ns - start_ns);
    return sum;
}

struct rln__cpu_split rln__cpu_times_between(const struct rln__cpu_times *t,
                                             uint32_t thread, int64_t start_ns,
                                             int64_t end_ns)
{
    const struct rln__cpu_thread *of = loaded(t, thread);

    return of ? split(t, of, start_ns, end_ns, change_at(t, of, end_ns))
              : all_unknown(start_ns, end_ns);
}

struct rln__cpu_split rln__cpu_times_of(struct rln__cpu_times *t, uint32_t thread,
                                        int64_t start_ns, int64_t end_ns)
{
    struct rln__cpu_thread *of = known(t, thread);

    if (!of)
        return all_unknown(start_ns, end_ns);
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

int rln__cpu_times_of_known(struct rln__cpu_times *t, const rln_range *range,
                            struct rln__cpu_split *out)
{
    const unsigned others = RLN_FLAG_OPEN | RLN_FLAG_DEFERRED | RLN_FLAG_UNPLACED;
    const struct rln__cpu_thread *of =
        range->style == RLN_RANGE_GPU || range->flags & others
            ? NULL
            : known(t, range->thread);

    if (!of || of->has_readings)
        return 0;
    *out = rln__cpu_times_of(t, range->thread, range->start_ns, range->end_ns);
    return !out->unknown_ns;
}

int rln__cpu_times_are_comparable(const struct rln__cpu_times *t, uint32_t part,
                                  const struct rln__cpu_split *split)
{
    return !t->by_readings[part] && split->unknown_ns <= rln__cpu_split_ns(split) / 100;
}

int rln__cpu_times_fit(const rln_reader *reader, unsigned n_at_once)
{
    return rln__switches_bytes(reader, RLN__NONE) <=
           rln__memory_share() / BYTES_OF_A_BYTE / n_at_once;
}

int rln__cpu_times_blocked_after(struct rln__cpu_times *t, uint32_t thread,
                                 int64_t t_ns, struct rln__blocked *out)
{
    struct rln__cpu_thread *of = known(t, thread);
    const uint64_t *changes;
    size_t at;

    if (!of)
        return 0;
    changes = t->changes + of->first;
    at = change_near(t, of, t_ns);
    for (at -= at > 0; at + 1 < of->n; at++) {
        const enum rln__cpu_state next = rln__cpu_change_state(changes[at + 1]);

        if (rln__cpu_change_state(changes[at]) != RLN__CPU_BLOCKED ||
            rln__cpu_change_ns(changes[at + 1]) <= t_ns)
            continue;
        of->last = at + 1;
        *out = (struct rln__blocked){
            rln__cpu_change_ns(changes[at]), rln__cpu_change_ns(changes[at + 1]),
            next != RLN__CPU_UNKNOWN && next != RLN__CPU_ENDED};
        return 1;
    }
    return 0;
}
