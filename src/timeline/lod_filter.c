/* SPDX-License-Identifier: Apache-2.0 */
/* lod_filter.c - applies the reader's filter while an index is built.
 *
 *   step  |------------------|    does not match: paired, but no bucket
 *   load     |----|  |-----|      two buckets, still of level 1
 *
 * The self time of a range excludes all ranges inside it, whether they match or not.
 */
#include "ranges/event_filter.h"
#include "timeline/lod_build.h"

rln_status rln__lod_test_payloads(struct rln__lod *lod, const struct rln__item *item,
                                  uint32_t part, uint64_t *held, rln_error *err)
{
    const struct rln_filter *filter = lod->reader->filter;
    struct rln__event_place place;

    if (!rln__filter_has_payload_tests(filter))
        return RLN_OK;
    if (item->has_value && item->kind != RLN__END)
        *held |= rln__payload_held(&filter->payload,
                                   lod->reader->names.attrs[item->ref].payload_type,
                                   item->value);
    place =
        lod->deferred ? lod->deferred->place : rln__item_place(lod->reader, part, item);
    return rln__filter_test_payloads(filter, &lod->payloads, lod->reader, &place, held,
                                     err);
}

/* Deferred events have lanes instead of threads, so their threads are tested
 * separately. */
static int has_deferred(const struct rln__lod *lod)
{
    const struct rln__event_origin *origin = &lod->deferred->origin;

    return rln__filter_has_thread(lod->reader->filter, lod->reader, origin->process,
                                  origin->thread);
}

rln_status rln__lod_note_begin(struct rln__lod *lod, const struct rln__item *item,
                               uint32_t part, struct rln__open *open, rln_error *err)
{
    if (lod->deferred && !has_deferred(lod))
        open->state |= RLN__EXCLUDED;
    return rln__lod_test_payloads(lod, item, part, &open->value, err);
}

int rln__lod_may_want(struct rln__lod *lod, const struct rln__open *open)
{
    return !(open->state & RLN__EXCLUDED) &&
           rln__filter_cache_has(&lod->cache, lod->reader, open->attr, open->thread,
                                 INT64_MAX, UINT64_MAX);
}

int rln__lod_matches_open(struct rln__lod *lod, const struct rln__open *open,
                          int64_t end_ns)
{
    return !(open->state & RLN__EXCLUDED) &&
           rln__filter_cache_has(&lod->cache, lod->reader, open->attr, open->thread,
                                 end_ns - open->t_ns, open->value);
}

int rln__lod_matches_closing(struct rln__lod *lod, const struct rln__closing *c,
                             uint64_t held)
{
    return !(c->state & RLN__EXCLUDED) &&
           rln__filter_cache_has(&lod->cache, lod->reader, c->attr, c->thread,
                                 c->end_ns - c->start_ns, held);
}

rln_status rln__lod_query_mark(struct rln__lod *lod, const struct rln__item *item,
                               uint32_t part, int *matches, rln_error *err)
{
    uint64_t held = 0;
    const rln_status status = rln__lod_test_payloads(lod, item, part, &held, err);

    *matches = !status && (!lod->deferred || has_deferred(lod)) &&
               rln__filter_cache_has(&lod->cache, lod->reader, item->ref, item->thread,
                                     INT64_MAX, held);
    return status;
}

int rln__lod_matches_sample(const struct rln__lod *lod, const rln_counter *counter,
                            uint32_t thread)
{
    const struct rln_filter *filter = lod->reader->filter;
    const rln_attributes with = {.domain = counter->domain,
                                 .domain_name = counter->domain_name,
                                 .message = counter->name};

    if (!filter)
        return 1;
    return !rln__filter_has_payload_tests(filter) &&
           rln__filter_has_attributes(filter, &with) &&
           (lod->deferred ? has_deferred(lod)
                          : rln__filter_has_thread(filter, lod->reader,
                                                   counter->process, thread));
}

int rln__lod_matches_gap(const struct rln__lod *lod, uint32_t thread, uint32_t part,
                         int64_t t_ns)
{
    const rln_reader *reader = lod->reader;

    return rln__span_has(&reader->span, part, t_ns) &&
           (!reader->filter ||
            rln__filter_has_thread(reader->filter, reader,
                                   reader->threads[thread].process, thread));
}
