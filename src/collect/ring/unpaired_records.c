/* SPDX-License-Identifier: Apache-2.0 */
/* unpaired_records.c - keeps records in slots of a hash table in the file; the key is
 * the range's id.
 *
 * Compare-and-swap of a slot's first word, that of a record or of a hole, claims, frees
 * or reassigns the slot. A thread that is killed in between leaves a hole for good. The
 * word's upper bits count changes, so that a slot that was reused meanwhile is
 * recognized.
 */
#include "collect/ring/unpaired_records.h"

#include "collect/event/intern.h"
#include "collect/ring/open_range_carry.h"

enum { PROBES = 16, FREE = 0, BUSY = 1, COUNT_SHIFT = 36 };

static const uint32_t n_slots = RLN__KEPT_BYTES / sizeof(struct rln__kept_record) - 1;

/* --- the table -------------------------------------------------------------------- */

static struct rln__ring_buffer *newest(void)
{
    return &rln__collector.file.super->ring;
}

/* Made by the first thread that needs it; the space of a thread that loses the race
 * stays unused. */
static struct rln__kept_record *make_table(struct rln__process_context *p)
{
    struct rln__chunk_header header;
    struct rln__chunk_extent extent;
    uint64_t none = 0;

    if (rln__block_extent(p, RLN__KEPT_BYTES, RLN__KEPT_BYTES, &extent) < 0)
        return NULL;
    rln__chunk_header_now(&header, &rln__collector.file);
    header.kind = RLN__CHUNK_KEPT;
    header.size_bytes = RLN__KEPT_BYTES;
    header.process = p->index;
    header.tid = rln__sys_gettid();
    rln__chunk_begin((void *)extent.address, &header);
    if (__atomic_compare_exchange_n(&newest()->kept, &none, extent.offset, 0,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return (struct rln__kept_record *)extent.address;
    return rln__sys_mmap(RLN__KEPT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                         rln__collector.file.fd, none);
}

/* Whether the table is at `offset`. The program may have overwritten the offset: a
 * mapping of other data would harm the trace, and one beyond the end of the file would
 * harm the program. */
static int is_table(uint64_t offset)
{
    const struct rln__file *file = &rln__collector.file;
    struct rln__chunk_header header;
    struct stat st;

    return offset % RLN__CHUNK_ALIGN == 0 && rln__sys_fstat(file->fd, &st) == 0 &&
           offset < (uint64_t)st.st_size &&
           RLN__KEPT_BYTES <= (uint64_t)st.st_size - offset &&
           rln__sys_pread(file->fd, &header, sizeof header, offset) == sizeof header &&
           header.magic == RLN__CHUNK_MAGIC && header.trace_id == file->trace_id &&
           header.kind == RLN__CHUNK_KEPT;
}

static struct rln__kept_record *map_table(struct rln__process_context *p)
{
    const uint64_t offset = __atomic_load_n(&newest()->kept, __ATOMIC_ACQUIRE);

    if (!offset)
        return make_table(p);
    if (!rln__file_is_ours(&rln__collector.file) || !is_table(offset))
        return NULL;
    return rln__sys_mmap(RLN__KEPT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                         rln__collector.file.fd, offset);
}

/* The header is in the first slot. */
static struct rln__kept_record *table_of(struct rln__process_context *p)
{
    struct rln__kept_record *table = __atomic_load_n(&p->unpaired, __ATOMIC_ACQUIRE);
    struct rln__kept_record *mapped;

    if (table)
        return table + 1;
    mapped = map_table(p);
    if (!mapped)
        return NULL;
    if (!__atomic_compare_exchange_n(&p->unpaired, &table, mapped, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return table + 1; /* both mappings show the same bytes */
    return mapped + 1;
}

/* --- slots ------------------------------------------------------------------------ */

static uint64_t word_for(uint64_t before, unsigned kind, unsigned sub)
{
    const uint64_t count = (before >> COUNT_SHIFT) + 1;

    return count << COUNT_SHIFT | rln__long_word(kind, sub, RLN__KEPT_WORDS);
}

static int is_record(uint64_t word)
{
    return (word & 15) == RLN__LONG;
}

/* Whether a slot is free: never used, or freed. */
static int is_free(uint64_t word)
{
    return word == 0 || ((word & 15) == RLN__HOLE && rln__sub_of(word) == FREE);
}

static int change(struct rln__kept_record *slot, uint64_t word, unsigned kind,
                  unsigned sub)
{
    return __atomic_compare_exchange_n(&slot->word, &word, word_for(word, kind, sub), 0,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static struct rln__kept_record *probe(struct rln__kept_record *table, uint64_t range,
                                      uint32_t i)
{
    const uint64_t hash = range * 0x9e3779b97f4a7c15u;

    return &table[((hash >> 32) + i) % n_slots];
}

/* The slot of the range's record of that kind, and its word; or NULL. */
static struct rln__kept_record *find(struct rln__kept_record *table, uint64_t range,
                                     uint32_t kind, uint64_t *word)
{
    for (uint32_t i = 0; i < PROBES; i++) {
        struct rln__kept_record *slot = probe(table, range, i);

        *word = __atomic_load_n(&slot->word, __ATOMIC_ACQUIRE);
        if (is_record(*word) &&
            __atomic_load_n(&slot->range, __ATOMIC_RELAXED) == range &&
            __atomic_load_n(&slot->kind, __ATOMIC_RELAXED) == kind)
            return slot;
    }
    return NULL;
}

/* Claims a slot for a record: a free one, else the oldest of those probed. */
static struct rln__kept_record *take_slot(struct rln__kept_record *table,
                                          uint64_t range)
{
    struct rln__kept_record *oldest = NULL;
    uint64_t oldest_word = 0;

    for (uint32_t i = 0; i < PROBES; i++) {
        struct rln__kept_record *slot = probe(table, range, i);
        const uint64_t word = __atomic_load_n(&slot->word, __ATOMIC_ACQUIRE);

        if (is_free(word) && change(slot, word, RLN__HOLE, BUSY))
            return slot;
        if (is_record(word) &&
            (!oldest || __atomic_load_n(&slot->ticks, __ATOMIC_RELAXED) <
                            __atomic_load_n(&oldest->ticks, __ATOMIC_RELAXED))) {
            oldest = slot;
            oldest_word = word;
        }
    }
    __atomic_fetch_add(&newest()->kept_lost, 1, __ATOMIC_RELAXED);
    return oldest && change(oldest, oldest_word, RLN__HOLE, BUSY) ? oldest : NULL;
}

static void fill(struct rln__kept_record *slot, const struct rln__kept_record *from)
{
    __atomic_store_n(&slot->ticks, from->ticks, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->kind, from->kind, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->id, from->id, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->range, from->range, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->process, from->process, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->thread, from->thread, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->place, from->place, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->tid, from->tid, __ATOMIC_RELAXED);
}

static uint32_t other_kind(uint32_t kind)
{
    return kind == RLN__START ? RLN__END : RLN__START;
}

/* A start and an end that are added at the same time may miss each other, so each
 * searches again after it is in the table. */
static void keep(struct rln__kept_record *table, const struct rln__kept_record *record)
{
    struct rln__kept_record *slot, *other;
    uint64_t word, own;

    other = find(table, record->range, other_kind(record->kind), &word);
    if (other && change(other, word, RLN__HOLE, FREE))
        return;
    if (find(table, record->range, record->kind, &word))
        return; /* the program ended it twice */
    slot = take_slot(table, record->range);
    if (!slot)
        return;
    fill(slot, record);
    own = word_for(slot->word, RLN__LONG, RLN__SUB_KEPT);
    __atomic_store_n(&slot->word, own, __ATOMIC_RELEASE);
    other = find(table, record->range, other_kind(record->kind), &word);
    if (other && change(other, word, RLN__HOLE, FREE))
        (void)change(slot, own, RLN__HOLE, FREE);
}

/* --- the starts and ends of a chunk ----------------------------------------------- */

/* A row for attributes that a start has in line; 0 if a limit is reached. */
static uint32_t row_of(const uint64_t *in_line)
{
    const struct rln__attributes *a = rln__intern_text(
        in_line[0], in_line[1], (const char *)(in_line + 3), (uint32_t)in_line[2]);

    return a ? a->shifted_id >> RLN__ID_SHIFT : 0;
}

static void keep_any(struct rln__kept_record *table, const uint64_t *at,
                     struct rln__kept_record *record, uint64_t base_ticks)
{
    struct rln__range_record found;

    if (!rln__range_record_decode(at, base_ticks, &found))
        return;
    record->ticks = found.ticks;
    record->kind = found.kind;
    record->id =
        found.in_line && found.kind == RLN__START ? row_of(found.in_line) : found.id;
    record->range = found.kind == RLN__START ? record->place : found.range;
    if (record->range)
        keep(table, record);
}

void rln__unpaired_records_keep(struct rln__process_context *p,
                                const struct rln__chunk_extent *extent, uint64_t place)
{
    const uint64_t *const begin = (const uint64_t *)extent->address;
    const uint64_t *const end = begin + extent->size / 8 - 1;
    const struct rln__chunk_header *header =
        (const struct rln__chunk_header *)(const void *)begin;
    struct rln__kept_record *table = table_of(p);
    struct rln__kept_record record = {
        .process = p->index, .thread = header->thread, .tid = header->tid};
    const uint64_t *at = begin + RLN__CHUNK_HEADER_BYTES / 8;

    while (table && at < end) {
        const uint64_t word = __atomic_load_n(at, __ATOMIC_RELAXED);
        const uint32_t n_words = rln__record_words(word);

        record.place = place + (uint64_t)(at - begin);
        if ((word & 15) == RLN__LONG && rln__sub_of(word) == RLN__SUB_THREAD) {
            record.thread = (uint32_t)at[2];
            record.tid = (uint32_t)(at[2] >> 32);
        }
        keep_any(table, at, &record, header->base_ticks);
        at += n_words ? n_words : 1;
    }
}
