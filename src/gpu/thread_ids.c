/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/thread_ids.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the robust list of a thread is; 0 if it has none, or is gone. */
static uintptr_t robust_list(long tid)
{
    void *head = NULL;
    size_t n_bytes = 0;

    return syscall(SYS_get_robust_list, tid, &head, &n_bytes) ? 0 : (uintptr_t)head;
}

static void put(struct rln__thread_ids *ids, uint32_t low, uint32_t tid)
{
    size_t i = 0;

    while (i < ids->n && ids->all[i].low != low)
        i++;
    if (i == ids->n && ids->n == ids->capacity) {
        const size_t capacity = ids->capacity ? 2 * ids->capacity : 64;
        struct rln__thread_id *all = realloc(ids->all, capacity * sizeof(*all));

        if (!all)
            return;
        ids->all = all;
        ids->capacity = capacity;
    }
    ids->n += i == ids->n;
    ids->all[i] = (struct rln__thread_id){low, tid};
}

void rln__thread_ids_refresh(struct rln__thread_ids *ids)
{
    const uintptr_t own = robust_list(0);
    const uintptr_t distance = own - (uintptr_t)pthread_self();
    DIR *tasks = own ? opendir("/proc/self/task") : NULL;
    const struct dirent *entry;

    while (tasks && (entry = readdir(tasks))) {
        const long tid = strtol(entry->d_name, NULL, 10); /* 0: "." */
        const uintptr_t head = tid > 0 ? robust_list(tid) : 0;

        if (head)
            put(ids, (uint32_t)(head - distance), (uint32_t)tid);
    }
    if (tasks)
        (void)closedir(tasks);
}

uint32_t rln__thread_id_of(const struct rln__thread_ids *ids, uint32_t low)
{
    for (size_t i = 0; i < ids->n; i++) {
        if (ids->all[i].low == low)
            return ids->all[i].tid;
    }
    return 0;
}
