/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/rewrite/split_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "format/attributes.h"
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

struct open {
    uint64_t offset; /* of the push */
    uint32_t domain;
    uint32_t low;
    size_t group; /* index + 1 if a record "resumed" lists it, else 0 */
};

struct thread {
    struct open *open; /* owned */
    size_t n, capacity;
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
    struct rln__map thread_of; /* {process, thread} -> index + 1 */
    struct thread *threads;    /* owned, like the others below */
    size_t n_threads, threads_capacity;
    struct rln__window_span *groups;
    size_t n_groups, groups_capacity;
    struct members of_groups, of_threads;
    struct rln__map started; /* id -> window + 1, while it is open */
    struct rln__map ended;   /* id -> window + 1, until its start is found */
    uint32_t process;        /* index, of the chunk */
    size_t thread;           /* index, of the chunk's current writer */
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
        p->thread = (size_t)found - 1;
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
    p->thread = p->n_threads++;
}

static void push(struct planner *p, const struct open *range)
{
    struct thread *t = &p->threads[p->thread];
    struct open *open = rln__append(&t->open, &t->n, &t->capacity, sizeof(*open));

    if (!open) {
        p->has_failed = 1;
        return;
    }
    *open = *range;
}

/* The push and its pop, if there is one, belong to all windows in between. */
static void close_open(struct planner *p, const struct open *range, uint64_t pop_at,
                       uint32_t high)
{
    if (range->group) {
        struct rln__window_span *group = &p->groups[range->group - 1];

        if (high > group->high || group->high == RLN__NO_WINDOW)
            group->high = high;
        if (pop_at)
            add_member(p, &p->of_groups, pop_at, range->group - 1);
    } else if (range->low != high) {
        add_span(p, range->offset, range->low, high);
        if (pop_at)
            add_span(p, pop_at, range->low, high);
    }
}

static void pop(struct planner *p, uint32_t domain, uint64_t offset, uint32_t window)
{
    struct thread *t = &p->threads[p->thread];
    size_t at = t->n;

    while (at > 0 && t->open[at - 1].domain != domain)
        at--;
    if (at == 0)
        return;
    close_open(p, &t->open[at - 1], offset, window);
    memmove(&t->open[at - 1], &t->open[at], (t->n - at) * sizeof(*t->open));
    t->n--;
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
        push(p, &(struct open){.domain = (uint32_t)r->words[i],
                               .low = window,
                               .group = p->n_groups});
}

/* --- starts and ends -------------------------------------------------------------- */

static uint64_t offset_of(const struct planner *p, uint64_t id)
{
    return p->layout->parts[0].offset + id * 8;
}

static void pair(struct planner *p, uint64_t start_at, uint32_t low, uint64_t end_at,
                 uint32_t high)
{
    if (low == high)
        return;
    add_span(p, start_at, low, high);
    add_span(p, end_at, low, high);
}

/* The window and the place of a half that waits for the other. */
static uint64_t half_of(uint32_t window, uint64_t offset)
{
    return offset / 8 << 16 | (window == RLN__NO_WINDOW ? 0xffff : window);
}

static uint32_t window_of_half(uint64_t half)
{
    return (half & 0xffff) == 0xffff ? RLN__NO_WINDOW : (uint32_t)(half & 0xffff);
}

static void start(struct planner *p, uint64_t offset, uint32_t window)
{
    const uint64_t id = (offset - p->layout->parts[0].offset) / 8;
    const uint64_t end = rln__map_remove(&p->ended, id);

    if (end)
        pair(p, offset, window, (end >> 16) * 8, window_of_half(end));
    else if (rln__map_put(&p->started, id, half_of(window, offset)) < 0)
        p->has_failed = 1;
}

static void end(struct planner *p, uint64_t id, uint64_t offset, uint32_t window)
{
    const uint64_t begun = rln__map_remove(&p->started, id);

    if (begun)
        pair(p, offset_of(p, id), window_of_half(begun), offset, window);
    else if (rln__map_put(&p->ended, id, half_of(window, offset)) < 0)
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

static void look_at_thread(struct planner *p, const struct rln__record *r)
{
    if (rln__sub_of(r->words[0]) == RLN__SUB_THREAD && r->n_words > 2)
        use_thread(p, p->process, (uint32_t)r->words[2]);
    if (rln__sub_of(r->words[0]) == RLN__SUB_GAP)
        p->threads[p->thread].n = 0; /* ranges that were open may have ended */
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
        push(p, &(struct open){
                    .offset = r->offset, .domain = domain_of(p, r), .low = window});
    else if (kind == RLN__SPLIT_POP)
        pop(p, domain_of(p, r), r->offset, window);
    else if (kind == RLN__SPLIT_RESUMED)
        resume(p, r, window);
    else if (kind == RLN__SPLIT_START)
        start(p, r->offset, window);
    else if (kind == RLN__SPLIT_END)
        end(p, rln__split_ended_by(r), r->offset, window);
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

static void close_threads(struct planner *p, uint32_t last)
{
    for (size_t i = 0; i < p->n_threads; i++) {
        struct thread *t = &p->threads[i];

        for (size_t n = 0; n < t->n; n++)
            close_open(p, &t->open[n], 0, last);
        if (t->n)
            widen(&t->low, &t->high, last);
    }
}

static void close_starts(struct planner *p, uint32_t last)
{
    for (size_t i = 0; p->started.slots && i <= p->started.mask; i++) {
        const struct rln__slot *slot = &p->started.slots[i];

        if (slot->value && window_of_half(slot->value) != last)
            add_span(p, offset_of(p, slot->key), window_of_half(slot->value), last);
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
    for (size_t i = 0; i < p->n_threads; i++)
        rln__free(p->threads[i].open);
    rln__free(p->threads);
    rln__free(p->groups);
    rln__free(p->of_groups.items);
    rln__free(p->of_threads.items);
    rln__map_clear(&p->thread_of);
    rln__map_clear(&p->started);
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
    close_threads(p, plan->n_windows - 1);
    close_starts(p, plan->n_windows - 1);
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
