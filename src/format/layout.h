/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - defines the bytes of a trace, as docs/reference/FORMAT.md describes them.
 *
 *   file    [superblock 64 KiB][block][block]...       blocks: multiples of 64 KiB
 *   block   [chunk][chunk]...                          chunks: multiples of 16 KiB
 *   chunk   [header 64 bytes][word][word]...[0 0 0]    words: 8 bytes, little-endian
 *
 * This header has constants, structs and the packing of words; it does no I/O. Section
 * numbers are those of docs/reference/FORMAT.md. The collector, which fills mapped
 * memory, and the readers, which trust nothing, share it.
 */
#ifndef RLN_FORMAT_LAYOUT_H
#define RLN_FORMAT_LAYOUT_H

#include "base/clock_kind.h"

#include <stddef.h>
#include <stdint.h>

/* --- 2. Superblock ---------------------------------------------------------------- */

#define RLN__MAGIC "RLNTRACE" /* eight bytes, no terminator */
#define RLN__MAJOR 1
#define RLN__MINOR 4
#define RLN__SUPERBLOCK_BYTES 65536u
#define RLN__BLOCK_ALIGN 65536u /* pages are up to 64 KiB on Arm */
#define RLN__CHUNK_ALIGN 16384u

/* Bits of the gate: reasons not to record, and others. */
enum rln__gate {
    RLN__GATE_CAPTURE = 1, /* no capture range is open */
    RLN__GATE_PROGRAM = 2, /* stopped by the program: rangeline/control.h */
    RLN__GATE_COMMAND = 4, /* stopped by `rangeline stop` */
    RLN__GATE_DELAY = 8,
    RLN__GATE_CUDA = 16,        /* cudaProfilerStart was not called */
    RLN__GATE_OVER = 32,        /* recording has ended for good */
    RLN__GATE_CLOSED = 63,      /* any of these */
    RLN__GATE_CATEGORIES = 128, /* some categories are excluded */
    RLN__GATE_WATCHED = 256,    /* ranges may be capture ranges */
    RLN__GATE_SHUTDOWN = 512,   /* the last capture ended: the launcher ends the run */
    RLN__GATE_BY_CUDA = 1024,   /* cudaProfilerStart and Stop open and close the gate */
    RLN__GATE_SNAPSHOTS = 2048, /* the ends of some ranges trigger snapshots */
    RLN__GATE_CONCERNS =        /* bits that each event must check */
    RLN__GATE_CLOSED | RLN__GATE_CATEGORIES | RLN__GATE_WATCHED | RLN__GATE_SNAPSHOTS,
    RLN__GATE_TURN = 4096, /* from this bit up: a count of changes by captures */
};

/* What opened or closed a window. */
enum rln__window_cause {
    RLN__WINDOW_BY_RUN = 0,
    RLN__WINDOW_BY_CAPTURE = 1,
    RLN__WINDOW_BY_PROGRAM = 2,
    RLN__WINDOW_BY_COMMAND = 3,
    RLN__WINDOW_BY_TIME = 4, /* delay and duration */
    RLN__WINDOW_BY_CUDA = 5,
    RLN__WINDOW_BY_SIZE = 6, /* the trace reached its limit */
};

struct rln__window {
    uint64_t opened; /* ticks */
    uint64_t closed; /* 0: still open */
    uint32_t opened_by;
    uint32_t closed_by;
    uint64_t reserved;
};

#define RLN__WINDOWS_OFFSET 4096u /* in the superblock's 64 KiB */
#define RLN__MAX_WINDOWS 1920u
#define RLN__CAPTURE_IDS 32u
/* Bits of `capture_ids`. */
#define RLN__SNAPSHOT_ID (1ull << 63) /* the end of the range triggers a snapshot */
#define RLN__HELD_ID (1ull << 62)     /* a capture range that is not recorded */
/* In `captures`: nothing else kept the gate closed when the first open capture range
 * began. */
#define RLN__CAPTURE_IS_FREE (1u << 31)
#define RLN__NEAR_MISSES 16u

/* A range that would be a capture range in another domain. */
struct rln__near_miss {
    uint64_t row; /* atomic: {process:32, attributes:32}; 0: free */
    uint64_t n;   /* atomic: how often it began */
};

/* When to record; shared by the processes of a run. */
struct rln__control {
    union {
        uint64_t gate;      /* atomic: {enum rln__gate:32, n_windows:32} */
        uint32_t gate_bits; /* its lower half */
    };
    uint64_t captures;  /* atomic: {open capture ranges:31, RLN__CAPTURE_IS_FREE:1,
                           capture ranges that have ended:32} */
    uint64_t snapshots; /* atomic: snapshots triggered by ends of ranges */
    uint64_t held;      /* atomic: capture ranges that could not open the gate */
    uint64_t held_ids;  /* atomic: number of ids with RLN__HELD_ID so far */
    uint64_t reserved[11];
    uint64_t capture_ids[RLN__CAPTURE_IDS]; /* 0: free */
    struct rln__near_miss near_misses[RLN__NEAR_MISSES];
};

enum rln__finished {
    RLN__GOES_ON = 0,
    RLN__HAS_ENDED = 1, /* the launcher saw the last process end */
    RLN__IS_COPY = 2,   /* a snapshot; the run continued */
};

/* 10. The ring buffers of a run. */
struct rln__ring_buffer {
    uint64_t buffer_bytes; /* per process; 0: no ring buffer, all events are kept */
    uint64_t next_place;   /* atomic, in words */
    uint64_t kept;         /* atomic: offset of the chunk of kept events, or 0 */
    uint64_t kept_lost;    /* atomic */
};

/* The value of superblock.processes when `next` is the next process index. */
static inline uint64_t rln__processes(uint32_t next)
{
    return (uint64_t)~next << 32 | next;
}

/* The words that processes share are updated with atomic operations. */
struct rln__superblock {
    char magic[8]; /* written last */
    uint16_t major;
    uint16_t minor;
    uint32_t superblock_bytes;
    uint64_t trace_id;       /* random, never 0; every chunk repeats it */
    uint8_t run_id[16];      /* RANGELINE_RUN; processes with the same one may join */
    uint64_t next_free;      /* atomic: offset of the next free byte in this part */
    uint32_t unused_since_3; /* the next process index, before format 1.3 */
    uint32_t clock_kind;     /* enum rln__clock_kind */
    uint64_t ticks_per_s;    /* 0 if unknown */
    uint64_t dropped_events; /* atomic: by processes that have no process record */
    uint64_t finished;       /* enum rln__finished */
    struct rln__clock_tuple created[2];
    char boot_id[40]; /* /proc/sys/kernel/random/boot_id, zero padded */
    char host[72];    /* nodename, zero padded */
    struct rln__ring_buffer ring;
    uint64_t processes; /* atomic: {next index, from 1:32, its complement:32} */
    /* Atomic: blocks end at or before this offset; 0: anywhere. The launcher sets it.
     */
    uint64_t growth_limit;
    char unused[208];
    struct rln__control control; /* on cache lines of its own */
};

_Static_assert(offsetof(struct rln__superblock, ring) == 256, "FORMAT.md, 2");
_Static_assert(offsetof(struct rln__superblock, control) == 512, "FORMAT.md, 2");

/* --- 3. Chunks -------------------------------------------------------------------- */

#define RLN__CHUNK_MAGIC 0x436e6c52u /* "RlnC" */

enum rln__chunk_kind {
    RLN__CHUNK_EVENTS = 1,   /* one thread at a time writes it */
    RLN__CHUNK_NAMES = 2,    /* the threads of one process write it concurrently */
    RLN__CHUNK_DEFERRED = 3, /* written like names: section 7 */
    RLN__CHUNK_RING = 4,     /* written like events, and overwritten: section 10 */
    RLN__CHUNK_KEPT = 5,     /* starts and ends from overwritten chunks: section 10 */
    RLN__CHUNK_SWITCHES = 6, /* the launcher writes it: section 11 */
    RLN__CHUNK_NEWEST_SWITCHES = 7, /* the same, and overwritten */
    RLN__CHUNK_LAST = RLN__CHUNK_NEWEST_SWITCHES,
};

/* Whether chunks of that kind are overwritten: each has a place then (section 10). */
static inline int rln__chunk_has_place(uint32_t kind)
{
    return kind == RLN__CHUNK_RING || kind == RLN__CHUNK_NEWEST_SWITCHES;
}

struct rln__chunk_header {
    uint32_t magic; /* written last, with release */
    uint16_t kind;
    uint16_t uncertainty_16ticks; /* of the base, in units of 16 ticks, saturating */
    uint64_t trace_id;
    uint32_t size_bytes; /* header included, a multiple of RLN__CHUNK_ALIGN */
    uint32_t process;    /* index */
    uint32_t thread;     /* index in the process; 0 in a chunk of names */
    uint32_t tid;        /* of that thread, or of the thread that reserved the chunk */
    union {
        struct {
            uint32_t sequence;   /* number of earlier chunks of this thread */
            uint32_t generation; /* 0 */
        };
        uint64_t place; /* for kinds 4 and 7; the chunk's last word repeats it */
    };
    uint64_t base_ticks;
    uint64_t base_monotonic_ns;
    uint64_t base_realtime_ns;
};

#define RLN__CHUNK_HEADER_BYTES 64u
#define RLN__MAX_CHUNK_BYTES (64u << 20)

/* Whether the bytes can be a chunk's header, of any trace. */
static inline int rln__is_chunk(const struct rln__chunk_header *h)
{
    return h->magic == RLN__CHUNK_MAGIC && h->size_bytes >= RLN__CHUNK_ALIGN &&
           h->size_bytes % RLN__CHUNK_ALIGN == 0 &&
           h->size_bytes <= RLN__MAX_CHUNK_BYTES;
}

_Static_assert(sizeof(struct rln__chunk_header) == RLN__CHUNK_HEADER_BYTES,
               "the chunk header is 64 bytes on disk");
_Static_assert(sizeof(struct rln__superblock) <= RLN__SUPERBLOCK_BYTES,
               "the superblock fits its block");

/* --- 4. Words --------------------------------------------------------------------- */

/* The low four bits of a record's first word; 0: no record. */
enum rln__kind {
    RLN__MARK = 1, /* 1-8: one word */
    RLN__PUSH = 2,
    RLN__POP = 3,
    RLN__START = 4,
    RLN__NO_VALUE = 5, /* a counter sample without a value; id {reason:2, counter:22} */
    RLN__SYNC = 6,     /* id {enum rln__sync_step:2, object:22} */
    RLN__MARK_VALUE = 9, /* 9-13: two words; in 9-11 the second is the payload */
    RLN__PUSH_VALUE = 10,
    RLN__START_VALUE = 11,
    RLN__END = 12,    /* the second word is the id of the range that ends */
    RLN__SAMPLE = 13, /* it is a counter's value; id {is_float:1, counter:23} */
    RLN__LONG = 14,   /* sub-kind, length in words */
    RLN__HOLE = 15,   /* length in words */
};

/*  63            28 27         4 3    0
 *  +---------------+------------+------+
 *  | ticks - base  |     id     | kind |     id: attributes; a domain in POP and END
 *  +---------------+------------+------+
 */
enum rln__sync_step {
    RLN__SYNC_WAITS = 0,
    RLN__SYNC_GAVE_UP = 1,
    RLN__SYNC_HAS = 2,
    RLN__SYNC_RELEASES = 3,
};

enum { RLN__REASON_OTHER = 3 }; /* of a sample without a value; 0-2 are NVTX's */

#define RLN__ID_SHIFT 4
#define RLN__ID_BITS 24
#define RLN__TICKS_SHIFT 28
#define RLN__TICKS_BITS 36
#define RLN__MAX_ID ((1u << RLN__ID_BITS) - 1)

/*  63      36 35           12 11     4 3    0
 *  +---------+---------------+--------+------+
 *  |    0    |    n_words    |  sub   | kind |     kinds 14 and 15; n_words counts
 *  +---------+---------------+--------+------+     this word as well
 */
#define RLN__SUB_SHIFT 4
#define RLN__WORDS_SHIFT 12
#define RLN__MAX_WORDS ((1u << 24) - 1)

static inline uint64_t rln__long_word(unsigned kind, unsigned sub, uint64_t n_words)
{
    return (n_words << RLN__WORDS_SHIFT) | ((uint64_t)sub << RLN__SUB_SHIFT) | kind;
}

/* The length of the record that begins with `word`, in words; 1 for the word 0. */
static inline uint32_t rln__record_words(uint64_t word)
{
    const unsigned kind = (unsigned)(word & 15);

    if (kind < 9)
        return 1;
    if (kind < 14)
        return 2;
    return (uint32_t)(word >> RLN__WORDS_SHIFT) & RLN__MAX_WORDS;
}

/* The sub-kind of a long record. */
static inline unsigned rln__sub_of(uint64_t word)
{
    return (unsigned)(word >> RLN__SUB_SHIFT) & 255;
}

static inline uint64_t rln__pair32(uint64_t low, uint64_t high)
{
    return (high << 32) | (low & 0xffffffffu);
}

/* --- 5. Long records in chunks of events ------------------------------------------ */

enum rln__event_sub {
    /* w1 ticks (absolute) · w2 {kind:8, flags:8, 0:16, id:32} · [value] ·
     * [in line: {domain:32, category:32} · {color:32, types:24, 0:8} · {length:32, 0} ·
     * text, zero padded to a word]. `kind` is MARK, PUSH, POP, START or END. */
    RLN__SUB_EVENT = 1,
    /* w1 ticks · w2 {thread:32, tid:32} · w3 w4 the system's name of the thread.
     * The following events of the chunk are this thread's, and its stacks are empty. */
    RLN__SUB_THREAD = 2,
    /* w1 ticks · w2 events dropped before this · then {domain:32, depth:32} each. */
    RLN__SUB_GAP = 3,
    /* w1 ticks · w2 0 · then {domain:32, depth:32}: ranges that were open on this
     * thread of the parent at the fork; they belong to the parent. */
    RLN__SUB_INHERITED = 4,
    /* w1 ticks · w2 {kind:8, flags:8, n_payloads:16, id:32} · [value] · [in line] ·
     * segments. `kind` is MARK, PUSH, POP, START, END or SAMPLE. */
    RLN__SUB_PAYLOADS = 5,
    /* w1 ticks · w2 {operation:8, 0:24, domain:32} · operands: see FORMAT.md. */
    RLN__SUB_MEMORY = 6,
    /* w1 ticks · w2 0 · {domain:32, id:32} for each range that was pushed outside
     * windows and is still open. */
    RLN__SUB_RESUMED = 7,
    /* w1 ticks · w2 place of the thread's previous chunk · w3 w4 thread name ·
     * w5 {n, 0} · n x {domain:32, depth:32} · records: section 10. */
    RLN__SUB_CONTINUED = 8,
    RLN__SUB_KEPT = 9, /* struct rln__kept_record */
};

#define RLN__CONTINUED_WORDS 6   /* before the depths */
#define RLN__MOST_CONTINUED 256u /* records */

/* A start or an end in the chunk of kept events, at a multiple of its size. */
struct rln__kept_record {
    uint64_t word; /* atomic: RLN__LONG, RLN__SUB_KEPT; else the slot is free */
    uint64_t ticks;
    uint32_t kind; /* RLN__START or RLN__END */
    uint32_t id;   /* of attributes, or a domain */
    uint64_t range;
    uint32_t process;
    uint32_t thread;
    uint64_t place; /* of the record that it replaces */
    uint32_t tid;
    uint32_t reserved[3];
};

_Static_assert(sizeof(struct rln__kept_record) == RLN__CHUNK_HEADER_BYTES,
               "the header stands where the first one would");

#define RLN__KEPT_WORDS (sizeof(struct rln__kept_record) / 8)
#define RLN__KEPT_BYTES (256u << 10)

/* The header of a segment: a payload, or memory that a payload points to. */
struct rln__segment {
    uint64_t schema; /* id; 0: memory */
    uint64_t address;
    uint32_t n_kept;  /* bytes that follow, zero padded to a word */
    uint32_t n_given; /* size according to the call */
};

#define RLN__SEGMENT_WORDS (sizeof(struct rln__segment) / 8)
#define RLN__GIVEN_UNKNOWN UINT32_MAX    /* the call passed no size */
#define RLN__MAX_EVENT_BYTES (64u << 10) /* of all segments of an event */
#define RLN__MAX_BATCH_BYTES (24u << 20) /* of a segment of a batch */

enum rln__event_flags {
    RLN__EVENT_HAS_VALUE = 1,
    RLN__EVENT_IN_LINE = 2,
};

/* The three bytes of `types`: color type, payload type, message type. */
enum rln__message_type {
    RLN__MESSAGE_NONE = 0,
    RLN__MESSAGE_PLAIN = 1,
    RLN__MESSAGE_REGISTERED = 3, /* NVTX_MESSAGE_TYPE_REGISTERED */
};

#define RLN__TYPE_OTHER 255u /* for color and payload types over 254 */

static inline uint64_t rln__types(unsigned color, unsigned payload, unsigned message)
{
    return (uint64_t)color | ((uint64_t)payload << 8) | ((uint64_t)message << 16);
}

/* --- 6. Long records in chunks of names ------------------------------------------- */

enum rln__name_sub {
    RLN__SUB_PROCESS = 16,          /* struct rln__process_record */
    RLN__SUB_STRING = 17,           /* w1 {id, length} · text, zero padded */
    RLN__SUB_DOMAIN = 18,           /* w1 {domain, string} */
    RLN__SUB_CATEGORY = 19,         /* w1 {domain, category} · w2 {string, 0} */
    RLN__SUB_ATTRIBUTES = 20,       /* w1 {id, domain} · w2 {category, color} ·
                                     * w3 {string, types} */
    RLN__SUB_THREAD_NAME = 21,      /* w1 {tid, string} · w2 ticks */
    RLN__SUB_RESOURCE = 22,         /* w1 {id, domain} · w2 {type, string} ·
                                     * w3 identifier · w4 ticks */
    RLN__SUB_RESOURCE_DESTROY = 23, /* w1 {id, 0} · w2 ticks */
    RLN__SUB_DOMAIN_DESTROY = 24,   /* w1 {domain, 0} · w2 ticks */
    RLN__SUB_CLOCK = 25,            /* w1-w4 struct rln__clock_tuple */
    RLN__SUB_NOTE = 26,             /* w1 {key length, value length} · key, value */
    RLN__SUB_SCHEMA = 27,    /* w1 {domain, name} · w2 schema · w3 {type, flags} ·
                              * w4 static size · w5 {pack align, n entries} ·
                              * w6 ticks · struct rln__schema_entry each */
    RLN__SUB_ENUM = 28,      /* w1 {domain, name} · w2 schema · w3 {bytes, n} ·
                              * w4 ticks · value · {name, is flag} each */
    RLN__SUB_SEMANTICS = 29, /* w1 {id, 0} · elements */
    RLN__SUB_SCOPE = 30,     /* w1 {domain, path} · w2 scope · w3 parent */
    RLN__SUB_COUNTER_REGISTERED = 31, /* w1 {domain, name} · w2 counter · w3 schema ·
                                       * w4 {description, semantics} · w5 scope */
    RLN__SUB_COUNTER = 32,            /* w1 {attributes id, domain} · w2 counter */
    RLN__SUB_TIME_DOMAIN = 33, /* w1 {domain, 0} · w2 time domain · w3 scope · w4 type ·
                                * w5 flags · w6 ticks a second · w7 start */
    RLN__SUB_SYNC_POINTS = 34, /* w1 {domain, n} · w2 source · w3 destination ·
                                * source · destination each */
    RLN__SUB_CONVERSION = 35,  /* w1 {domain, 0} · w2 source · w3 destination ·
                                * w4 slope · w5 source · w6 destination */
    RLN__SUB_OBJECT = 36,      /* w1 {object, domain} · w2 {string, 0} · w3 ticks */
    RLN__SUB_OBJECT_DESTROY = 37, /* w1 {object, 0} · w2 ticks */
    RLN__SUB_TYPES = 38,          /* w1 {n, flags} · {size:16, alignment:16} each */
    RLN__SUB_LAST_NAME = RLN__SUB_TYPES,
};

struct rln__schema_entry {
    uint64_t flags; /* NVTX_PAYLOAD_ENTRY_FLAG_*, as `type` */
    uint64_t type;
    uint32_t name; /* string id */
    uint32_t description;
    uint64_t detail; /* a length, or the index of an entry */
    uint64_t offset;
    uint32_t semantics;
    uint32_t reserved;
};

#define RLN__ENTRY_WORDS (sizeof(struct rln__schema_entry) / 8)
#define RLN__SCHEMA_WORDS 7 /* in front of the entries */
#define RLN__ENUM_WORDS 5   /* in front of the values */

enum rln__types_flags {
    RLN__TYPES_SIGNED_CHAR = 1,
    RLN__TYPES_SIGNED_WCHAR = 2,
    RLN__TYPES_LONG_DOUBLE_X87 = 4,
    RLN__TYPES_LONG_DOUBLE_IEEE = 8,
};

/* Handles of registered strings, as they appear in payloads. `attributes` is the id of
 * the attribute set that has the string, and no category or color.
 *
 *   63    48 47      28 27         4 3  0
 *   +-------+----------+------------+----+
 *   |  tag  |  domain  | attributes |  0 |
 *   +-------+----------+------------+----+
 */
#define RLN__TAG_STRING 0xd2b2u
#define RLN__STRING_TAG_SHIFT 48
#define RLN__STRING_DOMAIN_SHIFT 28

/* The type of a resource that is the location of a function in its program's source: the
 * identifier is the handle of its name, and the text is "FILE:LINE". */
#define RLN__RESOURCE_LOCATION 0x524c0001u

/* --- 7. Long records in chunks of deferred events --------------------------------- */

enum rln__deferred_sub {
    RLN__SUB_SUBMITTED = 64,     /* w1 ticks · w2 {domain, thread} · w3 n_payloads ·
                                  * segments */
    RLN__SUB_EVENT_BATCH = 65,   /* w1 ticks · w2 {domain, thread} · w3 schema ·
                                  * w4 scope · w5 flags · w6 flex data offset ·
                                  * segments: events, flex data */
    RLN__SUB_COUNTER_BATCH = 66, /* w1 ticks · w2 {domain, thread} · w3 counter ·
                                  * w4 flags · segments: samples, timestamps */
};

/* Their words before the segments. */
enum {
    RLN__SUBMITTED_WORDS = 4,
    RLN__EVENT_BATCH_WORDS = 7,
    RLN__COUNTER_BATCH_WORDS = 5,
};

enum rln__process_flags {
    RLN__PROCESS_LAUNCHER = 1, /* `rangeline profile` itself: clock tuples and notes */
    RLN__PROCESS_FORKED = 2,   /* ids below the three limits are the parent's */
    RLN__PROCESS_SIZE_LIMIT = 4, /* the file could not grow beyond RLIMIT_FSIZE */
    RLN__PROCESS_SAMPLER = 8, /* the launcher's, beside the program: counters of GPUs */
};

/* The process updates the counters in place. */
struct rln__process_record {
    uint64_t word; /* RLN__LONG, RLN__SUB_PROCESS */
    uint32_t process;
    uint32_t parent; /* index of the process that forked it, 0 if unknown */
    uint32_t pid;
    uint32_t ppid;
    uint32_t inherited_strings;    /* ids below these limits are the parent's; */
    uint32_t inherited_attributes; /* 0 where nothing is inherited */
    uint32_t inherited_domains;
    uint32_t flags;
    struct rln__clock_tuple clock[2];
    uint64_t n_dropped;         /* events */
    uint64_t n_strings_cut;     /* names truncated to 1 MiB */
    uint64_t n_strings_refused; /* dropped names: their ids have no text */
    uint64_t n_invalid;         /* handles and ids that the collector never returned */
    uint64_t n_waits;           /* how often a thread had to reserve space itself */
    uint64_t waited_ns;
    uint64_t n_payloads_cut;    /* truncated events and registrations */
    uint64_t n_payloads_unread; /* calls that point to unmapped memory */
    uint64_t n_overwritten;     /* chunks of events */
    uint64_t whole_since;       /* ticks: no later event was overwritten */
    uint64_t n_threads;         /* that recorded; only with a ring buffer */
    uint64_t n_modules_refused; /* of clients, with a layout that nothing here knows */
};

#define RLN__PROCESS_WORDS (sizeof(struct rln__process_record) / 8)
#define RLN__OLD_PROCESS_WORDS 21u  /* before 1.2 */
#define RLN__RING_PROCESS_WORDS 24u /* what older writers of 1.2 and 1.3 have */
#define RLN__MAX_STRING_BYTES (1u << 20)
#define RLN__MAX_DOMAINS 4096u /* ids of a process; past that, the default domain */

/* --- 11. Context switches ---------------------------------------------------------- */

/* The low four bits of a word; the id is the kernel's of the thread. */
enum rln__switch_kind {
    RLN__SWITCH_BLOCKED = 1,   /* the thread left its processor, to wait */
    RLN__SWITCH_PREEMPTED = 2, /* it left its processor, and could have gone on */
    RLN__SWITCH_ON = 3,        /* it came to the processor */
    RLN__SWITCH_ENDED = 4,
    RLN__SWITCH_EXECED = 5, /* it is on the processor, as another program */
    /* It was found so: it is on a processor or preempted, as its next record shows. */
    RLN__SWITCH_RUNNABLE = 6,
};

#define RLN__NO_PROCESSOR UINT32_MAX

/* The launcher's note on why there are none, if the run asked for them. */
#define RLN__NO_SWITCHES_NOTE "no switches"

enum rln__switch_sub {
    /* w1 {processor:32, 0}: what follows in the chunk happened on it; or on any. */
    RLN__SUB_PROCESSOR = 96,
    /* w1 ticks (absolute) · w2 {kind:8, 0:24, tid:32}: not within 36 bits of the base. */
    RLN__SUB_SWITCH = 97,
    /* w1 ticks · w2 {pid:32, tid:32} · w3 the same of the thread that created it. */
    RLN__SUB_BORN = 98,
    /* w1 ticks from · w2 ticks to · w3 how many records · w4 {tid:32, 0}: of that thread,
     * or 0: of any. */
    RLN__SUB_SWITCHES_LOST = 99,
    /* w1 ticks: what was before them has been recorded. */
    RLN__SUB_SWITCHES_UNTIL = 100,
    /* w1 ticks · w2 {0:32, tid:32} · w3 ns on a processor · w4 ns that it could have been
     * on one, and was not: of its whole life until then. */
    RLN__SUB_CPU_CLOCKS = 101,
    /* The first record of a chunk of kind 7: w1 ticks since which records are missing if
     * the chunk before is · w2 the place of that · then of each thread its last switch:
     * ticks · {kind:8, 0:24, tid:32}; without a tid, of any thread records may be missing
     * until then. */
    RLN__SUB_SWITCHES_CONTINUED = 102,
};

#define RLN__SWITCHES_CONTINUED_WORDS 3 /* before the first thread */

#endif
