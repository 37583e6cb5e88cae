/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/switches.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"

#define WINDOW_WORDS 8192

static int is_switch(unsigned kind)
{
    return kind >= RLN__SWITCH_BLOCKED && kind <= RLN__SWITCH_RUNNABLE;
}

static int is_of_switches(const struct rln__chunk_info *chunk)
{
    return chunk->kind == RLN__CHUNK_SWITCHES ||
           chunk->kind == RLN__CHUNK_NEWEST_SWITCHES;
}

/* --- Records ---------------------------------------------------------------------- */

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
    return sub != RLN__SUB_SWITCH || is_switch(s->kind);
}

static int decode(const struct rln__record *record, const struct rln__chunk_info *chunk,
                  struct rln__switch *s, uint64_t ticks[2])
{
    const uint64_t word = record->words[0];
    const unsigned kind = (unsigned)word & 15;

    if (kind == RLN__LONG)
        return decode_long(record, s, ticks);
    if (!is_switch(kind))
        return 0;
    s->kind = kind;
    s->tid = (uint32_t)(word >> RLN__ID_SHIFT) & RLN__MAX_ID;
    ticks[0] = ticks[1] = chunk->base_ticks + (word >> RLN__TICKS_SHIFT);
    return 1;
}

/* --- Chunks ----------------------------------------------------------------------- */

/* The end of a thread that had a processor when another id left it, if its birth, which
 * was on a processor that is read later, says that this is the first of its process. */
struct leaver {
    struct rln__switch ended;
    uint32_t first;
};

/* What is not settled by so many later ones was of lost records. */
#define MOST_LEAVERS 32

struct switch_reading {
    rln_reader *reader;
    const struct rln__chunk_info *chunk;
    int (*take)(void *context, const struct rln__switch *);
    void *context;
    struct rln__cursor cursor;
    /* Ticks, by part and thread id: of what there is until then, a part may be missing. */
    struct rln__map since;
    struct rln__map pids;           /* by part and thread id: of those that were born */
    struct rln__map on;             /* by part and processor: the thread on it, + 1 */
    uint64_t processor_key, tid_on; /* of the last question to it: a thread, or 0 */
    struct leaver leavers[MOST_LEAVERS];
    size_t n_leavers; /* so far */
};

static uint64_t thread_key(uint32_t part, uint32_t tid)
{
    return (uint64_t)part << 32 | tid;
}

/* The last switch of a thread, or without an id the end of a loss, in a record
 * `continued`; and that before it, since that record's time, something is missing. */
static int take_last(struct switch_reading *r, uint64_t since_ticks, uint64_t ticks,
                     uint64_t word)
{
    const uint32_t part = r->chunk->part, tid = (uint32_t)(word >> 32);
    struct rln__switch s = {.t_ns = rln__reader_ns(r->reader, part, since_ticks),
                            .to_ns = rln__reader_ns(r->reader, part, ticks),
                            .part = part,
                            .processor = RLN__NO_PROCESSOR,
                            .tid = tid,
                            .kind = RLN__SUB_SWITCHES_LOST};

    if (ticks > since_ticks && r->take(r->context, &s))
        return -1;
    if (!tid)
        return 0;
    s.kind = (unsigned)word & 255;
    s.t_ns = s.to_ns;
    return rln__map_put(&r->since, thread_key(part, tid), ticks) ||
                   r->take(r->context, &s)
               ? -1
               : 0;
}

/* 0, or -1: no memory. */
static int take_continued(struct switch_reading *r, const struct rln__record *record)
{
    const uint64_t *words = record->words;

    if ((words[0] & 15) != RLN__LONG ||
        rln__sub_of(words[0]) != RLN__SUB_SWITCHES_CONTINUED)
        return 0;
    for (size_t at = RLN__SWITCHES_CONTINUED_WORDS; at + 1 < record->n_words; at += 2)
        if (words[at] &&
            (!(words[at + 1] >> 32) || is_switch((unsigned)words[at + 1] & 255)) &&
            take_last(r, words[1], words[at], words[at + 1]))
            return -1;
    return 0;
}

/* --- Who executes ----------------------------------------------------------------- */

/* 0, or -1: no memory. */
static int look_at_processor(struct switch_reading *r, const struct rln__switch *s)
{
    const uint64_t key = thread_key(s->part, s->processor);

    if (key == r->processor_key)
        return 0;
    if (rln__map_put(&r->on, r->processor_key, r->tid_on + 1))
        return -1;
    r->processor_key = key;
    r->tid_on = rln__map_get(&r->on, key);
    r->tid_on -= r->tid_on > 0;
    return 0;
}

/* The thread that had the processor has become the first of its process, with this id. */
static int end_executing(struct switch_reading *r, const struct rln__switch *s)
{
    struct rln__switch ended = *s;
    const uint64_t pid =
        rln__map_get(&r->pids, thread_key(s->part, (uint32_t)r->tid_on));

    /* Of another process is one that has left in records not read yet, or lost ones. */
    if (!r->tid_on || r->tid_on == s->tid || (pid && pid != s->tid))
        return 0;
    ended.kind = RLN__SWITCH_ENDED;
    ended.tid = (uint32_t)r->tid_on;
    return r->take(r->context, &ended);
}

/* It may lose the processor between getting that id and the record that says so. Whether
 * that has happened. */
static int leaves_as_first(struct switch_reading *r, const struct rln__switch *s)
{
    uint64_t pid;

    if (!is_switch(s->kind) || s->kind == RLN__SWITCH_ON ||
        s->kind == RLN__SWITCH_EXECED || !r->tid_on || r->tid_on == s->tid)
        return 0;
    pid = rln__map_get(&r->pids, thread_key(s->part, (uint32_t)r->tid_on));
    if (!pid) {
        struct leaver *leaver = &r->leavers[r->n_leavers++ % MOST_LEAVERS];

        *leaver = (struct leaver){.ended = *s, .first = s->tid};
        leaver->ended.kind = RLN__SWITCH_ENDED;
        leaver->ended.tid = (uint32_t)r->tid_on;
    }
    return pid == s->tid;
}

/* 0, or -1: no memory. */
static int settle_leavers(struct switch_reading *r, const struct rln__switch *born)
{
    const size_t n = r->n_leavers < MOST_LEAVERS ? r->n_leavers : MOST_LEAVERS;

    for (size_t i = 0; i < n; i++) {
        struct leaver *leaver = &r->leavers[i];

        if (leaver->first != born->pid || leaver->ended.tid != born->tid ||
            leaver->ended.part != born->part || leaver->ended.t_ns < born->t_ns)
            continue;
        leaver->first = 0;
        if (r->take(r->context, &leaver->ended))
            return -1;
    }
    return 0;
}

/* 0, or -1: no memory. */
static int note_birth(struct switch_reading *r, const struct rln__switch *s)
{
    if (!s->pid)
        return 0;
    return rln__map_put(&r->pids, thread_key(s->part, s->tid), s->pid) ||
                   settle_leavers(r, s)
               ? -1
               : 0;
}

/* Notes who has the processor. 0, or -1: no memory. */
static int follow(struct switch_reading *r, struct rln__switch *s)
{
    if (s->kind == RLN__SUB_BORN)
        return note_birth(r, s);
    if (s->processor == RLN__NO_PROCESSOR)
        return 0;
    if (look_at_processor(r, s))
        return -1;
    s->comes = s->kind == RLN__SWITCH_EXECED && r->tid_on != s->tid;
    if ((s->comes || leaves_as_first(r, s)) && end_executing(r, s))
        return -1;
    if (is_switch(s->kind) || s->kind == RLN__SUB_SWITCHES_LOST)
        r->tid_on =
            s->kind == RLN__SWITCH_ON || s->kind == RLN__SWITCH_EXECED ? s->tid : 0;
    return 0;
}

/* 0, or -1: no memory. */
static int take_record(struct switch_reading *r, const struct rln__record *record,
                       struct rln__switch *s)
{
    uint64_t ticks[2], since;

    if (!decode(record, r->chunk, s, ticks))
        return 0;
    since = s->tid ? rln__map_get(&r->since, thread_key(s->part, s->tid)) : 0;
    if (since && ticks[1] <= since)
        return 0;
    if (ticks[0] < since)
        ticks[0] = since; /* of a loss: the rest is missing anyway */
    s->t_ns = rln__reader_ns(r->reader, s->part, ticks[0]);
    s->to_ns =
        ticks[1] == ticks[0] ? s->t_ns : rln__reader_ns(r->reader, s->part, ticks[1]);
    return follow(r, s) ? -1 : r->take(r->context, s);
}

static rln_status read_chunk(struct switch_reading *r, rln_error *err)
{
    const struct rln__chunk_info *chunk = r->chunk;
    struct rln__switch s = {.part = chunk->part, .processor = chunk->thread - 1};
    struct rln__record record;
    rln_status status;

    rln__cursor_begin(&r->cursor, r->reader->layout.parts[chunk->part].file, chunk);
    while ((status = rln__cursor_next(&r->cursor, &record, err)) == RLN_OK)
        if (take_record(r, &record, &s))
            return rln__fail_nomem(err);
    return status == RLN_END ? RLN_OK : status;
}

/* The first record of the chunk with which the switches of a part begin. */
static rln_status read_beginning(struct switch_reading *r, rln_error *err)
{
    const struct rln__chunk_info *chunk = r->chunk;
    struct rln__record record;
    rln_status status;

    rln__cursor_begin(&r->cursor, r->reader->layout.parts[chunk->part].file, chunk);
    status = rln__cursor_next(&r->cursor, &record, err);
    if (!status && take_continued(r, &record))
        return rln__fail_nomem(err);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status read_all(struct switch_reading *r, rln_error *err)
{
    const struct rln__layout *layout = &r->reader->layout;
    rln_status status = rln__cursor_init(&r->cursor, WINDOW_WORDS, err);

    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        r->chunk = &layout->chunks[i];
        if (r->chunk->kind == RLN__CHUNK_NEWEST_SWITCHES && r->chunk->begins_record)
            status = read_beginning(r, err);
    }
    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        r->chunk = &layout->chunks[i];
        if (is_of_switches(r->chunk))
            status = read_chunk(r, err);
    }
    return status;
}

rln_status rln__switches_read(rln_reader *reader,
                              int (*take)(void *context, const struct rln__switch *),
                              void *context, rln_error *err)
{
    struct switch_reading r = {.reader = reader,
                               .take = take,
                               .context = context,
                               .processor_key = UINT64_MAX};
    rln_status status = RLN_OK;

    if (rln__switches_bytes(reader, RLN__NONE))
        status = read_all(&r, err);
    rln__cursor_clear(&r.cursor);
    rln__map_clear(&r.since);
    rln__map_clear(&r.pids);
    rln__map_clear(&r.on);
    return status;
}

uint64_t rln__switches_bytes(const rln_reader *reader, uint32_t part)
{
    uint64_t n_bytes = 0;

    for (size_t i = 0; i < reader->layout.n_chunks; i++) {
        const struct rln__chunk_info *chunk = &reader->layout.chunks[i];

        if (is_of_switches(chunk) && (part == RLN__NONE || chunk->part == part))
            n_bytes += chunk->end - chunk->offset;
    }
    return n_bytes;
}

int64_t rln__switches_since_ns(const rln_reader *reader, uint32_t part)
{
    int64_t since_ns = INT64_MIN;

    for (size_t i = 0; i < reader->layout.n_chunks; i++) {
        const struct rln__chunk_info *chunk = &reader->layout.chunks[i];
        int64_t t_ns;

        if (chunk->kind != RLN__CHUNK_NEWEST_SWITCHES || !chunk->begins_record ||
            (part != RLN__NONE && chunk->part != part))
            continue;
        t_ns = rln__clock_fit_ns(&reader->clock_fits[chunk->part], chunk->first_ticks);
        since_ns = t_ns > since_ns ? t_ns : since_ns;
    }
    return since_ns;
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
