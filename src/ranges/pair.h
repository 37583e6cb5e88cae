/* SPDX-License-Identifier: Apache-2.0 */
/* pair.h - pairs pushes with pops, and starts with ends.
 *
 *   thread --> newest open range --older--> ... --older--> oldest     of all domains
 *   stack of a thread and domain:
 *       top --below--> ... --below--> bottom | n_lost | n_inherited
 *                 open ranges                  counts only: their pushes are not here
 *   starts: range id -> open range
 *
 * Open ranges are in one pool and are linked by index, so that no number in a file can
 * cause a large allocation. Inherited ranges are those of the process that forked this
 * one; lost ones were pushed while events were lost.
 */
#ifndef RLN_RANGES_PAIR_H
#define RLN_RANGES_PAIR_H

#include "base/hash.h"
#include "format/names.h"
#include "rangeline/error.h"
#include "trace/open/item.h"
#include "trace/open/load.h"

/* Makes the range ids of several parts distinct: the part goes above every possible
 * offset. */
#define RLN__PART_SHIFT 48

static inline uint64_t rln__range_id(uint32_t part, uint64_t id)
{
    return id ^ ((uint64_t)part << RLN__PART_SHIFT);
}

/* The id of the range that a START begins. */
static inline uint64_t rln__start_id(const rln_reader *reader, uint32_t part,
                                     const struct rln__item *start)
{
    const struct rln__part *p = &reader->layout.parts[part];

    return rln__range_id(part, p->super.ring.buffer_bytes
                                   ? rln__ring_start_id(reader, part, start)
                                   : (start->offset - p->offset) / 8);
}

/* Bits. */
enum rln__open_state {
    RLN__FREE = 0,
    RLN__OPEN = 1,
    RLN__LOST = 2,          /* its end may have been lost in a gap */
    RLN__RESUMED = 4,       /* was open before its window; since when is unknown */
    RLN__FILTERED_OUT = 16, /* deferred, and its thread does not match the filter */
    RLN__ON_STACK = 32,     /* used by live.c to find open ranges */
    RLN__STARTED = 64,      /* by a start, not by a push */
};

struct rln__open {
    int64_t t_ns;
    uint64_t value; /* the plain payload; in the summary, the payload tests `held` */
    union {
        uint64_t id;      /* of a start/end range; 0 for push/pop */
        uint64_t self_ns; /* the engine's, of a push/pop range */
    };
    uint64_t order;  /* of begins */
    uint32_t attr;   /* index of attributes */
    uint32_t thread; /* index */
    uint32_t node;   /* the visitor's: its tag in the engine */
    uint32_t depth;
    uint32_t below; /* in the stack; links free ones; once drained, its former index */
    uint32_t older, newer;
    uint8_t has_value;
    uint8_t state; /* enum rln__open_state */
    uint16_t part; /* of its begin; there are at most 65,535 */
};

/* A cache line: exceeding it adds a tenth to a summary's time. */
_Static_assert(sizeof(struct rln__open) <= 64, "an open range is a cache line");

struct rln__stack {
    uint64_t n_inherited;
    uint64_t n_lost;
    uint32_t top;
    uint32_t n;
    uint32_t domain_id;
    uint32_t next;     /* stack of the same thread */
    uint8_t is_listed; /* by the gap being read */
};

struct rln__pair_thread {
    uint32_t stacks;
    uint32_t last_stack; /* of the last lookup */
    uint32_t newest;
    int64_t clock_ns; /* the engine's: of the last push or pop */
};

struct rln__pairing {
    struct rln__open *pool; /* owned, like the two below */
    size_t n_pool, pool_capacity;
    uint32_t free;
    struct rln__stack *stacks;
    size_t n_stacks, stacks_capacity;
    struct rln__pair_thread *threads;
    size_t n_threads, threads_capacity;
    struct rln__map by_domain; /* thread, domain id -> stack + 1 */
    struct rln__map starts;    /* range id -> open range + 1 */
    uint64_t n_begun;
};

void rln__pairing_init(struct rln__pairing *pairing);
void rln__pairing_clear(struct rln__pairing *pairing);

/* --- Inside ----------------------------------------------------------------------- */

/* A thread, added if it is new; NULL: no memory. */
struct rln__pair_thread *rln__pair_thread(struct rln__pairing *pairing,
                                          uint32_t thread);
struct rln__stack *rln__pair_stack_slow(struct rln__pairing *pairing, uint32_t thread,
                                        uint32_t domain_id, int make);
uint32_t rln__pair_extend(struct rln__pairing *pairing);
unsigned rln__pair_pop_empty(struct rln__stack *stack, uint32_t *depth);

/* The stack of a thread and domain, or NULL: none, or no memory. */
static inline struct rln__stack *
rln__pair_stack(struct rln__pairing *p, uint32_t thread, uint32_t domain_id, int make)
{
    if (thread < p->n_threads) {
        const uint32_t last = p->threads[thread].last_stack;

        if (last != RLN__NONE && p->stacks[last].domain_id == domain_id)
            return &p->stacks[last];
    }
    return rln__pair_stack_slow(p, thread, domain_id, make);
}

/* Writes member by member: a pop often directly follows its push, and cannot load
 * single members from one wide store until that has reached the cache. */
static inline uint32_t rln__pair_take(struct rln__pairing *p, uint32_t thread,
                                      int64_t t_ns, uint32_t attr)
{
    uint32_t index = p->free;
    struct rln__open *o;

    if (index != RLN__NONE)
        p->free = p->pool[index].below;
    else
        index = rln__pair_extend(p);
    if (index == RLN__NONE)
        return RLN__NONE;
    o = &p->pool[index];
    o->t_ns = t_ns;
    o->value = 0;
    o->id = 0;
    o->order = p->n_begun++;
    o->attr = attr;
    o->thread = thread;
    o->node = 0;
    o->depth = 0;
    o->below = o->older = o->newer = RLN__NONE;
    o->has_value = 0;
    o->state = RLN__OPEN;
    return index;
}

/* --- Outside ---------------------------------------------------------------------- */

/* Opens a range and returns its index, RLN__NONE when there is no memory. The caller
 * fills in its value and node. */
static inline uint32_t rln__pair_push(struct rln__pairing *p, uint32_t domain_id,
                                      uint32_t thread, int64_t t_ns, uint32_t attr)
{
    struct rln__stack *stack = rln__pair_stack(p, thread, domain_id, 1);
    const uint32_t index = stack ? rln__pair_take(p, thread, t_ns, attr) : RLN__NONE;
    struct rln__pair_thread *t;
    uint64_t depth;

    if (index == RLN__NONE)
        return RLN__NONE;
    t = &p->threads[thread];
    depth = stack->n_inherited + stack->n_lost + stack->n;
    p->pool[index].depth = depth > RLN__NONE ? RLN__NONE : (uint32_t)depth;
    p->pool[index].below = stack->top;
    p->pool[index].older = t->newest;
    if (t->newest != RLN__NONE)
        p->pool[t->newest].newer = index;
    stack->top = index;
    stack->n++;
    t->newest = index;
    return index;
}

uint32_t rln__pair_start(struct rln__pairing *pairing, uint64_t id, uint32_t thread,
                         int64_t t_ns, uint32_t attr);

/* Sets `*index` to the range that a pop closes, or to RLN__NONE and returns the reason
 * as RLN_FLAG_... The range stays as it is until rln__pair_release(). */
static inline unsigned rln__pair_pop(struct rln__pairing *p, uint32_t thread,
                                     uint32_t domain_id, uint32_t *index,
                                     uint32_t *depth)
{
    struct rln__stack *stack = rln__pair_stack(p, thread, domain_id, 0);
    const struct rln__open *o;

    *index = RLN__NONE;
    *depth = 0;
    if (!stack || !stack->n)
        return rln__pair_pop_empty(stack, depth);
    o = &p->pool[stack->top];
    *index = stack->top;
    *depth = o->depth;
    stack->top = o->below;
    stack->n--;
    if (o->newer != RLN__NONE)
        p->pool[o->newer].older = o->older;
    else
        p->threads[thread].newest = o->older;
    if (o->older != RLN__NONE)
        p->pool[o->older].newer = o->newer;
    return 0;
}

uint32_t rln__pair_end(struct rln__pairing *pairing, uint64_t id);

/* Opens a range that was pushed while no window was open, as a push at `t_ns`, when the
 * window opened. */
static inline uint32_t rln__pair_resume(struct rln__pairing *p, uint32_t domain_id,
                                        uint32_t thread, int64_t t_ns, uint32_t attr)
{
    const uint32_t index = rln__pair_push(p, domain_id, thread, t_ns, attr);

    if (index != RLN__NONE)
        p->pool[index].state |= RLN__RESUMED;
    return index;
}

/* Returns a range to the pool. */
static inline void rln__pair_release(struct rln__pairing *p, uint32_t index)
{
    p->pool[index].state = RLN__FREE;
    p->pool[index].below = p->free;
    p->free = index;
}

/* After a gap, or at a fork: sets how many ranges are open from now on. Each word is
 * {domain:32, depth:32}. Ranges open before are lost, except where a thread begins,
 * which has none. 0, or -1 when there is no memory. */
enum rln__pair_reset { RLN__RESET_THREAD, RLN__RESET_GAP, RLN__RESET_INHERITED };
int rln__pair_reset(struct rln__pairing *pairing, uint32_t thread,
                    enum rln__pair_reset why, const uint64_t *words, size_t n_words);

/* A thread's newest open range, of any domain; RLN__NONE if there is none. */
static inline uint32_t rln__pair_innermost(const struct rln__pairing *p,
                                           uint32_t thread)
{
    return thread < p->n_threads ? p->threads[thread].newest : RLN__NONE;
}

/* Sorts open ranges to the front of the pool, by the time of their begins, and returns
 * their number. `below` is the former index of each. The pairing is unusable
 * afterwards.
 */
size_t rln__pairing_drain(struct rln__pairing *pairing);

#endif
