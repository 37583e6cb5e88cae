/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/predicate.h"
#include "base/alloc.h"
#include "ranges/event_fill.h"

#include <string.h>

void rln__predicate_clear(struct rln__predicate *p)
{
    rln__free(p->attrs.items);
    rln__free(p->threads.items);
    rln__event_payloads_clear(&p->payloads);
    memset(p, 0, sizeof(*p));
}

/* --- Names and threads ------------------------------------------------------------ */

enum { WANTED = 1, UNWANTED };

/* The slot of a verdict, 0 until there is one; NULL without memory: the filter is then
 * evaluated each time. */
static uint8_t *verdict_of(struct rln__verdicts *v, uint32_t index)
{
    const size_t n = v->capacity;
    uint8_t *items;

    if (index < n)
        return &v->items[index];
    items = rln__grow(v->items, &v->capacity, (size_t)index + 1, 1);
    if (!items)
        return NULL;
    memset(items + n, 0, v->capacity - n);
    v->items = items;
    return &items[index];
}

static int test_attr(const rln_reader *reader, uint32_t attr)
{
    rln_attributes with;

    rln__fill_attributes(reader, attr, 0, &with);
    return rln__filter_has_attributes(reader->filter, &with);
}

static int test_thread(const rln_reader *reader, uint32_t thread)
{
    return rln__filter_has_thread(reader->filter, reader,
                                  reader->threads[thread].process, thread);
}

static int has(struct rln__verdicts *v, const rln_reader *reader, uint32_t index,
               int (*ask)(const rln_reader *reader, uint32_t index))
{
    uint8_t *verdict = verdict_of(v, index);

    if (!verdict)
        return ask(reader, index);
    if (!*verdict)
        *verdict = ask(reader, index) ? WANTED : UNWANTED;
    return *verdict == WANTED;
}

/* Of the deferred event that is read. */
static int has_origin(const struct rln__predicate *p)
{
    return rln__filter_has_thread(p->reader->filter, p->reader,
                                  p->deferred->origin.process,
                                  p->deferred->origin.thread);
}

int rln__predicate_matches_thread(struct rln__predicate *p, uint32_t thread)
{
    return !p->reader->filter || thread >= p->reader->n_threads ||
           has(&p->threads, p->reader, thread, test_thread);
}

int rln__predicate_matches(struct rln__predicate *p, uint32_t attr, uint32_t thread,
                           unsigned state, int64_t ns, uint64_t held)
{
    const struct rln_filter *filter = p->reader->filter;

    return !filter ||
           (!(state & RLN__FILTERED_OUT) && rln__filter_has_duration(filter, ns) &&
            rln__payload_matches(&filter->payload, held) &&
            rln__predicate_matches_thread(p, thread) &&
            has(&p->attrs, p->reader, attr, test_attr));
}

/* --- Payloads --------------------------------------------------------------------- */

/* Adds the payload tests that an event passes to `*held`. */
static rln_status test_payloads(struct rln__predicate *p, const struct rln__item *item,
                                uint32_t part, uint64_t *held, rln_error *err)
{
    const struct rln_filter *filter = p->reader->filter;
    struct rln__record_address address;

    if (!rln__filter_has_payload_tests(filter))
        return RLN_OK;
    address =
        p->deferred ? p->deferred->address : rln__item_address(p->reader, part, item);
    if (item->has_value && item->kind != RLN__END)
        *held |= rln__payload_held(&filter->payload,
                                   p->reader->names.attrs[item->ref].payload_type,
                                   item->value);
    return rln__filter_test_payloads(filter, &p->payloads, p->reader, &address, held,
                                     err);
}

rln_status rln__predicate_note(struct rln__predicate *p, const struct rln__item *begin,
                               uint32_t part, struct rln__open *open, rln_error *err)
{
    if (p->deferred && p->reader->filter && !has_origin(p))
        open->state |= RLN__FILTERED_OUT;
    return test_payloads(p, begin, part, &open->value, err);
}

rln_status rln__predicate_test(struct rln__predicate *p, const struct rln__closing *c,
                               int *matches, rln_error *err)
{
    uint64_t held = c->value;
    const rln_status status = test_payloads(p, c->end, c->part, &held, err);

    *matches = !status && rln__predicate_matches(p, c->attr, c->thread, c->state,
                                                 c->end_ns - c->start_ns, held);
    return status;
}

rln_status rln__predicate_mark(struct rln__predicate *p, const struct rln__item *mark,
                               uint32_t part, int *matches, rln_error *err)
{
    uint64_t held = 0;
    const rln_status status = test_payloads(p, mark, part, &held, err);

    *matches = !status && (!p->deferred || !p->reader->filter || has_origin(p)) &&
               rln__predicate_matches(p, mark->ref, mark->thread, 0, INT64_MAX, held);
    return status;
}

int rln__predicate_matches_sample(struct rln__predicate *p, const rln_counter *counter,
                                  uint32_t thread)
{
    const struct rln_filter *filter = p->reader->filter;
    const rln_attributes with = {.domain = counter->domain,
                                 .domain_name = counter->domain_name,
                                 .message = counter->name};

    return !filter ||
           (!rln__filter_has_payload_tests(filter) &&
            rln__filter_has_attributes(filter, &with) &&
            (p->deferred ? has_origin(p)
                         : rln__filter_has_thread(filter, p->reader, counter->process,
                                                  thread)));
}

rln_status rln__predicate_gpu(struct rln__predicate *p,
                              const struct rln__gpu_batch *batch,
                              const struct rln__gpu_event *event, int *matches,
                              rln_error *err)
{
    const struct rln_filter *filter = p->reader->filter;
    struct rln__record_address address;
    uint64_t held = 0;
    rln_status status;

    *matches =
        !event->why_unplaced && rln__span_overlaps(&p->reader->span, batch->part,
                                                   event->start_ns, event->end_ns);
    if (!*matches || !filter)
        return RLN_OK;
    *matches = rln__filter_has_duration(filter, event->end_ns - event->start_ns) &&
               has(&p->attrs, p->reader, event->attr, test_attr) &&
               rln__filter_has_thread(filter, p->reader, batch->process, event->thread);
    if (!*matches || !rln__filter_has_payload_tests(filter))
        return RLN_OK;
    address = rln__gpu_event_address(batch, event);
    status = rln__filter_test_payloads(filter, &p->payloads, p->reader, &address, &held,
                                       err);
    *matches = !status && rln__payload_matches(&filter->payload, held);
    return status;
}
