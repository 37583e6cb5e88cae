/* SPDX-License-Identifier: Apache-2.0 */
/* payload_builder.h - writes the records of NVTX's extensions: registrations, and
 * events with payloads. Names are passed as text; their strings are written as needed.
 */
#ifndef RLN_TESTS_PAYLOAD_BUILDER_H
#define RLN_TESTS_PAYLOAD_BUILDER_H

#include "format/nvtx_payload.h"
#include "trace_builder.h"

struct pb_entry {
    uint64_t flags;
    uint64_t type;
    const char *name; /* NULL: it has none */
    uint64_t detail;
    uint64_t offset;
};

struct pb_value {
    const char *name;
    uint64_t value;
    uint32_t is_flag;
};

/* A new string; ids begin at 1000, which no scenario uses. */
static inline uint32_t pb_string(struct tb_chunk *c, const char *text)
{
    static uint32_t next = 1000;

    if (!text)
        return 0;
    tb_string(c, next, text);
    return next++;
}

struct pb_schema {
    uint32_t domain;
    const char *name;
    uint64_t id;
    uint32_t type; /* enum rln__schema_type */
    uint32_t flags;
    uint64_t size_bytes;
    uint32_t pack_align;
    uint64_t t;
};

static inline void pb_schema(struct tb_chunk *c, struct pb_schema s,
                             const struct pb_entry *entries, size_t n)
{
    uint64_t *words = calloc(6 + n * RLN__ENTRY_WORDS, 8);

    if (!words)
        abort();
    words[0] = rln__pair32(s.domain, pb_string(c, s.name));
    words[1] = s.id;
    words[2] = rln__pair32(s.type, s.flags);
    words[3] = s.size_bytes;
    words[4] = rln__pair32(s.pack_align, n);
    words[5] = TB_START + s.t;
    for (size_t i = 0; i < n; i++) {
        const struct rln__schema_entry e = {entries[i].flags,
                                            entries[i].type,
                                            pb_string(c, entries[i].name),
                                            0,
                                            entries[i].detail,
                                            entries[i].offset,
                                            0,
                                            0};

        memcpy(words + 6 + i * RLN__ENTRY_WORDS, &e, sizeof(e));
    }
    tb_long(c, RLN__SUB_SCHEMA, words, 6 + n * RLN__ENTRY_WORDS);
    free(words);
}

static inline void pb_enum(struct tb_chunk *c, uint32_t domain, const char *name,
                           uint64_t id, uint32_t n_bytes, const struct pb_value *values,
                           size_t n)
{
    uint64_t words[4 + 2 * 64];

    if (n > 64)
        abort();
    words[0] = rln__pair32(domain, pb_string(c, name));
    words[1] = id;
    words[2] = rln__pair32(n_bytes, n);
    words[3] = TB_START;
    for (size_t i = 0; i < n; i++) {
        words[4 + i * 2] = values[i].value;
        words[5 + i * 2] = rln__pair32(pb_string(c, values[i].name), values[i].is_flag);
    }
    tb_long(c, RLN__SUB_ENUM, words, 4 + n * 2);
}

static inline void pb_scope(struct tb_chunk *c, uint32_t domain, uint64_t id,
                            uint64_t parent, const char *path)
{
    const uint64_t words[3] = {rln__pair32(domain, pb_string(c, path)), id, parent};

    tb_long(c, RLN__SUB_SCOPE, words, 3);
}

/* Appends a segment to a record's words; returns how many words it takes. */
static inline size_t pb_segment(uint64_t *words, uint64_t schema, uint64_t address,
                                const void *bytes, uint32_t n_kept, uint32_t n_given)
{
    words[0] = schema;
    words[1] = address;
    words[2] = rln__pair32(n_kept, n_given);
    return 3 + tb_text(words + 3, bytes, n_kept);
}

/* An event with one payload. `value` is the range's id at an end, else NULL. */
static inline uint64_t pb_event(struct tb_chunk *c, unsigned kind, uint32_t id,
                                uint64_t t, const uint64_t *value, uint64_t schema,
                                const void *bytes, uint32_t n_bytes)
{
    uint64_t words[1024];
    size_t n = 2;
    const uint64_t range_id = (c->at - c->tb->part) / 8;

    words[0] = TB_START + t;
    words[1] = kind | (value ? 1u : 0u) << 8 | 1u << 16 | (uint64_t)id << 32;
    if (value)
        words[n++] = *value;
    n += pb_segment(words + n, schema, 0x10000, bytes, n_bytes, n_bytes);
    tb_long(c, RLN__SUB_PAYLOADS, words, n);
    return range_id;
}

#endif
