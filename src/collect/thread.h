/* SPDX-License-Identifier: Apache-2.0 */
/* thread.h - what one application thread needs to record an event.            [hot]
 *
 *      chunk (mapped file)                       struct rln__thread
 *      +--------+------------------------+       next --+   chunk --> {begin, size,
 * base} | header | word word word 0 0 0 0 |              |             never modified
 *      +--------+----------------^-------+       <------+
 *
 * The chunk belongs to this thread alone; what interrupts us is a signal handler on
 * this same thread, and a reader in another process.
 *
 * A thread has two halves. rln__thread lies in memory that the kernel wipes on fork:
 * a child finds zeros, so its `chunk` is the descriptor `unset`, whose size is 0, and
 * its first event goes to the cold path. rln__kept survives: the child is as deep in
 * its ranges as the parent was, and its guesses about names stay true. A thread that
 * was never here points at two static structures that look just like a wiped one, so
 * "new", "forked", "full" and "disk is full" are the same, single branch.
 */
#ifndef RLN_COLLECT_THREAD_H
#define RLN_COLLECT_THREAD_H

#include "collect/collector.h"

/* Where a thread writes. Filled in once, then only read: a call that was interrupted
 * may still hold it when its thread has moved on. */
struct rln__chunk {
    uintptr_t begin; /* the first word, behind the header */
    uint64_t size;   /* bytes from there; 0: nothing fits */
    uint64_t base_ticks;
    uint64_t first_id; /* the range id of a start at `begin` */
};

enum {
    RLN__DESCRIPTORS = 8,   /* a handler would have to fill that many chunks */
    RLN__NEAR_DOMAINS = 64, /* depths at hand; the others' are a mapping away */
    RLN__GUESSES = 2048,    /* two ways a set */
    RLN__SEEN = 256,
};

struct rln__thread {
    struct rln__chunk unset; /* always zero; `chunk` 0 means this one */
    uintptr_t next;          /* the next free word */
    uintptr_t chunk;         /* offset of the current descriptor in this structure */
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

struct rln__kept {
    uint32_t depth[RLN__NEAR_DOMAINS];
    uint32_t *far_depth;      /* RLN__MAX_DOMAINS of them, or NULL */
    uint32_t seen[RLN__SEEN]; /* hashes of texts that went in line: intern.c */
    /* Pointers to attributes, a tag in the upper 16 bits: where to look first for a
     * message at some address. A guess is confirmed by content: intern.h. */
    uint64_t guesses[RLN__GUESSES];
};

struct rln__self {
    struct rln__thread *thread;
    struct rln__kept *kept;
};

/* Two pointers: a block of a few KiB here made dlopen() of the collector fail. */
extern __thread struct rln__self rln__self;

/* The calling thread's structures, set up if need be; NULL without memory. Cold, and
 * with signals blocked. */
struct rln__thread *rln__thread_ready(void);

/* Where the depth of a domain past the near ones is kept; a spare without memory. */
uint32_t *rln__depth_far(uint32_t domain);

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

static inline uint32_t rln__add_unsplit32(uint32_t *to, uint32_t n)
{
#if defined(__x86_64__)
    __asm__ volatile("xaddl %0, %1" : "+r"(n), "+m"(*to) : : "cc");
    return n;
#else
    return __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

static inline uint32_t *rln__depth(uint32_t domain)
{
    if (RLN_LIKELY(domain < RLN__NEAR_DOMAINS))
        return &rln__self.kept->depth[domain];
    return rln__depth_far(domain);
}

/* The depth of the range that begins. */
static inline int rln__enter(uint32_t domain)
{
    return (int)rln__add_unsplit32(rln__depth(domain), 1);
}

/* The depth of the range that ends, -1 if there is none. */
static inline int rln__leave(uint32_t domain)
{
    uint32_t *depth = rln__depth(domain);

    /* A handler between the two leaves the depth as it found it. */
    if (RLN_UNLIKELY(*depth == 0))
        return -1;
    return (int)rln__add_unsplit32(depth, (uint32_t)-1) - 1;
}

#endif
