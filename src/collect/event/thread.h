/* SPDX-License-Identifier: Apache-2.0 */
/* thread.h - defines the state that a thread needs to record an event.        [hot]
 *
 *     chunk (mapped file)                      struct rln__chunk_cursor
 *     +--------+------------------------+
 *     | header | word word word 0 0 0 0 |
 *     +--------+----------------^-------^      end
 *                               |       |
 *                               +-------+      minus_left: this distance, negated
 *
 * No other thread writes to the chunk. Only a signal handler on the same thread can
 * interrupt us, and readers in other processes may read the chunk at any time.
 *
 * A thread has two halves. rln__thread_context lies in memory that the kernel wipes on
 * fork: a child finds zeros instead of its chunk, so its first event goes to the cold
 * path. rln__kept survives: the child has the parent's depths, and its guesses about
 * names stay valid. A thread that has recorded nothing yet points at two static
 * structures with the same content as wiped ones, so one branch covers "new", "forked",
 * "full" and "disk is full".
 */
#ifndef RLN_COLLECT_EVENT_THREAD_H
#define RLN_COLLECT_EVENT_THREAD_H

#include "collect/collector.h"

/* Where a thread writes. Only the bytes left change: an interrupted call may still have
 * this cursor when its thread has moved to another chunk, and then finds it full. */
struct rln__chunk_cursor {
    /* The bytes left for the hot path, negated: one addition reserves a slot and shows
     * whether there was one. 0 or more means full; always full if only the kernel can
     * read the clock. */
    uintptr_t minus_left;
    uintptr_t end;   /* after the last word; 0: wiped by a fork */
    uint64_t late;   /* from these ticks on, an event needs a longer record */
    uint64_t end_id; /* the range id that a start at `end` would have */
    uint64_t base_ticks;
    uintptr_t slow_minus_left; /* for the cold path, if `minus_left` is always full */
};

enum {
    RLN__DESCRIPTORS = 16, /* one handler would have to fill this many chunks: 9 MiB */
    RLN__GUESS_BITS = 10,
    RLN__GUESSES = 1 << RLN__GUESS_BITS,
    RLN__SEEN = 256,
    RLN__MOST_EXCLUDED = 4096,
    RLN__MOST_UNRECORDED = 256, /* if there are more, all are recorded */
    RLN__UNRECORDED_TEXT_WORDS = 2048,
    RLN__MOST_WATCHED = 12, /* open capture and snapshot pushes per thread */
};

struct rln__thread_context {
    struct rln__chunk_cursor unset; /* always full */
    uint32_t tid;                   /* atomic; 0: not in use */
    uint32_t index;
    uint32_t sequence; /* chunks so far; atomic */
    uint32_t n_descriptors;
    uint64_t chunk_bytes;      /* size of the next chunk: doubles up to 1 MiB */
    uint64_t n_dropped;        /* since the last gap record */
    uint64_t retry_ticks;      /* after a failure, no retry before this time */
    struct rln__block *block;  /* of the current chunk */
    uint64_t extent_bytes;     /* size of the current chunk, header included */
    uint32_t must_announce;    /* the chunk still lacks its thread record */
    uint32_t n_unrecorded;     /* ranges in rln__kept.unrecorded: gate.h */
    uint32_t keeps_unrecorded; /* the next record does not resume unrecorded ranges */
    uint32_t n_watched;
    uint32_t ring_chunk; /* number of the chunk in the pool; 0: none; ring_buffer.h */
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
    uint64_t unrecorded[RLN__MOST_UNRECORDED]; /* {domain:32, id:32}: gate.h */
    uint32_t
        unrecorded_names[RLN__MOST_UNRECORDED]; /* position of the text of those without
                                                   an id, from 1; 0: none */
    uint64_t unrecorded_texts[RLN__UNRECORDED_TEXT_WORDS]; /* unrecorded_names.h */
    struct rln__carried carried; /* while a chunk is replaced: open_range_carry.h */
    uint32_t n_excluded;
    uint64_t
        excluded[RLN__MOST_EXCLUDED]; /* {domain:32, depth:32}: excluded_pushes.h */
};

/* The structures of a thread that has recorded nothing yet. */
struct rln__new_thread {
    struct rln__thread_context thread;
    struct rln__kept kept;
};

extern RLN_OWN struct rln__new_thread rln__new_thread;

/* The addresses of the thread's structures, as distances from rln__new_thread's, so
 * that zeros mean a new thread. This is necessary: a thread that is created while the
 * collector is loaded may get only zeros, because glibc (2.36) copies initial values to
 * the threads in its list, and adds a thread to the list after it has prepared its
 * memory. Keep this at three words: a block of a few KiB here made dlopen() of the
 * collector fail. */
struct rln__self {
    uintptr_t chunk; /* one of the thread's chunks */
    uintptr_t kept;
    uintptr_t thread;
};

extern RLN_OWN __thread struct rln__self rln__self;

static inline struct rln__chunk_cursor *rln__own_chunk(void)
{
    return (struct rln__chunk_cursor *)((uintptr_t)&rln__new_thread.thread.unset +
                                        rln__self.chunk);
}

static inline struct rln__kept *rln__own_kept(void)
{
    return (struct rln__kept *)((uintptr_t)&rln__new_thread.kept + rln__self.kept);
}

static inline struct rln__thread_context *rln__own_thread(void)
{
    return (struct rln__thread_context *)((uintptr_t)&rln__new_thread.thread +
                                          rln__self.thread);
}

/* Makes the thread write to `chunk` from now on. A handler may run at any time. */
static inline void rln__use_chunk(const struct rln__chunk_cursor *chunk)
{
    __atomic_store_n(&rln__self.chunk,
                     (uintptr_t)chunk - (uintptr_t)&rln__new_thread.thread.unset,
                     __ATOMIC_RELEASE);
}

/* Its owner; 0 if it has been wiped. Other threads read it to find out whether the
 * owner still runs. */
static inline uint32_t rln__tid(const struct rln__thread_context *t)
{
    return __atomic_load_n(&t->tid, __ATOMIC_RELAXED);
}

/* The calling thread's structures, set up on first use; NULL without memory. Cold, with
 * signals blocked. */
struct rln__thread_context *rln__thread_ready(void);

/* Whether there was no memory for new threads' structures less than 100 ms ago. */
int rln__threads_must_wait(void);

/* thread.c: if the owner has ended, returns its tid, and the caller owns the structure
 * until rln__thread_unclaim(); else returns 0. */
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

/* Reserves `*n` bytes by a signal-atomic add: `*n` becomes the bytes that were left
 * before, negated. Returns whether they were too few. */
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

/* Returns the depth of the range that begins. A handler in between restores the depth,
 * or changes it for good; the count is right in both cases. */
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
