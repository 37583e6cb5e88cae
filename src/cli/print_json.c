/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

const char *rln__event_name(rln_event_type type)
{
    static const char *const names[] = {
        NULL,
        "mark",
        "push",
        "pop",
        "start",
        "end",
        "gap",
        "inherited",
        "thread_begin",
        "thread_name",
        "resource",
        "resource_destroy",
        "domain_destroy",
    };

    return (unsigned)type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

/* The fewest digits that mean the same number again. */
static void add_double(struct rln__buf *buf, double value, int is_float)
{
    char text[40];
    int digits = is_float ? 6 : 15;
    const int most = is_float ? 9 : 17;

    if (!isfinite(value)) {
        rln__buf_text(buf, isnan(value) ? "\"nan\""
                           : value < 0  ? "\"-inf\""
                                        : "\"inf\"");
        return;
    }
    for (;; digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, value);
        if (digits == most || (is_float ? (float)strtod(text, NULL) == (float)value
                                        : strtod(text, NULL) == value))
            break;
    }
    rln__buf_text(buf, text);
}

void rln__json_payload(struct rln__buf *buf, uint8_t type, uint64_t bits)
{
    double d;
    float f;

    switch (type) {
    case RLN_PAYLOAD_U64:
        rln__buf_u64(buf, bits);
        break;
    case RLN_PAYLOAD_I64:
        rln__buf_i64(buf, (int64_t)bits);
        break;
    case RLN_PAYLOAD_U32:
        rln__buf_u64(buf, (uint32_t)bits);
        break;
    case RLN_PAYLOAD_I32:
        rln__buf_i64(buf, (int32_t)(uint32_t)bits);
        break;
    case RLN_PAYLOAD_DOUBLE:
        memcpy(&d, &bits, sizeof(d));
        add_double(buf, d, 0);
        break;
    case RLN_PAYLOAD_FLOAT:
        memcpy(&f, &bits, sizeof(f)); /* little-endian: the low bytes */
        add_double(buf, (double)f, 1);
        break;
    default:
        rln__buf_text(buf, "\"0x");
        rln__buf_hex(buf, bits, 16);
        rln__buf_char(buf, '"');
        break;
    }
}

static void add_key(struct rln__buf *buf, const char *key)
{
    rln__buf_text(buf, ",\"");
    rln__buf_text(buf, key);
    rln__buf_text(buf, "\":");
}

static void add_text(struct rln__buf *buf, const char *key, rln_text text)
{
    if (!text.bytes)
        return;
    add_key(buf, key);
    rln__buf_json(buf, text.bytes, text.length);
}

static void add_u64(struct rln__buf *buf, const char *key, uint64_t value)
{
    add_key(buf, key);
    rln__buf_u64(buf, value);
}

static void add_i64(struct rln__buf *buf, const char *key, int64_t value)
{
    add_key(buf, key);
    rln__buf_i64(buf, value);
}

static void add_attributes(struct rln__buf *buf, const rln_attributes *with,
                           uint64_t payload_bits)
{
    add_text(buf, "domain", with->domain_name);
    add_text(buf, "message", with->message);
    if (with->message_kind == RLN_MESSAGE_REGISTERED)
        rln__buf_text(buf, ",\"registered\":true");
    if (with->category)
        add_u64(buf, "category", with->category);
    add_text(buf, "category_name", with->category_name);
    if (with->has_color) {
        rln__buf_text(buf, ",\"color\":\"#");
        rln__buf_hex(buf, with->color, 8);
        rln__buf_char(buf, '"');
    }
    if (with->payload_type) {
        rln__buf_text(buf, ",\"payload\":");
        rln__json_payload(buf, with->payload_type, payload_bits);
    }
}

static void add_flags(struct rln__buf *buf, uint32_t flags)
{
    if (flags & RLN_FLAG_UNMATCHED)
        rln__buf_text(buf, ",\"unmatched\":true");
    if (flags & RLN_FLAG_INHERITED)
        rln__buf_text(buf, ",\"inherited\":true");
    if (flags & RLN_FLAG_LOST)
        rln__buf_text(buf, ",\"lost\":true");
    if (flags & RLN_FLAG_OPEN)
        rln__buf_text(buf, ",\"open\":true");
}

void rln__json_event(struct rln__buf *buf, const rln_event *e)
{
    rln__buf_text(buf, "{\"type\":\"");
    rln__buf_text(buf, rln__event_name(e->type));
    rln__buf_char(buf, '"');
    add_i64(buf, "t", e->t_ns);
    add_u64(buf, "pid", e->pid);
    switch (e->type) {
    case RLN_EVENT_THREAD_BEGIN:
    case RLN_EVENT_THREAD_NAME:
        add_u64(buf, "tid", e->tid);
        add_text(buf, "name", e->with.message);
        break;
    case RLN_EVENT_RESOURCE:
        add_u64(buf, "resource", e->id);
        add_text(buf, "domain", e->with.domain_name);
        add_text(buf, "name", e->with.message);
        add_u64(buf, "identifier", e->payload_bits);
        break;
    case RLN_EVENT_RESOURCE_DESTROY:
        add_u64(buf, "resource", e->id);
        break;
    case RLN_EVENT_DOMAIN_DESTROY:
        add_text(buf, "domain", e->with.domain_name);
        break;
    case RLN_EVENT_GAP:
        add_u64(buf, "tid", e->tid);
        add_u64(buf, "n_lost", e->n_lost);
        break;
    case RLN_EVENT_POP:
    case RLN_EVENT_END:
        add_u64(buf, "tid", e->tid);
        add_text(buf, "domain", e->with.domain_name);
        break;
    default:
        add_u64(buf, "tid", e->tid);
        add_attributes(buf, &e->with, e->payload_bits);
        break;
    }
    if (e->type == RLN_EVENT_START || e->type == RLN_EVENT_END)
        add_u64(buf, "id", e->id);
    if (e->type == RLN_EVENT_PUSH || e->type == RLN_EVENT_POP)
        add_u64(buf, "depth", e->depth);
    add_flags(buf, e->flags);
    rln__buf_text(buf, "}\n");
}

void rln__json_range(struct rln__buf *buf, const rln_range *r)
{
    const int is_push_pop = r->style == RLN_RANGE_PUSH_POP;
    const int has_start =
        (r->flags & RLN_FLAG_OPEN) ||
        !(r->flags & (RLN_FLAG_LOST | RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED));
    const int has_end = !(r->flags & RLN_FLAG_OPEN);

    rln__buf_text(buf, is_push_pop ? "{\"type\":\"range\",\"style\":\"push_pop\""
                                   : "{\"type\":\"range\",\"style\":\"start_end\"");
    if (has_start)
        add_i64(buf, "start", r->start_ns);
    if (has_end)
        add_i64(buf, "end", r->end_ns);
    if (has_start && has_end)
        add_i64(buf, "duration", r->end_ns - r->start_ns);
    add_u64(buf, "pid", r->pid);
    add_u64(buf, "tid", r->tid);
    if (has_end && r->end_thread != r->thread) {
        add_u64(buf, "end_pid", r->end_pid);
        add_u64(buf, "end_tid", r->end_tid);
    }
    add_attributes(buf, &r->with, r->payload_bits);
    if (is_push_pop)
        add_u64(buf, "depth", r->depth);
    else
        add_u64(buf, "id", r->id);
    add_flags(buf, r->flags);
    rln__buf_text(buf, "}\n");
}
