/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - a line for each range, mark, number of a sample, GPU operation and call of
 * CUDA: RFC 4180, in UTF-8. */
#include "base/digits.h"
#include "base/utf8.h"
#include "export/exporters.h"
#include "export/row_text_cache.h"
#include "export/samples.h"
#include "ranges/cpu_times.h"
#include "trace/payload/payload_json.h"

static const char header[] =
    "type,start_ns,end_ns,duration_ns,pid,tid,end_pid,end_tid,process,thread,domain,"
    "category,category_name,color,name,payload,payloads,depth,id,value,unit,scope,"
    "on_cpu_ns,preempted_ns,blocked_ns\n";

struct csv {
    struct rln__export *x; /* borrowed */
    struct rln__sampling sampling;
    struct rln__row_text_cache text_cache; /* origins and attributes */
    struct rln__cpu_times cpu_times;
};

/* --- Fields ----------------------------------------------------------------------- */

static void add_text(struct rln__buf *out, rln_text text)
{
    const size_t begin = out->length;

    rln__buf_utf8(out, text.bytes, text.length);
    rln__buf_quote_csv(out, begin);
    rln__buf_char(out, ',');
}

static void add_i64(struct rln__buf *out, int64_t value)
{
    rln__buf_i64(out, value);
    rln__buf_char(out, ',');
}

static void add_i64_if(struct rln__buf *out, int is_there, int64_t value)
{
    if (is_there)
        rln__buf_i64(out, value);
    rln__buf_char(out, ',');
}

static void add_number(struct rln__buf *out, uint8_t type, uint64_t bits)
{
    const size_t begin = out->length;

    rln__json_number(out, type, bits);
    if (out->length > begin && out->bytes[begin] == '"') { /* nan, inf */
        memmove(out->bytes + begin, out->bytes + begin + 1, out->length - begin - 2);
        out->length -= 2;
    }
}

static void add_origin(struct rln__export *x, struct rln__buf *out, const rln_range *r,
                       int is_elsewhere)
{
    add_i64(out, r->pid);
    add_i64_if(out, r->style != RLN_RANGE_GPU, r->tid); /* a stream has none */
    add_i64_if(out, is_elsewhere, r->end_pid);
    add_i64_if(out, is_elsewhere, r->end_tid);
    add_text(out, rln__process_name(x->reader, r->process));
    add_text(out, rln__thread_name(x->reader, r->process, r->tid, r->thread));
    add_text(out, r->attributes.domain_name);
}

static void add_attributes(struct rln__buf *out, const rln_attributes *with)
{
    add_i64_if(out, with->category != 0, with->category);
    add_text(out, with->category_name);
    if (with->has_color) {
        rln__buf_char(out, '#');
        rln__buf_hex(out, with->color, 8);
    }
    rln__buf_char(out, ',');
    add_text(out, with->message);
}

/* Where and what: from the process to the name. */
static void add_who(struct csv *c, const rln_range *r, int has_end)
{
    struct rln__buf *out = &c->x->output.buf;
    const struct rln__row_text_cache_key key =
        rln__row_text_cache_key(&r->attributes, r->process, r->thread, r->tid, 0);
    const int is_elsewhere = has_end && r->end_thread != r->thread;
    const size_t begin = out->length;

    if (!is_elsewhere && rln__row_text_cache_add(&c->text_cache, &key, out))
        return;
    add_origin(c->x, out, r, is_elsewhere);
    add_attributes(out, &r->attributes);
    if (!is_elsewhere)
        rln__row_text_cache_keep(&c->text_cache, &key, out, begin);
}

static void add_payload(struct rln__buf *out, const struct rln__row *row)
{
    const uint8_t type = row->range->attributes.payload_type;

    if (type)
        add_number(out, type, row->range->payload_bits);
    rln__buf_char(out, ',');
    add_text(out, row->json);
}

/* --- Lines ------------------------------------------------------------------------ */

/* push_pop,1200,1800,600, */
static void add_times(struct rln__buf *out, const struct rln__row *row, int has_end)
{
    static const struct {
        char text[12];
        size_t length;
    } types[] = {
        {"mark,", 5},
        [RLN_RANGE_PUSH_POP] = {"push_pop,", 9},
        [RLN_RANGE_START_END] = {"start_end,", 10},
        [RLN_RANGE_GPU] = {"gpu,", 4},
        [RLN_RANGE_CALL] = {"call,", 5},
    };
    const rln_range *r = row->range;
    const size_t type = row->time ? 0 : r->style;
    char *at = rln__buf_room(out, sizeof(types[0].text) + 3 * (RLN__DIGITS_I64 + 1));

    if (!at)
        return;
    memcpy(at, types[type].text, sizeof(types[type].text));
    at = rln__digits_i64(at + types[type].length, r->start_ns);
    *at++ = ',';
    if (has_end)
        at = rln__digits_i64(at, r->end_ns);
    *at++ = ',';
    if (has_end)
        at = rln__digits_i64(at, r->end_ns - r->start_ns);
    *at++ = ',';
    out->length = (size_t)(at - out->bytes);
}

/* ,100,0,500 and the end of the line. */
static void add_cpu_times(struct csv *c, const struct rln__row *row)
{
    struct rln__buf *out = &c->x->output.buf;
    struct rln__cpu_split split;
    char *at;

    if (row->time || !rln__cpu_times_of_known(&c->cpu_times, row->range, &split)) {
        rln__buf_add(out, ",,,\n", 4);
        return;
    }
    at = rln__buf_room(out, 3 * (RLN__DIGITS_U64 + 1) + 1);
    if (!at)
        return;
    *at++ = ',';
    at = rln__digits_u64(at, split.on_ns);
    *at++ = ',';
    at = rln__digits_u64(at, split.preempted_ns);
    *at++ = ',';
    at = rln__digits_u64(at, split.blocked_ns);
    *at++ = '\n';
    out->length = (size_t)(at - out->bytes);
}

/* ,,0,,,, and what the time was made of: payload, payloads, depth or id, no value, no unit,
 * scope. */
static void add_rest(struct csv *c, const struct rln__row *row)
{
    struct rln__buf *out = &c->x->output.buf;
    const rln_range *r = row->range;
    const int is_push = r->style == RLN_RANGE_PUSH_POP;
    char *at;

    if (r->attributes.payload_type || row->json.length)
        add_payload(out, row);
    else
        rln__buf_add(out, ",,", 2);
    at = rln__buf_room(out, RLN__DIGITS_U64 + 5);
    if (!at)
        return;
    if (!row->time && is_push)
        at = rln__digits_u64(at, r->depth);
    *at++ = ',';
    if (!row->time && !is_push && (r->id || r->style == RLN_RANGE_START_END))
        at = rln__digits_u64(at, r->id); /* work may have none */
    memcpy(at, ",,,", 3);
    out->length = (size_t)(at + 3 - out->bytes);
    if (r->scope.length) {
        add_text(out, r->scope);
        out->length--; /* the last comma */
    }
    add_cpu_times(c, row);
}

static rln_status add_line(struct csv *c, const struct rln__row *row, int has_end,
                           rln_error *err)
{
    struct rln__buf *out = &c->x->output.buf;

    add_times(out, row, has_end);
    add_who(c, row->range, has_end);
    add_rest(c, row);
    return rln__output_flush_full(&c->x->output, err);
}

static rln_status on_row(void *state, const struct rln__row *row, rln_error *err)
{
    const int has_end = !row->time && !(row->range->flags & RLN_FLAG_OPEN);

    if (row->time && row->time != RLN_EVENT_MARK)
        return RLN_OK;
    return add_line(state, row, has_end, err);
}

/* Rows of types of their own, so that sums over ranges stay what they are. */
static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    return add_line(state, row, 1, err);
}

/* The field of a group follows the counter's name: "memory.used". */
static void add_counter_name(struct rln__buf *out, rln_text name, rln_text field)
{
    const size_t begin = out->length;

    rln__buf_utf8(out, name.bytes, name.length);
    if (field.length)
        rln__buf_char(out, '.');
    rln__buf_utf8(out, field.bytes, field.length);
    rln__buf_quote_csv(out, begin);
    rln__buf_char(out, ',');
}

static void add_sample(struct csv *c, const rln_event *e, const struct rln__sampled *f)
{
    struct rln__buf *out = &c->x->output.buf;

    rln__buf_text(out, "sample,");
    add_i64(out, e->t_ns);
    rln__buf_text(out, ",,");
    add_origin(c->x, out,
               &(rln_range){.pid = e->pid,
                            .tid = e->tid,
                            .process = e->process,
                            .thread = e->thread,
                            .attributes = e->attributes},
               0);
    rln__buf_text(out, ",,,"); /* category, its name, color */
    add_counter_name(out, e->attributes.message, f->field);
    rln__buf_text(out, ",,,,"); /* payload, payloads, depth, id */
    if (f->has_value)
        add_number(out, f->type, f->bits);
    rln__buf_char(out, ',');
    add_text(out, f->semantics->unit);
    add_text(out, f->semantics->scope.length ? f->semantics->scope : e->counter->scope);
    rln__buf_text(out, ",,\n");
}

static rln_status on_sample(void *state, const rln_event *event, rln_error *err)
{
    struct csv *c = state;
    const struct rln__sampled_counter *counter;
    const rln_status status = rln__sampling_see(&c->sampling, event, &counter, err);

    for (size_t i = 0; !status && i < counter->n; i++)
        add_sample(c, event, &counter->fields[i]);
    return status ? status : rln__output_flush_full(&c->x->output, err);
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct csv *c = state;

    c->x = x;
    rln__buf_text(&x->output.buf, header);
    return rln__cpu_times_fit(x->reader, 1)
               ? rln__cpu_times_load(&c->cpu_times, x->reader, err)
               : RLN_OK;
}

static rln_status end(void *state, rln_error *err)
{
    (void)state;
    (void)err;
    return RLN_OK;
}

static void clear(void *state)
{
    struct csv *c = state;

    rln__sampling_clear(&c->sampling);
    rln__cpu_times_clear(&c->cpu_times);
    rln__row_text_cache_clear(&c->text_cache);
}

const struct rln__exporter rln__exporter_csv = {
    .format = {.name = "csv",
               .extension = ".csv",
               .help = "one line per range, mark, sample, GPU operation and call",
               .is_stream = 1,
               .has_rows = 1},
    .state_bytes = sizeof(struct csv),
    .needs_payloads = 1,
    .begin = begin,
    .row = on_row,
    .sample = on_sample,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
