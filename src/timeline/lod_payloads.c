/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_payloads.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "timeline/lod_pass.h"
#include "timeline/lod_saved.h"
#include "trace/decode/gpu_batches.h"
#include "trace/payload/payload_json.h"

#include <string.h>

static uint32_t part_of(const struct rln__lod_event *event)
{
    return (uint32_t)(event->address >> RLN__ADDRESS_SHIFT);
}

static uint64_t offset_of(const struct rln__lod_event *event)
{
    return event->address & (((uint64_t)1 << RLN__ADDRESS_SHIFT) - 1);
}

/* Reads the record at `offset`. RLN_END: no chunk of events has it. */
static rln_status read_item(struct rln__stream *stream, uint32_t part, uint64_t offset,
                            struct rln__item *out, rln_error *err)
{
    const struct rln__chunk_info *found =
        rln__layout_chunk_at(&stream->reader->layout, part, offset);
    struct rln__chunk_info chunk;
    rln_status status;

    if (!found || offset < found->offset + RLN__CHUNK_HEADER_BYTES ||
        (found->kind != RLN__CHUNK_EVENTS && found->kind != RLN__CHUNK_RING))
        return RLN_END;
    chunk = *found;
    chunk.offset = offset - RLN__CHUNK_HEADER_BYTES;
    status = rln__stream_begin(stream, &chunk, err);
    if (!status)
        status = rln__stream_next(stream, out, err);
    return status ? status : out->offset == offset ? RLN_OK : RLN_END;
}

/* Where the payloads of an event are; also gives its item, if it is not deferred. */
static rln_status find(struct rln__lod *lod, const struct rln__lod_event *event,
                       int is_deferred, struct rln__item *item,
                       struct rln__record_address *out, rln_error *err)
{
    struct rln__stream stream = {0};
    rln_status status;

    memset(item, 0, sizeof(*item));
    if (is_deferred)
        return rln__deferred_address_at(lod->reader, part_of(event), offset_of(event),
                                        event->element, out, err);
    status = rln__stream_init(&stream, lod->reader, 64, err);
    if (!status)
        status = read_item(&stream, part_of(event), offset_of(event), item, err);
    if (!status && item->kind > RLN__END)
        status = RLN_END;
    if (!status)
        *out = rln__item_address(lod->reader, stream.chunk.part, item);
    rln__stream_clear(&stream);
    return status;
}

/* Decodes the payloads of an event, if it has any. */
static rln_status decode(struct rln__lod *lod, struct rln__event_payloads *payloads,
                         const struct rln__record_address *address, rln_error *err)
{
    if (address->n_payloads)
        return rln__event_payloads_read(payloads, lod->reader, address, err);
    payloads->decoder.n_payloads = 0;
    return RLN_OK;
}

/* As one list. */
static rln_status put(struct rln__buf *out, const struct rln__decoder *begin,
                      const struct rln__decoder *end, rln_error *err)
{
    const size_t n = begin->n_payloads + end->n_payloads;
    rln_payload *both = n ? rln__alloc(n, sizeof(*both)) : NULL;

    if (!n)
        return RLN_OK;
    if (!both)
        return rln__fail_nomem(err);
    if (begin->n_payloads)
        memcpy(both, begin->payloads, begin->n_payloads * sizeof(*both));
    if (end->n_payloads)
        memcpy(both + begin->n_payloads, end->payloads,
               end->n_payloads * sizeof(*both));
    (void)rln__json_of_payloads(out, both, n);
    rln__free(both);
    return RLN_OK;
}

/* Finds an operation of a stream again. Batches come in the order of their first times,
 * and one with it began shortly before. RLN_END: it is not there. */
static rln_status find_operation(struct rln__lod *lod, uint32_t stream,
                                 const struct rln__range_bucket *operation,
                                 struct rln__record_address *out, rln_error *err)
{
    struct rln__gpu_batches *batches = lod->gpu_batches;
    struct rln__gpu_events events = {.n = 0};
    rln_status status = RLN_END;

    for (size_t i = batches->n; i-- > 0 && status == RLN_END;) {
        const struct rln__gpu_batch *batch = &batches->all[i];

        if (batch->first_ns > operation->start_ns || batch->stream != stream)
            continue;
        if (rln__gpu_batch_read(batches, batch, &events, err)) {
            status = RLN_ERR_NOMEM;
            break;
        }
        for (size_t k = 0; k < events.n && status == RLN_END; k++) {
            const struct rln__gpu_event *e = &events.items[k];

            if (e->start_ns != operation->start_ns || e->end_ns != operation->end_ns ||
                e->attr != operation->attr)
                continue;
            *out = rln__gpu_event_address(batch, e);
            status = RLN_OK;
        }
    }
    rln__free(events.items);
    return status;
}

/* What is known of an operation beside its times: of a kernel, how it was launched. */
static rln_status read_operation(struct rln__lod *lod, uint32_t stream,
                                 const struct rln__range_bucket *operation,
                                 struct rln__buf *out, rln_error *err)
{
    static const struct rln__decoder nothing;
    struct rln__record_address address = {0};
    rln_status status = RLN_OK;

    if (!lod->gpu_batches) {
        lod->gpu_batches = rln__alloc(1, sizeof(*lod->gpu_batches));
        status = lod->gpu_batches
                     ? rln__gpu_batches_find(lod->gpu_batches, lod->reader, err)
                     : rln__fail_nomem(err);
    }
    if (!status)
        status = find_operation(lod, stream, operation, &address, err);
    if (!status)
        status = decode(lod, &lod->payloads, &address, err);
    return status ? status : put(out, &lod->payloads.decoder, &nothing, err);
}

static void take_saved(const struct rln__lod_saved *saved, uint64_t number,
                       struct rln__lod_details *out)
{
    const struct rln__lod_saved_payload *p = &saved->payloads[number - 1];

    out->value_type = p->value_type;
    out->value_bits = p->value_bits;
    rln__buf_add(&out->payloads, p->json.bytes, p->json.length);
}

rln_status rln__lod_read(struct rln__lod *lod, const struct rln__lod_row *row,
                         const struct rln__range_bucket *bucket,
                         struct rln__lod_details *out, rln_error *err)
{
    const struct rln__lod_event begin = {bucket->address,
                                         row->is_deferred ? bucket->element : 0};
    struct rln__event_payloads of_end = {0};
    struct rln__record_address address = {0};
    struct rln__item item;
    rln_status status;

    memset(out, 0, sizeof(*out));
    if (bucket->n == 1 && row->is_stream && row->thread != RLN__NONE && !lod->saved) {
        status = read_operation(lod, row->thread, bucket, &out->payloads, err);
        return status == RLN_END ? RLN_OK : status;
    }
    if (bucket->n != 1 || bucket->address == 0 || rln__lod_has_others_times(row))
        return RLN_OK;
    if (lod->saved) {
        take_saved(lod->saved, bucket->address, out);
        return RLN_OK;
    }
    status = find(lod, &begin, row->is_deferred, &item, &address, err);
    if (!status) {
        out->value_type = (uint8_t)(item.has_value ? bucket->value_type : 0);
        out->value_bits = item.value;
        status = decode(lod, &lod->payloads, &address, err);
    }
    if (!status && bucket->end && bucket->end <= lod->n_ends) {
        status = find(lod, &lod->ends[bucket->end - 1], row->is_deferred, &item,
                      &address, err);
        if (!status)
            status = decode(lod, &of_end, &address, err);
    }
    if (!status)
        status = put(&out->payloads, &lod->payloads.decoder, &of_end.decoder, err);
    rln__event_payloads_clear(&of_end);
    return status == RLN_END ? RLN_OK : status;
}
