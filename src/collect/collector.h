/* SPDX-License-Identifier: Apache-2.0 */
/* collector.h - the state of the collector, all of it.
 *
 *   struct rln__collector   what a forked child goes on with: the file, the names, the
 *                           configuration. Ordinary memory, copied by fork.
 *   struct rln__process     what belongs to one process alone: its blocks, its chunk of
 *                           names, its helper. Memory that the kernel wipes on fork, so
 *                           any child (of fork, _Fork, a raw clone) finds zeros, which
 *                           mean "not set up"; no handler has to run for that.
 *
 * A child of vfork has its parent's memory and writes on as its parent's thread.
 *
 * Nothing here is protected by a lock: a lock that another thread holds while this one
 * forks is held for ever in the child. Shared words are atomic, tables only grow, and
 * what is published is never modified again.
 */
#ifndef RLN_COLLECT_COLLECTOR_H
#define RLN_COLLECT_COLLECTOR_H

#include "format/superblock.h"

#define RLN_LIKELY(x) __builtin_expect(!!(x), 1)
#define RLN_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RLN_COUNT(array) (sizeof(array) / sizeof(array)[0])
/* Code that runs once in thousands of events, and must not grow the code that does. */
#define RLN_COLD __attribute__((noinline, cold))

enum {
    RLN__MAX_BLOCKS = 8192,      /* mappings a process: the kernel's limit is 65,530 */
    RLN__MAX_NAMES_CHUNKS = 128, /* 16 KiB doubling to 1 MiB */
    RLN__MAX_DOMAINS = 4096,     /* ids; past that events go to the default domain */
    RLN__MAX_PATH = 4096,
};

/* A piece of the file that this process took, mapped. Threads cut chunks from it. */
struct rln__block {
    uint32_t is_taken;     /* this entry of the table is in use */
    uint32_t is_populated; /* its pages are there already */
    uint32_t is_left;      /* atomic: nobody's any more, and the helper's to unmap */
    uintptr_t address;
    uint64_t offset;  /* in the file */
    uint64_t size;    /* bytes */
    uint64_t cut;     /* atomic: bytes given out as chunks */
    uint64_t retired; /* atomic: bytes of chunks that their threads have left */
};

/* A chunk of names, written by all threads of the process side by side. */
struct rln__names_chunk {
    uintptr_t begin; /* its first word */
    uint64_t size;   /* bytes from there */
    uint64_t used;   /* atomic; more than `size` when it is full */
};

struct rln__arena;

enum rln__process_state {
    RLN__UNSET = 0, /* what a wiped page says */
    RLN__SETTING_UP,
    RLN__READY,
};

enum rln__helper_state {
    RLN__HELPER_NONE = 0,
    RLN__HELPER_WANTED,
    RLN__HELPER_RUNS,
};

/* What is made by one thread while others wait for it. Not a lock: who has waited long
 * enough makes one too. */
struct rln__making {
    uint32_t is_made_now; /* atomic, futex */
};

struct rln__process {
    uint32_t state; /* atomic, enum rln__process_state */
    uint32_t index;
    uint32_t parent;
    uint32_t pid;
    uint32_t inherited_strings; /* limits of the parent's ids, see docs/FORMAT.md 6 */
    uint32_t inherited_attributes;
    uint32_t inherited_domains;
    uint32_t n_threads;                 /* atomic */
    struct rln__process_record *record; /* atomic; in the file; NULL: no room yet */

    struct rln__arena *arenas; /* atomic: this process's thread structures */

    struct rln__making block_making, names_making;
    struct rln__block *block;  /* atomic: where chunks are cut now */
    struct rln__block *spare;  /* atomic: made ahead by the helper */
    uint64_t next_block_bytes; /* atomic: doubles up to 4 MiB */
    uint64_t last_block_ns;    /* atomic: when the last block was taken */
    /* Left behind, to be unmapped later: a handler may fill that many, 256 MiB, before
     * the call that it interrupted makes its store. */
    struct rln__block *retired[64];
    uint32_t n_retired;   /* atomic */
    uint32_t most_blocks; /* atomic: entries of `blocks` that were ever in use */

    struct rln__names_chunk *names; /* atomic */
    uint32_t n_names_chunks;        /* atomic */

    uint32_t helper_state; /* atomic, enum rln__helper_state */
    uint32_t helper_calls; /* atomic, futex: grows when there is work */

    struct rln__names_chunk names_chunks[RLN__MAX_NAMES_CHUNKS];
    struct rln__block blocks[RLN__MAX_BLOCKS];
};

/* What the environment asks for: config.c. */
struct rln__config {
    char path[RLN__MAX_PATH]; /* absolute, patterns expanded */
    uint8_t run_id[16];
    uint32_t has_run_id;
    uint32_t has_helper;
    uint32_t clock_kind; /* 0: choose */
};

/* Whether there is a trace. From RLN__OPENING on it is the process that is opening it:
 * a child that was forked meanwhile must not wait for a thread that it does not have.
 */
enum rln__collector_state {
    RLN__NOT_OPENED = 0,
    RLN__OPENED = 1,
    RLN__DECLINED = 2,
    RLN__OPENING = 16,
};

struct rln__collector {
    uint32_t state;       /* atomic, enum rln__collector_state */
    uint32_t has_counter; /* ticks are the processor's counter */
    struct rln__file file;
    struct rln__process *process; /* the one mapping that is wiped on fork */
    uint32_t process_index;    /* of whoever set `process` up last: us or our parent */
    uint64_t ticks_per_100_ms; /* roughly */
    struct rln__config config;
};

extern struct rln__collector rln__collector;

/* Ticks now, on the run's clock. */
static inline uint64_t rln__now(void)
{
    if (RLN_LIKELY(rln__collector.has_counter))
        return rln__counter();
    return rln__sys_clock_ns(CLOCK_MONOTONIC_RAW);
}

/* The cold path runs with signals blocked: a handler then finds either all of what we
 * did or nothing. SIGSETXID stays open: glibc's setuid() waits until every thread has
 * handled it. */
static inline rln__sigmask rln__block_signals(void)
{
    const rln__sigmask all = ~(1ull << (33 - 1));
    rln__sigmask old = 0;

    rln__sys_sigprocmask(SIG_BLOCK, &all, &old);
    return old;
}

static inline void rln__restore_signals(rln__sigmask old)
{
    rln__sys_sigprocmask(SIG_SETMASK, &old, NULL);
}

/* Adds to one of the counters in the process's record, if it has one. */
#define rln__count(field, n)                                                           \
    do {                                                                               \
        struct rln__process *process_ = rln__collector.process;                        \
        struct rln__process_record *record_ =                                          \
            process_ ? __atomic_load_n(&process_->record, __ATOMIC_ACQUIRE) : NULL;    \
        if (record_)                                                                   \
            __atomic_fetch_add(&record_->field, (n), __ATOMIC_RELAXED);                \
    } while (0)

#endif
