/* SPDX-License-Identifier: Apache-2.0 */
/* payload.c - implements NVTX's module PAYLOAD, except clocks: events that consist only
 * of payloads, which contain their message and color, if any.
 */
#include "collect/payload/payload_event.h"

#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/client_clocks.h"
#include "collect/callbacks/deferred.h"

/* The row of an event with only a domain. */
static uint32_t bare_row(uint32_t domain)
{
    const uint64_t domain_key = rln__domain_key(domain, 0),
                   style_key = rln__style_key(0, 0);
    const struct rln__attributes *a = rln__guess_handle(domain_key, style_key, NULL);

    if (RLN_UNLIKELY(!a))
        a = rln__intern_handle(domain_key, style_key, NULL);
    return a ? a->shifted_id >> RLN__ID_SHIFT : 0;
}

static inline __attribute__((always_inline)) uint64_t
put(unsigned kind, uint64_t domain_handle, const struct rln__payload_data *data,
    size_t n_data)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    uint32_t id;
    int is_known;

    if (RLN_UNLIKELY(rln__is_excluded(domain_handle)))
        return rln__result_of_excluded(kind, domain_handle);
    id = kind == RLN__POP ? domain : bare_row(domain);
    is_known = kind == RLN__POP || id != 0;

    if (RLN_LIKELY(n_data == 1 && data && is_known))
        return rln__put_payload(kind, domain, id, data);
    return rln__put_payloads(
        &(struct rln__payload_event){
            .kind = kind,
            .id = id,
            .domain = domain,
            .in_line = is_known ? NULL : &(struct rln__in_line){0},
        },
        data, n_data);
}

static void on_mark(uint64_t domain, const struct rln__payload_data *data, size_t n)
{
    put(RLN__MARK, domain, data, n);
}

static uint64_t on_range_push(uint64_t domain, const struct rln__payload_data *data,
                              size_t n)
{
    return put(RLN__PUSH, domain, data, n);
}

static uint64_t on_range_pop(uint64_t domain, const struct rln__payload_data *data,
                             size_t n)
{
    return put(RLN__POP, domain, data, n);
}

static uint64_t on_range_start(uint64_t domain, const struct rln__payload_data *data,
                               size_t n)
{
    return put(RLN__START, domain, data, n);
}

static void on_range_end(uint64_t domain_handle, uint64_t id,
                         const struct rln__payload_data *data, size_t n)
{
    const uint32_t domain = rln__domain_of(domain_handle);

    if (!id && rln__may_have_no_id())
        return;
    rln__put_payloads(
        &(struct rln__payload_event){
            .kind = RLN__END, .id = domain, .domain = domain, .value = id},
        data, n);
}

/* 0 only for domains that are excluded from the whole run, because programs call this
 * once and keep the result. */
static uint8_t on_domain_is_enabled(uint64_t domain)
{
    return !rln__is_excluded(domain);
}

const rln__callback rln__payload_callbacks[RLN__PAYLOAD_CALLBACKS] = {
    (rln__callback)rln__on_schema_register,
    (rln__callback)rln__on_enum_register,
    (rln__callback)on_mark,
    (rln__callback)on_range_push,
    (rln__callback)on_range_pop,
    (rln__callback)on_range_start,
    (rln__callback)on_range_end,
    (rln__callback)on_domain_is_enabled,
    (rln__callback)rln__on_timestamp_get,
    (rln__callback)rln__on_time_domain_register,
    (rln__callback)rln__on_timer_source,
    (rln__callback)rln__on_timer_source_with_data,
    (rln__callback)rln__on_scope_register,
    (rln__callback)rln__on_time_sync_point,
    (rln__callback)rln__on_time_sync_point_table,
    (rln__callback)rln__on_timestamp_conversion_factor,
    (rln__callback)rln__on_event_submit,
    (rln__callback)rln__on_event_batch_submit,
};
