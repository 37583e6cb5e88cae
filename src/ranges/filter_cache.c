/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/filter_cache.h"
#include "base/alloc.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"

#include <string.h>

enum { WANTED = 1, UNWANTED };

/* The slot of a verdict, 0 until there is one; NULL without memory: the filter is then
 * evaluated each time. */
static uint8_t *verdict_of(struct rln__answers *a, uint32_t index)
{
    const size_t n = a->capacity;
    uint8_t *items = rln__grow(a->items, &a->capacity, (size_t)index + 1, 1);

    if (!items)
        return NULL;
    memset(items + n, 0, a->capacity - n);
    a->items = items;
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

static int has(struct rln__answers *a, const rln_reader *reader, uint32_t index,
               int (*ask)(const rln_reader *reader, uint32_t index))
{
    uint8_t *verdict = verdict_of(a, index);

    if (!verdict)
        return ask(reader, index);
    if (!*verdict)
        *verdict = ask(reader, index) ? WANTED : UNWANTED;
    return *verdict == WANTED;
}

int rln__filter_cache_has(struct rln__filter_cache *cache, const rln_reader *reader,
                          uint32_t attr, uint32_t thread, int64_t ns, uint64_t held)
{
    const struct rln_filter *filter = reader->filter;

    return !filter || (rln__filter_has_duration(filter, ns) &&
                       rln__payload_matches(&filter->payload, held) &&
                       (thread >= reader->n_threads ||
                        has(&cache->threads, reader, thread, test_thread)) &&
                       has(&cache->attrs, reader, attr, test_attr));
}

rln_status rln__filter_cache_test_payloads(rln_reader *reader,
                                           struct rln__event_payloads *payloads,
                                           const struct rln__item *item,
                                           const struct rln__event_place *place,
                                           uint64_t *held, rln_error *err)
{
    const struct rln_filter *filter = reader->filter;

    if (item->has_value && item->kind != RLN__END)
        *held |= rln__payload_held(
            &filter->payload, reader->names.attrs[item->ref].payload_type, item->value);
    return rln__filter_test_payloads(filter, payloads, reader, place, held, err);
}

void rln__filter_cache_clear(struct rln__filter_cache *cache)
{
    rln__free(cache->attrs.items);
    rln__free(cache->threads.items);
    memset(cache, 0, sizeof(*cache));
}
