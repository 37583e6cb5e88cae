/* SPDX-License-Identifier: Apache-2.0 */
#include "export/stacks.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "ranges/event_filter.h"

static int is_of(const struct rln__thread_stack *stack, const rln_range *range)
{
    return stack->thread == range->thread && stack->process == range->process &&
           stack->tid == range->tid && stack->scope.bytes == range->scope.bytes &&
           stack->is_deferred == ((range->flags & RLN_FLAG_DEFERRED) != 0);
}

static struct rln__thread_stack *find(struct rln__stacks *s, const rln_range *range)
{
    const uint8_t is_deferred = (range->flags & RLN_FLAG_DEFERRED) != 0;
    const struct rln__key key = {{(uint64_t)range->process << 32 | range->thread,
                                  range->tid, is_deferred,
                                  rln__key_of_text(range->scope)}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    const size_t n_known = s->n;
    struct rln__thread_stack *stack =
        rln__key_index_item(&s->items, &s->n, &s->capacity, number, sizeof(*stack));

    if (stack && number >= n_known)
        *stack = (struct rln__thread_stack){.process = range->process,
                                            .thread = range->thread,
                                            .tid = range->tid,
                                            .is_deferred = is_deferred,
                                            .scope = range->scope,
                                            .is_stream = range->style == RLN_RANGE_GPU,
                                            .number = number};
    return stack;
}

struct rln__thread_stack *rln__stacks_of(struct rln__stacks *s, const rln_range *range)
{
    struct rln__thread_stack *stack;

    if (s->last < s->n && is_of(&s->items[s->last], range))
        return &s->items[s->last];
    stack = find(s, range);
    if (stack)
        s->last = (size_t)(stack - s->items);
    return stack;
}

struct rln__thread_stack *rln__stacks_of_operation(struct rln__stacks *s,
                                                   const rln_range *operation)
{
    const struct rln__key key = {{operation->process, operation->thread}};
    rln_range where = *operation;
    uint32_t group;

    s->streams.is_flat = 1;
    where.tid = rln__lanes_assign(&s->streams, &key, operation->start_ns,
                                  operation->end_ns, &group);
    return where.tid == UINT32_MAX ? NULL : rln__stacks_of(s, &where);
}

void rln__stack_name(struct rln__buf *out, const rln_reader *reader,
                     const struct rln__thread_stack *stack)
{
    const uint32_t tid = stack->is_stream ? 0 : stack->tid;
    const rln_text name = rln__thread_name(reader, stack->process, tid, stack->thread);

    rln__buf_add(out, name.bytes, name.length);
    if (stack->scope.length) {
        rln__buf_text(out, name.length ? " " : "");
        rln__buf_utf8(out, stack->scope.bytes, stack->scope.length);
    }
    if (stack->is_stream && stack->tid)
        rln__buf_format(out, " (%u)", stack->tid + 1);
}

int rln__stack_push(struct rln__thread_stack *stack, const rln_range *range,
                    uint32_t frame)
{
    struct rln__stack_frame *added =
        rln__append(&stack->frames, &stack->n, &stack->capacity, sizeof(*added));

    if (!added)
        return -1;
    *added =
        (struct rln__stack_frame){range->attributes.domain, range->depth, frame, 0};
    return 0;
}

size_t rln__stack_find(const struct rln__thread_stack *stack, const rln_range *range)
{
    for (size_t i = stack->n; i; i--) {
        if (stack->frames[i - 1].domain == range->attributes.domain &&
            stack->frames[i - 1].depth == range->depth)
            return i - 1;
    }
    return stack->n;
}

void rln__stack_remove(struct rln__thread_stack *stack, size_t at)
{
    memmove(&stack->frames[at], &stack->frames[at + 1],
            (stack->n - at - 1) * sizeof(*stack->frames));
    stack->n--;
}

void rln__stacks_clear(struct rln__stacks *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__free(s->items[i].frames);
    rln__free(s->items);
    rln__key_index_clear(&s->keys);
    rln__lanes_clear(&s->streams);
    memset(s, 0, sizeof(*s));
}

uint64_t rln__open_key(const rln_range *r)
{
    const uint64_t words[] = {(uint64_t)r->process << 32 | r->thread,
                              (uint64_t)r->attributes.domain << 32 | r->depth,
                              (uint64_t)r->start_ns};

    return r->style == RLN_RANGE_START_END ? r->id
                                           : rln__hash_bytes(words, sizeof(words));
}

void rln__frame_name(struct rln__buf *out, const rln_attributes *with)
{
    if (with->domain_name.length) {
        rln__buf_utf8(out, with->domain_name.bytes, with->domain_name.length);
        rln__buf_char(out, ':');
    }
    if (with->message.length)
        rln__buf_utf8(out, with->message.bytes, with->message.length);
    else
        rln__buf_text(out, "(no message)");
}
