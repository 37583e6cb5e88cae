/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope.c - https://www.speedscope.app: a profile per thread, of its open ranges,
 * and per stream, of its operations: several where these overlap.
 *
 * The file has one thread after the other, so their events wait in a spool. Ranges on
 * one thread nest there across domains: ranges above one that ends first are closed and
 * opened again at that time. Start/end ranges are on no stack.
 */
#include "base/alloc.h"
#include "base/digits.h"
#include "base/json.h"
#include "export/exporters.h"
#include "export/name_list.h"
#include "export/stacks.h"
#include "export/stream_spool.h"

struct record {
    int64_t t_ns;
    uint32_t frame;
    uint32_t is_close;
};

struct speedscope {
    struct rln__export *x; /* borrowed */
    struct rln__stacks stacks;
    struct rln__stream_spool spool;
    struct rln__name_list frames;
};

static rln_status record(struct speedscope *s, const struct rln__thread_stack *stack,
                         uint32_t frame, int64_t t_ns, int is_close, rln_error *err)
{
    const struct record r = {t_ns, frame, is_close != 0};

    return rln__stream_spool_add(&s->spool, stack->number, &r, sizeof(r), err);
}

static rln_status on_open(void *state, const rln_range *range, rln_error *err)
{
    struct speedscope *s = state;
    struct rln__thread_stack *stack;
    uint32_t frame;

    if (range->style != RLN_RANGE_PUSH_POP)
        return RLN_OK;
    stack = rln__stacks_of(&s->stacks, range);
    frame = rln__name_list_number(&s->frames, &range->attributes);
    if (!stack || frame == UINT32_MAX || rln__stack_push(stack, range, frame))
        return rln__fail_nomem(err);
    return record(s, stack, frame, range->start_ns, 0, err);
}

static rln_status on_close(void *state, const rln_range *range, rln_error *err)
{
    struct speedscope *s = state;
    struct rln__thread_stack *stack;
    rln_status status = RLN_OK;
    size_t at;

    if (range->style != RLN_RANGE_PUSH_POP)
        return RLN_OK;
    stack = rln__stacks_of(&s->stacks, range);
    if (!stack)
        return rln__fail_nomem(err);
    at = rln__stack_find(stack, range);
    for (size_t i = stack->n; i > at && !status; i--)
        status = record(s, stack, stack->frames[i - 1].frame, range->end_ns, 1, err);
    if (at == stack->n)
        return status;
    rln__stack_remove(stack, at);
    for (size_t i = at; i < stack->n && !status; i++)
        status = record(s, stack, stack->frames[i].frame, range->end_ns, 0, err);
    return status;
}

static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    struct speedscope *s = state;
    const rln_range *r = row->range;
    const struct rln__thread_stack *stack = rln__stacks_of_operation(&s->stacks, r);
    const uint32_t frame = rln__name_list_number(&s->frames, &r->attributes);
    rln_status status;

    if (!stack || frame == UINT32_MAX)
        return rln__fail_nomem(err);
    status = record(s, stack, frame, r->start_ns, 0, err);
    return status ? status : record(s, stack, frame, r->end_ns, 1, err);
}

/* --- The file --------------------------------------------------------------------- */

/* {"type":"O","frame":7,"at":1200} */
static void add_record(struct rln__buf *out, const struct record *r, int is_first)
{
    static const char begins[][23] = {",\n{\"type\":\"O\",\"frame\":",
                                      ",\n{\"type\":\"C\",\"frame\":"};
    static const char between[] = ",\"at\":";
    const size_t n_skipped = is_first != 0; /* the comma */
    char *at = rln__buf_room(out, sizeof(begins[0]) + sizeof(between) +
                                      RLN__DIGITS_U64 + RLN__DIGITS_I64 + 1);

    if (!at)
        return;
    memcpy(at, begins[r->is_close != 0] + n_skipped, sizeof(begins[0]) - 1);
    at = rln__digits_u64(at + sizeof(begins[0]) - 1 - n_skipped, r->frame);
    memcpy(at, between, sizeof(between) - 1);
    at = rln__digits_i64(at + sizeof(between) - 1, r->t_ns);
    *at++ = '}';
    out->length = (size_t)(at - out->bytes);
}

/* Times of the first and the last record, which precede the records in the file. */
static rln_status find_bounds(const struct speedscope *s, uint32_t stream, char *room,
                              int64_t *first_ns, int64_t *last_ns, rln_error *err)
{
    rln_status status;
    rln_text piece;
    struct record r;
    size_t n = s->spool.streams[stream].n_pieces, at = 0;

    *first_ns = *last_ns = 0;
    status = rln__stream_spool_next(&s->spool, stream, &at, room, &piece, err);
    if (status || !piece.length)
        return status;
    memcpy(&r, piece.bytes, sizeof(r));
    *first_ns = r.t_ns;
    at = s->spool.streams[stream].rest.length ? n : n - 1;
    status = rln__stream_spool_next(&s->spool, stream, &at, room, &piece, err);
    if (status || !piece.length)
        return status;
    memcpy(&r, piece.bytes + piece.length - sizeof(r), sizeof(r));
    *last_ns = r.t_ns;
    return RLN_OK;
}

static void add_profile_name(const struct speedscope *s,
                             const struct rln__thread_stack *t)
{
    const rln_reader *reader = s->x->reader;
    struct rln__buf *out = &s->x->output.buf;
    struct rln__buf name = {0};
    size_t n;
    const rln_text program = rln__process_name(reader, t->process);
    rln__buf_add(&name, program.bytes, program.length);
    rln__buf_text(&name, program.length ? " " : "");
    rln__buf_format(&name, "%u", reader->names.processes[t->process].record.pid);
    if (!t->is_stream)
        rln__buf_format(&name, "/%u", t->tid);
    n = name.length;
    rln__buf_char(&name, ' ');
    rln__stack_name(&name, reader, t);
    name.length -= name.length == n + 1; /* it has no name */
    rln__buf_text(&name, t->is_deferred ? " (deferred)" : "");
    rln__buf_json(out, name.bytes, name.length);
    out->has_failed |= name.has_failed;
    rln__buf_clear(&name);
}

static rln_status add_profile(struct speedscope *s, uint32_t stream, char *room,
                              rln_error *err)
{
    struct rln__buf *out = &s->x->output.buf;
    int64_t first_ns, last_ns;
    size_t n = 0, at = 0;
    rln_text piece;
    rln_status status = find_bounds(s, stream, room, &first_ns, &last_ns, err);

    rln__buf_text(out, stream ? ",\n" : "\n");
    rln__buf_text(out, "{\"type\":\"evented\",\"name\":");
    add_profile_name(s, &s->stacks.items[stream]);
    rln__json_word(out, "unit", "nanoseconds");
    rln__json_i64(out, "startValue", first_ns);
    rln__json_i64(out, "endValue", last_ns);
    rln__json_begin(out, "events", '[');
    while (!status) {
        status = rln__stream_spool_next(&s->spool, stream, &at, room, &piece, err);
        if (status || !piece.length)
            break;
        for (size_t i = 0; i < piece.length; i += sizeof(struct record)) {
            struct record r;

            memcpy(&r, piece.bytes + i, sizeof(r));
            add_record(out, &r, n++ == 0);
        }
        status = rln__output_flush_full(&s->x->output, err);
    }
    rln__buf_text(out, "]}");
    return status;
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    (void)err;
    ((struct speedscope *)state)->x = x;
    rln__buf_text(&x->output.buf,
                  "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                  "\"exporter\":\"rangeline ");
    rln__buf_text(&x->output.buf, rln_version());
    rln__buf_text(&x->output.buf, "\",\"profiles\":[");
    return RLN_OK;
}

static rln_status end(void *state, rln_error *err)
{
    struct speedscope *s = state;
    struct rln__buf *out = &s->x->output.buf;
    struct rln__buf name = {0};
    char *room = rln__alloc(RLN__PIECE_BYTES, 1);
    rln_status status = room ? RLN_OK : rln__fail_nomem(err);

    for (uint32_t i = 0; i < s->spool.n && !status; i++)
        status = add_profile(s, i, room, err);
    rln__buf_text(out, "],\n\"shared\":{\"frames\":[");
    for (size_t i = 0; i < s->frames.n && !status; i++) {
        name.length = 0;
        rln__frame_name(&name, &s->frames.items[i]);
        rln__buf_text(out, i ? ",\n{\"name\":" : "\n{\"name\":");
        rln__buf_json(out, name.bytes, name.length);
        rln__buf_char(out, '}');
        status = rln__output_flush_full(&s->x->output, err);
    }
    rln__buf_text(out, "]}}\n");
    rln__buf_clear(&name);
    rln__free(room);
    return status;
}

static void clear(void *state)
{
    struct speedscope *s = state;

    rln__stacks_clear(&s->stacks);
    rln__stream_spool_clear(&s->spool);
    rln__name_list_clear(&s->frames);
}

const struct rln__exporter rln__exporter_speedscope = {
    .format = {.name = "speedscope",
               .extension = ".speedscope.json",
               .help = "speedscope profiles, one per thread and stream",
               .is_stream = 1},
    .state_bytes = sizeof(struct speedscope),
    .has_only_operations = 1,
    .begin = begin,
    .open = on_open,
    .close = on_close,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
