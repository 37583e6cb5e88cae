/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_times.h - what a thread's time was made of, between any two times: on a processor,
 * preempted (it could have gone on), blocked (it waited), or unknown.
 *
 *   thread     on      preempted   on     blocked        on
 *           |-------|...........|------|             |--------
 *   range        [-----------------------------------]
 *                3  +     3     +  2   +     5           = its duration
 *
 * The switches of a run say so. A wake-up is none: to be blocked includes the wait for a
 * processor after it. Where switches were lost, or a thread's were not recorded, its
 * time is unknown. Where there are only readings of a thread's clocks, so is what part of
 * a state was before or after a time between two of them:
 *
 *   readings   |  7 on, 3 blocked  |      10
 *   range      [--------------]           8: at least 5 on, 1 blocked; 2 unknown
 */
#ifndef RLN_RANGES_CPU_TIMES_H
#define RLN_RANGES_CPU_TIMES_H

#include "base/hash.h"
#include "trace/open/opened.h"

/* The first four add up to the time that was asked for. */
struct rln__cpu_split {
    uint64_t on_ns, preempted_ns, blocked_ns, unknown_ns;
    uint64_t
        to_own_ns; /* of preempted: other threads of the program had its processor */
};

static inline void rln__cpu_split_add(struct rln__cpu_split *sum,
                                      const struct rln__cpu_split *other)
{
    sum->on_ns += other->on_ns;
    sum->preempted_ns += other->preempted_ns;
    sum->blocked_ns += other->blocked_ns;
    sum->unknown_ns += other->unknown_ns;
    sum->to_own_ns += other->to_own_ns;
}

static inline uint64_t rln__cpu_split_known_ns(const struct rln__cpu_split *split)
{
    return split->on_ns + split->preempted_ns + split->blocked_ns;
}

static inline uint64_t rln__cpu_split_ns(const struct rln__cpu_split *split)
{
    return rln__cpu_split_known_ns(split) + split->unknown_ns;
}

/* Whether enough of a range is known to compare what it was made of with that of others: all
 * but 5 %. */
static inline int rln__cpu_split_is_known(const struct rln__cpu_split *split)
{
    return split->unknown_ns <= rln__cpu_split_ns(split) / 20;
}

/* Who had the processor in preempted time, in words: the program itself or others if they had
 * nearly all of it. Readings of clocks do not tell. */
const char *rln__cpu_split_who(const struct rln__cpu_split *split, int has_readings);

/* What the time between two readings of a thread's clocks was made of: the rest of it,
 * the thread was blocked. */
struct rln__cpu_mix {
    uint64_t on_ns, preempted_ns;
    uint64_t late_ns; /* preempted perhaps before it, in the place of blocked time */
};

/* The states of a thread of the kernel, one after the other. */
struct rln__cpu_thread {
    size_t first, n; /* in the changes */
    size_t last;     /* the change that the last question ended in: index, + 1; or 0 */
    uint8_t has_readings; /* of its clocks, so that changes are not when they are */
    uint32_t part;
};

struct rln__cpu_times {
    rln_reader *reader; /* borrowed */
    /* {time:60, state:4}: owned, by thread and time, as the next. */
    uint64_t *changes;
    size_t n_changes, changes_capacity;
    struct rln__cpu_mix *mixes; /* owned: by change; of threads with readings */
    size_t n_mixes, mixes_capacity;
    size_t n_readings;           /* of clocks */
    uint8_t *by_readings;        /* owned: by part, whether it has any */
    struct rln__cpu_split *sums; /* of all before each 64th change */
    struct rln__cpu_thread *threads;
    size_t n_threads, threads_capacity;
    struct rln__map by_tid; /* {part, tid} -> index + 1 */
    /* Owned: by the reader's threads, index + 1; 0: none. A scan may find more. */
    uint32_t *of_thread;
    size_t n_of_thread, of_thread_capacity;
    uint8_t *is_known; /* owned: by process, whether the switches have its ids */
    size_t n_processes;
};

/* Whether a part of the trace has any switches; RLN__NONE: any part. */
int rln__has_cpu_times(const rln_reader *reader, uint32_t part);

/* From when on the switches of a part are here, where older ones were overwritten; RLN__NONE: of
 * the part where that is latest. INT64_MIN: none were. */
int64_t rln__cpu_times_since_ns(const rln_reader *reader, uint32_t part);

/* Why switches of a part are missing, as its launcher says; empty: it does not. RLN__NONE:
 * of the first part of which it does. */
rln_text rln__cpu_times_why_missing(const rln_reader *reader, uint32_t part);

/* Fails without them, with the reason if the run has noted it. */
rln_status rln__cpu_times_require(const rln_reader *reader, uint32_t part,
                                  rln_error *err);

/* Reads all switches; without any, all times are unknown. The reader must not be
 * refreshed while the table is in use. */
rln_status rln__cpu_times_load(struct rln__cpu_times *times, rln_reader *reader,
                               rln_error *err);
/* Whether so many tables at once take no more than a share of the memory (base/allowance.h):
 * for what is worth less than all of it. */
int rln__cpu_times_fit(const rln_reader *reader, unsigned n_at_once);
void rln__cpu_times_clear(struct rln__cpu_times *times);

/* What the time of a thread of the reader was made of. Best asked for ranges in the order
 * of their ends: one without a switch in it costs a few ns. */
struct rln__cpu_split rln__cpu_times_of(struct rln__cpu_times *times, uint32_t thread,
                                        int64_t start_ns, int64_t end_ns);

/* The same in any order, with no memory of the last question: several threads may ask. Of
 * threads that the reader had when the times were loaded. */
struct rln__cpu_split rln__cpu_times_between(const struct rln__cpu_times *times,
                                             uint32_t thread, int64_t start_ns,
                                             int64_t end_ns);

/* The same of a range: its time in the window. One of a thread that the reader has not,
 * such as a lane of deferred ranges, is unknown. */
struct rln__cpu_split rln__cpu_times_of_range(struct rln__cpu_times *times,
                                              uint32_t thread, int64_t start_ns,
                                              int64_t end_ns);

/* That of a range, if all of it is known: 1, or 0. Readings of clocks know it of few
 * ranges, which are not like the others: not of any; nor of a deferred range, which is of no
 * thread. */
int rln__cpu_times_of_known(struct rln__cpu_times *times, const rln_range *range,
                            struct rln__cpu_split *out);

/* Whether the time of a range of the part on a processor may be compared with that of others:
 * all but 1 % of it is known, by switches. Readings of clocks know ranges in which a thread
 * did one thing: the others would be missed. */
int rln__cpu_times_are_comparable(const struct rln__cpu_times *times, uint32_t part,
                                  const struct rln__cpu_split *split);

/* A time at which a thread was blocked. */
struct rln__blocked {
    int64_t start_ns, end_ns;
    int has_woken; /* at the end it could go on; else what came then is unknown */
};

/* The first one of a thread of the reader that ends after `t_ns`; 0: there is none. */
int rln__cpu_times_blocked_after(struct rln__cpu_times *times, uint32_t thread,
                                 int64_t t_ns, struct rln__blocked *out);

#endif
