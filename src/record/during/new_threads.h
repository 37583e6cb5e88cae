/* SPDX-License-Identifier: Apache-2.0 */
/* new_threads.h - threads that were born, to be recorded each by itself.
 *
 *   thread 1   creates 2 ................
 *   thread 2             | creates 3 ....      not recorded yet: no record says so
 *   launcher                 | opens rings for 2, and looks for what else there is
 */
#ifndef RLN_RECORD_DURING_NEW_THREADS_H
#define RLN_RECORD_DURING_NEW_THREADS_H

#include "record/during/switch_sources.h"

struct rln__new_thread {
    uint32_t pid, tid;
    bool is_recorded; /* only what it has created is missing */
    bool was_found;   /* by a search, not by a record */
};

/* Zeroed: none. */
struct rln__new_threads {
    struct rln__new_thread *items; /* owned, as the next */
    size_t n, capacity;
    uint32_t *pids; /* of processes that may have more, which no record shows */
    size_t n_pids, pids_capacity;
    size_t n_without_room; /* so many are not recorded */
    size_t n_refused;      /* of these, since the last search */
};

void rln__new_threads_note(struct rln__new_threads *threads,
                           const struct rln__new_thread *thread);
/* Looks again for those of all processes that are recorded, where no record tells of
 * births; if asked to, for new processes, too. */
void rln__new_threads_search(struct rln__new_threads *threads,
                             const struct rln__switch_sources *sources,
                             bool also_processes);
/* Begins to record them, and all that they have created meanwhile, some hundred at a
 * time: while `n` is not 0, there are more. `take` gets for each a record of what it was
 * doing then. */
void rln__new_threads_add(
    struct rln__new_threads *threads, struct rln__switch_sources *sources,
    void (*take)(void *context, const struct rln__ring_record *record), void *context);
void rln__new_threads_clear(struct rln__new_threads *threads);

#endif
