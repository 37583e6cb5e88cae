/* SPDX-License-Identifier: Apache-2.0 */
/* thread.c - gives each thread its structures, and reuses those of threads that ended.
 *
 * The end of a thread cannot be observed: destructors of thread-local storage run in
 * any order, and events may come after ours. Instead, a new thread checks a few
 * structures in use and asks the kernel whether their owners are gone. That is exact,
 * costs the new thread a microsecond, and lets it continue in the dead thread's chunk.
 *
 * A forked child does not know its parent's arenas (rln__process_context is wiped).
 * Only the thread that forked finds its own structure again, through rln__self; giving
 * the other structures to new threads could also give that one away.
 */
#include "collect/event/thread.h"

#include "collect/event/intern.h"
#include "collect/process/process.h"

enum {
    ARENA_THREADS = 64,
    PROBES = 4, /* structures checked per new thread and arena */
};

struct rln__arena {
    struct rln__arena *next;             /* atomic */
    struct rln__thread_context *threads; /* wiped on fork */
    struct rln__kept *kept;
    uint32_t n_used; /* atomic; may exceed ARENA_THREADS */
    uint32_t hand;   /* atomic: where the next search for dead owners begins */
};

_Static_assert(sizeof(struct rln__thread_context) <= 1024, "64 threads fit 64 KiB");

struct rln__new_thread rln__new_thread;
__thread struct rln__self rln__self;

/* --- arenas ----------------------------------------------------------------------- */

static struct rln__arena *new_arena(void)
{
    const size_t wiped_bytes = 65536; /* whole pages, of any size */
    const size_t kept_bytes =
        (sizeof(struct rln__arena) + ARENA_THREADS * sizeof(struct rln__kept) + 65535) &
        ~(size_t)65535;
    char *wiped = rln__sys_zeros(wiped_bytes);
    char *kept = rln__sys_zeros(kept_bytes);
    struct rln__arena *a;

    if (!wiped || !kept || rln__sys_madvise(wiped, wiped_bytes, MADV_WIPEONFORK) < 0) {
        if (wiped)
            rln__sys_munmap(wiped, wiped_bytes);
        if (kept)
            rln__sys_munmap(kept, kept_bytes);
        return NULL;
    }
    a = (struct rln__arena *)(void *)(kept + ARENA_THREADS * sizeof(struct rln__kept));
    a->threads = (struct rln__thread_context *)(void *)wiped;
    a->kept = (struct rln__kept *)(void *)kept;
    return a;
}

int rln__threads_must_wait(void)
{
    const struct rln__process_context *p = rln__collector.process;
    const uint64_t before =
        p ? __atomic_load_n(&p->no_arena_before, __ATOMIC_RELAXED) : 0;

    return before && rln__now() < before;
}

/* The arena at `*link`, made if there is none. */
static struct rln__arena *arena_at(struct rln__arena **link)
{
    struct rln__arena *a = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    struct rln__arena *fresh;

    if (a)
        return a;
    if (rln__threads_must_wait())
        return NULL;
    fresh = new_arena();
    if (!fresh) {
        __atomic_store_n(&rln__collector.process->no_arena_before,
                         rln__now() + rln__collector.ticks_per_100_ms,
                         __ATOMIC_RELAXED);
        return NULL;
    }
    if (__atomic_compare_exchange_n(link, &a, fresh, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    /* Another thread was faster. Our mapping stays, but is never touched. */
    return a;
}

/* --- claiming --------------------------------------------------------------------- */

static int claim(struct rln__thread_context *t, uint32_t owner, uint32_t tid)
{
    return __atomic_compare_exchange_n(&t->tid, &owner, tid, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* Claims the structure of a thread that has ended, or returns -1. */
static int claim_from_dead(struct rln__arena *a, uint32_t n, uint32_t pid, uint32_t tid)
{
    for (uint32_t i = 0; i < PROBES && i < n; i++) {
        const uint32_t at = __atomic_fetch_add(&a->hand, 1, __ATOMIC_RELAXED) % n;
        const uint32_t owner = __atomic_load_n(&a->threads[at].tid, __ATOMIC_RELAXED);

        if ((owner == tid || rln__sys_tgkill(pid, owner, 0) == -ESRCH) &&
            claim(&a->threads[at], owner, tid))
            return (int)at;
    }
    return -1;
}

/* ThreadSanitizer cannot know that a thread which the kernel no longer finds has made
 * its last store. With it, each thread gets a new structure. */
#if defined(__SANITIZE_THREAD__)
enum { TAKES_OVER = 0 };
#else
enum { TAKES_OVER = 1 };
#endif

uint32_t rln__thread_claim_dead(struct rln__process_context *p,
                                struct rln__thread_context *t)
{
    const uint32_t owner = rln__tid(t), tid = rln__sys_gettid();

    return TAKES_OVER && owner && owner != tid &&
                   rln__sys_tgkill(p->pid, owner, 0) == -ESRCH && claim(t, owner, tid)
               ? owner
               : 0;
}

void rln__thread_unclaim(struct rln__thread_context *t, uint32_t tid)
{
    __atomic_store_n(&t->tid, tid, __ATOMIC_RELEASE);
}

/* Claims a structure in the arena, or returns -1. */
static int claim_in(struct rln__arena *a, uint32_t pid, uint32_t tid)
{
    const uint32_t n_used = __atomic_load_n(&a->n_used, __ATOMIC_RELAXED);
    const uint32_t n = n_used < ARENA_THREADS ? n_used : ARENA_THREADS;
    const int index = TAKES_OVER ? claim_from_dead(a, n, pid, tid) : -1;
    uint32_t fresh;

    if (index >= 0 || n == ARENA_THREADS)
        return index;
    fresh = __atomic_fetch_add(&a->n_used, 1, __ATOMIC_RELAXED);
    return fresh < ARENA_THREADS && claim(&a->threads[fresh], 0, tid) ? (int)fresh : -1;
}

static void introduce(struct rln__thread_context *t)
{
    t->index =
        __atomic_add_fetch(&rln__collector.process->n_threads, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&t->sequence, 0, __ATOMIC_RELAXED);
    t->n_dropped = 0;
    t->n_unrecorded = 0;
    t->n_watched = 0;
    t->retry_ticks = 0;
    /* Even if a dead thread's chunk has space left, the next event must take the cold
     * path, which writes the thread record; this call may be for a name and not for an
     * event. */
    rln__use_chunk(&t->unset);
    t->must_announce = 1;
}

static struct rln__thread_context *become(struct rln__arena *a, int index)
{
    struct rln__thread_context *t = &a->threads[index];
    struct rln__kept *kept = &a->kept[index];

    for (uint32_t d = 0; d < rln__intern_n_domains(); d++)
        kept->depth[d] = 0;
    kept->n_excluded = 0;
    introduce(t);
    rln__self.kept = (uintptr_t)kept - (uintptr_t)&rln__new_thread.kept;
    rln__self.thread = (uintptr_t)t - (uintptr_t)&rln__new_thread.thread;
    return t;
}

struct rln__thread_context *rln__thread_ready(void)
{
    struct rln__process_context *p = rln__collector.process;
    struct rln__thread_context *t = rln__own_thread();
    struct rln__arena **link = &p->arenas;
    uint32_t tid;

    if (RLN_LIKELY(rln__tid(t) != 0))
        return t;
    tid = rln__sys_gettid();
    if (t != &rln__new_thread.thread) { /* wiped: this is the thread that forked */
        __atomic_store_n(&t->tid, tid, __ATOMIC_RELAXED);
        introduce(t);
        return t;
    }
    /* In a child of vfork, the structure would stay in its parent's memory as a dead
     * thread's. Only threads that already have one can record there. */
    if (rln__is_vfork_child(p))
        return NULL;
    for (;;) {
        struct rln__arena *a = arena_at(link);
        int index;

        if (!a)
            return NULL;
        index = claim_in(a, p->pid, tid);
        if (index >= 0)
            return become(a, index);
        link = &a->next;
    }
}
