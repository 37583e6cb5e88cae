/* SPDX-License-Identifier: Apache-2.0 */
/* nvtxt.c - NVTXT, the text that Nsight's ImportNvtxt turns into a report, or adds to
 * one.
 *
 *     @RangePush, Time, ProcessId, ThreadId, CategoryId, Color, Message
 *     TimeBase = Manual
 *     RangePush, 1200, 4711, 4712, 0, 0xff00ff00, "load"
 *
 * Pushes, pops and marks come in time order, start/end and deferred ranges whole as
 * they end. A pop names only its thread: so where domains cross, ranges above one that
 * ends first are popped and pushed again at that time. Strings are quoted, without an
 * escape, so " becomes ', and control characters become blanks. A domain precedes the
 * message.
 */
#include "base/digits.h"
#include "base/file_name.h"
#include "base/utf8.h"
#include "export/exporters.h"
#include "export/name_list.h"
#include "export/row_text_cache.h"
#include "export/stacks.h"

#include <string.h>

static const char header[] =
    "# Times are nanoseconds since the trace's start.\n"
    "@RangeStartEnd, Start, End, ProcessId, ThreadId, CategoryId, Color, Message\n"
    "TimeBase = Manual\n"
    "@RangePush, Time, ProcessId, ThreadId, CategoryId, Color, Message\n"
    "TimeBase = Manual\n"
    "@RangePop, Time, ProcessId, ThreadId\n"
    "TimeBase = Manual\n"
    "@Marker, Time, ProcessId, ThreadId, CategoryId, Color, Message\n"
    "TimeBase = Manual\n";

#define USUAL_COLOR 0xff76b900u /* the line needs one */

struct nvtxt {
    struct rln__export *x;                 /* borrowed */
    struct rln__row_text_cache text_cache; /* the text after the times */
    struct rln__stacks stacks;
    struct rln__name_list messages; /* of pushed ranges */
};

static struct rln__buf *out_of(const struct nvtxt *n)
{
    return &n->x->output.buf;
}

static void add_i64(struct rln__buf *out, int64_t value)
{
    char *at = rln__buf_room(out, 2 + RLN__DIGITS_I64);

    if (!at)
        return;
    memcpy(at, ", ", 2);
    out->length = (size_t)(rln__digits_i64(at + 2, value) - out->bytes);
}

static void add_message(struct rln__buf *out, const rln_attributes *with)
{
    struct rln__buf name = {0};
    size_t at;

    add_i64(out, with->category);
    rln__buf_text(out, ", 0x");
    rln__buf_hex(out, with->has_color ? with->color : USUAL_COLOR, 8);
    rln__buf_text(out, ", \"");
    at = out->length;
    rln__frame_name(&name, with);
    (void)rln__buf_printable(out, name.bytes, name.length);
    out->has_failed |= name.has_failed;
    rln__buf_clear(&name);
    for (; !out->has_failed && at < out->length; at++) {
        if (out->bytes[at] == '"')
            out->bytes[at] = '\'';
    }
    rln__buf_char(out, '"');
}

/* Where and what, to the end of the line. */
static void add_who(struct nvtxt *n, const rln_attributes *with, const rln_range *where)
{
    struct rln__buf *out = out_of(n);
    const struct rln__row_text_cache_key key =
        rln__row_text_cache_key(with, where->process, where->thread, where->tid, 1);
    const size_t begin = out->length;

    if (rln__row_text_cache_add(&n->text_cache, &key, out))
        return;
    add_i64(out, where->pid);
    add_i64(out, where->tid);
    add_message(out, with);
    rln__row_text_cache_keep(&n->text_cache, &key, out, begin);
}

static void add_where(struct nvtxt *n, const rln_range *r)
{
    static const rln_attributes none;
    struct rln__buf *out = out_of(n);
    const struct rln__row_text_cache_key key =
        rln__row_text_cache_key(&none, r->process, r->thread, r->tid, 0);
    const size_t begin = out->length;

    if (rln__row_text_cache_add(&n->text_cache, &key, out))
        return;
    add_i64(out, r->pid);
    add_i64(out, r->tid);
    rln__row_text_cache_keep(&n->text_cache, &key, out, begin);
}

static rln_status end_line(struct nvtxt *n, rln_error *err)
{
    rln__buf_char(out_of(n), '\n');
    return rln__output_flush_full(&n->x->output, err);
}

/* UINT32_MAX when there is no memory. */
static uint32_t message_of(struct nvtxt *n, const rln_attributes *with)
{
    const struct rln__key key = {{rln__key_of_text(with->message), with->domain,
                                  with->category,
                                  (uint64_t)with->has_color << 32 | with->color}};

    return rln__name_list_number_by_key(&n->messages, &key, with);
}

static rln_status push(struct nvtxt *n, const rln_range *where, uint32_t message,
                       int64_t t_ns, rln_error *err)
{
    rln__buf_text(out_of(n), "RangePush");
    add_i64(out_of(n), t_ns);
    add_who(n, &n->messages.items[message], where);
    return end_line(n, err);
}

static rln_status pop(struct nvtxt *n, const rln_range *where, int64_t t_ns,
                      rln_error *err)
{
    rln__buf_text(out_of(n), "RangePop");
    add_i64(out_of(n), t_ns);
    add_where(n, where);
    return end_line(n, err);
}

static rln_status on_open(void *state, const rln_range *r, rln_error *err)
{
    struct nvtxt *n = state;
    struct rln__thread_stack *stack;
    uint32_t message;

    if (!rln__is_on_stack(r))
        return RLN_OK;
    stack = rln__stacks_of(&n->stacks, r);
    message = message_of(n, &r->attributes);
    if (!stack || message == UINT32_MAX || rln__stack_push(stack, r, message))
        return rln__fail_nomem(err);
    return push(n, r, message, r->start_ns, err);
}

static rln_status add_whole(struct nvtxt *n, const rln_range *r, rln_error *err)
{
    rln__buf_text(out_of(n), "RangeStartEnd");
    add_i64(out_of(n), r->start_ns);
    add_i64(out_of(n), r->end_ns);
    add_who(n, &r->attributes, r);
    return end_line(n, err);
}

static rln_status on_close(void *state, const rln_range *r, rln_error *err)
{
    struct nvtxt *n = state;
    struct rln__thread_stack *stack;
    rln_status status = RLN_OK;
    size_t at;

    if (!rln__is_on_stack(r))
        return add_whole(n, r, err);
    stack = rln__stacks_of(&n->stacks, r);
    if (!stack)
        return rln__fail_nomem(err);
    at = rln__stack_find(stack, r);
    if (at == stack->n)
        return RLN_OK;
    for (size_t i = stack->n; i > at && !status; i--)
        status = pop(n, r, r->end_ns, err);
    rln__stack_remove(stack, at);
    for (size_t i = at; i < stack->n && !status; i++)
        status = push(n, r, stack->frames[i].frame, r->end_ns, err);
    return status;
}

static rln_status on_mark(void *state, const rln_event *e, rln_error *err)
{
    struct nvtxt *n = state;
    struct rln__buf *out = out_of(n);

    rln__buf_text(out, "Marker");
    add_i64(out, e->t_ns);
    add_who(
        n, &e->attributes,
        &(rln_range){
            .process = e->process, .thread = e->thread, .pid = e->pid, .tid = e->tid});
    return end_line(n, err);
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    const char *name = rln__file_name(rln__reader_path(x->reader, 0));
    struct nvtxt *n = state;

    (void)err;
    n->x = x;
    rln__buf_text(out_of(n), "SetFileDisplayName, ");
    (void)rln__buf_printable(out_of(n), name, strlen(name));
    rln__buf_char(out_of(n), '\n');
    rln__buf_text(out_of(n), header);
    return RLN_OK;
}

static rln_status end(void *state, rln_error *err)
{
    (void)state;
    (void)err;
    return RLN_OK;
}

static void clear(void *state)
{
    struct nvtxt *n = state;

    rln__row_text_cache_clear(&n->text_cache);
    rln__stacks_clear(&n->stacks);
    rln__name_list_clear(&n->messages);
}

const struct rln__exporter rln__exporter_nvtxt = {
    .format = {.name = "nvtxt",
               .extension = ".nvtxt",
               .help = "text that Nsight Systems imports",
               .is_stream = 1},
    .state_bytes = sizeof(struct nvtxt),
    .begin = begin,
    .open = on_open,
    .close = on_close,
    .mark = on_mark,
    .end = end,
    .clear = clear,
};
