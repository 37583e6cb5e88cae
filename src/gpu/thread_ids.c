/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/thread_ids.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Programs use low descriptors. */
enum { HIGH = 500 };

/* One descriptor for all time: opening one each second would sometimes take a number
 * that the program expects to get. */
void rln__thread_ids_init(struct rln__thread_ids *ids)
{
    const int low = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat is;

    ids->tasks = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HIGH);
    if (low >= 0)
        (void)close(low);
    if (ids->tasks < 0 || fstat(ids->tasks, &is))
        return;
    ids->device = is.st_dev;
    ids->inode = is.st_ino;
}

/* Where the robust list of a thread is; 0 if it has none, or is gone. */
static uintptr_t robust_list(long tid)
{
    void *head = NULL;
    size_t n_bytes = 0;

    return syscall(SYS_get_robust_list, tid, &head, &n_bytes) ? 0 : (uintptr_t)head;
}

static size_t bucket_of(uint32_t low)
{
    return low / 64 * 2654435761u >> 22; /* 10 bits */
}

static void see(struct rln__thread_ids *ids, uint32_t low, uint32_t tid, int64_t now)
{
    uint32_t *bucket = &ids->buckets[bucket_of(low)];
    struct rln__thread_id *all = ids->all;

    for (uint32_t at = *bucket; at; at = all[at - 1].next) {
        if (all[at - 1].low == low && all[at - 1].tid == tid) {
            all[at - 1].last_ns = now;
            return;
        }
    }
    if (ids->n == ids->capacity) {
        const size_t capacity = ids->capacity ? 2 * ids->capacity : 64;

        all = realloc(all, capacity * sizeof(*all));
        if (!all)
            return;
        ids->all = all;
        ids->capacity = capacity;
    }
    all[ids->n] = (struct rln__thread_id){low, tid, now, now, *bucket};
    *bucket = (uint32_t)++ids->n;
}

struct entry { /* as getdents64() writes it */
    uint64_t inode;
    int64_t offset;
    uint16_t n_bytes;
    uint8_t type;
    char name[];
};

/* The program may have closed the descriptor, and opened another file. */
static int is_still_open(const struct rln__thread_ids *ids)
{
    struct stat is;

    return ids->tasks >= 0 && !fstat(ids->tasks, &is) && is.st_dev == ids->device &&
           is.st_ino == ids->inode && lseek(ids->tasks, 0, SEEK_SET) == 0;
}

void rln__thread_ids_refresh(struct rln__thread_ids *ids)
{
    _Alignas(8) char entries[4096];
    const uintptr_t own = robust_list(0);
    const uintptr_t distance = own - (uintptr_t)pthread_self();
    struct timespec t;
    int64_t now;
    long n;

    if (!own || !is_still_open(ids) || clock_gettime(CLOCK_REALTIME, &t))
        return;
    now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    while ((n = syscall(SYS_getdents64, ids->tasks, entries, sizeof(entries))) > 0) {
        for (long at = 0; at < n;) {
            const struct entry *entry = (const void *)(entries + at);
            const long tid = strtol(entry->name, NULL, 10); /* 0: "." */
            const uintptr_t head = tid > 0 ? robust_list(tid) : 0;

            if (head)
                see(ids, (uint32_t)(head - distance), (uint32_t)tid, now);
            at += entry->n_bytes;
        }
    }
}

/* The newest that was seen before or at the time decides: if it was not seen later, it
 * may have ended. Before the first was seen, it was that one. */
uint32_t rln__thread_id_at(const struct rln__thread_ids *ids, uint32_t low,
                           int64_t t_ns)
{
    uint32_t later = 0;

    for (uint32_t at = ids->buckets[bucket_of(low)]; at; at = ids->all[at - 1].next) {
        const struct rln__thread_id *id = &ids->all[at - 1];

        if (id->low != low)
            continue;
        if (id->first_ns <= t_ns)
            return t_ns <= id->last_ns ? id->tid : 0;
        later = id->tid;
    }
    return later;
}
