/* SPDX-License-Identifier: Apache-2.0 */
/* thread.h - what one application thread needs to record an event.            [hot]
 *
 *     chunk (mapped file)                      struct rln__chunk
 *     +--------+------------------------+
 *     | header | word word word 0 0 0 0 |
 *     +--------+----------------^-------^      end
 *                               |       |
 *                               +-------+      minus_left: of it, negated
 *
 * The chunk belongs to this thread alone; what interrupts us is a signal handler on
 * this same thread, and a reader in another process.
 *
 * A thread has two halves. rln__thread lies in memory that the kernel wipes on fork:
 * a child finds zeros, so nothing is left of its chunk, and its first event goes to the
 * cold path. rln__kept survives: the child is as deep in its ranges as the parent was,
 * and its guesses about names stay true. A thread that was never here points at two
 * static structures that look just like a wiped one, so "new", "forked", "full" and
 * "disk is full" are the same, single branch.
 */
#ifndef RLN_COLLECT_THREAD_H
#define RLN_COLLECT_THREAD_H

#include "collect/collector.h"

/* Where a thread writes. What is left of it is the only thing that changes: a call that
 * was interrupted may still hold it when its thread has moved on, and then finds it
 * full.
 */
struct rln__chunk {
    /* The bytes that are left for the hot path, negated: one addition takes room and
     * says whether there was any. 0 or more is full; where the clock is the kernel's to
     * read, it always is. */
    uintptr_t minus_left;
    uintptr_t end;   /* behind the last word; 0: a fork has wiped this */
    uint64_t late;   /* ticks from which on an event needs a longer record */
    uint64_t end_id; /* the range id that a start at `end` would have */
    uint64_t base_ticks;
    uintptr_t slow_minus_left; /* for the cold path, where the hot one is always full */
};

enum {
    RLN__DESCRIPTORS = 16, /* one handler would have to fill that many chunks: 9 MiB */
    RLN__GUESS_BITS = 10,
    RLN__GUESSES = 1 << RLN__GUESS_BITS,
    RLN__SEEN = 256,
};

struct rln__thread {
    struct rln__chunk unset; /* nothing is ever left of it */
    uint32_t tid;            /* atomic; 0: nobody's */
    uint32_t index;
    uint32_t sequence; /* chunks written in so far */
    uint32_t n_descriptors;
    uint64_t chunk_bytes;     /* of the next chunk: doubles up to 1 MiB */
    uint64_t n_dropped;       /* since the last gap record */
    uint64_t retry_ticks;     /* no room: not tried again before */
    struct rln__block *block; /* that the current chunk is cut from */
    uint64_t cut_bytes;       /* of the current chunk, header included */
    uint32_t must_announce;   /* the chunk still lacks its thread record */
    struct rln__chunk descriptors[RLN__DESCRIPTORS];
};

struct rln__attributes;

struct rln__kept {
    uint32_t
        depth[RLN__MAX_DOMAINS]; /* pages of domains that are not used stay untouched */
    /* Where to look first for the attributes of a message at some address. A guess is
     * confirmed by content: intern.h. */
    const struct rln__attributes *guesses[RLN__GUESSES];
    const struct rln__attributes *older[RLN__GUESSES]; /* what they pushed aside */
    uint32_t guessed[2][RLN__GUESSES]; /* what both are about: an address's hash */
    uint32_t seen[RLN__SEEN];          /* hashes of texts that went in line: intern.c */
};

struct rln__self {
    struct rln__chunk *chunk; /* one of the thread's */
    struct rln__kept *kept;
    struct rln__thread *thread;
};

/* Three pointers: a block of a few KiB here made dlopen() of the collector fail. */
extern __thread struct rln__self rln__self;

/* Its owner, 0 if it has been wiped. Others look at it, to find out if the owner lives.
 */
static inline uint32_t rln__tid(const struct rln__thread *t)
{
    return __atomic_load_n(&t->tid, __ATOMIC_RELAXED);
}

/* The calling thread's structures, set up if need be; NULL without memory. Cold, and
 * with signals blocked. */
struct rln__thread *rln__thread_ready(void);

/* Adds in one instruction that no signal handler can split: what it took between is
 * not given out twice. Not atomic against other threads; there are none. */
static inline uintptr_t rln__add_unsplit(uintptr_t *to, uintptr_t n)
{
#if defined(__x86_64__)
    __asm__ volatile("xaddq %0, %1" : "+r"(n), "+m"(*to) : : "cc");
    return n;
#else
    return __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

/* Takes *n bytes of what is left, in one such instruction: *n becomes what was left,
 * negated. Says whether that was too little. */
static inline int rln__take_unsplit(uintptr_t *minus_left, uintptr_t *n)
{
#if defined(__x86_64__)
    int is_full;

    __asm__ volatile("xaddq %0, %1"
                     : "+r"(*n), "+m"(*minus_left), "=@ccg"(is_full)
                     :
                     : "memory");
    return is_full;
#else
    const uintptr_t n_bytes = *n;

    *n = __atomic_fetch_add(minus_left, n_bytes, __ATOMIC_RELAXED);
    return (intptr_t)(*n + n_bytes) > 0;
#endif
}

/* Adds, where nobody needs to know what it was: a cheaper instruction. */
static inline void rln__change_unsplit(uint32_t *to, uint32_t n)
{
#if defined(__x86_64__)
    __asm__ volatile("addl %1, %0" : "+m"(*to) : "ri"(n) : "cc");
#else
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

/* The depth of the range that begins. A handler in between leaves the depth as it found
 * it, or changes it for good; it is counted either way. */
static inline uint32_t rln__enter(uint32_t domain)
{
    uint32_t *depth = &rln__self.kept->depth[domain];
    const uint32_t own = *depth;

    rln__change_unsplit(depth, 1);
    return own;
}

/* The depth of the range that ends, -1 if there is none. */
static inline uint32_t rln__leave(uint32_t domain)
{
    uint32_t *depth = &rln__self.kept->depth[domain];
    const uint32_t own = *depth - 1;

    if (RLN_LIKELY(own != (uint32_t)-1))
        rln__change_unsplit(depth, (uint32_t)-1);
    return own;
}

#endif
