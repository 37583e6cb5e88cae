/* SPDX-License-Identifier: Apache-2.0 */
/* payload_scenario.h - makes a trace of events with payloads: some set attributes of
 * their event, some belong to both ends of a range, some are missing. */
#ifndef RLN_TESTS_PAYLOAD_SCENARIO_H
#define RLN_TESTS_PAYLOAD_SCENARIO_H

#include "payload_builder.h"

#define PS_REQUEST (RLN__FIRST_SCHEMA_ID + 1)
#define PS_REPLY (RLN__FIRST_SCHEMA_ID + 2)
#define PS_OP (RLN__FIRST_SCHEMA_ID + 3)
#define PS_SIZES (RLN__FIRST_SCHEMA_ID + 4)
#define PS_NOBODY (RLN__FIRST_SCHEMA_ID + 99)

struct ps_request { /* its text is the event's message */
    char text[8];
    uint32_t category;
    uint32_t op;
    double weight;
};

struct ps_reply { /* renames its range, and colors it */
    char text[8];
    uint32_t color;
    int16_t status;
};

static inline void ps_register(struct tb_chunk *c)
{
    static const struct pb_entry request[] = {
        {1 << 10, RLN__TYPE_CSTRING, "text", 8, 0},
        {0, RLN__TYPE_CATEGORY, "category", 0, 8},
        {0, PS_OP, "op", 0, 12},
        {0, RLN__TYPE_DOUBLE, "weight", 0, 16},
    };
    static const struct pb_entry reply[] = {
        {1 << 10, RLN__TYPE_CSTRING, "text", 8, 0},
        {1 << 9, RLN__TYPE_COLOR, "color", 0, 8}, /* NVTX's flag HIDE */
        {0, RLN__TYPE_INT16, "status", 0, 12},
    };
    static const struct pb_entry sizes[] = {
        {0, RLN__TYPE_UINT32, "n", 0, 0},
        {0x30, RLN__TYPE_UINT32, "of", 0, 0},
    };
    static const struct pb_value op[] = {{"get", 0, 0}, {"put", 1, 0}};

    pb_schema(c, (struct pb_schema){1, "request", PS_REQUEST, 1, 0, 24, 0, 0}, request,
              4);
    pb_schema(c, (struct pb_schema){1, "reply", PS_REPLY, 1, 0, 16, 0, 0}, reply, 3);
    pb_schema(c, (struct pb_schema){1, "sizes", PS_SIZES, 2, 0, 0, 0, 0}, sizes, 2);
    pb_enum(c, 1, "op", PS_OP, 4, op, 2);
    tb_attributes(c, 20, 1, 0); /* nothing but the domain */
    pb_scope(c, 1, RLN__FIRST_SCHEMA_ID + 5, 21, "pool");
    pb_scope(c, 1, RLN__FIRST_SCHEMA_ID + 6, RLN__FIRST_SCHEMA_ID + 5, "worker[1]");
}

/* Two payloads of one mark; only half of the second was copied. */
static inline void ps_two(struct tb_chunk *c, uint64_t t)
{
    static const uint32_t sizes[4] = {3, 10, 20, 30}, raw[2] = {1, 2};
    uint64_t words[32] = {TB_START + t, RLN__MARK | 2u << 16 | (uint64_t)3 << 32};
    size_t n = 2;

    n += pb_segment(words + n, PS_SIZES, 0x1000, sizes, 16, 16);
    n += pb_segment(words + n, RLN__TYPE_RAW, 0x2000, raw, 4, 8);
    tb_long(c, RLN__SUB_PAYLOADS, words, n);
}

static inline void ps_payloads(struct tb *tb,
                               void (*names)(struct tb *, uint32_t, uint32_t))
{
    static const struct ps_request get = {"fetch", 7, 0, 0.1}, put = {"store", 8, 1, 2};
    static const struct ps_reply done = {"served", 0xff00ff00u, -1};
    struct tb_chunk c;
    uint64_t id;

    (void)tb_part(tb, 21);
    names(tb, 1, 100);
    c = tb_names(tb, 1);
    ps_register(&c);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)pb_event(&c, RLN__PUSH, 20, 100, NULL, PS_REQUEST, &get, sizeof(get));
    (void)pb_event(&c, RLN__PUSH, 3, 200, NULL, PS_REQUEST, &put, sizeof(put));
    ps_two(&c, 300);
    (void)tb_event(&c, RLN__POP, 1, 400);
    (void)pb_event(&c, RLN__POP, 1, 500, NULL, PS_REPLY, &done, sizeof(done));
    (void)pb_event(&c, RLN__MARK, 2, 600, NULL, PS_NOBODY, "\x01\x02", 2);
    id = pb_event(&c, RLN__START, 20, 700, NULL, PS_REQUEST, &get, sizeof(get));
    (void)pb_event(&c, RLN__END, 1, 800, &id, PS_REPLY, &done, sizeof(done));
    (void)pb_event(&c, RLN__PUSH, 20, 900, NULL, PS_REQUEST, &put, sizeof(put));
}

#endif
