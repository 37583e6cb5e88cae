/* SPDX-License-Identifier: Apache-2.0 */
/* thread_ids.h - which thread has a value of pthread_self(), of which CUPTI records the
 * low half.
 *
 *     struct pthread  [........][robust list]     the kernel knows where each thread's
 *     ^ pthread_self()          ^                 robust list is, and the distance is
 *                                                 the same for all threads
 */
#ifndef RLN_GPU_THREAD_IDS_H
#define RLN_GPU_THREAD_IDS_H

#include <stddef.h>
#include <stdint.h>

struct rln__thread_id {
    uint32_t low; /* half of pthread_self() */
    uint32_t tid;
};

/* Empty when zeroed. */
struct rln__thread_ids {
    struct rln__thread_id *all; /* owned: malloc */
    size_t n, capacity;
};

/* Finds the threads that exist now. Those found earlier stay known until another one
 * has their value. Without permission or memory, some are missing. */
void rln__thread_ids_refresh(struct rln__thread_ids *ids);

/* The thread's number for the kernel; 0 if it is unknown. */
uint32_t rln__thread_id_of(const struct rln__thread_ids *ids, uint32_t low);

#endif
