/* SPDX-License-Identifier: Apache-2.0 */
/* folded.c - stacks, and how long each was on top: the input of flame graphs.
 *
 *     program;outer;io:read 48210            nanoseconds, or calls
 *
 * Threads are added up. Time belongs to the current stack, so it is right even where
 * domains cross. Start/end ranges are on no stack. Levels below MOST_LEVELS are one
 * frame: otherwise lines would grow with the square of the depth.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "export/exporters.h"
#include "export/name_list.h"
#include "export/stacks.h"

#define NO_NODE UINT32_MAX
#define MOST_LEVELS 512u

static const rln_attributes deeper = {.message = {"(deeper)", 8}};

/* A path of names. */
struct node {
    rln_attributes attributes; /* of its last name; of a root only the process counts */
    uint32_t parent;
    uint32_t process;
    uint32_t last_child; /* of the last lookup; node 0 is no child */
    uint64_t self_ns;
    uint64_t n_calls;
};

/* A frame's `frame` is the number of its name; its `node`, if it is not too deep, that
 * of its path. */
struct folded {
    struct rln__export *x; /* borrowed */
    struct rln__stacks stacks;
    struct rln__name_list names;
    struct rln__key_index keys; /* parent, message, domain, process */
    struct node *nodes;         /* owned; by number of the key */
    size_t n_nodes, capacity;
    uint32_t last_root;
};

/* --- Paths ------------------------------------------------------------------------ */

/* NO_NODE when there is no memory. */
static uint32_t find_node(struct folded *f, uint32_t parent, uint32_t process,
                          const rln_attributes *with)
{
    const struct rln__key key = {{parent, rln__key_of_text(with->message), with->domain,
                                  parent == NO_NODE ? process : 0}};
    const uint32_t number = rln__key_index_number(&f->keys, &key);
    struct node *node;

    if (number < f->n_nodes)
        return number;
    node = rln__key_index_item(&f->nodes, &f->n_nodes, &f->capacity, number,
                               sizeof(*node));
    if (!node)
        return NO_NODE;
    *node = (struct node){.attributes = *with, .parent = parent, .process = process};
    return number;
}

static uint32_t root_of(struct folded *f, uint32_t process)
{
    const rln_attributes none = {.domain = 0};

    uint32_t root = f->last_root;

    if (f->n_nodes == 0 || f->nodes[root].process != process)
        root = find_node(f, NO_NODE, process, &none);
    if (root != NO_NODE)
        f->last_root = root;
    return root;
}

static uint32_t node_of(struct folded *f, uint32_t parent, uint32_t process,
                        const rln_attributes *with)
{
    const uint32_t last = f->nodes[parent].last_child;
    uint32_t node;

    if (last && f->nodes[last].attributes.message.bytes == with->message.bytes &&
        f->nodes[last].attributes.domain == with->domain)
        return last;
    node = find_node(f, parent, process, with);
    if (node != NO_NODE)
        f->nodes[parent].last_child = node;
    return node;
}

/* The path of the enclosing frames. */
static uint32_t parent_of(struct folded *f, const struct rln__thread_stack *stack,
                          size_t at)
{
    return at ? stack->frames[at - 1].node : root_of(f, stack->process);
}

/* Of a stack that is not empty. */
static struct node *top_of(struct folded *f, const struct rln__thread_stack *stack)
{
    const size_t at = stack->n - 1;

    return &f->nodes[stack->frames[at < MOST_LEVELS ? at : MOST_LEVELS].node];
}

static void pass_time(struct folded *f, struct rln__thread_stack *stack, int64_t t_ns)
{
    if (stack->n && t_ns > stack->since_ns)
        top_of(f, stack)->self_ns += (uint64_t)(t_ns - stack->since_ns);
    stack->since_ns = t_ns;
}

/* Frames above one that has ended now follow the frame below it. */
static int settle(struct folded *f, struct rln__thread_stack *stack, size_t from)
{
    for (size_t i = from; i < stack->n && i <= MOST_LEVELS; i++) {
        struct rln__stack_frame *frame = &stack->frames[i];
        const rln_attributes with = i == MOST_LEVELS ? deeper
                                    : frame->frame   ? f->names.items[frame->frame - 1]
                                                     : f->nodes[frame->node].attributes;
        const uint32_t parent = parent_of(f, stack, i);

        frame->node =
            parent == NO_NODE ? NO_NODE : node_of(f, parent, stack->process, &with);
        if (frame->node == NO_NODE)
            return -1;
    }
    return 0;
}

/* A new frame on top. 0, or -1 when there is no memory. */
static int push(struct folded *f, struct rln__thread_stack *stack,
                const rln_range *range)
{
    const size_t level = stack->n;
    const uint32_t name =
        level < MOST_LEVELS ? 0
                            : rln__name_list_number(&f->names, &range->attributes) + 1;
    uint32_t parent;

    if ((level >= MOST_LEVELS && !name) || rln__stack_push(stack, range, name))
        return -1;
    if (level >= MOST_LEVELS)
        return settle(f, stack, level);
    parent = parent_of(f, stack, level);
    stack->frames[level].node =
        parent == NO_NODE ? NO_NODE
                          : node_of(f, parent, stack->process, &range->attributes);
    return stack->frames[level].node == NO_NODE ? -1 : 0;
}

/* --- Ranges ----------------------------------------------------------------------- */

static rln_status on_open(void *state, const rln_range *range, rln_error *err)
{
    struct folded *f = state;
    struct rln__thread_stack *stack;

    if (range->style != RLN_RANGE_PUSH_POP)
        return RLN_OK;
    stack = rln__stacks_of(&f->stacks, range);
    if (!stack)
        return rln__fail_nomem(err);
    pass_time(f, stack, rln__span_clip(&f->x->reader->span, range->start_ns));
    if (push(f, stack, range))
        return rln__fail_nomem(err);
    top_of(f, stack)->n_calls++;
    return RLN_OK;
}

static rln_status on_close(void *state, const rln_range *range, rln_error *err)
{
    struct folded *f = state;
    struct rln__thread_stack *stack;
    size_t at;

    if (range->style != RLN_RANGE_PUSH_POP)
        return RLN_OK;
    stack = rln__stacks_of(&f->stacks, range);
    if (!stack)
        return rln__fail_nomem(err);
    at = rln__stack_find(stack, range);
    if (at == stack->n)
        return RLN_OK;
    pass_time(f, stack, rln__span_clip(&f->x->reader->span, range->end_ns));
    rln__stack_remove(stack, at);
    return settle(f, stack, at) ? rln__fail_nomem(err) : RLN_OK;
}

/* --- Lines ------------------------------------------------------------------------ */

/* Names are printable, and lose what separates them. */
static void add_name(const struct folded *f, const struct node *node)
{
    const rln_text process = rln__process_name(f->x->reader, node->process);
    struct rln__buf *out = &f->x->output.buf;
    struct rln__buf name = {0};
    size_t at;

    if (node->parent != NO_NODE)
        rln__frame_name(&name, &node->attributes);
    else if (process.length)
        rln__buf_utf8(&name, process.bytes, process.length);
    else
        rln__buf_text(&name, "(unknown)");
    rln__buf_text(out, node->parent != NO_NODE ? ";" : "");
    at = out->length;
    (void)rln__buf_printable(out, name.bytes, name.length);
    out->has_failed |= name.has_failed;
    rln__buf_clear(&name);
    for (; !out->has_failed && at < out->length; at++) {
        if (out->bytes[at] == ';')
            out->bytes[at] = ',';
    }
}

static rln_status add_line(const struct folded *f, uint32_t node, uint64_t weight,
                           struct rln__buf *path, rln_error *err)
{
    struct rln__buf *out = &f->x->output.buf;

    path->length = 0;
    for (uint32_t i = node; i != NO_NODE; i = f->nodes[i].parent)
        rln__buf_add(path, (const char *)&i, sizeof(i));
    if (path->has_failed)
        return rln__fail_nomem(err);
    for (size_t at = path->length; at; at -= sizeof(node)) {
        memcpy(&node, path->bytes + at - sizeof(node), sizeof(node));
        add_name(f, &f->nodes[node]);
    }
    rln__buf_char(out, ' ');
    rln__buf_u64(out, weight);
    rln__buf_char(out, '\n');
    return rln__output_flush_full(&f->x->output, err);
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    (void)err;
    ((struct folded *)state)->x = x;
    return RLN_OK;
}

static rln_status end(void *state, rln_error *err)
{
    struct folded *f = state;
    struct rln__buf path = {0};
    rln_status status = RLN_OK;

    for (uint32_t i = 0; i < f->n_nodes && !status; i++) {
        const struct node *node = &f->nodes[i];
        const uint64_t weight = rln__export_needs(f->x, RLN_EXPORT_COUNT_CALLS)
                                    ? node->n_calls
                                    : node->self_ns;

        if (weight)
            status = add_line(f, i, weight, &path, err);
    }
    rln__buf_clear(&path);
    return status;
}

static void clear(void *state)
{
    struct folded *f = state;

    rln__stacks_clear(&f->stacks);
    rln__name_list_clear(&f->names);
    rln__key_index_clear(&f->keys);
    rln__free(f->nodes);
}

const struct rln__exporter rln__exporter_folded = {
    .format = {.name = "folded",
               .extension = ".folded",
               .help = "stacks with their self time, for flame graphs",
               .is_stream = 1},
    .state_bytes = sizeof(struct folded),
    .begin = begin,
    .open = on_open,
    .close = on_close,
    .end = end,
    .clear = clear,
};
