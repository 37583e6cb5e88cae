/* SPDX-License-Identifier: Apache-2.0 */
/* collector.h - defines the state of the collector.
 *
 *   struct rln__collector         state that a forked child keeps: the file, the
 *                                 configuration. Ordinary memory, copied by fork.
 *   struct rln__process_context   state of one process: its blocks, its chunks of
 *                                 names, its helper. The kernel wipes this memory on
 *                                 fork, so any child (of fork, _Fork, a raw clone)
 *                                 finds zeros, which mean "not set up"; no fork handler
 *                                 has to run.
 *
 * A child of vfork shares its parent's memory and keeps writing as its parent's thread.
 *
 * No locks protect this state: a lock held by another thread while this one forks stays
 * locked in the child for ever. Shared words are atomic, tables only grow, and
 * published entries are never modified.
 */
#ifndef RLN_COLLECT_COLLECTOR_H
#define RLN_COLLECT_COLLECTOR_H

#include "base/clock.h"
#include "base/count.h"
#include "collect/capture/range_pattern.h"
#include "collect/event/maker_election.h"
#include "format/superblock.h"

#define RLN_LIKELY(x) __builtin_expect(!!(x), 1)
#define RLN_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* For code that runs once in thousands of events and must not bloat the hot path. */
#define RLN_COLD __attribute__((noinline, cold))
/* For variables that our files share: the address is fixed at link time, without a
 * lookup in the GOT. */
#define RLN_OWN __attribute__((visibility("hidden")))

enum {
    RLN__MAX_BLOCKS = 8192, /* mappings per process; the kernel's limit is 65,530 */
    RLN__RETIRED_IF_LIMITED = 16,  /* as many as RLN__DESCRIPTORS */
    RLN__MAX_SHARED_CHUNKS = 1024, /* 16 KiB doubling to 1 MiB, or more for a batch */
    RLN__MAX_PATH = 4096,
    RLN__MAX_DOMAIN_LIST = 4096,
    RLN__MAX_CATEGORY_LIST = 4096,
    RLN__LARGEST_EVENT_BYTES = 1 << 20, /* payload_bytes can be no more */
};

/* A block of the file that this process has reserved and mapped. Threads reserve
 * extents of it for their chunks. */
struct rln__block {
    uint32_t is_used;      /* this entry of the table is in use */
    uint32_t is_populated; /* its pages have been faulted in */
    uint32_t is_left;      /* atomic: unused; the helper may unmap it */
    uintptr_t address;
    uint64_t offset;     /* in the file */
    uint64_t size;       /* bytes */
    uint64_t n_reserved; /* atomic: bytes of extents given to chunks */
    uint64_t retired;    /* atomic: bytes of chunks that their threads have left */
};

/* A chunk that all threads of the process write concurrently: shared_chunk.h. */
struct rln__shared_chunk {
    uint32_t number; /* atomic: this chunk's number; changes when the entry is reused */
    uintptr_t begin; /* its first word */
    uint64_t size;   /* bytes from there */
    uint64_t used;   /* atomic; more than `size` when it is full */
    struct rln__block *block; /* of the chunk */
};

struct rln__arena;
struct rln__pool;

enum rln__process_state {
    RLN__UNSET = 0, /* the content of a wiped page */
    RLN__SETTING_UP,
    RLN__READY,
};

enum rln__helper_state {
    RLN__HELPER_NONE = 0,
    RLN__HELPER_REQUESTED,
    RLN__HELPER_RUNS,
};

struct rln__shared {
    struct rln__maker_election election;
    uint32_t n_chunks;    /* atomic */
    uint64_t n_bytes;     /* atomic: size of all these chunks */
    uint64_t retry_ticks; /* atomic: after a failure, no retry before this time */
    struct rln__shared_chunk *now; /* atomic */
    /* Chunks of names stay mapped, so their number is limited to this; entries of
     * others are reused. */
    struct rln__shared_chunk chunks[RLN__MAX_SHARED_CHUNKS];
};

enum { RLN__CATEGORY_SLOTS = 4096 };

struct rln__process_context {
    uint32_t state; /* atomic, enum rln__process_state */
    uint32_t index;
    uint32_t parent;
    uint32_t pid;
    uint32_t inherited_strings; /* limits of the parent's ids, see
                                   docs/reference/FORMAT.md 6 */
    uint32_t inherited_attributes;
    uint32_t inherited_domains;
    uint32_t n_threads;                 /* atomic */
    uint32_t has_events;                /* atomic: a thread has come to its first one */
    struct rln__process_record *record; /* atomic; in the file; NULL: no space yet */
    struct rln__process_record early;   /* atomic: counted before there was a record */

    struct rln__arena *arenas; /* atomic: this process's thread structures */
    uint64_t no_arena_before;  /* atomic, ticks: no retry before this */

    struct rln__maker_election block_election;
    struct rln__maker_election pool_election;
    struct rln__block *block;    /* atomic: the current block */
    struct rln__block *spare;    /* atomic: made ahead by the helper */
    struct rln__block *unmapped; /* atomic: reserved in the file, but not mapped yet */
    uint64_t next_block_bytes;   /* atomic: doubles up to 4 MiB */
    uint64_t no_block_before;    /* atomic, ticks: the same for `refused_bytes` */
    uint64_t refused_bytes;      /* atomic */
    uint64_t last_block_ns;      /* atomic: when the last block was reserved */
    /* Blocks to be unmapped later: a handler may fill this many, 256 MiB, before the
     * call that it interrupted makes its store. Fewer where the address space is
     * limited, because it belongs to the program. */
    struct rln__block *retired[64];
    uint32_t n_retired;       /* atomic; the nth is in slot n modulo their number */
    uint32_t lacks_addresses; /* atomic: a limit has kept a block from being mapped */
    uint32_t most_blocks;     /* atomic: entries of `blocks` that were ever in use */

    uint64_t no_room_since_ns; /* atomic; 0: the file has space: overload.h */
    uint32_t helper_state;     /* atomic, enum rln__helper_state */
    uint32_t helper_calls;     /* atomic, futex: incremented when there is work */

    struct rln__pool *pool;            /* atomic: reusable chunks: ring_buffer.c */
    struct rln__kept_record *unpaired; /* atomic: the run's table: unpaired_records.c */

    struct rln__shared names;      /* interned strings and registrations */
    struct rln__shared statements; /* records about names; unlimited in number */
    uint64_t category_names[RLN__CATEGORY_SLOTS]; /* atomic: resource.c */
    struct rln__shared deferred;                  /* deferred events */
    struct rln__block blocks[RLN__MAX_BLOCKS];
};

/* Whether the list of domains includes or excludes. */
enum rln__domain_filter { RLN__NO_FILTER = 0, RLN__INCLUDES, RLN__EXCLUDES };

/* What happens when the last capture range of a window ends. */
enum rln__capture_end {
    RLN__CAPTURE_STOPS = 0,
    RLN__CAPTURE_GOES_ON,
    RLN__CAPTURE_SHUTS_DOWN, /* after the last window, the launcher ends the run */
};

/* What happens to an event without space in the file: overload.h. */
enum rln__overload {
    RLN__OVERLOAD_MAKES = 0,
    RLN__OVERLOAD_DROPS,
    RLN__OVERLOAD_WAITS,
};

/* The configuration from the environment: config.c, capture.c. */
struct rln__config {
    char path[RLN__MAX_PATH]; /* absolute, patterns expanded */
    uint8_t run_id[16];
    uint32_t has_run_id;
    uint32_t has_helper;
    uint32_t is_sampler;
    uint32_t clock_kind;      /* 0: choose */
    size_t payload_bytes;     /* limit for an event's extended payloads */
    uint64_t buffer_bytes;    /* of a trace that this process creates: ring_buffer.h */
    uint32_t on_overload;     /* enum rln__overload */
    uint32_t filters_domains; /* enum rln__domain_filter */
    char domains[RLN__MAX_DOMAIN_LIST];      /* names separated by commas */
    char categories[RLN__MAX_CATEGORY_LIST]; /* categories.h; "": all */
    struct rln__range_pattern capture;
    struct rln__range_pattern snapshot; /* ranges that trigger one at their end */
    uint32_t capture_first;             /* occurrence that opens a window, from 0 */
    uint32_t n_windows;                 /* of capture ranges, at most; 0: any number */
    uint32_t capture_end;               /* enum rln__capture_end */
};

/* Whether there is a trace. Values from RLN__OPENING on identify the process that is
 * opening it: a child forked meanwhile must not wait for a thread that it does not
 * have. */
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
    struct rln__process_context *process; /* the only mapping wiped by fork */
    uint32_t process_index;    /* last process to set up `process`: us or our parent */
    uint64_t ticks_per_100_ms; /* or fewer */
    uint64_t ring_bytes;       /* size of a process's ring buffer; 0: none */
    struct rln__config config;
};

extern RLN_OWN struct rln__collector rln__collector;

/* Ticks now, on the run's clock. */
static inline uint64_t rln__now(void)
{
    if (RLN_LIKELY(rln__collector.has_counter))
        return rln__counter();
    return rln__sys_clock_ns(CLOCK_MONOTONIC_RAW);
}

/* The cold path runs with signals blocked, so a handler sees either all of its effects
 * or none. SIGSETXID stays unblocked: glibc's setuid() waits until every thread has
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

/* Adds to one of the counters of the process, which are in its record. */
#define rln__count(field, n)                                                           \
    rln__count_at(offsetof(struct rln__process_record, field), n)

void rln__count_at(size_t offset, uint64_t n);

/* Moves what was counted before the process had a record into it. */
void rln__count_early(struct rln__process_context *p);

#endif
