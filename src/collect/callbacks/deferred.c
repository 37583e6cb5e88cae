/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/callbacks/deferred.h"

#include "collect/callbacks/client_clocks.h"
#include "collect/capture/domain_filter.h"
#include "collect/event/block.h"
#include "collect/event/chunk.h"
#include "collect/event/safe_read.h"
#include "collect/event/shared_chunk.h"
#include "collect/payload/deep_copy.h"
#include "collect/process/process.h"

/* nvtxEventBatch_t, with its ABI layout. */
struct event_batch {
    uint64_t schema;
    size_t n_bytes;
    const void *events;
    uint64_t scope;
    uint64_t flags;
    const void *flex_data;
    size_t n_flex_bytes;
    size_t flex_offset;
};

#define NO_ROOM ((struct rln__shared_room){NULL, NULL})

/* Reserves a record of `d` with `n_words` of segments, and stores the words of `d`; the
 * segments follow them. Without space, counts a dropped event. */
static struct rln__shared_room take(struct rln__process_context *p,
                                    const struct rln__deferred_call *d, uint32_t thread,
                                    size_t n_words)
{
    const struct rln__shared_room room =
        rln__process_has_record(p)
            ? rln__shared_take(p, &p->deferred, 3 + d->n_words + n_words)
            : NO_ROOM;

    if (!room.at) {
        rln__count_dropped();
        return room;
    }
    room.at[1] = rln__now();
    room.at[2] = rln__pair32(d->domain, thread);
    for (size_t i = 0; i < d->n_words; i++)
        room.at[3 + i] = d->words[i];
    return room;
}

/* --- batches ---------------------------------------------------------------------- */

static size_t bounded(size_t n_bytes)
{
    if (n_bytes <= RLN__MAX_BATCH_BYTES)
        return n_bytes;
    rln__count(n_payloads_cut, 1);
    return RLN__MAX_BATCH_BYTES;
}

static size_t words_of(size_t n_bytes)
{
    return RLN__SEGMENT_WORDS + (n_bytes + 7) / 8;
}

/* Copies a segment from memory, without unmapped memory; unused words stay after the
 * segment. Returns the segment's words. */
static size_t put_segment(uint64_t *to, const void *from, size_t n_bytes,
                          size_t n_given)
{
    struct rln__segment *segment = (struct rln__segment *)(void *)to;
    const size_t n_kept = rln__safe_read(segment + 1, from, n_bytes);

    if (n_kept < n_bytes)
        rln__count(n_payloads_unread, 1);
    *segment = (struct rln__segment){
        0, (uint64_t)(uintptr_t)from, (uint32_t)n_kept,
        n_given < RLN__GIVEN_UNKNOWN ? (uint32_t)n_given : RLN__GIVEN_UNKNOWN - 1};
    return words_of(n_kept);
}

void rln__put_deferred(const struct rln__deferred_call *d, const void *first,
                       size_t n_first_bytes, const void *second, size_t n_second_bytes)
{
    const size_t n_first = bounded(n_first_bytes), n_second = bounded(n_second_bytes);
    const uint32_t thread = rln__thread_announced();
    const size_t n_room = words_of(n_first) + words_of(n_second);
    const rln__sigmask mask = rln__block_signals();
    struct rln__process_context *p = rln__process_ready();
    const struct rln__shared_room room = take(p, d, thread, n_room);
    uint64_t *at = room.at;
    size_t n_words = 3 + d->n_words;

    if (at) {
        const size_t n_all = n_words + n_room;

        n_words += put_segment(at + n_words, first, n_first, n_first_bytes);
        n_words += put_segment(at + n_words, second, n_second, n_second_bytes);
        rln__shared_give_back(&rln__collector.process->deferred, at + n_words,
                              n_all - n_words);
        rln__names_put(at, d->sub, n_words);
        rln__block_leave(p, room.block, n_all * 8);
    }
    rln__restore_signals(mask);
}

void rln__on_event_batch_submit(uint64_t domain, const void *from)
{
    struct event_batch given;

    if (rln__is_excluded(domain))
        return;
    if (!rln__safe_read_all(&given, (const struct event_batch *)from)) {
        rln__count(n_invalid, 1);
        return;
    }
    rln__clocks_sample(rln__domain_of(domain));
    rln__put_deferred(
        &(struct rln__deferred_call){
            .sub = RLN__SUB_EVENT_BATCH,
            .domain = rln__domain_of(domain),
            .words =
                (uint64_t[]){given.schema, given.scope, given.flags, given.flex_offset},
            .n_words = 4,
        },
        given.events, given.n_bytes, given.flex_data,
        given.flex_data ? given.n_flex_bytes : 0);
}

/* --- single events ---------------------------------------------------------------- */

void rln__on_event_submit(uint64_t domain_handle, const struct rln__payload_data *data,
                          size_t n_data)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    struct rln__shared_room room;
    struct rln__payload_gather s;
    struct rln__process_context *p;
    rln__sigmask mask;
    uint32_t thread;

    if (rln__is_excluded(domain_handle))
        return;
    thread = rln__thread_announced();
    rln__clocks_sample(domain);
    rln__deep_copy(&s, domain, data, data ? n_data : 0);
    mask = rln__block_signals();
    p = rln__process_ready();
    room = take(p,
                &(struct rln__deferred_call){.sub = RLN__SUB_SUBMITTED,
                                             .domain = domain,
                                             .words = (uint64_t[]){s.n_payloads},
                                             .n_words = 1},
                thread, s.n_words);
    if (room.at) {
        for (size_t i = 0; i < s.n_words; i++)
            room.at[4 + i] = s.words[i];
        rln__names_put(room.at, RLN__SUB_SUBMITTED, 4 + s.n_words);
        rln__block_leave(p, room.block, (4 + s.n_words) * 8);
    }
    rln__restore_signals(mask);
    rln__payload_gather_clear(&s);
}
