/* SPDX-License-Identifier: Apache-2.0 */
/* thread.h - what one application thread needs to record an event.            [hot]
 *
 *     chunk (mapped file)                      struct rln__chunk_cursor
 *     +--------+------------------------+
 *     | header | word word word 0 0 0 0 |
 *     +--------+----------------^-------^      end
 *                               |       |
 *                               +-------+      minus_left: this distance, negated
 *
 * The chunk belongs to this thread alone. Only a signal handler on the same thread can
 * interrupt us, and only a reader in another process looks on.
 *
 * A thread has two halves. rln__thread_context lies in memory that the kernel wipes on
 * fork: a child finds zeros instead of its chunk, so its first event goes to the cold
 * path. rln__kept survives: the child is as deep in its ranges as the parent was, and
 * its guesses about names stay true. A thread that has recorded nothing yet points at
 * two static structures that look just like wiped ones, so one branch covers "new",
 * "forked", "full" and "disk is full".
 */
#ifndef RLN_COLLECT_EVENT_THREAD_H
#define RLN_COLLECT_EVENT_THREAD_H

#include "collect/collector.h"

/* Where a thread writes. Only the room that is left changes: an interrupted call may
 * still hold this chunk when its thread has moved on, and then finds it full. */
struct rln__chunk_cursor {
    /* The bytes left for the hot path, negated: one addition takes room and says
     * whether there was any. 0 or more means full; always full where only the kernel
     * can read the clock. */
    uintptr_t minus_left;
    uintptr_t end;   /* behind the last word; 0: wiped by a fork */
    uint64_t late;   /* ticks from which on an event needs a longer record */
    uint64_t end_id; /* the range id that a start at `end` would have */
    uint64_t base_ticks;
    uintptr_t slow_minus_left; /* for the cold path, if the hot one is always full */
};

enum {
    RLN__DESCRIPTORS = 16, /* one handler would have to fill this many chunks: 9 MiB */
    RLN__GUESS_BITS = 10,
    RLN__GUESSES = 1 << RLN__GUESS_BITS,
    RLN__SEEN = 256,
    RLN__MOST_LEFT_OUT = 4096,
    RLN__MOST_HIDDEN = 256, /* if there are more, all are recorded */
    RLN__HIDDEN_TEXT_WORDS = 2048,
    RLN__MOST_WATCHED = 12, /* open pushes per thread whose ends are looked for */
};

struct rln__thread_context {
    struct rln__chunk_cursor unset; /* nothing is ever left of it */
    uint32_t tid;                   /* atomic; 0: nobody's */
    uint32_t index;
    uint32_t sequence; /* chunks written in so far; atomic */
    uint32_t n_descriptors;
    uint64_t chunk_bytes;     /* size of the next chunk: doubles up to 1 MiB */
    uint64_t n_dropped;       /* since the last gap record */
    uint64_t retry_ticks;     /* after a failure, no retry before this time */
    struct rln__block *block; /* of the current chunk */
    uint64_t cut_bytes;       /* size of the current chunk, header included */
    uint32_t must_announce;   /* the chunk still lacks its thread record */
    uint32_t n_hidden;        /* ranges in rln__kept.hidden: gate.h */
    uint32_t keeps_hidden;    /* records written now do not resume hidden ranges */
    uint32_t n_watched;
    uint32_t newest; /* number of the chunk in the pool; 0: none; ring_buffer.h */
    uint64_t place;
    uint64_t watched[RLN__MOST_WATCHED]; /* {domain:16, verdict:16, depth:32}: gate.h */
    struct rln__chunk_cursor descriptors[RLN__DESCRIPTORS];
};

struct rln__attributes;

/* The innermost ranges that are open at the end of a chunk, in the order of their
 * pushes: numbers `low` up to, not including, `n`, each at its number modulo the
 * array's size. */
struct rln__carried {
    uint32_t low;
    uint32_t n;
    struct rln__carried_range {
        uint32_t at; /* index in the chunk of its record, or of its word in `resumed` */
        uint16_t domain;
        uint16_t resumed; /* offset in words within that record; 0: a push */
    } ranges[RLN__MOST_CONTINUED];
    uint64_t below[64]; /* {domain:32, depth:32}: ranges open below them */
};

struct rln__kept {
    uint32_t depth[RLN__MAX_DOMAINS]; /* pages of unused domains stay untouched */
    /* First guess for the attributes of a message at some address. A guess is confirmed
     * by content: intern.h. */
    const struct rln__attributes *guesses[RLN__GUESSES];
    const struct rln__attributes *older[RLN__GUESSES]; /* the guesses they displaced */
    uint32_t guessed[2][RLN__GUESSES]; /* keys of both: an address's hash */
    uint32_t seen[RLN__SEEN];          /* hashes of texts written in line: intern.c */
    uint64_t hidden[RLN__MOST_HIDDEN]; /* {domain:32, id:32}: gate.h */
    uint32_t hidden_names[RLN__MOST_HIDDEN]; /* texts of those without an id, from 1; 0:
                                                none */
    uint64_t hidden_texts[RLN__HIDDEN_TEXT_WORDS]; /* unrecorded_names.h */
    struct rln__carried carried; /* while a chunk is replaced: open_range_carry.h */
    uint32_t n_left_out;
    uint64_t
        left_out[RLN__MOST_LEFT_OUT]; /* {domain:32, depth:32}: excluded_pushes.h */
};

/* What a thread that has recorded nothing yet points at. */
struct rln__nobody {
    struct rln__thread_context thread;
    struct rln__kept kept;
};

extern RLN_OWN struct rln__nobody rln__nobody;

/* Where the thread's structures are, as distances from rln__nobody's, so that zeros
 * mean a new thread. They have to: a thread that is being created while the collector
 * is loaded may get only zeros, since glibc (2.36) copies initial values to the threads
 * it knows, and learns of a thread a moment after preparing its memory. Keep this at
 * three words: a block of a few KiB here made dlopen() of the collector fail. */
struct rln__self {
    uintptr_t chunk; /* one of the thread's chunks */
    uintptr_t kept;
    uintptr_t thread;
};

extern RLN_OWN __thread struct rln__self rln__self;

static inline struct rln__chunk_cursor *rln__own_chunk(void)
{
    return (struct rln__chunk_cursor *)((uintptr_t)&rln__nobody.thread.unset +
                                        rln__self.chunk);
}

static inline struct rln__kept *rln__own_kept(void)
{
    return (struct rln__kept *)((uintptr_t)&rln__nobody.kept + rln__self.kept);
}

static inline struct rln__thread_context *rln__own_thread(void)
{
    return (struct rln__thread_context *)((uintptr_t)&rln__nobody.thread +
                                          rln__self.thread);
}

/* Makes the thread write to `chunk` from now on. A handler may look at any time. */
static inline void rln__use_chunk(const struct rln__chunk_cursor *chunk)
{
    __atomic_store_n(&rln__self.chunk,
                     (uintptr_t)chunk - (uintptr_t)&rln__nobody.thread.unset,
                     __ATOMIC_RELEASE);
}

/* Its owner; 0 if it has been wiped. Other threads read it to find out if the owner
 * lives. */
static inline uint32_t rln__tid(const struct rln__thread_context *t)
{
    return __atomic_load_n(&t->tid, __ATOMIC_RELAXED);
}

/* The calling thread's structures, set up on first use; NULL without memory. Cold, with
 * signals blocked. */
struct rln__thread_context *rln__thread_ready(void);

/* Whether there was no memory for new threads' structures; it is requested again ten
 * times a second. */
int rln__threads_must_wait(void);

/* thread.c: if the owner has ended, returns its tid, and the structure is the caller's
 * until it is given back; else returns 0. */
uint32_t rln__thread_claim_dead(struct rln__process_context *p,
                                struct rln__thread_context *t);
void rln__thread_unclaim(struct rln__thread_context *t, uint32_t tid);

/* Signal-atomic add: a nested handler reserves the next slot. Not atomic between
 * threads; no other thread writes here. */
static inline uintptr_t rln__signal_atomic_add(uintptr_t *to, uintptr_t n)
{
#if defined(__x86_64__)
    __asm__ volatile("xaddq %0, %1" : "+r"(n), "+m"(*to) : : "cc");
    return n;
#else
    return __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

/* Takes `*n` bytes of the room left, by a signal-atomic add: `*n` becomes the room left
 * before, negated. Returns whether that was too little. */
static inline int rln__signal_atomic_reserve(uintptr_t *minus_left, uintptr_t *n)
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

/* Signal-atomic add that does not return the old value: a cheaper instruction. */
static inline void rln__change_unsplit(uint32_t *to, uint32_t n)
{
#if defined(__x86_64__)
    __asm__ volatile("addl %1, %0" : "+m"(*to) : "ri"(n) : "cc");
#else
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

/* Returns the depth of the range that begins. A handler in between leaves the depth as
 * it found it, or changes it for good; it is counted either way. */
static inline uint32_t rln__enter(uint32_t domain)
{
    uint32_t *depth = &rln__own_kept()->depth[domain];
    const uint32_t own = *depth;

    rln__change_unsplit(depth, 1);
    return own;
}

/* Signal-atomic decrement; returns whether the value was 0. */
static inline int rln__take_one_unsplit(uint32_t *from)
{
#if defined(__x86_64__)
    int was_none;

    __asm__ volatile("subl $1, %0" : "+m"(*from), "=@ccc"(was_none));
    return was_none;
#else
    return __atomic_fetch_sub(from, 1, __ATOMIC_RELAXED) == 0;
#endif
}

/* Returns the depth of the range that ends, or -1 if there is none, also if a handler
 * has just ended it. */
static inline uint32_t rln__leave(uint32_t domain)
{
    uint32_t *depth = &rln__own_kept()->depth[domain];
    const uint32_t own = *depth - 1;

    if (RLN_LIKELY(!rln__take_one_unsplit(depth)))
        return own;
    rln__change_unsplit(depth, 1);
    return (uint32_t)-1;
}

#endif
