/* SPDX-License-Identifier: Apache-2.0 */
/* check_ranges.c - finds pops and ends that close nothing, ranges that are never
 * closed, and ranges that cross.
 *
 * In most traces whatever closes a range closes the innermost one of its thread: of
 * these, the description (info_count.c) knows the names and the open ranges. Else events
 * are read in the order of time. An end that closes nothing may be the second one of its
 * range. Whether such a range ever began is looked up in another reading, which only a
 * trace with such ends needs.
 */
#include "reports/check/check_ranges.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/event_fill.h"
#include "ranges/range_prefilter.h"
#include "ranges/ranges.h"
#include "reports/check/check_findings.h"
#include "reports/check/check_names.h"
#include "reports/check/info.h"

/* Ids of at most this many unmatched ends are kept; further ones count as unknown. */
#define MOST_ENDS 1000000u
/* For at most this many unmatched pops, the range that they should have closed is
 * searched. */
#define MOST_POPS 100000u
#define MOST_THREADS 1000u /* that are searched for each */
#define MOST_DEPTH 64u     /* ranges of a thread, from the innermost */

struct reading {
    struct rln_check *check; /* borrowed */
    rln_events *events;      /* borrowed */
    struct rln__range_prefilter prefilter;
    int matches; /* the last event, or the range that it begins or ends */
    struct rln__name_uses uses;
    struct rln__map ends; /* ids of ends that closed nothing -> 1, or began + 2 */
    struct begun *began;  /* owned: the ranges that have these ids */
    size_t n_began, began_capacity;
    rln_finding *pops; /* owned: those that closed nothing, in time order */
    size_t n_pops, pops_capacity;
    struct rln__map pushers; /* thread and domain -> 1: it has pushed such a range */
    uint64_t last_pusher;
    struct rln__map meant; /* order + 1 of a range -> index + 1 of the first pop that
                                may have been meant for it */
};

struct begun {
    rln_attributes attributes;
    struct rln__event_origin origin;
    uint64_t key;
};

static rln_status ask(struct reading *r, const rln_event *event, rln_error *err)
{
    r->matches = 1;
    return r->prefilter.filter ? rln__range_prefilter_accepts(&r->prefilter, r->events,
                                                              event, &r->matches, err)
                               : RLN_OK;
}

static int has_thread(const struct reading *r, const struct rln__event_origin *origin)
{
    return rln__filter_has_thread(r->prefilter.filter, r->check->reader,
                                  origin->process, origin->thread);
}

/* Whether a range that concerns two threads matches the filter. */
static int has_range(const struct reading *r, const rln_attributes *with, uint64_t key,
                     const struct rln__event_origin *began,
                     const struct rln__event_origin *ended)
{
    return !r->prefilter.filter ||
           (rln__range_prefilter_passes(&r->prefilter, key) &&
            rln__filter_has_attributes(r->prefilter.filter, with) &&
            (has_thread(r, began) || has_thread(r, ended)));
}

/* Of a range that is not deferred. */
static struct rln__event_origin origin_of_open(const struct reading *r,
                                               const struct rln__open *open)
{
    const struct rln__trace_thread *thread = &r->check->reader->threads[open->thread];

    return (struct rln__event_origin){thread->process, open->thread, thread->tid};
}

static int has_open(const struct reading *r, const struct rln__open *open)
{
    const struct rln__event_origin origin = origin_of_open(r, open);
    rln_attributes with;

    rln__fill_attributes(r->check->reader, open->attr, 0, &with);
    return has_range(r, &with, rln__range_key(open->order), &origin, &origin);
}

static struct rln__event_origin origin_of(const rln_event *e)
{
    return (struct rln__event_origin){e->process, e->thread, e->tid};
}

static rln_finding finding_at(rln_finding_kind kind, const rln_event *e)
{
    rln_finding f = rln__check_finding(kind);

    f.has_time = 1;
    f.first_ns = e->t_ns;
    f.thread = e->thread;
    f.pid = e->pid;
    f.tid = e->tid;
    f.depth = e->depth;
    f.domain = e->attributes.domain;
    f.domain_name = e->attributes.domain_name;
    f.message = e->attributes.message;
    return f;
}

/* --- What closes something -------------------------------------------------------- */

static int see_crossing(struct reading *r, const rln_event *e,
                        const struct rln__open *closed)
{
    const struct rln__pairing *pairing = rln__events_pairing(r->events);
    const struct rln__open *inner = &pairing->pool[closed->newer];
    rln_finding f = finding_at(RLN_FINDING_CROSSED, e);
    rln_attributes with;

    if (!r->matches && !has_open(r, inner))
        return 0;
    rln__fill_attributes(r->check->reader, inner->attr, 0, &with);
    f.first_ns = inner->t_ns;
    f.other = e->attributes.message;
    f.other_domain_name = e->attributes.domain_name;
    f.message = with.message;
    f.domain = with.domain;
    f.domain_name = with.domain_name;
    f.depth = inner->depth;
    return rln__check_add(r->check, &f);
}

static int see_end(struct reading *r, const rln_event *e,
                   const struct rln__open *closed)
{
    const struct rln__event_origin began = rln__events_origin(r->events, closed);
    const struct rln__event_origin ended = origin_of(e);
    rln_finding f = finding_at(RLN_FINDING_ENDED_ELSEWHERE, e);

    if (began.thread == e->thread ||
        !has_range(r, &e->attributes, rln__range_key(closed->order), &began, &ended))
        return 0;
    f.first_ns = closed->t_ns;
    f.thread = began.thread;
    f.pid = r->check->reader->names.processes[began.process].record.pid;
    f.tid = began.tid;
    f.other_tid = e->tid;
    return rln__check_add(r->check, &f);
}

/* The order + 1 of the thread's innermost open range of a domain; 0: none; UINT64_MAX:
 * it was not found near the top. */
static uint64_t innermost(const struct reading *r, uint32_t thread, uint32_t domain)
{
    const struct rln__pairing *pairing = rln__events_pairing(r->events);
    uint32_t index =
        thread < pairing->n_threads ? pairing->threads[thread].newest : RLN__NONE;
    rln_attributes with;

    for (unsigned i = 0; i < MOST_DEPTH && index != RLN__NONE; i++) {
        const struct rln__open *open = &pairing->pool[index];

        rln__fill_attributes(r->check->reader, open->attr, 0, &with);
        if (with.domain == domain)
            return open->order + 1;
        index = open->older;
    }
    return index == RLN__NONE ? 0 : UINT64_MAX;
}

static uint64_t pusher_key(uint32_t thread, uint32_t domain)
{
    return (uint64_t)(thread + 1) << 32 | domain;
}

static int note_pusher(struct reading *r, const rln_event *e)
{
    const uint64_t key = pusher_key(e->thread, e->attributes.domain);

    if (key == r->last_pusher)
        return 0;
    r->last_pusher = key;
    return rln__map_put(&r->pushers, key, 1);
}

/* The range that a pop with nothing to close may have been meant for: the innermost one
 * of the only other thread of its process that has a range of the domain open. If there
 * are several such threads, or the pop's own thread has pushed such ranges, too, the pop
 * may as well be one too many. */
static uint64_t meant_range(const struct reading *r, const rln_finding *pop)
{
    const rln_reader *reader = r->check->reader;
    uint64_t meant = 0;

    if (reader->n_threads > MOST_THREADS ||
        rln__map_get(&r->pushers, pusher_key(pop->thread, pop->domain)))
        return 0;
    for (uint32_t i = 0; i < reader->n_threads; i++) {
        const uint64_t range =
            i != pop->thread &&
                    reader->threads[i].process == reader->threads[pop->thread].process
                ? innermost(r, i, pop->domain)
                : 0;

        if (range && meant)
            return 0;
        meant = range ? range : meant;
    }
    return meant == UINT64_MAX ? 0 : meant;
}

static int keep_pop(struct reading *r, const rln_finding *pop)
{
    rln_finding *added;
    uint64_t meant;

    if (r->n_pops == MOST_POPS)
        return rln__check_add(r->check, pop);
    added = rln__append(&r->pops, &r->n_pops, &r->pops_capacity, sizeof(*added));
    if (!added)
        return -1;
    meant = pop->thread == UINT32_MAX ? 0 : meant_range(r, pop);
    *added = *pop;
    return meant && !rln__map_get(&r->meant, meant)
               ? rln__map_put(&r->meant, meant, r->n_pops)
               : 0;
}

static int see_closing(struct reading *r, const rln_event *e)
{
    const struct rln__open *closed = rln__events_closed(r->events);

    if (e->flags & RLN_FLAG_DEFERRED)
        return 0;
    if (e->flags & RLN_FLAG_UNMATCHED) {
        rln_finding f = finding_at(RLN_FINDING_UNMATCHED_POP, e);

        if (!r->matches)
            f.severity = RLN__UNWANTED;
        if (e->type == RLN_EVENT_POP)
            return keep_pop(r, &f);
        return r->ends.n < MOST_ENDS ? rln__map_put(&r->ends, e->id, 1) : 0;
    }
    if (!closed)
        return 0;
    if (e->type == RLN_EVENT_END)
        return see_end(r, e, closed);
    return closed->newer == RLN__NONE ? 0 : see_crossing(r, e, closed);
}

static rln_status read_events(struct reading *r, rln_error *err)
{
    const rln_event *event;
    rln_status status;

    while ((status = rln_events_next(r->events, &event, err)) == RLN_OK) {
        int failed;

        status = ask(r, event, err);
        if (status)
            return status;
        failed = r->matches &&
                 (event->type == RLN_EVENT_MARK || event->type == RLN_EVENT_PUSH ||
                  event->type == RLN_EVENT_START) &&
                 rln__name_uses_add(&r->uses, &event->attributes, 1);
        if (!failed && event->type == RLN_EVENT_PUSH)
            failed = note_pusher(r, event);
        if (!failed && (event->type == RLN_EVENT_POP || event->type == RLN_EVENT_END))
            failed = see_closing(r, event);
        if (failed)
            return rln__fail_nomem(err);
    }
    return status == RLN_END ? RLN_OK : status;
}

/* --- Ranges never closed ---------------------------------------------------------- */

/* Finds the pop that was meant for a range that was never closed, which confirms it. */
static void blame_pop(struct reading *r, const rln_finding *open, uint64_t order)
{
    const uint64_t index = rln__map_get(&r->meant, order + 1);
    rln_finding *pop = index ? &r->pops[index - 1] : NULL;

    if (!pop)
        return;
    if (open->severity != RLN__UNWANTED)
        pop->severity = RLN_SEVERITY_ERROR;
    pop->kind = RLN_FINDING_WRONG_THREAD;
    pop->message = open->message;
    pop->other_tid = open->tid;
}

static int see_open(struct reading *r, const struct rln__open *open)
{
    const struct rln__event_origin origin = origin_of_open(r, open);
    const rln_reader *reader = r->check->reader;
    rln_finding f = rln__check_finding(RLN_FINDING_NEVER_CLOSED);
    rln_attributes with;

    rln__fill_attributes(reader, open->attr, 0, &with);
    /* It may still be closed, or the program was killed. */
    if (!rln_reader_is_finished(reader))
        f.severity = RLN_SEVERITY_NOTE;
    if (!has_open(r, open))
        f.severity = RLN__UNWANTED;
    f.has_time = 1;
    f.first_ns = open->t_ns;
    f.thread = origin.thread;
    f.pid = reader->names.processes[origin.process].record.pid;
    f.tid = origin.tid;
    f.depth = open->depth;
    f.domain = with.domain;
    f.domain_name = with.domain_name;
    f.message = with.message;
    if (!(open->state & RLN__STARTED) && f.thread != UINT32_MAX)
        blame_pop(r, &f, open->order);
    return rln__check_add(r->check, &f);
}

/* Adds the unmatched pops as findings, when all has been read. */
static int report_pops(struct reading *r)
{
    for (size_t i = 0; i < r->n_pops; i++) {
        if (rln__check_add(r->check, &r->pops[i]))
            return -1;
    }
    return 0;
}

static rln_status read_open(struct reading *r, rln_error *err)
{
    const size_t n = rln__events_end_all(r->events);

    for (size_t i = 0; i < n; i++) {
        const struct rln__open *open = &rln__events_pairing(r->events)->pool[i];

        if (open->node || open->state & RLN__LOST || /* deferred ranges have a node */
            !rln__span_has_range(rln__events_span(r->events), open->part, open->t_ns,
                                 rln__events_end_of(r->events, open)))
            continue;
        if (see_open(r, open))
            return rln__fail_nomem(err);
    }
    return report_pops(r) ? rln__fail_nomem(err) : RLN_OK;
}

/* --- Without a reading ------------------------------------------------------------ */

/* Whether the description has all that is needed. */
static int is_described(const struct rln_check *check)
{
    return !check->info->needs_order && !check->info->totals.n_deferred &&
           !rln__reader_is_restricted(check->reader);
}

static int take_names(struct reading *r)
{
    const rln_info *info = r->check->info;
    rln_attributes with;

    for (uint32_t i = 0; i < info->n_uses; i++) {
        if (!info->uses[i].n_begun)
            continue;
        rln__fill_attributes(r->check->reader, i, 0, &with);
        if (rln__name_uses_add(&r->uses, &with, info->uses[i].n_begun))
            return -1;
    }
    return rln__name_uses_find(&r->uses, r->check);
}

/* Ends the description's open ranges. */
static rln_status take_description(struct reading *r, rln_error *err)
{
    struct rln__pairing *pairing = &r->check->info->engine.pairing;
    const size_t n = rln__pairing_drain(pairing);

    for (size_t i = 0; i < n; i++) {
        if (!(pairing->pool[i].state & RLN__LOST) && see_open(r, &pairing->pool[i]))
            return rln__fail_nomem(err);
    }
    return take_names(r) ? rln__fail_nomem(err) : RLN_OK;
}

/* --- Ends that came again --------------------------------------------------------- */

static int see_beginning(struct reading *r, const rln_event *e)
{
    struct begun *began;

    if (!rln__map_get(&r->ends, e->id))
        return 0;
    began = rln__append(&r->began, &r->n_began, &r->began_capacity, sizeof(*began));
    if (!began)
        return -1;
    *began = (struct begun){e->attributes, origin_of(e), rln__events_key(r->events, e)};
    return rln__map_put(&r->ends, e->id, 1 + r->n_began);
}

static int see_again(struct reading *r, const rln_event *e)
{
    const uint64_t kept = rln__map_get(&r->ends, e->id);
    const struct rln__event_origin ended = origin_of(e);
    const struct begun *began = kept < 2 ? NULL : &r->began[kept - 2];
    rln_finding f =
        finding_at(began ? RLN_FINDING_ENDED_TWICE : RLN_FINDING_UNKNOWN_END, e);

    if (began ? !has_range(r, &began->attributes, began->key, &began->origin, &ended)
              : !r->matches)
        return 0;
    if (began) {
        f.message = began->attributes.message;
        f.domain = began->attributes.domain;
        f.domain_name = began->attributes.domain_name;
    }
    return rln__check_add(r->check, &f);
}

static int is_end_again(const struct reading *r, const rln_event *e)
{
    const rln_reader *reader = r->check->reader;

    return e->type == RLN_EVENT_END && (e->flags & RLN_FLAG_UNMATCHED) &&
           !(e->flags & RLN_FLAG_DEFERRED) &&
           rln__span_has(&reader->span, reader->names.processes[e->process].part,
                         e->t_ns);
}

static rln_status read_again(struct reading *r, rln_error *err)
{
    const rln_event *event;
    rln_status status = rln__events_open_all(r->check->reader, &r->events, err);

    if (status)
        return status;
    rln__events_ignore_window(r->events); /* the range may have begun before */
    while ((status = rln_events_next(r->events, &event, err)) == RLN_OK) {
        int failed = 0;

        status = ask(r, event, err);
        if (status)
            break;
        if (event->type == RLN_EVENT_START)
            failed = see_beginning(r, event);
        else if (is_end_again(r, event))
            failed = see_again(r, event);
        if (failed) {
            status = rln__fail_nomem(err);
            break;
        }
    }
    rln_events_close(r->events);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status read_all(struct reading *r, rln_error *err)
{
    struct rln_check *check = r->check;
    rln_status status = rln__events_open_all(check->reader, &r->events, err);

    if (status)
        return status;
    status = read_events(r, err);
    if (!status)
        status = read_open(r, err);
    rln_events_close(r->events);
    if (!status && rln__name_uses_find(&r->uses, check))
        status = rln__fail_nomem(err);
    return status || !r->ends.n ? status : read_again(r, err);
}

rln_status rln__check_ranges(struct rln_check *check, rln_error *err)
{
    struct reading r = {.check = check};
    rln_status status = rln__range_prefilter_init(&r.prefilter, check->reader,
                                                  check->reader->filter, err);

    if (status)
        return status;
    status = is_described(check) ? take_description(&r, err) : read_all(&r, err);
    rln__name_uses_clear(&r.uses);
    rln__map_clear(&r.ends);
    rln__free(r.began);
    rln__free(r.pops);
    rln__map_clear(&r.pushers);
    rln__map_clear(&r.meant);
    rln__range_prefilter_clear(&r.prefilter);
    return status;
}
