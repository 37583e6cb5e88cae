/* SPDX-License-Identifier: Apache-2.0 */
/* predicate.h - the reader's filter, for those who read items: what it says of a range
 * where that begins, while it is open, and where it ends.
 *
 *   begin()     keeps, with the open range, which payload tests its begin passes
 *   may_want()  names and threads only: the rest is known at the end
 *   end()       all of it, with the payloads of the end and the duration
 *
 * Verdicts on names and threads are cached: there are millions of ranges, and few of
 * either. Without a filter everything matches.
 */
#ifndef RLN_RANGES_PREDICATE_H
#define RLN_RANGES_PREDICATE_H

#include "rangeline/values.h"
#include "ranges/engine.h"
#include "ranges/event_filter.h"
#include "trace/decode/gpu_batches.h"

/* By index: 0 if not tested yet. */
struct rln__verdicts {
    uint8_t *items; /* owned */
    size_t capacity;
};

/* Zeroed, except the reader: nothing tested yet. */
struct rln__predicate {
    rln_reader *reader; /* borrowed */
    struct rln__verdicts attrs, threads;
    struct rln__event_payloads payloads; /* of the event being tested */
    /* The deferred event that is read; NULL: none. Lanes are not threads, so its own
     * thread is tested. */
    const struct rln__deferred_source *deferred;
};

void rln__predicate_clear(struct rln__predicate *predicate);

/* Whether a range with these attributes on this thread matches, if it takes `ns` and
 * passes the payload tests in `held`. `state` is enum rln__open_state. */
int rln__predicate_matches(struct rln__predicate *predicate, uint32_t attr,
                           uint32_t thread, unsigned state, int64_t ns, uint64_t held);
rln_status rln__predicate_mark(struct rln__predicate *predicate,
                               const struct rln__item *mark, uint32_t part,
                               int *matches, rln_error *err);
/* Losses, for instance, have neither names nor values. */
int rln__predicate_matches_thread(struct rln__predicate *predicate, uint32_t thread);
int rln__predicate_matches_sample(struct rln__predicate *predicate,
                                  const rln_counter *counter, uint32_t thread);
/* Also whether the operation or call overlaps the reader's window. Without a known
 * time, it never does. */
rln_status rln__predicate_gpu(struct rln__predicate *predicate,
                              const struct rln__gpu_batch *batch,
                              const struct rln__gpu_event *event, int *matches,
                              rln_error *err);

/* Inside: of events with payloads, and of deferred ones. */
rln_status rln__predicate_note(struct rln__predicate *predicate,
                               const struct rln__item *begin, uint32_t part,
                               struct rln__open *open, rln_error *err);
rln_status rln__predicate_test(struct rln__predicate *predicate,
                               const struct rln__closing *closing, int *matches,
                               rln_error *err);

/* Notes in a range that begins what its begin says. */
static inline rln_status rln__predicate_begin(struct rln__predicate *predicate,
                                              const struct rln__item *begin,
                                              uint32_t part, struct rln__open *open,
                                              rln_error *err)
{
    return predicate->deferred ||
                   rln__filter_has_payload_tests(predicate->reader->filter)
               ? rln__predicate_note(predicate, begin, part, open, err)
               : RLN_OK;
}

/* Whether a range that closes matches. */
RLN__INLINE rln_status rln__predicate_end(struct rln__predicate *predicate,
                                          const struct rln__closing *c, int *matches,
                                          rln_error *err)
{
    if (c->end && rln__filter_has_payload_tests(predicate->reader->filter))
        return rln__predicate_test(predicate, c, matches, err);
    *matches = rln__predicate_matches(predicate, c->attr, c->thread, c->state,
                                      c->end_ns - c->start_ns, c->value);
    return RLN_OK;
}

/* Whether a range that is open may match when it ends. */
static inline int rln__predicate_may_want(struct rln__predicate *predicate,
                                          const struct rln__open *open)
{
    return rln__predicate_matches(predicate, open->attr, open->thread, open->state,
                                  INT64_MAX, UINT64_MAX);
}

/* Whether it is, if it lasts up to `end_ns`. */
static inline int rln__predicate_matches_until(struct rln__predicate *predicate,
                                               const struct rln__open *open,
                                               int64_t end_ns)
{
    return rln__predicate_matches(predicate, open->attr, open->thread, open->state,
                                  end_ns - open->t_ns, open->value);
}

#endif
