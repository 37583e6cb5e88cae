/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/thread_ids.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Programs use low descriptors. */
enum { HIGH = 500 };

/* One descriptor for all time: opening one at each refresh would sometimes take a
 * number that the program expects to get. */
static int open_high(const char *path, struct rln__file_identity *identity)
{
    const int low = open(path, O_RDONLY | O_CLOEXEC);
    const int high = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HIGH);
    struct stat is;

    if (low >= 0)
        (void)close(low);
    if (high < 0 || fstat(high, &is))
        return -1;
    identity->device = is.st_dev;
    identity->inode = is.st_ino;
    return high;
}

/* The program may have closed the descriptor, and opened another file. */
static int is_still_open(int descriptor, const struct rln__file_identity *identity)
{
    struct stat is;

    return descriptor >= 0 && !fstat(descriptor, &is) &&
           is.st_dev == identity->device && is.st_ino == identity->inode &&
           lseek(descriptor, 0, SEEK_SET) == 0;
}

/* --- When a thread began ---------------------------------------------------------- */

static int64_t now_of(clockid_t clock)
{
    struct timespec t = {0};

    (void)clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The number of the last process or thread that began in this PID namespace, which
 * gives them out one after the other; 0: unknown. */
static uint32_t newest_of_all(const struct rln__thread_ids *ids)
{
    char text[128]; /* "0.20 0.18 0.12 1/80 11206" */
    const char *last;
    ssize_t n;

    if (!is_still_open(ids->loads, &ids->is_loads))
        return 0;
    n = read(ids->loads, text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    last = strrchr(text, ' ');
    return last ? (uint32_t)strtoul(last + 1, NULL, 10) : 0;
}

/* By the kernel's clock, rounded up; INT64_MAX: unknown. */
static int64_t started_by(const struct rln__thread_ids *ids, uint32_t tid)
{
    enum { TICK_NS = 10000000, TICKS_FIELD = 20 }; /* after the name: the 22nd of all */
    char text[1024];
    const char *at;
    int64_t boot;
    ssize_t n;
    int file;

    (void)snprintf(text, sizeof(text), "%" PRIu32 "/stat", tid);
    file = openat(ids->tasks, text, O_RDONLY | O_CLOEXEC);
    n = file < 0 ? 0 : read(file, text, sizeof(text) - 1);
    if (file >= 0)
        (void)close(file);
    text[n > 0 ? n : 0] = '\0';
    at = strrchr(text, ')');
    for (int i = 0; at && i < TICKS_FIELD; i++)
        at = strchr(at + 1, ' ');
    if (!at)
        return INT64_MAX;
    boot = now_of(CLOCK_BOOTTIME);
    return (strtoll(at, NULL, 10) + 1) * TICK_NS + now_of(CLOCK_REALTIME) - boot;
}

static size_t bucket_of(uint32_t low)
{
    return low / 64 * 2654435761u >> 22; /* 10 bits */
}

static int has_seen(const struct rln__thread_ids *ids, uint32_t low, int64_t since_ns)
{
    for (uint32_t at = ids->buckets[bucket_of(low)]; at; at = ids->all[at - 1].next) {
        if (ids->all[at - 1].low == low && ids->all[at - 1].last_ns >= since_ns)
            return 1;
    }
    return 0;
}

/* Threads whose numbers follow each other from `newest` on began since the last
 * refresh, and no other did before them. */
static int64_t since_of(struct rln__thread_ids *ids, uint32_t low, uint32_t tid,
                        int64_t now)
{
    int64_t since;

    if (ids->newest && tid == ids->newest + 1) {
        ids->newest = tid;
        if (!has_seen(ids, low, ids->began_ns))
            return ids->refreshed_ns;
    }
    since = started_by(ids, tid);
    return since < now ? since : now;
}

/* --- Looking for threads ---------------------------------------------------------- */

/* Where the robust list of a thread is; 0 if it has none, or is gone. */
static uintptr_t robust_list(long tid)
{
    void *head = NULL;
    size_t n_bytes = 0;

    return syscall(SYS_get_robust_list, tid, &head, &n_bytes) ? 0 : (uintptr_t)head;
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
    all[ids->n] = (struct rln__thread_id){.low = low,
                                          .tid = tid,
                                          .since_ns = since_of(ids, low, tid, now),
                                          .first_ns = now,
                                          .last_ns = now,
                                          .next = *bucket};
    *bucket = (uint32_t)++ids->n;
}

struct entry { /* as getdents64() writes it */
    uint64_t inode;
    int64_t offset;
    uint16_t n_bytes;
    uint8_t type;
    char name[];
};

void rln__thread_ids_refresh(struct rln__thread_ids *ids)
{
    _Alignas(8) char entries[4096];
    const uintptr_t own = robust_list(0);
    const uintptr_t distance = own - (uintptr_t)pthread_self();
    uint32_t given, n_new = 0;
    int is_whole = 1;
    int64_t now;
    long n;

    if (!own || !is_still_open(ids->tasks, &ids->is_tasks))
        return;
    given = newest_of_all(ids);
    if (given < ids->given) /* unknown, or the numbers begin again */
        ids->newest = ids->given = 0;
    now = now_of(CLOCK_REALTIME);
    while ((n = syscall(SYS_getdents64, ids->tasks, entries, sizeof(entries))) > 0) {
        for (long at = 0; at < n;) {
            const struct entry *entry = (const void *)(entries + at);
            const long tid = strtol(entry->name, NULL, 10); /* 0: "." */
            const uintptr_t head = tid > 0 ? robust_list(tid) : 0;

            if (head)
                see(ids, (uint32_t)(head - distance), (uint32_t)tid, now);
            is_whole &= head || tid <= 0;
            n_new += (uint32_t)tid > ids->given && (uint32_t)tid <= given;
            at += entry->n_bytes;
        }
    }
    if (!ids->given || !is_whole || n_new != given - ids->given)
        ids->newest = 0;
    else if (given > ids->newest)
        ids->newest = given;
    ids->given = given > ids->newest ? given : ids->newest;
    ids->began_ns = now;
    ids->refreshed_ns = now_of(CLOCK_REALTIME);
}

void rln__thread_ids_init(struct rln__thread_ids *ids)
{
    ids->tasks = open_high("/proc/self/task", &ids->is_tasks);
    ids->loads = open_high("/proc/loadavg", &ids->is_loads);
    for (int i = 0; i < 2; i++) /* then it knows which threads it has not seen */
        rln__thread_ids_refresh(ids);
}

/* The newest that was seen before or at the time decides: if it was not seen later, it
 * may have ended, and its successor, the next to be seen, may have begun. */
uint32_t rln__thread_id_at(const struct rln__thread_ids *ids, uint32_t low,
                           int64_t t_ns)
{
    uint32_t later = 0;

    for (uint32_t at = ids->buckets[bucket_of(low)]; at; at = ids->all[at - 1].next) {
        const struct rln__thread_id *id = &ids->all[at - 1];

        if (id->low != low)
            continue;
        if (id->first_ns <= t_ns)
            return t_ns <= id->last_ns ? id->tid : later;
        later = id->since_ns <= t_ns ? id->tid : 0;
    }
    return later;
}
