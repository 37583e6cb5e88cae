/* SPDX-License-Identifier: Apache-2.0 */
#include "export/arrow/arrow_tables.h"
#include "base/fail.h"
#include "export/exporter.h"
#include "format/nvtx_payload.h"
#include "rangeline/values.h"
#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "trace/open/enum_names.h"
#include "trace/payload/numbers.h"

#include <string.h>

/* --- What rows have in common ----------------------------------------------------- */

#define TEXT RLN__ARROW_TEXT
#define ATTRIBUTES                                                                     \
    {"name", TEXT}, {"domain", TEXT}, {"category", RLN__ARROW_U32},                    \
        {"category_name", TEXT}, {"color", RLN__ARROW_U32},                            \
        {"payload", RLN__ARROW_F64},                                                   \
    {                                                                                  \
        "payload_int", RLN__ARROW_I64                                                  \
    }

static rln_text text_of(const char *text)
{
    return (rln_text){text, strlen(text)};
}

/* NULL is of something that this version has no word for. */
static rln_text word_of(const char *word)
{
    return text_of(word ? word : "other");
}

static void put_name(struct rln__arrow_batch *b, const rln_attributes *a)
{
    if (a->message_kind == RLN_MESSAGE_NONE && !a->message.length)
        rln__arrow_null(b);
    else
        rln__arrow_text(b, a->message.bytes ? a->message : text_of(""));
}

static void put_number(struct rln__arrow_batch *b, uint8_t type, uint64_t bits)
{
    type = rln__number_widen(type, &bits);
    if (type)
        rln__arrow_f64(b, rln__number_double(type, bits));
    else
        rln__arrow_null(b);
    /* Of unsigned numbers only those that an int64 can be. */
    if (type == RLN_PAYLOAD_I64 || (type == RLN_PAYLOAD_U64 && bits <= INT64_MAX))
        rln__arrow_i64(b, (int64_t)bits);
    else
        rln__arrow_null(b);
}

static void put_attributes(struct rln__arrow_batch *b, const rln_attributes *a,
                           uint64_t payload_bits)
{
    put_name(b, a);
    rln__arrow_text(b, a->domain_name);
    if (a->category)
        rln__arrow_u32(b, a->category);
    else
        rln__arrow_null(b);
    rln__arrow_text(b, a->category_name);
    if (a->has_color)
        rln__arrow_u32(b, a->color);
    else
        rln__arrow_null(b);
    put_number(b, a->payload_type, payload_bits);
}

static void put_thread(struct rln__arrow_batch *b, uint32_t pid, uint32_t tid)
{
    rln__arrow_u32(b, pid);
    if (tid)
        rln__arrow_u32(b, tid);
    else
        rln__arrow_null(b);
}

/* --- Ranges ----------------------------------------------------------------------- */

static const struct rln__arrow_field range_fields[] = {
    {"start", RLN__ARROW_I64},
    {"end", RLN__ARROW_I64},
    {"duration", RLN__ARROW_I64},
    {"style", TEXT},
    ATTRIBUTES,
    {"pid", RLN__ARROW_U32},
    {"tid", RLN__ARROW_U32},
    {"end_pid", RLN__ARROW_U32},
    {"end_tid", RLN__ARROW_U32},
    {"depth", RLN__ARROW_U32},
    {"id", RLN__ARROW_U64},
    {"registered", RLN__ARROW_BOOL},
    {"resumed", RLN__ARROW_BOOL},
    {"scope", TEXT},
    {"on_cpu", RLN__ARROW_I64},
    {"preempted", RLN__ARROW_I64},
    {"blocked", RLN__ARROW_I64},
};

static int is_gpu(const rln_range *r)
{
    return r->style == RLN_RANGE_GPU || r->style == RLN_RANGE_CALL;
}

static void put_range(struct rln__arrow_batch *b, const rln_range *r)
{
    const int is_open = (r->flags & RLN_FLAG_OPEN) != 0;

    rln__arrow_i64(b, r->start_ns);
    if (is_open) {
        rln__arrow_null(b);
        rln__arrow_null(b);
    } else {
        rln__arrow_i64(b, r->end_ns);
        rln__arrow_i64(b, r->end_ns - r->start_ns);
    }
    rln__arrow_text(b, word_of(rln__range_style_name(r->style)));
    put_attributes(b, &r->attributes, r->payload_bits);
    put_thread(b, r->pid, r->tid);
    if (is_open) {
        rln__arrow_null(b);
        rln__arrow_null(b);
    } else {
        put_thread(b, r->end_pid, r->end_tid);
    }
    if (r->style == RLN_RANGE_PUSH_POP) {
        rln__arrow_u32(b, r->depth);
        rln__arrow_null(b);
    } else {
        rln__arrow_null(b);
        rln__arrow_u64(b, r->id);
    }
    rln__arrow_bool(b, r->attributes.message_kind == RLN_MESSAGE_REGISTERED);
    rln__arrow_bool(b, (r->flags & RLN_FLAG_RESUMED) != 0);
    rln__arrow_text(b, r->scope);
}

/* Ends that close nothing are no ranges. */
static int matches(const struct rln__arrow_stream *s, const rln_range *r)
{
    const uint32_t only_an_end = RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED;

    if (r->flags & (only_an_end | RLN_FLAG_UNPLACED) ||
        (r->flags & (RLN_FLAG_LOST | RLN_FLAG_OPEN)) == RLN_FLAG_LOST)
        return 0;
    return r->flags & RLN_FLAG_OPEN ||
           (uint64_t)(r->end_ns - r->start_ns) >= s->min_duration_ns;
}

static rln_status open_ranges(struct rln__arrow_stream *s)
{
    return rln_ranges_open(s->reader, &s->ranges, &s->err);
}

static rln_status open_program_ranges(struct rln__arrow_stream *s)
{
    const rln_status status = open_ranges(s);

    return status ? status : rln__cpu_times_load(&s->cpu_times, s->reader, &s->err);
}

static void put_cpu_times(struct rln__arrow_stream *s, const rln_range *r)
{
    struct rln__arrow_batch *b = &s->batch;
    struct rln__cpu_split split;

    if (!rln__cpu_times_of_known(&s->cpu_times, r, &split)) {
        for (int i = 0; i < 3; i++)
            rln__arrow_null(b);
        return;
    }
    rln__arrow_i64(b, (int64_t)split.on_ns);
    rln__arrow_i64(b, (int64_t)split.preempted_ns);
    rln__arrow_i64(b, (int64_t)split.blocked_ns);
}

static rln_status next_range(struct rln__arrow_stream *s)
{
    const rln_range *range;
    const rln_status status = rln_ranges_next(s->ranges, &range, &s->err);

    if (!status && !is_gpu(range) && matches(s, range)) {
        put_range(&s->batch, range);
        put_cpu_times(s, range);
    }
    return status;
}

/* --- GPU work --------------------------------------------------------------------- */

#define U32 RLN__ARROW_U32
#define SPAN                                                                           \
    {"start", RLN__ARROW_I64}, {"end", RLN__ARROW_I64}, {"duration", RLN__ARROW_I64},  \
        {"kind", TEXT},                                                                \
    {                                                                                  \
        "name", TEXT                                                                   \
    }

static const struct rln__arrow_field gpu_fields[] = {
    SPAN,
    {"pid", U32},
    {"correlation", U32},
    {"device", U32},
    {"context", U32},
    {"stream", U32},
    {"short_name", TEXT},
    {"bytes", RLN__ARROW_U64},
    {"source_memory", TEXT},
    {"destination_memory", TEXT},
    {"grid_x", U32},
    {"grid_y", U32},
    {"grid_z", U32},
    {"block_x", U32},
    {"block_y", U32},
    {"block_z", U32},
    {"registers_per_thread", U32},
    {"static_shared_memory", U32},
    {"dynamic_shared_memory", U32},
    {"graph_node", RLN__ARROW_U64},
};

/* Nsight's columns, in the same order; NULL: of the range. */
static const char *const gpu_sources[] = {
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    "deviceId",
    "contextId",
    "streamId",
    "shortName",
    "bytes",
    "srcKind",
    "dstKind",
    "gridX",
    "gridY",
    "gridZ",
    "blockX",
    "blockY",
    "blockZ",
    "registersPerThread",
    "staticSharedMemory",
    "dynamicSharedMemory",
    "graphNodeId",
};

_Static_assert(RLN_COUNT(gpu_sources) == RLN_COUNT(gpu_fields), "a source for each");
_Static_assert(RLN_COUNT(gpu_fields) == RLN__ARROW_GPU_COLUMNS, "room for each");

static int8_t index_of(enum rln__gpu_kind kind, const char *source)
{
    if (!source)
        return -1;
    if (kind == RLN__GPU_SET && strcmp(source, "dstKind") == 0)
        source = "memKind"; /* of the memory that it sets */
    return rln__gpu_field_index(kind, source);
}

static rln_status open_operations(struct rln__arrow_stream *s)
{
    for (int kind = 0; kind < RLN__N_GPU_KINDS; kind++) {
        for (size_t i = 0; i < RLN_COUNT(gpu_sources); i++)
            s->gpu_columns[kind][i] =
                index_of((enum rln__gpu_kind)kind, gpu_sources[i]);
    }
    return open_ranges(s);
}

/* The next operation or call, and its fields. `*out` is NULL if it is anything else, or
 * does not match. */
static rln_status read_work(struct rln__arrow_stream *s, rln_range_style style,
                            const rln_range **out, struct rln__gpu_fields *fields)
{
    const rln_range *range;
    const rln_status status = rln_ranges_next(s->ranges, &range, &s->err);

    *out = NULL;
    if (status || range->style != style || !matches(s, range))
        return status;
    *out = range;
    return rln__gpu_fields_read(s->ranges, fields, &s->err);
}

static void put_span(struct rln__arrow_batch *b, const rln_range *r,
                     enum rln__gpu_kind kind)
{
    rln__arrow_i64(b, r->start_ns);
    rln__arrow_i64(b, r->end_ns);
    rln__arrow_i64(b, r->end_ns - r->start_ns);
    if (kind < RLN__N_GPU_KINDS)
        rln__arrow_text(b, text_of(rln__gpu_schemas[kind].name));
    else
        rln__arrow_null(b);
    put_name(b, &r->attributes);
}

static void put_correlation(struct rln__arrow_batch *b, const rln_range *r)
{
    if (r->id)
        rln__arrow_u32(b, (uint32_t)r->id);
    else
        rln__arrow_null(b);
}

/* A name, or a number of a kind of memory. */
static rln_text text_of_field(const rln_field *value)
{
    const char *label;

    if (value->type == RLN__TYPE_STRING_HANDLE)
        return value->text;
    label = rln__gpu_memory_label((uint32_t)value->bits);
    return label ? text_of(label) : (rln_text){NULL, 0};
}

static void put_field(struct rln__arrow_batch *b, enum rln__arrow_type type,
                      const rln_field *value)
{
    if (!value)
        rln__arrow_null(b);
    else if (type == RLN__ARROW_TEXT)
        rln__arrow_text(b, text_of_field(value));
    else if (type == RLN__ARROW_U64)
        rln__arrow_u64(b, value->bits);
    else if (type == RLN__ARROW_I64)
        rln__arrow_i64(b, (int64_t)value->bits);
    else if (value->bits == RLN__GPU_NO_STREAM)
        rln__arrow_null(b);
    else
        rln__arrow_u32(b, (uint32_t)value->bits);
}

static rln_status next_operation(struct rln__arrow_stream *s)
{
    struct rln__arrow_batch *b = &s->batch;
    struct rln__gpu_fields fields;
    const rln_range *r;
    const rln_status status = read_work(s, RLN_RANGE_GPU, &r, &fields);

    if (status || !r)
        return status;
    put_span(b, r, fields.kind);
    rln__arrow_u32(b, r->pid);
    put_correlation(b, r);
    for (size_t i = 0; i < RLN_COUNT(gpu_fields); i++) {
        if (!gpu_sources[i])
            continue;
        put_field(b, gpu_fields[i].type,
                  fields.n ? rln__gpu_field_at(&fields, s->gpu_columns[fields.kind][i])
                           : NULL);
    }
    return RLN_OK;
}

static const struct rln__arrow_field call_fields[] = {
    SPAN, {"pid", U32}, {"tid", U32}, {"correlation", U32}, {"result", RLN__ARROW_I64},
};

static rln_status next_call(struct rln__arrow_stream *s)
{
    const int8_t result = rln__gpu_field_index(RLN__GPU_CALL, "returnValue");
    struct rln__arrow_batch *b = &s->batch;
    struct rln__gpu_fields fields;
    const rln_range *r;
    const rln_status status = read_work(s, RLN_RANGE_CALL, &r, &fields);

    if (status || !r)
        return status;
    put_span(b, r, fields.kind);
    put_thread(b, r->pid, r->tid);
    put_correlation(b, r);
    put_field(b, RLN__ARROW_I64,
              fields.kind == RLN__GPU_CALL ? rln__gpu_field_at(&fields, result) : NULL);
    return RLN_OK;
}

/* --- Marks ------------------------------------------------------------------------ */

static const struct rln__arrow_field mark_fields[] = {
    {"time", RLN__ARROW_I64},        ATTRIBUTES,
    {"pid", RLN__ARROW_U32},         {"tid", RLN__ARROW_U32},
    {"registered", RLN__ARROW_BOOL}, {"scope", TEXT},
};

static rln_status open_events(struct rln__arrow_stream *s)
{
    return rln_events_open(s->reader, &s->events, &s->err);
}

static rln_status next_mark(struct rln__arrow_stream *s)
{
    struct rln__arrow_batch *b = &s->batch;
    const rln_event *e;
    const rln_status status = rln_events_next(s->events, &e, &s->err);

    if (!e || e->type != RLN_EVENT_MARK || e->flags & RLN_FLAG_UNPLACED)
        return status;
    rln__arrow_i64(b, e->t_ns);
    put_attributes(b, &e->attributes, e->payload_bits);
    put_thread(b, e->pid, e->tid);
    rln__arrow_bool(b, e->attributes.message_kind == RLN_MESSAGE_REGISTERED);
    rln__arrow_text(b, e->scope);
    return RLN_OK;
}

/* --- Samples ---------------------------------------------------------------------- */

static const struct rln__arrow_field sample_fields[] = {
    {"time", RLN__ARROW_I64},
    {"counter", TEXT},
    {"field", TEXT},
    {"value", RLN__ARROW_F64},
    {"value_int", RLN__ARROW_I64},
    {"unit", TEXT},
    {"domain", TEXT},
    {"counter_id", RLN__ARROW_U64},
    {"pid", RLN__ARROW_U32},
    {"tid", RLN__ARROW_U32},
    {"no_value", TEXT},
};

/* `value` is NULL where the sample has none. */
static void put_sample(struct rln__arrow_batch *b, const rln_event *e,
                       const rln_sample_value *value)
{
    const rln_text none = {NULL, 0};

    rln__arrow_i64(b, e->t_ns);
    put_name(b, &e->attributes);
    rln__arrow_text(b, value && value->name.length ? value->name : none);
    put_number(b, value ? value->type : RLN_PAYLOAD_NONE, value ? value->bits : 0);
    if (value)
        rln__arrow_text(b, value->semantics->unit);
    else
        rln__arrow_text(b, e->counter ? e->counter->semantics.unit : none);
    rln__arrow_text(b, e->attributes.domain_name);
    rln__arrow_u64(b, e->counter ? e->counter->id : 0);
    put_thread(b, e->pid, e->tid);
    if (e->no_value)
        rln__arrow_text(b, text_of(rln__no_value_cause_name(e->no_value)));
    else
        rln__arrow_null(b);
}

static rln_status next_sample(struct rln__arrow_stream *s)
{
    const rln_event *e;
    const rln_status status = rln_events_next(s->events, &e, &s->err);

    if (!e || e->type != RLN_EVENT_SAMPLE || e->flags & RLN_FLAG_UNPLACED)
        return status;
    for (size_t i = 0; i < e->n_values; i++)
        put_sample(&s->batch, e, &e->values[i]);
    if (!e->n_values)
        put_sample(&s->batch, e, NULL);
    return RLN_OK;
}

/* --- Events ----------------------------------------------------------------------- */

static const struct rln__arrow_field event_fields[] = {
    {"time", RLN__ARROW_I64},
    {"type", TEXT},
    ATTRIBUTES,
    {"pid", RLN__ARROW_U32},
    {"tid", RLN__ARROW_U32},
    {"depth", RLN__ARROW_U32},
    {"id", RLN__ARROW_U64},
    {"duration", RLN__ARROW_I64},
};

static int has_depth(const rln_event *e)
{
    return e->type == RLN_EVENT_PUSH || e->type == RLN_EVENT_POP ||
           e->type == RLN_EVENT_RESUMED;
}

static rln_status next_event(struct rln__arrow_stream *s)
{
    struct rln__arrow_batch *b = &s->batch;
    const rln_event *e;
    const rln_status status = rln_events_next(s->events, &e, &s->err);

    if (!e)
        return status;
    rln__arrow_i64(b, e->t_ns);
    rln__arrow_text(b, word_of(rln_event_type_name(e->type)));
    put_attributes(b, &e->attributes, e->payload_bits);
    put_thread(b, e->pid, e->type == RLN_EVENT_GPU ? 0 : e->tid); /* not of streams */
    if (has_depth(e))
        rln__arrow_u32(b, e->depth);
    else
        rln__arrow_null(b);
    if (e->type == RLN_EVENT_START || e->type == RLN_EVENT_END)
        rln__arrow_u64(b, e->id);
    else
        rln__arrow_null(b);
    if (e->duration_ns >= 0)
        rln__arrow_i64(b, e->duration_ns);
    else
        rln__arrow_null(b);
    return RLN_OK;
}

/* --- Summary and tree ------------------------------------------------------------- */

static const struct rln__arrow_field summary_fields[] = {
    {"style", TEXT},
    {"domain", TEXT},
    {"name", TEXT},
    {"count", RLN__ARROW_U64},
    {"open", RLN__ARROW_U64},
    {"total", RLN__ARROW_U64},
    {"self", RLN__ARROW_U64},
    {"average", RLN__ARROW_F64},
    {"median", RLN__ARROW_F64},
    {"min", RLN__ARROW_U64},
    {"max", RLN__ARROW_U64},
    {"stddev", RLN__ARROW_F64},
};

static rln_status open_summary(struct rln__arrow_stream *s)
{
    return rln__stats_new(s->reader, &s->stats, &s->err);
}

static rln_status next_summary(struct rln__arrow_stream *s)
{
    const struct rln__stats_row *row = rln__stats_at(s->stats, s->at++);
    struct rln__arrow_batch *b = &s->batch;

    if (!row)
        return RLN_END;
    rln__arrow_text(b, word_of(rln__range_style_name(row->style)));
    rln__arrow_text(b, row->domain_name);
    rln__arrow_text(b, row->message);
    rln__arrow_u64(b, row->n_ranges);
    rln__arrow_u64(b, row->n_open);
    rln__arrow_u64(b, row->total_ns);
    if (row->style == RLN_RANGE_PUSH_POP)
        rln__arrow_u64(b, row->self_ns);
    else
        rln__arrow_null(b);
    rln__arrow_f64(b, row->average_ns);
    rln__arrow_f64(b, row->median_ns);
    rln__arrow_u64(b, row->min_ns);
    rln__arrow_u64(b, row->max_ns);
    rln__arrow_f64(b, row->stddev_ns);
    return RLN_OK;
}

static const struct rln__arrow_field tree_fields[] = {
    {"parent", RLN__ARROW_I64}, {"level", RLN__ARROW_U32},
    {"domain", TEXT},           {"name", TEXT},
    {"count", RLN__ARROW_U64},  {"open", RLN__ARROW_U64},
    {"total", RLN__ARROW_U64},  {"self", RLN__ARROW_U64},
};

static rln_status open_tree(struct rln__arrow_stream *s)
{
    return rln__tree_new(s->reader, &s->tree, &s->err);
}

static rln_status next_node(struct rln__arrow_stream *s)
{
    const struct rln__tree_node *node = rln__tree_at(s->tree, s->at++);
    struct rln__arrow_batch *b = &s->batch;

    if (!node)
        return RLN_END;
    if (node->parent == SIZE_MAX)
        rln__arrow_null(b);
    else
        rln__arrow_i64(b, (int64_t)node->parent);
    rln__arrow_u32(b, node->level);
    rln__arrow_text(b, node->domain_name);
    rln__arrow_text(b, node->message);
    rln__arrow_u64(b, node->n_calls);
    rln__arrow_u64(b, node->n_open);
    rln__arrow_u64(b, node->total_ns);
    rln__arrow_u64(b, node->self_ns);
    return RLN_OK;
}

/* --- All -------------------------------------------------------------------------- */

const struct rln__arrow_rows rln__arrow_tables[RLN__ARROW_TABLES] = {
    [RLN_ARROW_RANGES] = {range_fields, RLN_COUNT(range_fields), open_program_ranges,
                          next_range},
    [RLN_ARROW_MARKS] = {mark_fields, RLN_COUNT(mark_fields), open_events, next_mark},
    [RLN_ARROW_SAMPLES] = {sample_fields, RLN_COUNT(sample_fields), open_events,
                           next_sample},
    [RLN_ARROW_EVENTS] = {event_fields, RLN_COUNT(event_fields), open_events,
                          next_event},
    [RLN_ARROW_SUMMARY] = {summary_fields, RLN_COUNT(summary_fields), open_summary,
                           next_summary},
    [RLN_ARROW_TREE] = {tree_fields, RLN_COUNT(tree_fields), open_tree, next_node},
    [RLN_ARROW_GPU] = {gpu_fields, RLN_COUNT(gpu_fields), open_operations,
                       next_operation},
    [RLN_ARROW_CALLS] = {call_fields, RLN_COUNT(call_fields), open_ranges, next_call},
};
