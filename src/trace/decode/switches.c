/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/switches.h"
#include "base/alloc.h"
#include "base/fail.h"

#define WINDOW_WORDS 8192

/* The record's times as ticks, and the rest; 0: it is of no concern. */
static int decode_long(const struct rln__record *record, struct rln__switch *s,
                       uint64_t ticks[2])
{
    static const uint32_t n_operands[] = {
        [RLN__SUB_PROCESSOR - RLN__SUB_PROCESSOR] = 1,
        [RLN__SUB_SWITCH - RLN__SUB_PROCESSOR] = 2,
        [RLN__SUB_BORN - RLN__SUB_PROCESSOR] = 3,
        [RLN__SUB_SWITCHES_LOST - RLN__SUB_PROCESSOR] = 3,
        [RLN__SUB_SWITCHES_UNTIL - RLN__SUB_PROCESSOR] = 1,
        [RLN__SUB_CPU_CLOCKS - RLN__SUB_PROCESSOR] = 4,
    };
    const uint64_t *words = record->words;
    const unsigned sub = rln__sub_of(words[0]);

    if (sub < RLN__SUB_PROCESSOR || sub > RLN__SUB_CPU_CLOCKS ||
        record->n_words < 1 + n_operands[sub - RLN__SUB_PROCESSOR])
        return 0;
    if (sub == RLN__SUB_PROCESSOR) {
        s->processor = (uint32_t)words[1];
        return 0;
    }
    s->kind = sub == RLN__SUB_SWITCH ? (unsigned)words[2] & 255 : sub;
    s->tid =
        sub == RLN__SUB_SWITCH || sub == RLN__SUB_BORN || sub == RLN__SUB_CPU_CLOCKS
            ? (uint32_t)(words[2] >> 32)
            : 0;
    s->pid = sub == RLN__SUB_BORN ? (uint32_t)words[2] : 0;
    ticks[0] = ticks[1] = words[1];
    if (sub == RLN__SUB_CPU_CLOCKS) {
        s->on_ns = words[3];
        s->waited_ns = words[4];
    }
    if (sub == RLN__SUB_SWITCHES_LOST) {
        ticks[1] = words[2];
        s->tid = record->n_words > 4 ? (uint32_t)words[4] : 0;
    }
    return sub != RLN__SUB_SWITCH ||
           (s->kind >= RLN__SWITCH_BLOCKED && s->kind <= RLN__SWITCH_RUNNABLE);
}

static int decode(const struct rln__record *record, const struct rln__chunk_info *chunk,
                  struct rln__switch *s, uint64_t ticks[2])
{
    const uint64_t word = record->words[0];
    const unsigned kind = (unsigned)word & 15;

    if (kind == RLN__LONG)
        return decode_long(record, s, ticks);
    if (kind < RLN__SWITCH_BLOCKED || kind > RLN__SWITCH_RUNNABLE)
        return 0;
    s->kind = kind;
    s->tid = (uint32_t)(word >> RLN__ID_SHIFT) & RLN__MAX_ID;
    ticks[0] = ticks[1] = chunk->base_ticks + (word >> RLN__TICKS_SHIFT);
    return 1;
}

static rln_status read_chunk(rln_reader *reader, const struct rln__chunk_info *chunk,
                             struct rln__cursor *cursor,
                             int (*take)(void *context, const struct rln__switch *),
                             void *context, rln_error *err)
{
    struct rln__switch s = {.part = chunk->part, .processor = chunk->thread - 1};
    struct rln__record record;
    uint64_t ticks[2];
    rln_status status;

    rln__cursor_begin(cursor, reader->layout.parts[chunk->part].file, chunk);
    while ((status = rln__cursor_next(cursor, &record, err)) == RLN_OK) {
        if (!decode(&record, chunk, &s, ticks))
            continue;
        s.t_ns = rln__reader_ns(reader, chunk->part, ticks[0]);
        s.to_ns = ticks[1] == ticks[0] ? s.t_ns
                                       : rln__reader_ns(reader, chunk->part, ticks[1]);
        if (take(context, &s))
            return rln__fail_nomem(err);
    }
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__switches_read(rln_reader *reader,
                              int (*take)(void *context, const struct rln__switch *),
                              void *context, rln_error *err)
{
    const struct rln__layout *layout = &reader->layout;
    struct rln__cursor cursor = {0};
    rln_status status = RLN_OK;

    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        if (layout->chunks[i].kind != RLN__CHUNK_SWITCHES)
            continue;
        if (!cursor.window)
            status = rln__cursor_init(&cursor, WINDOW_WORDS, err);
        if (!status)
            status =
                read_chunk(reader, &layout->chunks[i], &cursor, take, context, err);
    }
    rln__cursor_clear(&cursor);
    return status;
}

uint64_t rln__switches_bytes(const rln_reader *reader, uint32_t part)
{
    uint64_t n_bytes = 0;

    for (size_t i = 0; i < reader->layout.n_chunks; i++) {
        const struct rln__chunk_info *chunk = &reader->layout.chunks[i];

        if (chunk->kind == RLN__CHUNK_SWITCHES &&
            (part == RLN__NONE || chunk->part == part))
            n_bytes += chunk->end - chunk->offset;
    }
    return n_bytes;
}

/* The PID namespace of the launcher of each part: a string; 0: unknown. Owned by the
 * caller; NULL: no memory. */
static uint32_t *find_namespaces(const rln_reader *r)
{
    uint32_t *namespaces = rln__alloc(r->layout.n_parts + 1, sizeof(*namespaces));

    for (size_t i = 0; namespaces && i < r->names.n_processes; i++) {
        const struct rln__trace_process *p = &r->names.processes[i];

        if (p->record.flags & RLN__PROCESS_LAUNCHER)
            namespaces[p->part] = p->pid_namespace;
    }
    return namespaces;
}

uint8_t *rln__switches_processes(const rln_reader *r)
{
    uint8_t *is_known = rln__alloc(r->names.n_processes + 1, sizeof(*is_known));
    uint32_t *namespaces = is_known ? find_namespaces(r) : NULL;

    for (size_t i = 0; namespaces && i < r->names.n_processes; i++) {
        const struct rln__trace_process *p = &r->names.processes[i];
        const uint32_t other = namespaces[p->part];

        is_known[i] = !p->pid_namespace || !other || p->pid_namespace == other;
    }
    if (!namespaces) {
        rln__free(is_known);
        return NULL;
    }
    rln__free(namespaces);
    return is_known;
}
