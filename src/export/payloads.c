/* SPDX-License-Identifier: Apache-2.0 */
#include "export/payloads.h"
#include "base/json.h"
#include "export/gpu_fields.h"
#include "ranges/events.h"
#include "ranges/ranges.h"
#include "trace/payload/payload_json.h"

static rln_status decode(rln_ranges *ranges, const rln_range *range,
                         const rln_payload **items, size_t *n, rln_error *err)
{
    return range ? rln_ranges_payloads(ranges, items, n, err)
                 : rln_events_payloads(rln__ranges_events(ranges), items, n, err);
}

static void add_json(struct rln__buf *out, const rln_payload *items, size_t n)
{
    const size_t begin = out->length;

    if (!rln__json_of_payloads(out, items, n))
        out->length = begin;
}

rln_status rln__payloads_json(rln_ranges *ranges, const rln_range *range,
                              struct rln__buf *out, rln_error *err)
{
    const rln_payload *items;
    size_t n;
    rln_status status = decode(ranges, range, &items, &n, err);

    if (!status && n)
        add_json(out, items, n);
    return status;
}

/* The first fields of all work, gpu_schemas.h. */
enum { F_START, F_END, F_NAME, N_OF_THE_RANGE };

rln_status rln__payloads_json_of_work(rln_ranges *ranges, struct rln__buf *out,
                                      rln_error *err)
{
    rln_field rest[1 + RLN__MOST_GPU_FIELDS];
    struct rln__gpu_fields all;
    const rln_payload *items;
    rln_payload work;
    size_t n;
    rln_status status = rln__gpu_fields_read(ranges, &all, err);

    if (!status)
        status = rln_ranges_payloads(ranges, &items, &n, err);
    if (status || !n)
        return status;
    work = items[0];
    if (all.n >= N_OF_THE_RANGE && all.n <= RLN__MOST_GPU_FIELDS) {
        rest[0] = work.fields[0];
        rest[0].n_children -= N_OF_THE_RANGE;
        memcpy(rest + 1, all.items + N_OF_THE_RANGE,
               (all.n - N_OF_THE_RANGE) * sizeof(*rest));
        work.fields = rest;
        work.n_fields -= N_OF_THE_RANGE;
    }
    add_json(out, &work, 1);
    return RLN_OK;
}

rln_status rln__payloads_blob(rln_ranges *ranges, const rln_range *range,
                              struct rln__buf *out, rln_error *err)
{
    const rln_payload *items;
    size_t n;
    rln_status status = decode(ranges, range, &items, &n, err);

    for (size_t i = 0; i < n && !status; i++) {
        const uint64_t header[] = {[RLN__BLOB_DOMAIN] = 0,
                                   [RLN__BLOB_SCHEMA] = items[i].schema,
                                   [RLN__BLOB_SIZE] = items[i].bytes.length,
                                   [RLN__BLOB_OFFSET] = RLN__BLOB_HEADER_BYTES};

        rln__buf_add(out, (const char *)header, sizeof(header));
        rln__buf_add(out, items[i].bytes.bytes, items[i].bytes.length);
    }
    return status;
}
