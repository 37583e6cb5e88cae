/* SPDX-License-Identifier: Apache-2.0 */
/* chunk_reader.h - finds the parts and chunks of untrusted files, and reads the records
 * of a chunk.
 *
 *   file     [superblock][chunk   ][chunk][free ][superblock][chunk ...
 *   parts    |<------------- 0 ---------------->|<-------- 1 -----------
 *
 *   chunk    [header][record][record][0][0][record]...    a cursor walks through it
 *                     |<- window: 64 KiB ->|              with a window of its words
 *
 * Section numbers are those of docs/reference/FORMAT.md. Headers are checked here,
 * once: every chunk in a layout lies inside its file and its part.
 */
#ifndef RLN_FORMAT_CHUNK_READER_H
#define RLN_FORMAT_CHUNK_READER_H

#include "format/input.h"
#include "format/layout.h"

struct rln__part {
    const struct rln__input *file; /* borrowed */
    uint64_t offset;
    uint64_t end;
    struct rln__superblock super;
};

struct rln__chunk_info {
    uint64_t offset; /* of the header, in the file */
    uint64_t end;    /* may be the end of the part or the file */
    uint64_t base_ticks;
    uint64_t base_monotonic_ns;
    uint64_t base_realtime_ns;
    uint64_t first_ticks; /* of the first record if that has a time; else the base */
    uint32_t part;        /* index */
    uint32_t process;
    uint32_t thread;
    uint32_t tid;
    uint32_t sequence; /* of this thread's chunks, from 0 */
    uint16_t kind;
    uint16_t uncertainty_16ticks;
    uint8_t is_settled; /* no process writes its part any more */
    /* Only for kind 4: docs/reference/FORMAT.md 10. */
    uint8_t begins_record; /* the thread's previous chunk was overwritten */
    uint64_t place;
    uint64_t place_before;
    uint64_t enter_ticks; /* of the earliest event; for other kinds, the base */
};

struct rln__layout {
    struct rln__part *parts; /* owned */
    size_t n_parts, parts_capacity;
    struct rln__chunk_info *chunks; /* owned; in the order of the files */
    size_t n_chunks, chunks_capacity;
};

/* Adds the parts and chunks of a file. */
rln_status rln__layout_add(struct rln__layout *layout, const struct rln__input *file,
                           rln_error *err);
void rln__layout_clear(struct rln__layout *layout);

/* The chunk of a part that contains the byte at `offset`; NULL if there is none. */
const struct rln__chunk_info *rln__layout_chunk_at(const struct rln__layout *layout,
                                                   uint32_t part, uint64_t offset);

/* A record; `words` is borrowed from the window until the cursor moves. */
struct rln__record {
    const uint64_t *words;
    uint64_t offset; /* of the first word, in the file */
    uint32_t n_words;
};

struct rln__cursor {
    const struct rln__input *file; /* borrowed */
    uint64_t *window;              /* owned */
    uint64_t *later;               /* owned: buffer for a second copy of it, or NULL */
    size_t capacity;               /* words, of both */
    size_t n_words;                /* in the window */
    size_t at;                     /* index of the next word */
    uint64_t window_offset;        /* of the window, in the file */
    uint64_t end;
    uint8_t is_settled;   /* as the chunk is */
    uint8_t has_operands; /* operands in the window are not stale */
    /* Zeros and holes, as offsets; 0 is none: chunk_reader.c. */
    uint64_t zeros;         /* the first of the zeros that were just skipped */
    uint64_t hole;          /* the first hole that may still be filled */
    uint64_t zeros_settled; /* zeros before this stay zero */
    uint64_t holes_settled; /* holes before this stay holes */
    unsigned n_returns;     /* in this chunk */
    unsigned most_zeros;    /* the chunk ends after this many zero words; 0: never */
    uint64_t empty;         /* the first zero word or hole; the caller clears it */
};

/* Makes a window of at least 16 words, for one chunk after the other. */
rln_status rln__cursor_init(struct rln__cursor *cursor, size_t n_words, rln_error *err);
void rln__cursor_clear(struct rln__cursor *cursor);

void rln__cursor_begin(struct rln__cursor *cursor, const struct rln__input *file,
                       const struct rln__chunk_info *chunk);

/* Continues at `offset`, which is the end of a record of the chunk. */
void rln__cursor_resume(struct rln__cursor *cursor, const struct rln__input *file,
                        const struct rln__chunk_info *chunk, uint64_t offset);

/* Offset of the next record. */
static inline uint64_t rln__cursor_offset(const struct rln__cursor *cursor)
{
    return cursor->window_offset + cursor->at * 8;
}

/* RLN_OK, RLN_END at the chunk's end, RLN_ERR_IO or RLN_ERR_NOMEM. Skips zero words,
 * holes and damage. */
rln_status rln__cursor_next(struct rln__cursor *cursor, struct rln__record *out,
                            rln_error *err);

#endif
