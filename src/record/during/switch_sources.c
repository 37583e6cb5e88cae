/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/switch_sources.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/count.h"

#define MOST_PROCESSORS 32

/* At 460,000 switches a second a processor's largest ring lasts for 20 ms. */
#define MOST_PROCESSOR_BYTES (512u << 10)
#define LEAST_PROCESSOR_BYTES (32u << 10)
/* A switch has 64 bytes: 256 of them. */
#define MOST_THREAD_BYTES (16u << 10)
/* For whatever else the launcher opens. */
#define OTHER_DESCRIPTORS 64

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Rings count as locked memory of their user, beyond what perf_event_mlock_kb permits or
 * not: what is left of RLIMIT_MEMLOCK is what the program itself may lock, for io_uring
 * and such. */
static size_t memory_limit(void)
{
    struct rlimit limit;

    if (geteuid() == 0 || getrlimit(RLIMIT_MEMLOCK, &limit) < 0 ||
        limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    return (size_t)limit.rlim_cur;
}

/* EPERM is also what mmap() says if the memory is used up. */
static bool is_want_of_memory(int result)
{
    return result == -EPERM || result == -ENOMEM;
}

/* --- The list --------------------------------------------------------------------- */

static int wait_for(const struct rln__switch_sources *s,
                    const struct rln__switch_ring *ring,
                    struct rln__switch_source *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};

    if (ring->fd < 0)
        return 0;
    return epoll_ctl(s->waits, EPOLL_CTL_ADD, ring->fd, &event) < 0 ? -errno : 0;
}

static void close_source(struct rln__switch_source *source)
{
    rln__switch_ring_close(&source->switches);
    rln__switch_ring_close(&source->lives);
    rln__cpu_clocks_close(&source->clocks);
    rln__free(source);
}

static int append(struct rln__switch_sources *s, struct rln__switch_source *source)
{
    struct rln__switch_source **at;
    int result = wait_for(s, &source->switches, source);

    if (!result)
        result = wait_for(s, &source->lives, source);
    if (result)
        return result;
    at = rln__append(&s->all, &s->n, &s->capacity, sizeof(struct rln__switch_source *));
    if (!at)
        return -ENOMEM;
    *at = source;
    return 0;
}

static struct rln__switch_source *new_source(void)
{
    struct rln__switch_source *source = rln__alloc(1, sizeof(*source));

    if (source)
        source->switches.fd = source->lives.fd = source->clocks.fd = -1;
    return source;
}

/* --- Processors ------------------------------------------------------------------- */

static int open_processor(struct rln__switch_sources *s, pid_t child, int processor,
                          size_t n_bytes)
{
    const struct rln__ring_options options = {
        .thread = child,
        .processor = processor,
        .events = RLN__RING_SWITCHES | RLN__RING_LIVES,
        .is_inherited = true,
        .begins_at_exec = true,
        .n_bytes = n_bytes,
        .wakes_bytes = n_bytes / 4,
    };
    struct rln__switch_source *source = new_source();
    int result = source ? rln__switch_ring_open(&source->switches, &options) : -ENOMEM;

    if (!result)
        result = append(s, source);
    if (result && source)
        close_source(source);
    return result == -ENODEV ? 0 : result; /* it is offline */
}

static int open_processors(struct rln__switch_sources *s, pid_t child,
                           const cpu_set_t *processors, size_t n_bytes)
{
    int result = 0;

    for (size_t i = 0; i < CPU_SETSIZE && !result; i++)
        if (CPU_ISSET(i, processors))
            result = open_processor(s, child, (int)i, n_bytes);
    return result;
}

static int open_with_room(struct rln__switch_sources *s, pid_t child,
                          const cpu_set_t *processors)
{
    const size_t share = memory_limit() / 8 / (size_t)CPU_COUNT(processors);
    size_t n_bytes = MOST_PROCESSOR_BYTES;

    while (n_bytes + page_bytes() > share && n_bytes > LEAST_PROCESSOR_BYTES)
        n_bytes /= 2;
    for (;; n_bytes /= 2) {
        const int result = open_processors(s, child, processors, n_bytes);

        if (!result || !is_want_of_memory(result) ||
            n_bytes / 2 < LEAST_PROCESSOR_BYTES || n_bytes / 2 < page_bytes())
            return result;
        while (s->n)
            rln__switch_sources_remove(s, s->n - 1);
    }
}

/* --- Threads ---------------------------------------------------------------------- */

static size_t bytes_of(const struct rln__switch_source *source)
{
    return source->lives.fd < 0
               ? 0
               : source->lives.n_bytes + source->switches.n_bytes + 2 * page_bytes();
}

/* The rings of threads have half of the memory: large ones, as long as that is half empty. */
static size_t thread_bytes(const struct rln__switch_sources *s)
{
    const size_t most = memory_limit() / 2, least = page_bytes();

    if (s->n_bytes + 4 * least > most)
        return 0;
    return s->n_bytes < most / 2 && MOST_THREAD_BYTES > least ? MOST_THREAD_BYTES
                                                              : least;
}

/* Two, since whoever waits is to see at once that a thread was born, and switches only
 * when there are many. */
static int open_rings(const struct rln__switch_sources *s,
                      struct rln__switch_source *source, bool begins_at_exec)
{
    struct rln__ring_options options = {
        .thread = (pid_t)source->tid,
        .processor = -1,
        .events = RLN__RING_LIVES,
        .begins_at_exec = begins_at_exec,
        .n_bytes = page_bytes(),
        .wakes_bytes = 1,
    };
    const size_t n_bytes = thread_bytes(s);
    int result = n_bytes ? rln__switch_ring_open(&source->lives, &options) : -ENOMEM;

    if (result)
        return result;
    options.events = RLN__RING_SWITCHES;
    options.n_bytes = n_bytes;
    for (;; options.n_bytes /= 2) {
        options.wakes_bytes = options.n_bytes / 2;
        result = rln__switch_ring_open(&source->switches, &options);
        if (!is_want_of_memory(result) || options.n_bytes / 2 < page_bytes())
            return result;
    }
}

static void count_thread(struct rln__switch_sources *s, uint32_t pid, int change)
{
    const uint64_t n = rln__map_get(&s->n_by_pid, pid) + (uint64_t)change;

    if (n)
        (void)rln__map_put(&s->n_by_pid, pid, n);
    else
        (void)rln__map_remove(&s->n_by_pid, pid);
}

static int open_thread(struct rln__switch_sources *s, uint32_t pid, uint32_t tid,
                       bool begins_at_exec)
{
    struct rln__switch_source *source = new_source();
    int result = -ENOMEM;

    if (source) {
        source->pid = pid;
        source->tid = tid;
        result = s->way == RLN__CLOCKS_BY_THREAD
                     ? rln__cpu_clocks_open(&source->clocks, pid, tid)
                     : open_rings(s, source, begins_at_exec);
    }
    if (!result)
        result = append(s, source);
    if (!result) {
        (void)rln__map_put(&s->by_tid, tid, s->n);
        count_thread(s, pid, 1);
        s->n_bytes += bytes_of(source);
    } else if (source) {
        close_source(source);
    }
    return result;
}

/* Each thread has one or two descriptors here; the child has its own limit already. */
static void permit_descriptors(struct rln__switch_sources *s, unsigned n_each)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    s->most = limit.rlim_max > OTHER_DESCRIPTORS
                  ? (size_t)(limit.rlim_max - OTHER_DESCRIPTORS) / n_each
                  : 0;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int rln__switch_sources_add(struct rln__switch_sources *s, uint32_t pid, uint32_t tid)
{
    const uint64_t at = rln__map_get(&s->by_tid, tid);

    if (at && !s->all[at - 1]->has_ended)
        return -EEXIST;
    return s->n < s->most ? open_thread(s, pid, tid, false) : -ENOMEM;
}

void rln__switch_sources_rename(struct rln__switch_sources *s, size_t index,
                                uint32_t tid)
{
    struct rln__switch_source *source = s->all[index];

    if (rln__map_get(&s->by_tid, source->tid) == index + 1)
        (void)rln__map_remove(&s->by_tid, source->tid);
    source->tid = tid;
    (void)rln__map_put(&s->by_tid, tid, index + 1);
}

void rln__switch_sources_remove(struct rln__switch_sources *s, size_t index)
{
    struct rln__switch_source *source = s->all[index], *last = s->all[--s->n];

    if (s->way != RLN__SWITCHES_BY_PROCESSOR) {
        if (rln__map_get(&s->by_tid, source->tid) == index + 1)
            (void)rln__map_remove(&s->by_tid, source->tid);
        if (rln__map_get(&s->by_tid, last->tid) == s->n + 1)
            (void)rln__map_put(&s->by_tid, last->tid, index + 1);
        count_thread(s, source->pid, -1);
        s->n_bytes -= bytes_of(source);
    }
    s->all[index] = last;
    close_source(source);
}

/* --- All of them ------------------------------------------------------------------ */

static int open_first_thread(struct rln__switch_sources *s, pid_t child,
                             enum rln__switch_way way)
{
    s->way = way;
    permit_descriptors(s, way == RLN__CLOCKS_BY_THREAD ? 1 : 2);
    return open_thread(s, (uint32_t)child, (uint32_t)child, true);
}

static int open_all(struct rln__switch_sources *s, pid_t child)
{
    cpu_set_t processors;
    /* It refuses where there are more than 1,024. */
    const bool are_known =
        sched_getaffinity(child, sizeof(processors), &processors) == 0;
    const int n = are_known ? CPU_COUNT(&processors) : 0;
    const int result = n && n <= MOST_PROCESSORS
                           ? open_with_room(s, child, &processors)
                           : open_first_thread(s, child, RLN__SWITCHES_BY_THREAD);

    s->n_processors = (size_t)n;
    if (!result)
        return 0;
    while (s->n)
        rln__switch_sources_remove(s, s->n - 1);
    s->refusal = result;
    return rln__cpu_clocks_are_there() &&
                   !open_first_thread(s, child, RLN__CLOCKS_BY_THREAD)
               ? 0
               : result;
}

int rln__switch_sources_open(struct rln__switch_sources *s, pid_t child, int stop)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    int result;

    *s = (struct rln__switch_sources){.waits = epoll_create1(EPOLL_CLOEXEC)};
    if (s->waits < 0)
        return -errno;
    result = epoll_ctl(s->waits, EPOLL_CTL_ADD, stop, &event) < 0 ? -errno
                                                                  : open_all(s, child);
    if (result)
        rln__switch_sources_close(s);
    return result;
}

void rln__switch_sources_close(struct rln__switch_sources *s)
{
    while (s->n)
        rln__switch_sources_remove(s, s->n - 1);
    rln__free(s->all);
    rln__map_clear(&s->by_tid);
    rln__map_clear(&s->n_by_pid);
    (void)close(s->waits);
}

bool rln__switch_sources_wait(struct rln__switch_sources *s, int ms)
{
    struct epoll_event events[64];
    const int n = epoll_wait(s->waits, events, (int)RLN_COUNT(events), ms);
    bool goes_on = true;

    for (int i = 0; i < n; i++) {
        struct rln__switch_source *source = events[i].data.ptr;

        if (!source)
            goes_on = goes_on && events[i].events & EPOLLIN;
        else if (events[i].events & EPOLLHUP)
            source->is_over = true;
    }
    return goes_on;
}
