/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/print/print_json.h"

#include <string.h>

#include "base/json.h"
#include "cli/commands/print/print_memory.h"
#include "cli/commands/print/resource_type.h"
#include "rangeline/values.h"
#include "trace/open/enum_names.h"
#include "trace/payload/payload_json.h"

static void add_attributes(struct rln__buf *buf, const rln_attributes *with,
                           uint64_t payload_bits)
{
    rln__json_string(buf, "domain", with->domain_name);
    rln__json_string(buf, "message", with->message);
    rln__json_flag(buf, "registered", with->message_kind == RLN_MESSAGE_REGISTERED);
    rln__json_some(buf, "category", with->category);
    rln__json_string(buf, "category_name", with->category_name);
    if (with->has_color) {
        rln__json_key(buf, "color");
        rln__buf_text(buf, "\"#");
        rln__buf_hex(buf, with->color, 8);
        rln__buf_char(buf, '"');
    }
    if (with->payload_type) {
        rln__json_key(buf, "payload");
        rln__json_number(buf, with->payload_type, payload_bits);
    }
}

static void add_location(struct rln__buf *buf, struct rln__location location)
{
    rln__json_string(buf, "file", location.file);
    if (location.file.length)
        rln__json_u64(buf, "line", location.line);
}

static void add_flags(struct rln__buf *buf, uint32_t flags)
{
    rln__json_flag(buf, "unmatched", flags & RLN_FLAG_UNMATCHED);
    rln__json_flag(buf, "inherited", flags & RLN_FLAG_INHERITED);
    rln__json_flag(buf, "lost", flags & RLN_FLAG_LOST);
    rln__json_flag(buf, "open", flags & RLN_FLAG_OPEN);
    rln__json_flag(buf, "gave_up", flags & RLN_FLAG_GAVE_UP);
    rln__json_flag(buf, "deferred", flags & RLN_FLAG_DEFERRED);
    rln__json_flag(buf, "unplaced", flags & RLN_FLAG_UNPLACED);
    rln__json_flag(buf, "resumed", flags & RLN_FLAG_RESUMED);
}

/* "values":{"a":1,"b.x":2},"units":{"a":"bytes"} */
static void add_values(struct rln__buf *buf, const rln_event *e)
{
    size_t n_units = 0;

    rln__json_begin(buf, "values", '{');
    for (size_t i = 0; i < e->n_values; i++) {
        rln__json_name(buf, e->values[i].name);
        rln__json_number(buf, e->values[i].type, e->values[i].bits);
    }
    rln__buf_char(buf, '}');
    for (size_t i = 0; i < e->n_values; i++) {
        const rln_text unit = e->values[i].semantics->unit;

        if (!unit.length)
            continue;
        if (!n_units++)
            rln__json_begin(buf, "units", '{');
        rln__json_name(buf, e->values[i].name);
        rln__buf_json(buf, unit.bytes, unit.length);
    }
    rln__buf_text(buf, n_units ? "}" : "");
}

static void add_sample(struct rln__buf *buf, const rln_event *e)
{
    rln__json_u64(buf, "tid", e->tid);
    rln__json_string(buf, "domain", e->attributes.domain_name);
    rln__json_string(buf, "name", e->attributes.message);
    rln__json_u64(buf, "counter", e->id);
    if (e->no_value) {
        rln__json_word(buf, "no_value", rln__no_value_cause_name(e->no_value));
    } else if (e->n_values == 1 && !e->values->name.length) {
        rln__json_key(buf, "value");
        rln__json_number(buf, e->values->type, e->values->bits);
        rln__json_string(buf, "unit", e->values->semantics->unit);
    } else {
        add_values(buf, e);
    }
}

static void add_payloads(struct rln__buf *buf, struct rln__payload_list payloads)
{
    const size_t before = buf->length;

    if (!payloads.n)
        return;
    rln__json_key(buf, "payloads");
    if (!rln__json_of_payloads(buf, payloads.items, payloads.n))
        buf->length = before;
}

static void add_resource_type(struct rln__buf *buf, uint32_t type)
{
    const char *name = rln__resource_type_name(type);

    if (name)
        rln__json_word(buf, "resource_type", name);
    else
        rln__json_some(buf, "resource_type", type);
}

/* A stream of a GPU, or a thread, and what it did. */
static void add_gpu(struct rln__buf *buf, rln_text stream, uint32_t tid,
                    const rln_attributes *with, uint64_t correlation)
{
    rln__json_string(buf, "stream", stream);
    if (!stream.length)
        rln__json_u64(buf, "tid", tid);
    rln__json_string(buf, "name", with->message);
    rln__json_u64(buf, "correlation", correlation);
}

void rln__json_event(struct rln__buf *buf, const rln_event *e,
                     struct rln__json_subject subject,
                     struct rln__payload_list payloads)
{
    rln__buf_char(buf, '{');
    rln__json_word(buf, "type", rln_event_type_name(e->type));
    rln__json_i64(buf, "t", e->t_ns);
    rln__json_u64(buf, "pid", e->pid);
    switch (e->type) {
    case RLN_EVENT_THREAD_BEGIN:
    case RLN_EVENT_THREAD_NAME:
        rln__json_u64(buf, "tid", e->tid);
        rln__json_string(buf, "name", e->attributes.message);
        break;
    case RLN_EVENT_RESOURCE:
        rln__json_u64(buf, "resource", e->id);
        rln__json_string(buf, "domain", e->attributes.domain_name);
        rln__json_string(buf, "name", e->attributes.message);
        add_resource_type(buf, e->resource_type);
        rln__json_u64(buf, "identifier", e->payload_bits);
        break;
    case RLN_EVENT_RESOURCE_DESTROY:
        rln__json_u64(buf, "resource", e->id);
        break;
    case RLN_EVENT_SYNC_OBJECT:
    case RLN_EVENT_SYNC_OBJECT_DESTROY:
        rln__json_string(buf, "domain", e->attributes.domain_name);
        rln__json_string(buf, "name", e->attributes.message);
        rln__json_u64(buf, "object", e->id);
        break;
    case RLN_EVENT_DOMAIN_DESTROY:
        rln__json_string(buf, "domain", e->attributes.domain_name);
        break;
    case RLN_EVENT_GAP:
        rln__json_u64(buf, "tid", e->tid);
        rln__json_u64(buf, "n_lost", e->n_lost);
        break;
    case RLN_EVENT_OVERWRITTEN:
        rln__json_u64(buf, "tid", e->tid);
        break;
    case RLN_EVENT_POP:
    case RLN_EVENT_END:
        rln__json_u64(buf, "tid", e->tid);
        rln__json_string(buf, "domain", e->attributes.domain_name);
        break;
    case RLN_EVENT_SAMPLE:
        add_sample(buf, e);
        break;
    case RLN_EVENT_MEMORY:
        rln__json_u64(buf, "tid", e->tid);
        rln__json_string(buf, "domain", e->attributes.domain_name);
        rln__json_memory(buf, e->memory);
        break;
    case RLN_EVENT_GPU:
    case RLN_EVENT_CALL:
        rln__json_i64(buf, "duration", e->duration_ns);
        add_gpu(buf, subject.stream, e->tid, &e->attributes, e->id);
        break;
    case RLN_EVENT_SYNC_WAIT:
    case RLN_EVENT_SYNC_GAVE_UP:
    case RLN_EVENT_SYNC_ACQUIRED:
    case RLN_EVENT_SYNC_RELEASING:
        rln__json_u64(buf, "tid", e->tid);
        rln__json_string(buf, "domain", e->attributes.domain_name);
        rln__json_string(buf, "name", e->attributes.message);
        rln__json_u64(buf, "object", e->id);
        break;
    default:
        rln__json_u64(buf, "tid", e->tid);
        add_attributes(buf, &e->attributes, e->payload_bits);
        add_location(buf, subject.function);
        break;
    }
    if (e->type == RLN_EVENT_START || e->type == RLN_EVENT_END)
        rln__json_u64(buf, "id", e->id);
    if (e->type == RLN_EVENT_PUSH || e->type == RLN_EVENT_POP ||
        e->type == RLN_EVENT_RESUMED)
        rln__json_u64(buf, "depth", e->depth);
    if (!(e->counter && e->n_values && !e->counter->is_group))
        add_payloads(buf, payloads);
    add_flags(buf, e->flags);
    if (e->flags & RLN_FLAG_DEFERRED) {
        rln__json_i64(buf, "timestamp", e->timestamp);
        rln__json_u64(buf, "time_domain", e->time_domain);
        rln__json_string(buf, "scope", e->scope);
    }
    rln__buf_text(buf, "}\n");
}

void rln__json_range(struct rln__buf *buf, const rln_range *r,
                     struct rln__json_subject subject,
                     struct rln__payload_list payloads)
{
    const char *style = rln__range_style_name(r->style);
    const int is_sync = r->style == RLN_RANGE_WAIT || r->style == RLN_RANGE_HOLD;
    const int has_start =
        !(r->flags & RLN_FLAG_RESUMED) &&
        ((r->flags & RLN_FLAG_OPEN) ||
         !(r->flags & (RLN_FLAG_LOST | RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED)));
    const int has_end = !(r->flags & RLN_FLAG_OPEN);

    rln__buf_char(buf, '{');
    rln__json_word(buf, "type", "range");
    rln__json_word(buf, "style", style ? style : "?");
    if (has_start)
        rln__json_i64(buf, "start", r->start_ns);
    if (has_end)
        rln__json_i64(buf, "end", r->end_ns);
    if (has_start && has_end)
        rln__json_i64(buf, "duration", r->end_ns - r->start_ns);
    rln__json_u64(buf, "pid", r->pid);
    if (r->style == RLN_RANGE_GPU || r->style == RLN_RANGE_CALL) {
        add_gpu(buf, subject.stream, r->tid, &r->attributes, r->id);
        add_payloads(buf, payloads);
        add_flags(buf, r->flags);
        rln__buf_text(buf, "}\n");
        return;
    }
    rln__json_u64(buf, "tid", r->tid);
    if (has_end && r->end_thread != r->thread) {
        rln__json_u64(buf, "end_pid", r->end_pid);
        rln__json_u64(buf, "end_tid", r->end_tid);
    }
    add_attributes(buf, &r->attributes, r->payload_bits);
    add_location(buf, subject.function);
    if (r->style == RLN_RANGE_PUSH_POP)
        rln__json_u64(buf, "depth", r->depth);
    else
        rln__json_u64(buf, is_sync ? "object" : "id", r->id);
    add_payloads(buf, payloads);
    add_flags(buf, r->flags);
    rln__json_string(buf, "scope", r->scope);
    if (has_start && has_end && subject.split) {
        rln__json_u64(buf, "on_cpu", subject.split->on_ns);
        rln__json_u64(buf, "preempted", subject.split->preempted_ns);
        rln__json_u64(buf, "blocked", subject.split->blocked_ns);
    }
    rln__buf_text(buf, "}\n");
}
