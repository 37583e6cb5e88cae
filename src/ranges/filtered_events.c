/* SPDX-License-Identifier: Apache-2.0 */
/* filtered_events.c - the public iteration over events: those that the reader's filter
 * selects. */
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events_state.h"
#include "ranges/range_prefilter.h"

static rln_status choose(rln_events *e, rln_error *err)
{
    e->prefilter = rln__alloc(1, sizeof(*e->prefilter));
    return e->prefilter ? rln__range_prefilter_init(e->prefilter, e->reader,
                                                    e->reader->filter, err)
                        : rln__fail_nomem(err);
}

rln_status rln_events_open(rln_reader *reader, rln_events **out, rln_error *err)
{
    rln_status status = rln__events_open_all(reader, out, err);

    if (status || !reader->filter)
        return status;
    status = choose(*out, err);
    if (status) {
        rln_events_close(*out);
        *out = NULL;
    }
    return status;
}

/* Apart, so that rln_events_next() saves no registers without a filter. */
static __attribute__((noinline)) rln_status
next_match(rln_events *e, const rln_event **out, rln_error *err)
{
    rln_status status;
    int matches = 1;

    do {
        status = rln__events_next_all(e, out, err);
        if (!status)
            status = rln__range_prefilter_accepts(e->prefilter, e, *out, &matches, err);
    } while (!status && !matches);
    if (status)
        *out = NULL;
    return status;
}

rln_status rln_events_next(rln_events *e, const rln_event **out, rln_error *err)
{
    return e->prefilter ? next_match(e, out, err) : rln__events_next_all(e, out, err);
}

void rln_events_close(rln_events *e)
{
    if (e && e->prefilter) {
        rln__range_prefilter_clear(e->prefilter);
        rln__free(e->prefilter);
    }
    rln__events_close_all(e);
}
