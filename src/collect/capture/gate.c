/* SPDX-License-Identifier: Apache-2.0 */
/* gate.c - judges events while bits of the gate are set: outside windows, or while a
 * range may be a capture range. That makes it as hot as recording: no system calls, no
 * locks.
 *
 * A thread with an unrecorded last event points at its unset chunk, which is always
 * full: its next recorded event takes the cold path, which lists the unrecorded ranges
 * (chunk.c).
 */
#include "collect/capture/gate.h"

#include "collect/capture/capture.h"
#include "collect/capture/excluded_pushes.h"
#include "collect/capture/unrecorded_names.h"
#include "collect/event/record.h"
#include "collect/event/row_flags.h"
#include "collect/process/process.h"
#include "format/windows.h"

/* Bits that require the flags of rows. */
enum { ASKS_ROWS = RLN__GATE_WATCHED | RLN__GATE_CATEGORIES };

static int is_push(unsigned kind)
{
    return kind == RLN__PUSH || kind == RLN__PUSH_VALUE;
}

static int is_mark(unsigned kind)
{
    return kind == RLN__MARK || kind == RLN__MARK_VALUE;
}

static int is_start(unsigned kind)
{
    return kind == RLN__START || kind == RLN__START_VALUE;
}

/* --- the calling thread ----------------------------------------------------------- */

RLN_COLD static int is_set_up_now(void)
{
    const rln__sigmask mask = rln__block_signals();
    const int has_depths = rln__process_ready() && rln__thread_ready();

    rln__restore_signals(mask);
    return has_depths;
}

/* Sets the thread up first: all new threads share one structure and would mix their
 * depths. */
static int is_set_up(void)
{
    return RLN_LIKELY(rln__tid(rln__own_thread()) != 0) || is_set_up_now();
}

static void park(void)
{
    rln__use_chunk(&rln__own_thread()->unset);
}

uint64_t rln__result_of_unrecorded(unsigned kind, uint32_t domain)
{
    if (is_push(kind))
        return is_set_up() ? rln__enter(domain) : 0;
    if (kind == RLN__POP)
        return is_set_up() ? rln__leave(domain) : (uint64_t)-1;
    return 0;
}

/* --- unrecorded ranges ------------------------------------------------------------ */

static void fill(uint32_t n, uint64_t range)
{
    struct rln__kept *kept = rln__own_kept();

    __atomic_store_n(&kept->unrecorded[n], range, __ATOMIC_RELAXED);
    if (RLN_UNLIKELY(range >> 32 == 0))
        kept->unrecorded_names[n] = 0;
}

/* A handler in between finds the entry complete, or uses it and frees it, after which
 * it is filled again. If the handler records something, the list has been written and
 * is empty: then the entry has moved, or is gone. */
static int add_unrecorded(uint32_t domain, uint32_t id)
{
    struct rln__thread_context *t = rln__own_thread();
    const uint64_t range = rln__pair32(domain, id);
    uint32_t n = rln__n_unrecorded(t);

    if (n >= RLN__MOST_UNRECORDED)
        return 0;
    fill(n, range);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    rln__change_unsplit(&t->n_unrecorded, 1);
    n = rln__n_unrecorded(t) - 1;
    if (n < RLN__MOST_UNRECORDED)
        fill(n, range);
    park();
    return 1;
}

/* The same for a push that may have a text instead of an id. */
static int add_unrecorded_named(const struct rln__gated_event *e)
{
    uint32_t n;

    if (!add_unrecorded(e->domain, e->id))
        return 0;
    n = rln__n_unrecorded(rln__own_thread());
    if (!e->id && e->text && n > 0 && n <= RLN__MOST_UNRECORDED)
        rln__unrecorded_name_keep(n - 1, e);
    return 1;
}

/* Removes the last entry of the list; 0 if a handler has just recorded all of them. */
static int take_last(struct rln__thread_context *t)
{
    if (RLN_LIKELY(!rln__take_one_unsplit(&t->n_unrecorded)))
        return 1;
    rln__change_unsplit(&t->n_unrecorded, 1);
    return 0;
}

/* Removes the thread's last unrecorded range of the domain from its list, if there is
 * one. */
static int remove_unrecorded(uint32_t domain)
{
    struct rln__thread_context *t = rln__own_thread();
    struct rln__kept *kept = rln__own_kept();
    const uint32_t n = rln__n_unrecorded(t);
    uint32_t at = n;

    while (at > 0 && (uint32_t)kept->unrecorded[at - 1] != domain)
        at--;
    if (at == 0)
        return 0;
    for (; at < n; at++) {
        kept->unrecorded[at - 1] = kept->unrecorded[at];
        kept->unrecorded_names[at - 1] = kept->unrecorded_names[at];
    }
    return take_last(t);
}

/* --- watched ranges --------------------------------------------------------------- */

static unsigned flags_of(const struct rln__gated_event *e)
{
    return e->id ? rln__flags_of_row(e->id)
                 : rln__flags_of(rln__domain_key(e->domain, e->category), e->text,
                                 e->n_bytes);
}

/* The index of the thread's watched push {domain, depth}; n_watched if there is none.
 * It may be any entry, because domains are independent of each other. */
static uint32_t find_watched(uint32_t domain, uint32_t depth)
{
    const struct rln__thread_context *t = rln__own_thread();
    uint32_t at = 0;

    while (at < t->n_watched &&
           ((uint16_t)t->watched[at] != domain || t->watched[at] >> 32 != depth))
        at++;
    return at;
}

static void watch(uint32_t domain, uint32_t depth, unsigned verdict)
{
    struct rln__thread_context *t = rln__own_thread();

    if (t->n_watched < RLN__MOST_WATCHED) /* a handler may have filled it */
        t->watched[t->n_watched++] = rln__pair32(domain | verdict << 16, depth);
}

static void forget_watched(uint32_t domain, uint32_t depth)
{
    struct rln__thread_context *t = rln__own_thread();
    const uint32_t at = find_watched(domain, depth);

    if (at < t->n_watched)
        t->watched[at] = t->watched[--t->n_watched];
}

static unsigned ends_of(unsigned begins)
{
    return (begins & RLN__BEGINS_CAPTURE ? RLN__ENDS_CAPTURE : 0u) |
           (begins & RLN__BEGINS_SNAPSHOT ? RLN__ENDS_SNAPSHOT : 0u);
}

static unsigned pop_ends(uint32_t domain)
{
    const struct rln__thread_context *t = rln__own_thread();
    const uint32_t at = find_watched(domain, rln__own_kept()->depth[domain] - 1);

    return at < t->n_watched ? ends_of((uint16_t)(t->watched[at] >> 16)) : 0;
}

static unsigned end_ends(uint64_t id)
{
    if (id & RLN__SNAPSHOT_ID)
        return 0; /* no call returned that id */
    return (rln__capture_take_id(id) ? RLN__ENDS_CAPTURE : 0u) |
           (id && rln__capture_take_id(id | RLN__SNAPSHOT_ID) ? RLN__ENDS_SNAPSHOT
                                                              : 0u);
}

/* False if watched pushes are nested too deeply. */
static int can_be_watched(const struct rln__gated_event *e)
{
    return !is_push(e->kind) || rln__own_thread()->n_watched < RLN__MOST_WATCHED;
}

static unsigned begins_capture(const struct rln__gated_event *e, unsigned flags)
{
    if (flags & RLN__ROW_NEARLY)
        rln__capture_note_near_miss(e);
    else if (!e->id && e->text && !(flags & RLN__ROW_CAPTURES))
        rln__capture_note_other(e);
    if (!(flags & RLN__ROW_CAPTURES) || !can_be_watched(e))
        return 0;
    rln__capture_begin();
    return RLN__BEGINS_CAPTURE;
}

/* Called for recorded ranges. */
static unsigned begins_snapshot(const struct rln__gated_event *e, unsigned flags)
{
    return flags & RLN__ROW_SNAPSHOTS && can_be_watched(e) ? RLN__BEGINS_SNAPSHOT : 0;
}

/* --- judging an event ------------------------------------------------------------- */

/* Judges a push or a start. */
static unsigned judge_beginning(const struct rln__gated_event *e, uint32_t gate)
{
    const unsigned flags = flags_of(e);
    unsigned verdict = 0;
    int is_open = !(gate & RLN__GATE_CLOSED);

    if (flags & RLN__ROW_EXCLUDED && !is_push(e->kind))
        return 0;
    if (flags & RLN__ROW_EXCLUDED && rln__excluded_pushes_has_room())
        return RLN__IS_EXCLUDED;
    if (gate & RLN__GATE_WATCHED)
        verdict = begins_capture(e, flags);
    is_open = verdict ? !(rln__gate() & RLN__GATE_CLOSED) : is_open;
    if (!is_open && is_push(e->kind) && !add_unrecorded_named(e))
        is_open = 1; /* the list is full: record it and this push */
    if (!is_open) {
        park();
        return verdict;
    }
    rln__gate_keeps_unrecorded(0);
    return verdict | begins_snapshot(e, flags) | RLN__IS_RECORDED;
}

static unsigned judge(const struct rln__gated_event *e)
{
    const uint32_t gate = rln__gate();
    const int is_open = !(gate & RLN__GATE_CLOSED);
    unsigned verdict;

    rln__gate_keeps_unrecorded(!is_open);
    if (e->kind == RLN__END) {
        verdict = end_ends(e->value);
        return e->value && !(verdict && e->value & RLN__HELD_ID)
                   ? verdict | RLN__IS_RECORDED
                   : verdict;
    }
    if (!is_set_up())
        return 0;
    if (e->kind == RLN__POP) {
        if (gate & RLN__GATE_CATEGORIES && rln__excluded_pushes_take(e->domain))
            return 0;
        verdict = pop_ends(e->domain);
        if (!is_open &&
            (remove_unrecorded(e->domain) || !rln__own_kept()->depth[e->domain]))
            return verdict;
        return verdict | RLN__IS_RECORDED;
    }
    if (is_push(e->kind) || is_start(e->kind))
        return judge_beginning(e, gate);
    if (is_mark(e->kind) && flags_of(e) & RLN__ROW_EXCLUDED)
        return 0;
    if (!is_open)
        park();
    return is_open ? RLN__IS_RECORDED : 0;
}

unsigned rln__gate_before_event(const struct rln__gated_event *e)
{
    const unsigned verdict = judge(e);

    /* The flag is only for this event: otherwise, if the gate opened for the next event
     * and closed again, that event would not list the unrecorded ranges.
     * rln__gate_after_event() clears it in other cases. */
    if (!(verdict & RLN__IS_RECORDED))
        rln__gate_keeps_unrecorded(0);
    return verdict;
}

/* A start that begins a capture still returns an id if it is not recorded. */
static uint64_t begin_watched(unsigned verdict, const struct rln__gated_event *e,
                              uint64_t result)
{
    const int captures = (verdict & RLN__BEGINS_CAPTURE) != 0;
    int is_kept;

    if (is_push(e->kind)) {
        watch(e->domain, (uint32_t)result, verdict & RLN__BEGINS_WATCHED);
        return result;
    }
    if (verdict & RLN__BEGINS_SNAPSHOT && result)
        (void)rln__capture_keep_id(result | RLN__SNAPSHOT_ID);
    if (!captures)
        return result;
    if (verdict & RLN__IS_RECORDED) {
        is_kept = result && rln__capture_keep_id(result);
    } else {
        result = rln__capture_held_id();
        is_kept = result != 0;
    }
    if (!is_kept)
        rln__capture_end(); /* its end would not be recognized: end it now */
    return result;
}

uint64_t rln__gate_after_event(unsigned verdict, const struct rln__gated_event *e,
                               uint64_t result)
{
    if (verdict & RLN__BEGINS_WATCHED)
        result = begin_watched(verdict, e, result);
    if (verdict & RLN__ENDS_WATCHED && e->kind == RLN__POP)
        forget_watched(e->domain, (uint32_t)result);
    if (verdict & RLN__ENDS_CAPTURE)
        rln__capture_end();
    if (verdict & RLN__ENDS_SNAPSHOT) /* the launcher polls it and copies the trace */
        __atomic_fetch_add(&rln__control->snapshots, 1, __ATOMIC_RELEASE);
    if (verdict & RLN__IS_EXCLUDED)
        rln__excluded_pushes_add(e->domain, (uint32_t)result);
    rln__gate_keeps_unrecorded(0);
    return result;
}

/* --- short records ---------------------------------------------------------------- */

/* Dispatches so that the kind is a constant again. */
static uint64_t put_any(unsigned kind, uint32_t domain, uint32_t shifted_id,
                        uint64_t value)
{
    switch (kind) {
    case RLN__MARK:
        return rln__put_open(RLN__MARK, domain, shifted_id, 0);
    case RLN__PUSH:
        return rln__put_open(RLN__PUSH, domain, shifted_id, 0);
    case RLN__POP:
        return rln__put_open(RLN__POP, domain, shifted_id, 0);
    case RLN__START:
        return rln__put_open(RLN__START, domain, shifted_id, 0);
    case RLN__NO_VALUE:
        return rln__put_open(RLN__NO_VALUE, domain, shifted_id, 0);
    case RLN__SYNC:
        return rln__put_open(RLN__SYNC, domain, shifted_id, 0);
    case RLN__MARK_VALUE:
        return rln__put_open(RLN__MARK_VALUE, domain, shifted_id, value);
    case RLN__PUSH_VALUE:
        return rln__put_open(RLN__PUSH_VALUE, domain, shifted_id, value);
    case RLN__START_VALUE:
        return rln__put_open(RLN__START_VALUE, domain, shifted_id, value);
    case RLN__END:
        return rln__put_open(RLN__END, domain, shifted_id, value);
    default:
        return rln__put_open(RLN__SAMPLE, domain, shifted_id, value);
    }
}

uint64_t rln__put_gated(uint32_t what, uint32_t shifted_id, uint64_t value)
{
    const unsigned kind = what & 0xff;
    const uint32_t domain = what >> 8;
    const struct rln__gated_event e = {
        .kind = kind,
        .domain = domain,
        .id = shifted_id >> RLN__ID_SHIFT,
        .value = value,
    };
    const unsigned verdict = rln__gate_before_event(&e);
    uint64_t result;

    if (verdict == 0)
        return rln__result_of_unrecorded(kind, domain);
    result = verdict & RLN__IS_RECORDED ? put_any(kind, domain, shifted_id, value)
                                        : rln__result_of_unrecorded(kind, domain);
    return rln__gate_after_event(verdict, &e, result);
}

uint64_t rln__push_gated(uint32_t domain, uint32_t shifted_id)
{
    struct rln__thread_context *t = rln__own_thread();
    const uint32_t gate = rln__gate(), id = shifted_id >> RLN__ID_SHIFT;

    if (RLN_LIKELY(gate & RLN__GATE_CLOSED && rln__tid(t) != 0) &&
        (!(gate & ASKS_ROWS) || !rln__flags_of_row(id)) && add_unrecorded(domain, id))
        return rln__enter(domain);
    return rln__put_gated(domain << 8 | RLN__PUSH, shifted_id, 0);
}

uint64_t rln__pop_gated(uint32_t domain, uint32_t shifted_id)
{
    struct rln__thread_context *t = rln__own_thread();
    const uint32_t gate = rln__gate(), n = rln__n_unrecorded(t);

    /* The last push is unrecorded, so it is not that of a capture range. */
    if (RLN_LIKELY(gate & RLN__GATE_CLOSED && n > 0 && t->n_watched == 0) &&
        !(gate & RLN__GATE_CATEGORIES) &&
        (uint32_t)rln__own_kept()->unrecorded[n - 1] == domain && take_last(t))
        return rln__leave(domain);
    return rln__put_gated(domain << 8 | RLN__POP, shifted_id, 0);
}
