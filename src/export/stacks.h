/* SPDX-License-Identifier: Apache-2.0 */
/* stacks.h - the open ranges of each thread, of all domains, the newest on top; and
 * lanes for the operations of each stream.
 *
 *   thread   outer | io:read | inner        outer may end first: each domain nests by
 *            oldest            newest       itself, but stacks in other formats nest as
 *                                           a whole
 *
 * Deferred ranges have stacks of their own, each scope one. So has each lane of a
 * stream, of one operation at a time: "stream 7", "stream 7 (2)".
 */
#ifndef RLN_EXPORT_STACKS_H
#define RLN_EXPORT_STACKS_H

#include "base/buf.h"
#include "export/lanes.h"
#include "trace/open/load.h"

struct rln__stack_frame {
    uint32_t domain, depth; /* distinguishes ranges of one thread */
    uint32_t frame;         /* the caller's, as the next */
    uint32_t node;
};

struct rln__thread_stack {
    struct rln__stack_frame *frames; /* owned */
    size_t n, capacity;
    uint32_t process, thread;
    uint32_t tid; /* of a stream, its lane */
    uint8_t is_deferred, is_stream;
    rln_text scope;   /* of deferred ranges */
    int64_t since_ns; /* the caller's, as the next */
    uint32_t number;
};

struct rln__stacks {
    struct rln__key_index keys;
    struct rln__thread_stack *items; /* owned; by number */
    size_t n, capacity;
    size_t last; /* of the last lookup */
    struct rln__lanes streams;
};

/* The stack of a range's thread; NULL when there is no memory. */
struct rln__thread_stack *rln__stacks_of(struct rln__stacks *stacks,
                                         const rln_range *range);
/* The one of the stream and lane where an operation has room, with nothing on it. They
 * come in the order of beginnings. NULL when there is no memory. */
struct rln__thread_stack *rln__stacks_of_operation(struct rln__stacks *stacks,
                                                   const rln_range *operation);
/* Appends the name of its thread, or of its stream and lane. */
void rln__stack_name(struct rln__buf *out, const rln_reader *reader,
                     const struct rln__thread_stack *stack);
/* 0, or -1 when there is no memory. */
int rln__stack_push(struct rln__thread_stack *stack, const rln_range *range,
                    uint32_t frame);
/* Where a range is in its stack; `n` if it is not there. */
size_t rln__stack_find(const struct rln__thread_stack *stack, const rln_range *range);
void rln__stack_remove(struct rln__thread_stack *stack, size_t at);
void rln__stacks_clear(struct rln__stacks *stacks);

/* Whether a range nests on its thread, within its domain. Others overlap. */
static inline int rln__is_on_stack(const rln_range *range)
{
    return range->style == RLN_RANGE_PUSH_POP && !(range->flags & RLN_FLAG_DEFERRED);
}

/* The key of a start/end range while it is open. */
uint64_t rln__open_key(const rln_range *range);

/* The name of a range among those of all domains: "io:read". Appended, in UTF-8. */
void rln__frame_name(struct rln__buf *out, const rln_attributes *with);

#endif
