/* SPDX-License-Identifier: Apache-2.0 */
#include "format/chunk_reader.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/identity.h"

#include <string.h>

/* --- Parts and chunks ------------------------------------------------------------- */

/* A possible header with the beginning of the first record, which has a time and, if it
 * is `continued`, the place of the thread's previous chunk. */
struct chunk_head {
    struct rln__chunk_header header;
    uint64_t words[3];
};

static rln_status add_part(struct rln__layout *layout, const struct rln__input *file,
                           uint64_t offset, rln_error *err)
{
    struct rln__part *parts = rln__grow(layout->parts, &layout->parts_capacity,
                                        layout->n_parts + 1, sizeof(*parts));
    struct rln__part *part;
    rln_status status;
    int is_damaged;

    if (!parts)
        return rln__fail_nomem(err);
    layout->parts = parts;
    part = &parts[layout->n_parts];
    part->file = file;
    part->offset = offset;
    part->end = file->size;
    status = rln__input_identity(file, offset, &part->super, &is_damaged, err);
    if (status)
        return status;
    if (is_damaged)
        rln__note_damage(file, offset, "the superblock was overwritten");
    /* If `finished` is set, everything read from now on is complete. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (layout->n_parts && parts[layout->n_parts - 1].file == file)
        parts[layout->n_parts - 1].end = offset;
    layout->n_parts++;
    return RLN_OK;
}

/* Whether a part begins at `offset`. The bytes of an event may equal the magic, but not
 * a whole superblock. */
static rln_status is_part(const struct rln__input *file, uint64_t offset, int *answer,
                          rln_error *err)
{
    struct rln__superblock super;
    char magic[8];

    *answer = 0;
    if (rln__input_read(file, offset, magic, sizeof(magic), NULL, err))
        return RLN_ERR_IO;
    if (memcmp(magic, RLN__MAGIC, sizeof(magic)) != 0)
        return RLN_OK;
    if (rln__input_read(file, offset, &super, sizeof(super), NULL, err))
        return RLN_ERR_IO;
    *answer = rln__identity_is_sound(&super);
    return RLN_OK;
}

/* A chunk ends early where the file ends or where another part begins: a trace with a
 * truncated last chunk may be followed by another trace. */
static rln_status find_end(const struct rln__input *file, uint64_t begin, uint64_t *end,
                           rln_error *err)
{
    const uint64_t align = RLN__BLOCK_ALIGN;
    rln_status status = RLN_OK;
    int found = 0;

    if (*end > file->size)
        *end = file->size;
    for (uint64_t at = (begin / align + 1) * align; at < *end; at += align) {
        status = is_part(file, at, &found, err);
        if (status)
            return status;
        if (found)
            *end = at;
    }
    return RLN_OK;
}

static uint64_t first_ticks(const struct chunk_head *head)
{
    const uint64_t word = head->words[0];
    const unsigned kind = (unsigned)(word & 15);

    if (kind == RLN__LONG)
        return head->words[1];
    if (kind == 0 || kind > RLN__LONG)
        return head->header.base_ticks;
    return head->header.base_ticks + (word >> RLN__TICKS_SHIFT);
}

/* Whether a ring buffer's chunk is whole: its last word repeats its place, except while
 * a process overwrites it, or if the process was killed meanwhile. */
static rln_status is_valid(const struct rln__input *file, uint64_t offset,
                           const struct rln__chunk_header *h, uint64_t end, int *answer,
                           rln_error *err)
{
    uint64_t last = 0;

    *answer = 0;
    if (end - offset != h->size_bytes)
        return RLN_OK;
    if (rln__input_read(file, end - sizeof(last), &last, sizeof(last), NULL, err))
        return RLN_ERR_IO;
    *answer = last == h->place && h->place != 0;
    return RLN_OK;
}

static uint64_t place_before(const struct chunk_head *head)
{
    const uint64_t word = head->words[0];
    const unsigned continued = head->header.kind == RLN__CHUNK_RING
                                   ? RLN__SUB_CONTINUED
                                   : RLN__SUB_SWITCHES_CONTINUED;

    return rln__chunk_has_place(head->header.kind) && (word & 15) == RLN__LONG &&
                   rln__sub_of(word) == continued
               ? head->words[2]
               : 0;
}

static rln_status add_chunk(struct rln__layout *layout, const struct rln__input *file,
                            uint64_t offset, const struct chunk_head *head,
                            uint64_t *end, rln_error *err)
{
    const struct rln__chunk_header *h = &head->header;
    struct rln__chunk_info *chunk;
    rln_status status;
    int valid = 1;

    *end = offset + h->size_bytes;
    status = find_end(file, offset, end, err);
    if (!status && rln__chunk_has_place(h->kind))
        status = is_valid(file, offset, h, *end, &valid, err);
    if (status || !valid)
        return status;
    chunk = rln__append(&layout->chunks, &layout->n_chunks, &layout->chunks_capacity,
                        sizeof(*chunk));
    if (!chunk)
        return rln__fail_nomem(err);
    *chunk = (struct rln__chunk_info){
        .offset = offset,
        .end = *end - (rln__chunk_has_place(h->kind) ? 8 : (*end - offset) % 8),
        .base_ticks = h->base_ticks,
        .base_monotonic_ns = h->base_monotonic_ns,
        .base_realtime_ns = h->base_realtime_ns,
        .first_ticks = first_ticks(head),
        .place_before = place_before(head),
        .part = (uint32_t)(layout->n_parts - 1),
        .process = h->process,
        .thread = h->thread,
        .tid = h->tid,
        .sequence = h->sequence,
        .enter_ticks = h->base_ticks,
        .place = rln__chunk_has_place(h->kind) ? h->place : 0,
        .kind = h->kind,
        .is_settled = layout->parts[layout->n_parts - 1].super.finished != 0,
        .uncertainty_16ticks = h->uncertainty_16ticks,
    };
    return RLN_OK;
}

/* Adds the chunk at `offset`, if there is one. `*next` is the next possible offset. */
static rln_status add_chunk_at(struct rln__layout *layout,
                               const struct rln__input *file, uint64_t offset,
                               uint64_t *next, rln_error *err)
{
    const struct rln__part *part = &layout->parts[layout->n_parts - 1];
    struct chunk_head head;
    rln_status status;
    uint64_t end = 0;

    *next = offset + RLN__CHUNK_ALIGN;
    status = rln__input_read(file, offset, &head, sizeof(head), NULL, err);
    if (status)
        return status;
    if (head.header.magic != RLN__CHUNK_MAGIC ||
        head.header.trace_id != part->super.trace_id)
        return RLN_OK;
    if (!part->super.finished) {
        const uint64_t first_word = head.words[0];

        __atomic_thread_fence(__ATOMIC_ACQUIRE); /* as in read_operands() */
        status = rln__input_read(file, offset, &head, sizeof(head), NULL, err);
        if (status)
            return status;
        head.words[0] = first_word;
    }
    if (!rln__is_chunk(&head.header)) {
        rln__note_damage(file, offset, "a chunk has an invalid size");
        return RLN_OK;
    }
    status = add_chunk(layout, file, offset, &head, &end, err);
    if (status)
        return status;
    *next = (end + RLN__CHUNK_ALIGN - 1) / RLN__CHUNK_ALIGN * RLN__CHUNK_ALIGN;
    return RLN_OK;
}

static rln_status begin_part(struct rln__layout *layout, const struct rln__input *file,
                             uint64_t offset, int *is_readable, rln_error *err)
{
    rln_status status = add_part(layout, file, offset, err);

    if (status)
        return status;
    *is_readable = layout->parts[layout->n_parts - 1].super.major == RLN__MAJOR;
    if (!*is_readable)
        rln__note_damage(file, offset, "this part needs a newer reader");
    return RLN_OK;
}

rln_status rln__layout_add(struct rln__layout *layout, const struct rln__input *file,
                           rln_error *err)
{
    uint64_t next = 0;
    int is_readable = 0;
    int n_misses = 0;

    for (uint64_t at = 0; at < file->size; at = next) {
        const size_t n_chunks = layout->n_chunks;
        int found = at == 0;
        rln_status status = RLN_OK;

        next = at + RLN__CHUNK_ALIGN;
        if (at && at % RLN__BLOCK_ALIGN == 0)
            status = is_part(file, at, &found, err);
        if (!status && found) {
            status = begin_part(layout, file, at, &is_readable, err);
            next = at + RLN__SUPERBLOCK_BYTES;
        } else if (!status && is_readable) {
            status = add_chunk_at(layout, file, at, &next, err);
        }
        if (status)
            return status;

        /* A trace is sparse where a process reserved much space and wrote little. */
        n_misses = found || layout->n_chunks != n_chunks ? 0 : n_misses + 1;
        if (n_misses > 4) {
            const uint64_t data = rln__input_skip_hole(file, next);

            if (data > next)
                next = data / RLN__CHUNK_ALIGN * RLN__CHUNK_ALIGN;
            if (data > next && data >= file->size)
                next = file->size;
            n_misses = 0;
        }
    }
    /* Files grow by whole blocks and are trimmed to whole blocks. */
    if (file->size % RLN__CHUNK_ALIGN)
        rln__note_damage(file, file->size, "the file is truncated here");
    return RLN_OK;
}

const struct rln__chunk_info *rln__layout_chunk_at(const struct rln__layout *layout,
                                                   uint32_t part, uint64_t offset)
{
    size_t low = 0, high = layout->n_chunks;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct rln__chunk_info *c = &layout->chunks[middle];

        if (c->part < part || (c->part == part && c->end <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low < layout->n_chunks && layout->chunks[low].part == part &&
                   layout->chunks[low].offset <= offset
               ? &layout->chunks[low]
               : NULL;
}

void rln__layout_clear(struct rln__layout *layout)
{
    rln__free(layout->parts);
    rln__free(layout->chunks);
    memset(layout, 0, sizeof(*layout));
}

/* --- Records ---------------------------------------------------------------------- */

rln_status rln__cursor_init(struct rln__cursor *cursor, size_t n_words, rln_error *err)
{
    memset(cursor, 0, sizeof(*cursor));
    cursor->window = rln__alloc(n_words, sizeof(uint64_t));
    if (!cursor->window)
        return rln__fail_nomem(err);
    cursor->capacity = n_words;
    return RLN_OK;
}

void rln__cursor_clear(struct rln__cursor *cursor)
{
    rln__free(cursor->window);
    rln__free(cursor->later);
    memset(cursor, 0, sizeof(*cursor));
}

void rln__cursor_begin(struct rln__cursor *cursor, const struct rln__input *file,
                       const struct rln__chunk_info *chunk)
{
    const uint64_t begin = chunk->offset + RLN__CHUNK_HEADER_BYTES;

    cursor->file = file;
    cursor->n_words = 0;
    cursor->at = 0;
    cursor->window_offset = begin < chunk->end ? begin : chunk->end;
    cursor->end = chunk->end;
    cursor->is_settled = chunk->is_settled;
    cursor->has_operands = chunk->is_settled;
    cursor->zeros = cursor->hole = 0;
    cursor->zeros_settled = cursor->holes_settled = 0;
    cursor->n_returns = 0;
}

void rln__cursor_resume(struct rln__cursor *cursor, const struct rln__input *file,
                        const struct rln__chunk_info *chunk, uint64_t offset)
{
    rln__cursor_begin(cursor, file, chunk);
    if (offset > cursor->window_offset)
        cursor->window_offset = offset < chunk->end ? offset : chunk->end;
}

static int is_all_zero(const uint64_t *words, size_t n_words)
{
    uint64_t any = 0;

    for (size_t i = 0; i < n_words; i++)
        any |= words[i];
    return any == 0;
}

/* Moves the window so that it begins at the next word and has at least `n_needed`
 * words, which the chunk has. RLN_END if the chunk or the file has no more words. */
static rln_status refill(struct rln__cursor *c, size_t n_needed, rln_error *err)
{
    uint64_t begin = c->window_offset + c->at * 8;
    size_t n_words, n_read;
    rln_status status;

    if (c->n_words && is_all_zero(c->window, c->n_words) && n_needed == 1) {
        const uint64_t data = rln__input_skip_hole(c->file, begin) & ~(uint64_t)7;

        if (data > begin)
            begin = data < c->end ? data : c->end;
    }
    if (n_needed > c->capacity) {
        uint64_t *window = rln__resize(c->window, n_needed, sizeof(*window));

        if (!window)
            return rln__fail_nomem(err);
        c->window = window;
        rln__free(c->later);
        c->later = NULL;
        c->capacity = n_needed;
    }
    n_words = (size_t)((c->end - begin) / 8);
    if (n_words > c->capacity)
        n_words = c->capacity;
    status = rln__input_read(c->file, begin, c->window, n_words * 8, &n_read, err);
    if (status)
        return status;
    if (n_read < n_words * 8) {
        rln__note_damage(c->file, begin + n_read,
                         "the file was truncated while it was read");
        c->end = begin + n_read / 8 * 8;
    }
    c->window_offset = begin;
    c->n_words = n_read / 8;
    c->at = 0;
    c->has_operands = c->is_settled;
    return c->n_words ? RLN_OK : RLN_END;
}

/* --- Operands ---------------------------------------------------------------------
 *
 * A process may store a record while we copy it: its operands, and then, with release,
 * its first word. The order in which a copy loads words is undefined, so a copy that
 * has the first word may have stale operands. Operands therefore come from a second
 * copy. All its loads come after those of the first copy: this thread makes both
 * copies, in the kernel or not, and the fence orders them. A first word in the first
 * copy was stored before the second copy begins, and its operands before it.
 *
 * A first word itself is never torn: words are aligned, and no kernel copies less than
 * an aligned word at a time. */
static rln_status read_operands(struct rln__cursor *c, rln_error *err)
{
    const size_t n_bytes = c->n_words * 8;
    uint32_t n;

    if (!c->later)
        c->later = rln__alloc(c->capacity, sizeof(*c->later));
    if (!c->later)
        return rln__fail_nomem(err);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (rln__input_read(c->file, c->window_offset, c->later, n_bytes, NULL, err))
        return RLN_ERR_IO;
    for (size_t at = c->at; at < c->n_words; at += n) {
        const uint64_t word = c->window[at];

        n = rln__record_words(word);
        if (word == 0 || n == 0) {
            n = 1;
            continue;
        }
        if (n > c->n_words - at)
            break; /* it begins the next window */
        if ((word & 15) != RLN__HOLE)
            memcpy(c->window + at + 1, c->later + at + 1, (n - 1) * 8);
    }
    c->has_operands = 1;
    return RLN_OK;
}

/* May skip beyond the window; the next window then begins there. */
static void skip_words(struct rln__cursor *c, size_t n_words)
{
    c->at += n_words;
    if (c->at < c->n_words)
        return;
    c->window_offset += c->at * 8;
    c->n_words = 0;
    c->at = 0;
}

/* --- Zeros and holes --------------------------------------------------------------
 *
 * A process may store words while we copy them, so that a word is zero in our copy and
 * one that was stored later is not. A thread stores one record after the other: first a
 * hole of its length, then its operands, then its first word. So once a word has been
 * seen, words before it that are still zero in the next copy stay zero, and if it
 * begins a record, holes before it stay holes. A trace that is still written to
 * therefore never lacks an event while it shows a later one of the same thread. */

enum { MOST_RETURNS = 256 }; /* per chunk; damage could cause any number */

static void return_to(struct rln__cursor *c, uint64_t offset)
{
    c->window_offset = offset;
    c->n_words = 0;
    c->at = 0;
    c->n_returns++;
}

/* Called at a word after zeros or holes. Whether these must be copied again; the cursor
 * is then before them. */
static int must_return(struct rln__cursor *c)
{
    const uint64_t here = rln__cursor_offset(c), zeros = c->zeros, hole = c->hole;

    c->zeros = 0;
    if (c->n_returns >= MOST_RETURNS)
        return 0;
    if (zeros && zeros >= c->zeros_settled) {
        c->zeros_settled = here;
        return_to(c, zeros);
        return 1;
    }
    if (hole) {
        c->hole = 0;
        c->holes_settled = here;
        return_to(c, hole);
        return 1;
    }
    return 0;
}

static void note_empty(struct rln__cursor *c)
{
    if (!c->empty)
        c->empty = rln__cursor_offset(c);
}

/* Skips zeros. RLN_END at the end of the chunk, or after `most_zeros`. */
static rln_status next_word(struct rln__cursor *c, rln_error *err)
{
    for (;;) {
        rln_status status;

        if (c->at < c->n_words && c->window[c->at] == 0 && !c->zeros) {
            c->zeros = rln__cursor_offset(c);
            note_empty(c);
        }
        while (c->at < c->n_words && c->window[c->at] == 0)
            c->at++;
        if (c->at < c->n_words)
            return RLN_OK;
        if (c->most_zeros && c->zeros &&
            rln__cursor_offset(c) - c->zeros >= c->most_zeros * 8u)
            return RLN_END;
        status = refill(c, 1, err);
        if (status)
            return status;
    }
}

static void skip_hole(struct rln__cursor *c, uint32_t n_words)
{
    note_empty(c);
    if (!c->hole && rln__cursor_offset(c) >= c->holes_settled)
        c->hole = rln__cursor_offset(c);
    skip_words(c, n_words);
}

rln_status rln__cursor_next(struct rln__cursor *c, struct rln__record *out,
                            rln_error *err)
{
    for (;;) {
        uint64_t word, left;
        uint32_t n_words;
        rln_status status;

        if (c->at == c->n_words || c->window[c->at] == 0) {
            status = next_word(c, err);
            if (status)
                return status;
        }
        if ((c->zeros | c->hole) && must_return(c))
            continue;
        word = c->window[c->at];
        n_words = rln__record_words(word);
        left = (c->end - c->window_offset) / 8 - c->at;
        if (n_words == 0 || n_words > left) {
            rln__note_damage(c->file, c->window_offset + c->at * 8,
                             "a record does not fit its chunk");
            c->at++;
            continue;
        }
        if ((word & 15) == RLN__HOLE) {
            skip_hole(c, n_words);
            continue;
        }
        if (n_words > c->n_words - c->at) {
            status = refill(c, n_words, err);
            if (status)
                return status;
            continue;
        }
        if (n_words > 1 && !c->has_operands) {
            status = read_operands(c, err);
            if (status)
                return status;
        }
        *out = (struct rln__record){c->window + c->at, c->window_offset + c->at * 8,
                                    n_words};
        c->at += n_words;
        return RLN_OK;
    }
}
