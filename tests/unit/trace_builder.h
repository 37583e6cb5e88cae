/* SPDX-License-Identifier: Apache-2.0 */
/* trace_builder.h - writes small traces, word by word, for the tests of the readers.
 *
 * One tick is one nanosecond. The trace's time 0 is at TB_START ticks, so an event at
 * `t` has a ticks value of TB_START + t. All chunks begin at time 0 unless specified
 * otherwise. Memory errors end the test program.
 */
#ifndef RLN_TESTS_TRACE_BUILDER_H
#define RLN_TESTS_TRACE_BUILDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"

#define TB_START 1000000u
#define TB_MONOTONIC 5000000000u
#define TB_REALTIME 1700000000000000000u
#define TB_CHUNK_BYTES RLN__CHUNK_ALIGN

struct tb {
    unsigned char *bytes; /* owned */
    size_t size;
    size_t part; /* where the current part begins */
    uint64_t trace_id;
};

/* A chunk that is being filled. */
struct tb_chunk {
    struct tb *tb;
    size_t at, end;
};

static inline void *tb_at(struct tb *tb, size_t offset)
{
    return tb->bytes + offset;
}

static inline size_t tb_extend(struct tb *tb, size_t n_bytes)
{
    const size_t offset = tb->size;

    tb->bytes = realloc(tb->bytes, tb->size + n_bytes);
    if (!tb->bytes)
        abort();
    memset(tb->bytes + offset, 0, n_bytes);
    tb->size += n_bytes;
    return offset;
}

static inline struct rln__clock_tuple tb_tuple(uint64_t t)
{
    const struct rln__clock_tuple tuple = {TB_START + t, TB_MONOTONIC + t,
                                           TB_REALTIME + t, 10};

    return tuple;
}

/* Begins a part; the first one begins the file. */
static inline struct rln__superblock *tb_part(struct tb *tb, uint64_t trace_id)
{
    struct rln__superblock *super;

    if (tb->size % RLN__BLOCK_ALIGN)
        (void)tb_extend(tb, RLN__BLOCK_ALIGN - tb->size % RLN__BLOCK_ALIGN);
    tb->part = tb_extend(tb, RLN__SUPERBLOCK_BYTES);
    tb->trace_id = trace_id;
    super = tb_at(tb, tb->part);
    memcpy(super->magic, RLN__MAGIC, sizeof(super->magic));
    super->major = RLN__MAJOR;
    super->superblock_bytes = RLN__SUPERBLOCK_BYTES;
    super->trace_id = trace_id;
    super->clock_kind = RLN__CLOCK_TSC;
    super->ticks_per_s = 1000000000;
    super->finished = 1;
    super->created[0] = tb_tuple(0);
    super->created[1] = tb_tuple(50000);
    memcpy(super->boot_id, "01234567-89ab-cdef-0123-456789abcdef", 36);
    memcpy(super->host, "testhost", 8);
    return super;
}

/* Adds a window to the current part; one that is not closed has `closed` 0. */
static inline void tb_window(struct tb *tb, uint64_t opened, uint32_t opened_by,
                             uint64_t closed, uint32_t closed_by)
{
    struct rln__superblock *super = tb_at(tb, tb->part);
    const size_t n = super->control.gate >> 32;
    const struct rln__window window = {
        .opened = opened ? TB_START + opened : 0,
        .closed = closed ? TB_START + closed : 0,
        .opened_by = opened_by,
        .closed_by = closed_by,
    };

    memcpy(tb_at(tb, tb->part + RLN__WINDOWS_OFFSET + n * sizeof(window)), &window,
           sizeof(window));
    super->control.gate = (n + 1) << 32 | (closed ? RLN__GATE_COMMAND : 0u);
}

/* Adds a chunk that begins `t` ns after the trace. */
static inline struct tb_chunk tb_chunk_at(struct tb *tb, unsigned kind,
                                          uint32_t process, uint32_t thread,
                                          uint32_t tid, uint64_t t)
{
    const size_t offset = tb_extend(tb, TB_CHUNK_BYTES);
    const struct rln__clock_tuple now = tb_tuple(t);
    const struct tb_chunk chunk = {tb, offset + RLN__CHUNK_HEADER_BYTES,
                                   offset + TB_CHUNK_BYTES};
    struct rln__chunk_header *h = tb_at(tb, offset);

    h->magic = RLN__CHUNK_MAGIC;
    h->kind = (uint16_t)kind;
    h->uncertainty_16ticks = 1;
    h->trace_id = tb->trace_id;
    h->size_bytes = TB_CHUNK_BYTES;
    h->process = process;
    h->thread = thread;
    h->tid = tid;
    h->base_ticks = now.ticks;
    h->base_monotonic_ns = now.monotonic_ns;
    h->base_realtime_ns = now.realtime_ns;
    return chunk;
}

static inline struct tb_chunk tb_events(struct tb *tb, uint32_t process,
                                        uint32_t thread, uint32_t tid)
{
    return tb_chunk_at(tb, RLN__CHUNK_EVENTS, process, thread, tid, 0);
}

static inline struct tb_chunk tb_names(struct tb *tb, uint32_t process)
{
    return tb_chunk_at(tb, RLN__CHUNK_NAMES, process, 0, 0, 0);
}

/* Returns the id of the range whose start is this word. */
static inline uint64_t tb_word(struct tb_chunk *c, uint64_t word)
{
    const size_t at = c->at;

    if (c->at + 8 > c->end)
        abort();
    memcpy(tb_at(c->tb, at), &word, 8);
    c->at += 8;
    return (at - c->tb->part) / 8;
}

/* `t` counts from the chunk's base. */
static inline uint64_t tb_event(struct tb_chunk *c, unsigned kind, uint32_t id,
                                uint64_t t)
{
    return tb_word(c, (t << RLN__TICKS_SHIFT) | ((uint64_t)id << RLN__ID_SHIFT) | kind);
}

static inline uint64_t tb_value(struct tb_chunk *c, unsigned kind, uint32_t id,
                                uint64_t t, uint64_t value)
{
    const uint64_t range_id = tb_event(c, kind, id, t);

    (void)tb_word(c, value);
    return range_id;
}

static inline void tb_long(struct tb_chunk *c, unsigned sub, const uint64_t *words,
                           size_t n_words)
{
    (void)tb_word(c, rln__long_word(RLN__LONG, sub, n_words + 1));
    for (size_t i = 0; i < n_words; i++)
        (void)tb_word(c, words[i]);
}

/* Appends text to a record's words; returns how many words it takes. */
static inline size_t tb_text(uint64_t *words, const char *text, size_t length)
{
    memset(words, 0, (length + 7) / 8 * 8);
    memcpy(words, text, length);
    return (length + 7) / 8;
}

static inline void tb_thread(struct tb_chunk *c, uint32_t thread, uint32_t tid,
                             uint64_t t, const char *name)
{
    uint64_t words[4] = {TB_START + t, rln__pair32(thread, tid)};

    (void)tb_text(words + 2, name, strlen(name));
    tb_long(c, RLN__SUB_THREAD, words, 4);
}

static inline void tb_depths(struct tb_chunk *c, unsigned sub, uint64_t t,
                             uint64_t n_lost, uint32_t domain, uint32_t depth)
{
    const uint64_t words[3] = {TB_START + t, n_lost, rln__pair32(domain, depth)};

    tb_long(c, sub, words, 3);
}

static inline struct rln__process_record *
tb_process(struct tb_chunk *c, uint32_t process, uint32_t parent, uint32_t pid)
{
    const size_t at = c->at;
    struct rln__process_record *r;
    uint64_t words[RLN__PROCESS_WORDS] = {0};

    tb_long(c, RLN__SUB_PROCESS, words + 1, RLN__PROCESS_WORDS - 1);
    r = tb_at(c->tb, at);
    r->process = process;
    r->parent = parent;
    r->pid = pid;
    r->ppid = 1;
    r->clock[0] = tb_tuple(1000);
    r->clock[1] = tb_tuple(51000);
    return r;
}

static inline void tb_bytes(struct tb_chunk *c, uint32_t id, const char *text,
                            size_t length)
{
    uint64_t words[1024];

    words[0] = rln__pair32(id, length);
    tb_long(c, RLN__SUB_STRING, words, 1 + tb_text(words + 1, text, length));
}

static inline void tb_string(struct tb_chunk *c, uint32_t id, const char *text)
{
    tb_bytes(c, id, text, strlen(text));
}

static inline void tb_note(struct tb_chunk *c, const char *key, const char *value)
{
    uint64_t words[64];
    char both[400];
    const int n = snprintf(both, sizeof(both), "%s%s", key, value);

    words[0] = rln__pair32(strlen(key), strlen(value));
    tb_long(c, RLN__SUB_NOTE, words, 1 + tb_text(words + 1, both, (size_t)n));
}

static inline void tb_domain(struct tb_chunk *c, uint32_t id, uint32_t string)
{
    const uint64_t word = rln__pair32(id, string);

    tb_long(c, RLN__SUB_DOMAIN, &word, 1);
}

static inline void tb_category(struct tb_chunk *c, uint32_t domain, uint32_t category,
                               uint32_t string)
{
    const uint64_t words[2] = {rln__pair32(domain, category), string};

    tb_long(c, RLN__SUB_CATEGORY, words, 2);
}

/* Attributes without color and payload, with a plain message. */
static inline void tb_attributes(struct tb_chunk *c, uint32_t id, uint32_t domain,
                                 uint32_t string)
{
    const uint64_t words[3] = {
        rln__pair32(id, domain), 0,
        rln__pair32(string, rln__types(0, 0, string ? RLN__MESSAGE_PLAIN : 0))};

    tb_long(c, RLN__SUB_ATTRIBUTES, words, 3);
}

static inline void tb_attributes_full(struct tb_chunk *c, uint32_t id, uint32_t domain,
                                      uint32_t category, uint32_t color,
                                      uint32_t string, uint64_t types)
{
    const uint64_t words[3] = {rln__pair32(id, domain), rln__pair32(category, color),
                               rln__pair32(string, types)};

    tb_long(c, RLN__SUB_ATTRIBUTES, words, 3);
}

/* An event that contains its attributes. `value` may be NULL. */
static inline void tb_in_line(struct tb_chunk *c, unsigned kind, uint64_t t,
                              const uint64_t *value, uint32_t domain, const char *text)
{
    uint64_t words[64] = {TB_START + t, kind | ((value ? 3u : 2u) << 8)};
    const size_t length = strlen(text);
    size_t n = 2;

    if (value)
        words[n++] = *value;
    words[n++] = rln__pair32(domain, 0);
    words[n++] = rln__pair32(0, rln__types(0, value ? 1 : 0, RLN__MESSAGE_PLAIN));
    words[n++] = length;
    n += tb_text(words + n, text, length);
    tb_long(c, RLN__SUB_EVENT, words, n);
}

static inline void tb_write(const struct tb *tb, const char *path)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(tb->bytes, 1, tb->size, file) != tb->size || fclose(file))
        abort();
}

static inline void tb_clear(struct tb *tb)
{
    free(tb->bytes);
    memset(tb, 0, sizeof(*tb));
}

#endif
