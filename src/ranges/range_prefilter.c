/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/range_prefilter.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/values.h"
#include "ranges/ranges.h"

#include <string.h>

/* Whether the filter tests anything that is known only when ranges end. */
static int waits_for_ends(const struct rln_filter *filter)
{
    return filter && (filter->least_ns > 0 || rln__filter_has_payload_tests(filter));
}

/* --- The first pass --------------------------------------------------------------- */

static int choose(struct rln__range_prefilter *c, uint64_t key)
{
    const size_t n = c->n_bytes;
    uint8_t *bits = rln__grow(c->bits, &c->n_bytes, (size_t)(key / 8) + 1, 1);

    if (!bits)
        return -1;
    memset(bits + n, 0, c->n_bytes - n);
    bits[key / 8] |= (uint8_t)(1u << key % 8);
    c->bits = bits;
    return 0;
}

/* Tests the duration and payloads of a range, which are known only when it ends. */
static rln_status test_end(const struct rln__range_prefilter *c, rln_ranges *ranges,
                           const rln_range *range, int *matches, rln_error *err)
{
    uint64_t held;
    rln_status status;

    *matches = rln__filter_has_duration(c->filter, range->end_ns - range->start_ns);
    if (!*matches || !rln__filter_has_payload_tests(c->filter))
        return RLN_OK;
    status = rln__ranges_held(ranges, c->filter, &held, err);
    *matches = !status && rln__payload_matches(&c->filter->payload, held);
    return status;
}

static rln_status choose_ranges(struct rln__range_prefilter *c, rln_ranges *ranges,
                                rln_error *err)
{
    struct rln__step step;
    rln_status status;

    while ((status = rln__ranges_step(ranges, &step, err)) == RLN_OK) {
        int matches;

        if (!step.range || !step.key)
            continue;
        status = test_end(c, ranges, step.range, &matches, err);
        if (status)
            break;
        if (matches && choose(c, step.key))
            return rln__fail_nomem(err);
    }
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__range_prefilter_init(struct rln__range_prefilter *c, rln_reader *reader,
                                     const struct rln_filter *filter, rln_error *err)
{
    rln_ranges *ranges;
    rln_status status;

    *c = (struct rln__range_prefilter){reader, filter, NULL, 0};
    if (!waits_for_ends(filter))
        return RLN_OK;
    status = rln_ranges_open(reader, &ranges, err);
    if (status)
        return status;
    rln__events_ignore_window(rln__ranges_events(ranges));
    status = choose_ranges(c, ranges, err);
    rln_ranges_close(ranges);
    if (status)
        rln__range_prefilter_clear(c);
    return status;
}

void rln__range_prefilter_clear(struct rln__range_prefilter *c)
{
    rln__free(c->bits);
    memset(c, 0, sizeof(*c));
}

/* --- The second pass -------------------------------------------------------------- */

/* For events outside of ranges, and ends whose begin is unknown. */
static rln_status test_alone(const struct rln__range_prefilter *c, rln_events *events,
                             const rln_event *event, int *matches, rln_error *err)
{
    const struct rln__payload_tests *tests = &c->filter->payload;
    const rln_payload *payloads;
    uint64_t held;
    size_t n;
    rln_status status;

    /* Without its begin, a range has no duration. */
    *matches = rln__is_gpu_event(event->type)
                   ? rln__filter_has_duration(c->filter, event->duration_ns)
                   : c->filter->least_ns <= 0 ||
                         (event->type != RLN_EVENT_POP && event->type != RLN_EVENT_END);
    if (!*matches || !rln__filter_has_payload_tests(c->filter))
        return RLN_OK;
    *matches = 0;
    if (event->type > RLN_EVENT_END && !rln__is_gpu_event(event->type))
        return RLN_OK; /* samples and others have none */
    held =
        rln__payload_held(tests, event->attributes.payload_type, event->payload_bits);
    status = rln_events_payloads(events, &payloads, &n, err);
    for (size_t i = 0; i < n && !status; i++)
        held |= rln__payload_held_fields(tests, &payloads[i]);
    *matches = !status && rln__payload_matches(tests, held);
    return status;
}

static int is_selected(const struct rln__range_prefilter *c, uint64_t key)
{
    return key / 8 < c->n_bytes && (c->bits[key / 8] >> key % 8 & 1);
}

int rln__range_prefilter_passes(const struct rln__range_prefilter *c, uint64_t key)
{
    return !waits_for_ends(c->filter) || is_selected(c, key);
}

rln_status rln__range_prefilter_accepts(const struct rln__range_prefilter *c,
                                        rln_events *events, const rln_event *event,
                                        int *matches, rln_error *err)
{
    uint64_t key;

    *matches = !c->filter || rln__filter_has(c->filter, c->reader, &event->attributes,
                                             event->process, event->thread);
    if (!*matches || !waits_for_ends(c->filter))
        return RLN_OK;
    key = rln__events_key(events, event);
    if (!key)
        return test_alone(c, events, event, matches, err);
    *matches = is_selected(c, key);
    return RLN_OK;
}
