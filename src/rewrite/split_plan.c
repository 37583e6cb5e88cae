/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/split_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "format/attributes.h"
#include "ranges/pair.h"
#include "trace/open/window_list.h"

/* --- windows ---------------------------------------------------------------------- */

uint32_t rln__split_window_at(const struct rln__split_plan *plan, uint64_t ticks)
{
    uint32_t low = 0, high = plan->n_windows;

    if (!high || ticks < plan->windows[0].opened || ticks >= plan->end_ticks)
        return RLN__NO_WINDOW;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (plan->windows[middle].opened <= ticks)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* As in the fit, no window begins before the previous one. */
static rln_status read_windows(struct rln__split_plan *plan,
                               const struct rln__part *part, rln_error *err)
{
    const uint64_t n_counted = part->super.control.gate >> 32;
    struct rln__window *w = rln__alloc(RLN__MAX_WINDOWS + 1, sizeof(*w));
    uint64_t n_before;
    size_t n;
    rln_status status;

    plan->windows = w;
    plan->end_ticks = UINT64_MAX;
    if (!w)
        return rln__fail_nomem(err);
    status = rln__windows_read(part, w, &n, &n_before, err);
    for (size_t i = 0; !status && i < n; i++) {
        const uint32_t at = plan->n_windows;

        if (!w[i].opened && !(i == 0 && n_before == 0 && w[i].closed))
            continue; /* counted, but never written */
        w[at] = w[i];
        if (at && w[at].opened < w[at - 1].opened)
            w[at].opened = w[at - 1].opened;
        plan->n_windows++;
    }
    if (status)
        return status;
    plan->n_unlisted = n_counted - n_before - n;
    if (!status && plan->n_unlisted && plan->n_windows)
        plan->end_ticks = w[plan->n_windows - 1].closed;
    return status;
}

/* --- open ranges ------------------------------------------------------------------ */

/* What is open is kept by ranges/pair.h, with three members that mean here: `t_ns` the
 * window of the begin, `value` its offset, and `node` the index + 1 of the group of the
 * record "resumed" that lists the range, else 0. */

struct thread {
    uint32_t low, high; /* of all its records */
};

/* Records that stay or go together: of a thread, or of one record "resumed". */
struct member {
    uint64_t offset;
    size_t owner;
};

struct members {
    struct member *items; /* owned */
    size_t n, capacity;
};

struct planner {
    struct rln__split_plan *plan;
    const struct rln__layout *layout;
    struct rln__names *names;
    struct rln__pairing pairing; /* owned, like all below */
    struct rln__map thread_of;   /* {process, thread} -> index + 1 */
    struct thread *threads;
    size_t n_threads, threads_capacity;
    struct rln__window_span *groups;
    size_t n_groups, groups_capacity;
    struct members of_groups, of_threads;
    struct rln__map ended; /* id -> offset and window, until its start is found */
    uint32_t process;      /* index, of the chunk */
    uint32_t thread;       /* index, of the chunk's current writer */
    int has_failed;
};

static void add_span(struct planner *p, uint64_t offset, uint32_t low, uint32_t high)
{
    struct rln__split_plan *plan = p->plan;
    struct rln__window_span *span =
        rln__append(&plan->spans, &plan->n_spans, &plan->spans_capacity, sizeof(*span));

    if (!span) {
        p->has_failed = 1;
        return;
    }
    *span = (struct rln__window_span){offset, low, high};
}

static void add_member(struct planner *p, struct members *to, uint64_t offset,
                       size_t owner)
{
    struct member *item = rln__append(&to->items, &to->n, &to->capacity, sizeof(*item));

    if (!item) {
        p->has_failed = 1;
        return;
    }
    *item = (struct member){offset, owner};
}

static void use_thread(struct planner *p, uint32_t process, uint32_t thread)
{
    const uint64_t key = rln__pair32(process, thread);
    const uint64_t found = rln__map_get(&p->thread_of, key);
    struct thread *threads;

    if (found) {
        p->thread = (uint32_t)found - 1;
        return;
    }
    threads =
        rln__grow(p->threads, &p->threads_capacity, p->n_threads + 1, sizeof(*threads));
    if (!threads || rln__map_put(&p->thread_of, key, p->n_threads + 1) < 0) {
        p->threads = threads ? threads : p->threads;
        p->has_failed = 1;
        return;
    }
    p->threads = threads;
    threads[p->n_threads] = (struct thread){.low = RLN__NO_WINDOW};
    p->thread = (uint32_t)p->n_threads++;
}

/* Notes where a range begins that pairing has opened, if it could. */
static void begin(struct planner *p, uint32_t index, uint64_t offset, size_t group)
{
    if (index == RLN__NONE) {
        p->has_failed = 1;
        return;
    }
    p->pairing.pool[index].value = offset;
    p->pairing.pool[index].node = (uint32_t)group;
}

/* A begin and its end, if there is one, belong to all windows in between. */
static void add_range(struct planner *p, const struct rln__open *range, uint64_t end_at,
                      uint32_t high)
{
    const uint32_t low = (uint32_t)range->t_ns;

    if (range->node) {
        struct rln__window_span *group = &p->groups[range->node - 1];

        if (high > group->high || group->high == RLN__NO_WINDOW)
            group->high = high;
        if (end_at)
            add_member(p, &p->of_groups, end_at, range->node - 1);
    } else if (low != high) {
        add_span(p, range->value, low, high);
        if (end_at)
            add_span(p, end_at, low, high);
    }
}

static void end(struct planner *p, uint32_t index, uint64_t offset, uint32_t window)
{
    add_range(p, &p->pairing.pool[index], offset, window);
    rln__pair_release(&p->pairing, index);
}

static void push(struct planner *p, uint32_t domain, uint64_t offset, uint32_t window,
                 size_t group)
{
    begin(p, rln__pair_push(&p->pairing, domain, p->thread, window, 0), offset, group);
}

static void pop(struct planner *p, uint32_t domain, uint64_t offset, uint32_t window)
{
    uint32_t index, depth;

    rln__pair_pop(&p->pairing, p->thread, domain, &index, &depth);
    if (index != RLN__NONE)
        end(p, index, offset, window);
}

static void resume(struct planner *p, const struct rln__record *r, uint32_t window)
{
    struct rln__window_span *group =
        rln__append(&p->groups, &p->n_groups, &p->groups_capacity, sizeof(*group));

    if (!group) {
        p->has_failed = 1;
        return;
    }
    *group = (struct rln__window_span){r->offset, window, window};
    for (uint32_t i = 3; i < r->n_words; i++)
        push(p, (uint32_t)r->words[i], 0, window, p->n_groups);
}

/* --- starts and ends -------------------------------------------------------------- */

/* The offset, in words, and the window of an end that waits for its start. */
static uint64_t early_end(uint64_t offset, uint32_t window)
{
    return offset / 8 << 16 | (window == RLN__NO_WINDOW ? 0xffff : window);
}

static uint32_t window_of(uint64_t early)
{
    return (early & 0xffff) == 0xffff ? RLN__NO_WINDOW : (uint32_t)(early & 0xffff);
}

static void start(struct planner *p, uint64_t offset, uint32_t window)
{
    const uint64_t id = (offset - p->layout->parts[0].offset) / 8;
    const uint64_t early = rln__map_remove(&p->ended, id);
    const uint32_t index = rln__pair_start(&p->pairing, id, p->thread, window, 0);

    begin(p, index, offset, 0);
    if (index == RLN__NONE)
        return;
    p->pairing.pool[index].state |= RLN__STARTED;
    if (early)
        end(p, rln__pair_end(&p->pairing, id), (early >> 16) * 8, window_of(early));
}

static void end_started(struct planner *p, uint64_t id, uint64_t offset,
                        uint32_t window)
{
    const uint32_t index = rln__pair_end(&p->pairing, id);

    if (index != RLN__NONE)
        end(p, index, offset, window);
    else if (rln__map_put(&p->ended, id, early_end(offset, window)) < 0)
        p->has_failed = 1;
}

/* --- records ---------------------------------------------------------------------- */

/* The process's own id of the domain of a push. */
static uint32_t domain_of(struct planner *p, const struct rln__record *r)
{
    const int is_long = (r->words[0] & 15) == RLN__LONG;
    const unsigned flags = is_long ? (unsigned)(r->words[2] >> 8) & 255 : 0;
    const uint32_t at = 3 + ((flags & RLN__EVENT_HAS_VALUE) != 0);
    const uint32_t id = is_long
                            ? (uint32_t)(r->words[2] >> 32)
                            : (uint32_t)(r->words[0] >> RLN__ID_SHIFT) & RLN__MAX_ID;
    uint32_t attr;

    if (flags & RLN__EVENT_IN_LINE)
        return at < r->n_words ? (uint32_t)r->words[at] : 0;
    if (rln__split_kind_of(r) == RLN__SPLIT_POP)
        return id;
    attr = rln__names_attr(p->names, p->process, id);
    if (attr == RLN__NONE) {
        p->has_failed = 1;
        return 0;
    }
    return p->names->attrs[attr].domain_id;
}

static void widen(uint32_t *low, uint32_t *high, uint32_t window)
{
    if (window == RLN__NO_WINDOW)
        return;
    if (*low == RLN__NO_WINDOW || window < *low)
        *low = window;
    if (window > *high)
        *high = window;
}

/* Ranges that were open may have ended unseen. */
static void forget_open(struct planner *p)
{
    if (rln__pair_reset(&p->pairing, p->thread, RLN__RESET_GAP, NULL, 0) < 0)
        p->has_failed = 1;
}

static void look_at_thread(struct planner *p, const struct rln__record *r)
{
    if (rln__sub_of(r->words[0]) == RLN__SUB_THREAD && r->n_words > 2)
        use_thread(p, p->process, (uint32_t)r->words[2]);
    if (rln__sub_of(r->words[0]) == RLN__SUB_GAP)
        forget_open(p);
    add_member(p, &p->of_threads, r->offset, p->thread);
}

static void examine(struct planner *p, const struct rln__record *r, size_t chunk)
{
    const struct rln__chunk_info *c = &p->layout->chunks[chunk];
    const uint32_t window =
        rln__split_window_at(p->plan, rln__split_ticks_of(r, c->base_ticks));
    const enum rln__split_kind kind = rln__split_kind_of(r);
    struct rln__window_span *span = &p->plan->chunks[chunk];

    if (kind == RLN__SPLIT_THREAD) {
        look_at_thread(p, r);
        return;
    }
    if (kind == RLN__SPLIT_PUSH)
        push(p, domain_of(p, r), r->offset, window, 0);
    else if (kind == RLN__SPLIT_POP)
        pop(p, domain_of(p, r), r->offset, window);
    else if (kind == RLN__SPLIT_RESUMED)
        resume(p, r, window);
    else if (kind == RLN__SPLIT_START)
        start(p, r->offset, window);
    else if (kind == RLN__SPLIT_END)
        end_started(p, rln__split_ended_by(r), r->offset, window);
    if (kind == RLN__SPLIT_STATE) {
        widen(&span->low, &span->high, 0);
        widen(&span->low, &span->high, p->plan->n_windows - 1);
    }
    widen(&span->low, &span->high, window);
    widen(&p->threads[p->thread].low, &p->threads[p->thread].high, window);
}

static rln_status look_at_chunk(struct planner *p, struct rln__cursor *cursor,
                                size_t chunk, rln_error *err)
{
    const struct rln__chunk_info *c = &p->layout->chunks[chunk];
    struct rln__record record;
    rln_status status = RLN_OK;

    p->process = rln__names_process(p->names, 0, c->process);
    if (p->process == RLN__NONE)
        return rln__fail_nomem(err);
    use_thread(p, p->process, c->thread);
    rln__cursor_begin(cursor, p->layout->parts[0].file, c);
    while (!p->has_failed &&
           (status = rln__cursor_next(cursor, &record, err)) == RLN_OK)
        examine(p, &record, chunk);
    if (p->has_failed)
        return rln__fail_nomem(err);
    return status == RLN_END ? RLN_OK : status;
}

/* A thread's chunks are in the order of their bases. */
struct turn {
    uint64_t base_ticks, offset;
    size_t chunk;
};

static int by_base(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->base_ticks != y->base_ticks)
        return x->base_ticks < y->base_ticks ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static rln_status look_at_chunks(struct planner *p, struct rln__cursor *cursor,
                                 rln_error *err)
{
    const struct rln__layout *layout = p->layout;
    struct turn *turns = rln__alloc(layout->n_chunks + 1, sizeof(*turns));
    rln_status status = RLN_OK;
    size_t n = 0;

    if (!turns)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < layout->n_chunks; i++) {
        p->plan->chunks[i] = (struct rln__window_span){.low = RLN__NO_WINDOW};
        if (layout->chunks[i].kind == RLN__CHUNK_EVENTS && layout->chunks[i].part == 0)
            turns[n++] = (struct turn){layout->chunks[i].base_ticks,
                                       layout->chunks[i].offset, i};
    }
    qsort(turns, n, sizeof(*turns), by_base);
    for (size_t i = 0; i < n && !status; i++)
        status = look_at_chunk(p, cursor, turns[i].chunk, err);
    rln__free(turns);
    return status;
}

/* --- after the last record -------------------------------------------------------- */

/* Ranges that never end are in all windows from their begin on. */
static void close_open(struct planner *p, uint32_t last)
{
    const size_t n = rln__pairing_drain(&p->pairing);

    for (size_t i = 0; i < n; i++) {
        const struct rln__open *range = &p->pairing.pool[i];
        struct thread *t = &p->threads[range->thread];

        if (!(range->state & RLN__OPEN))
            continue;
        add_range(p, range, 0, last);
        if (!(range->state & RLN__STARTED))
            widen(&t->low, &t->high, last);
    }
}

static void add_groups(struct planner *p)
{
    for (size_t i = 0; i < p->n_groups; i++)
        add_span(p, p->groups[i].offset, p->groups[i].low, p->groups[i].high);
    for (size_t i = 0; i < p->of_groups.n; i++) {
        const struct member *m = &p->of_groups.items[i];

        add_span(p, m->offset, p->groups[m->owner].low, p->groups[m->owner].high);
    }
    for (size_t i = 0; i < p->of_threads.n; i++) {
        const struct member *m = &p->of_threads.items[i];

        add_span(p, m->offset, p->threads[m->owner].low, p->threads[m->owner].high);
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct rln__window_span *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* A chunk belongs to all windows of its records. Both lists are in order of offsets. */
static void widen_chunks(struct planner *p)
{
    const struct rln__layout *layout = p->layout;
    size_t chunk = 0;

    for (size_t i = 0; i < p->plan->n_spans; i++) {
        const struct rln__window_span *span = &p->plan->spans[i];
        struct rln__window_span *to;

        while (chunk < layout->n_chunks && layout->chunks[chunk].end <= span->offset)
            chunk++;
        if (chunk == layout->n_chunks)
            return;
        to = &p->plan->chunks[chunk];
        if (span->low == RLN__NO_WINDOW)
            continue;
        widen(&to->low, &to->high, span->low);
        widen(&to->low, &to->high, span->high);
    }
}

static void planner_clear(struct planner *p)
{
    rln__pairing_clear(&p->pairing);
    rln__free(p->threads);
    rln__free(p->groups);
    rln__free(p->of_groups.items);
    rln__free(p->of_threads.items);
    rln__map_clear(&p->thread_of);
    rln__map_clear(&p->ended);
}

/* --- outside ---------------------------------------------------------------------- */

static rln_status plan_all(struct planner *p, rln_error *err)
{
    struct rln__split_plan *plan = p->plan;
    struct rln__cursor cursor;
    rln_status status = rln__cursor_init(&cursor, 8192, err);

    if (status)
        return status;
    status = look_at_chunks(p, &cursor, err);
    rln__cursor_clear(&cursor);
    if (status)
        return status;
    close_open(p, plan->n_windows - 1);
    add_groups(p);
    if (p->has_failed)
        return rln__fail_nomem(err);
    if (plan->n_spans)
        qsort(plan->spans, plan->n_spans, sizeof(*plan->spans), by_offset);
    widen_chunks(p);
    return RLN_OK;
}

rln_status rln__split_plan_make(struct rln__split_plan *plan,
                                const struct rln__layout *layout,
                                struct rln__names *names, rln_error *err)
{
    struct planner p = {.plan = plan, .layout = layout, .names = names};
    rln_status status;

    rln__pairing_init(&p.pairing);
    *plan = (struct rln__split_plan){.windows = NULL};
    status = read_windows(plan, &layout->parts[0], err);
    plan->chunks = rln__alloc(layout->n_chunks + 1, sizeof(*plan->chunks));
    if (!status && !plan->chunks)
        status = rln__fail_nomem(err);
    if (!status && plan->n_windows)
        status = plan_all(&p, err);
    planner_clear(&p);
    if (status)
        rln__split_plan_clear(plan);
    return status;
}

void rln__split_plan_clear(struct rln__split_plan *plan)
{
    rln__free(plan->windows);
    rln__free(plan->spans);
    rln__free(plan->chunks);
    *plan = (struct rln__split_plan){.windows = NULL};
}

static const struct rln__window_span *span_of(const struct rln__split_plan *plan,
                                              uint64_t offset)
{
    const struct rln__window_span key = {.offset = offset};

    return plan->n_spans ? bsearch(&key, plan->spans, plan->n_spans,
                                   sizeof(*plan->spans), by_offset)
                         : NULL;
}

int rln__split_has(const struct rln__split_plan *plan, const struct rln__record *record,
                   uint64_t base_ticks, uint32_t k)
{
    const struct rln__window_span *span;

    if (rln__split_kind_of(record) == RLN__SPLIT_STATE)
        return 1;
    span = span_of(plan, record->offset);
    if (span)
        return span->low <= k && k <= span->high;
    return rln__split_window_at(plan, rln__split_ticks_of(record, base_ticks)) == k;
}
