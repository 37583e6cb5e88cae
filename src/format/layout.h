/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - the bytes of a trace, as docs/FORMAT.md defines them.
 *
 *   file    [superblock 64 KiB][block][block]...       blocks: multiples of 64 KiB
 *   block   [chunk][chunk]...                          chunks: multiples of 16 KiB
 *   chunk   [header 64 bytes][word][word]...[0 0 0]    words: 8 bytes, little-endian
 *
 * This header holds constants, structs and the packing of words; it does no I/O. The
 * section numbers are those of docs/FORMAT.md. What is written here is shared by the
 * collector, which fills mapped memory, and by the readers, which trust nothing.
 */
#ifndef RLN_FORMAT_LAYOUT_H
#define RLN_FORMAT_LAYOUT_H

#include "base/clock.h"

#include <stddef.h>
#include <stdint.h>

/* --- 2. Superblock ---------------------------------------------------------------- */

#define RLN__MAGIC "RLNTRACE" /* eight bytes, no terminator */
#define RLN__MAJOR 1
#define RLN__MINOR 0
#define RLN__SUPERBLOCK_BYTES 65536u
#define RLN__BLOCK_ALIGN 65536u /* pages are up to 64 KiB on Arm */
#define RLN__CHUNK_ALIGN 16384u

/* The words that processes share are updated with atomic operations. */
struct rln__superblock {
    char magic[8]; /* written last */
    uint16_t major;
    uint16_t minor;
    uint32_t superblock_bytes;
    uint64_t trace_id;       /* random, never 0; every chunk repeats it */
    uint8_t run_id[16];      /* who may join: RANGELINE_RUN */
    uint64_t next_free;      /* atomic: offset of the next free byte in this part */
    uint32_t next_process;   /* atomic: index of the next process, from 1 */
    uint32_t clock_kind;     /* enum rln__clock_kind */
    uint64_t ticks_per_s;    /* 0 if the machine does not say */
    uint64_t dropped_events; /* atomic: by processes that have no process record */
    uint64_t finished;       /* 1: the launcher saw the last process end */
    struct rln__clock_tuple created[2];
    char boot_id[40]; /* /proc/sys/kernel/random/boot_id, zero padded */
    char host[72];    /* nodename, zero padded */
};

/* --- 3. Chunks -------------------------------------------------------------------- */

#define RLN__CHUNK_MAGIC 0x436e6c52u /* "RlnC" */

enum rln__chunk_kind {
    RLN__CHUNK_EVENTS = 1, /* one thread at a time writes it */
    RLN__CHUNK_NAMES = 2,  /* one process writes it, its threads side by side */
};

struct rln__chunk_header {
    uint32_t magic; /* written last, with release */
    uint16_t kind;
    uint16_t uncertainty_16ticks; /* of the base, in units of 16 ticks, saturating */
    uint64_t trace_id;
    uint32_t size_bytes; /* header included, a multiple of RLN__CHUNK_ALIGN */
    uint32_t process;    /* index */
    uint32_t thread;     /* index in the process; 0 in a chunk of names */
    uint32_t tid;        /* the kernel's id of that thread, or of the chunk's taker */
    uint32_t sequence;   /* chunks that this thread has written in before this one */
    uint32_t generation; /* 0, but in a recycled chunk of bounded mode */
    uint64_t base_ticks;
    uint64_t base_monotonic_ns;
    uint64_t base_realtime_ns;
};

#define RLN__CHUNK_HEADER_BYTES 64u
_Static_assert(sizeof(struct rln__chunk_header) == RLN__CHUNK_HEADER_BYTES,
               "the chunk header is 64 bytes on disk");
_Static_assert(sizeof(struct rln__superblock) <= RLN__SUPERBLOCK_BYTES,
               "the superblock fits its block");

/* --- 4. Words --------------------------------------------------------------------- */

/* The low four bits of a record's first word. 0 is "nothing here". */
enum rln__kind {
    RLN__MARK = 1, /* 1-8: one word */
    RLN__PUSH = 2,
    RLN__POP = 3,
    RLN__START = 4,
    RLN__MARK_VALUE = 9, /* 9-13: two words, the second is the payload... */
    RLN__PUSH_VALUE = 10,
    RLN__START_VALUE = 11,
    RLN__END = 12,  /* ...or the id of the range that ends */
    RLN__LONG = 14, /* sub-kind, length in words */
    RLN__HOLE = 15, /* length in words */
};

/*  63            28 27         4 3    0
 *  +---------------+------------+------+
 *  | ticks - base  |     id     | kind |     id: attributes; a domain in POP and END
 *  +---------------+------------+------+
 */
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

/* How many words the record takes that begins with `word`; 1 for the word 0. */
static inline uint32_t rln__record_words(uint64_t word)
{
    const unsigned kind = (unsigned)(word & 15);

    if (kind < 9)
        return 1;
    if (kind < 14)
        return 2;
    return (uint32_t)(word >> RLN__WORDS_SHIFT) & RLN__MAX_WORDS;
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
     * From here on the chunk's events are this thread's, and its stacks are empty. */
    RLN__SUB_THREAD = 2,
    /* w1 ticks · w2 events lost before this · then {domain:32, depth:32} each. */
    RLN__SUB_GAP = 3,
    /* w1 ticks · w2 0 · then {domain:32, depth:32}: ranges open in the parent when this
     * process was forked from this thread; they are the parent's, not ours. */
    RLN__SUB_INHERITED = 4,
};

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

#define RLN__TYPE_OTHER 255u /* a color or payload type over 254 */

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
};

enum rln__process_flags {
    RLN__PROCESS_LAUNCHER = 1, /* `rangeline profile` itself: clock tuples and notes */
    RLN__PROCESS_FORKED = 2,   /* ids below the three limits are the parent's */
};

/* The counters stay where they are and are updated in place while the process runs. */
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
    uint64_t n_dropped;         /* events that found no room */
    uint64_t n_strings_cut;     /* at 1 MiB */
    uint64_t n_strings_refused; /* names that found no room: their ids have no text */
    uint64_t n_invalid;         /* handles and ids that were never ours */
    uint64_t n_waits;           /* times a thread had to allocate for itself */
    uint64_t waited_ns;
    uint64_t reserved[2];
};

#define RLN__PROCESS_WORDS (sizeof(struct rln__process_record) / 8)
#define RLN__MAX_STRING_BYTES (1u << 20)

#endif
