/* SPDX-License-Identifier: Apache-2.0 */
/* thread_ids.h - which thread had a value of pthread_self(), of which CUPTI records the
 * low half, at some time.
 *
 *     struct pthread  [........][robust list]     the kernel knows where each thread's
 *     ^ pthread_self()          ^                 robust list is, and the distance is
 *                                                 the same for all threads
 *
 *     low half --> tid 17  seen |-----|           a value is used again after its
 *                  tid 23             |---|       thread has ended
 *
 * All threads are looked for from time to time. One that began and ended in between is
 * unknown, and so is what a thread did after it was seen for the last time, unless it
 * is seen again: its successor may have done it. Before a thread was seen for the first
 * time, its value may have been that of an unseen predecessor, unless
 *
 *   - it had started, by the kernel's clock, which counts in steps of 10 ms, or
 *   - every thread that began up to then was seen: their numbers have no gap. A thread
 *     gets its number before it can be seen, so a number that no thread was seen to
 *     have is a gap, whichever process it belongs to.
 *
 * One thread at a time.
 */
#ifndef RLN_GPU_THREAD_IDS_H
#define RLN_GPU_THREAD_IDS_H

#include <stddef.h>
#include <stdint.h>

struct rln__thread_id {
    uint32_t low; /* half of pthread_self() */
    uint32_t tid;
    int64_t
        since_ns; /* from then on no other had it: CLOCK_REALTIME, as CUPTI's times */
    int64_t first_ns, last_ns; /* when it was seen */
    uint32_t next;             /* in its bucket: index + 1 */
};

struct rln__file_identity {
    uint64_t device, inode;
};

enum { RLN__THREAD_BUCKETS = 1024 };

/* Zeroed, except the descriptors. */
struct rln__thread_ids {
    int tasks; /* descriptor of /proc/self/task, owned; -1: no thread is found */
    int loads; /* of /proc/loadavg, owned; -1: none */
    struct rln__file_identity is_tasks, is_loads; /* they are still those */
    uint32_t
        newest; /* all with higher numbers began since, lower ones were seen; or 0 */
    uint32_t given; /* the highest number that was given out; 0: unknown */
    int64_t began_ns, refreshed_ns; /* begin and end of the last refresh */
    struct rln__thread_id *all;     /* owned: malloc */
    size_t n, capacity;
    uint32_t buckets[RLN__THREAD_BUCKETS]; /* by low half: the newest, + 1 */
};

/* Looks for all threads for the first time. */
void rln__thread_ids_init(struct rln__thread_ids *ids);

/* Looks for all threads. Without permission or memory, some are missing. */
void rln__thread_ids_refresh(struct rln__thread_ids *ids);

/* The thread's number for the kernel; 0 if it is unknown. */
uint32_t rln__thread_id_at(const struct rln__thread_ids *ids, uint32_t low,
                           int64_t t_ns);

#endif
