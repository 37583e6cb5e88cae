/* SPDX-License-Identifier: Apache-2.0 */
/* domain.c - implements NVTX's module CORE2: domains and their contents.          [hot]
 *
 * A domain is identified by its name: libraries of one process that create the same
 * name get the same handle. Handles stay valid after nvtxDomainDestroy(), which is only
 * recorded: another library may still be using the domain.
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/resource.h"
#include "collect/event/event.h"
#include "collect/event/wide.h"

/* NVTX's opaque domain pointers are handles, which are numbers: intern.h. */

static void on_mark_ex(uint64_t domain, const struct rln__event_attributes *attributes)
{
    rln__event(RLN__MARK, domain, attributes);
}

static uint64_t on_range_start_ex(uint64_t domain,
                                  const struct rln__event_attributes *attributes)
{
    return rln__event(RLN__START, domain, attributes);
}

static void on_range_end(uint64_t domain, uint64_t id)
{
    const uint32_t d = rln__domain_of(domain);

    /* Excluded domains start no ranges, so a non-zero id is another domain's. */
    if (RLN_LIKELY(id) || !rln__may_have_no_id())
        rln__put(RLN__END, d, rln__shift_id(d), id);
}

static uint64_t on_range_push_ex(uint64_t domain,
                                 const struct rln__event_attributes *attributes)
{
    return rln__event(RLN__PUSH, domain, attributes);
}

/* A pop in the default domain, or in an excluded one. */
static __attribute__((noinline)) uint64_t pop_elsewhere(uint64_t domain)
{
    if (rln__is_excluded(domain))
        return rln__result_of_excluded(RLN__POP, domain);
    return rln__put(RLN__POP, 0, 0, 0);
}

static uint64_t on_range_pop(uint64_t domain)
{
    const uint32_t d = (uint32_t)(domain - RLN__TAG_DOMAIN);

    if (RLN_UNLIKELY(!rln__is_domain(domain)))
        return pop_elsewhere(domain);
    return rln__put(RLN__POP, d, rln__shift_id(d), 0);
}

/* --- domains ---------------------------------------------------------------------- */

static void *domain_handle(const char *name, size_t n_bytes)
{
    const uint32_t d = rln__intern_domain(name, n_bytes);

    if (d && rln__domain_is_excluded(name, n_bytes))
        return (void *)(uintptr_t)(RLN__TAG_EXCLUDED + d);
    return (void *)(uintptr_t)rln__domain_handle(d);
}

static void *on_domain_create_a(const char *name)
{
    return name ? domain_handle(name, rln__text_length(name)) : NULL;
}

static void *on_domain_create_w(const void *name)
{
    struct rln__wide wide;
    void *handle;

    if (!name)
        return NULL;
    rln__wide_init(&wide, name);
    handle = wide.text ? domain_handle(wide.text, rln__text_length(wide.text)) : NULL;
    rln__wide_clear(&wide);
    return handle;
}

static void on_domain_destroy(uint64_t domain)
{
    if (!rln__is_excluded(domain))
        rln__note_domain_destroy(rln__domain_of(domain));
}

static void on_name_category_a(uint64_t domain, uint32_t category, const char *name)
{
    rln__on_name_category(rln__domain_of(domain), category, name);
}

static void on_name_category_w(uint64_t domain, uint32_t category, const void *name)
{
    rln__on_name_category_wide(rln__domain_of(domain), category, name);
}

/* --- registered strings ----------------------------------------------------------- */

/* A string that is registered twice in a domain has one handle. Past the limits of
 * intern.h the handle is valid, but its events have no name; that is counted. */
static void *string_handle(uint32_t domain, const char *text, size_t n_bytes)
{
    const uint64_t style_key =
        rln__style_key(0, rln__types(0, 0, RLN__MESSAGE_REGISTERED));
    const struct rln__attributes *a =
        rln__intern_text(rln__domain_key(domain, 0), style_key, text, n_bytes);

    return rln__string_handle(domain, a ? a->shifted_id : 0);
}

static void *on_register_string_a(uint64_t domain, const char *text)
{
    if (!text)
        return NULL;
    return string_handle(rln__domain_of(domain), text, rln__text_length(text));
}

static void *on_register_string_w(uint64_t domain, const void *text)
{
    struct rln__wide wide;
    void *handle;

    if (!text)
        return NULL;
    rln__wide_init(&wide, text);
    handle = wide.text ? string_handle(rln__domain_of(domain), wide.text,
                                       rln__text_length(wide.text))
                       : NULL;
    rln__wide_clear(&wide);
    return handle;
}

/* Nothing to do: when nvtxInitialize() calls this, the collector is already attached.
 */
static void on_initialize(const void *reserved)
{
    (void)reserved;
}

const rln__callback rln__core2_callbacks[RLN__CORE2_CALLBACKS] = {
    NULL,
    (rln__callback)on_mark_ex,
    (rln__callback)on_range_start_ex,
    (rln__callback)on_range_end,
    (rln__callback)on_range_push_ex,
    (rln__callback)on_range_pop,
    (rln__callback)rln__on_resource_create,
    (rln__callback)rln__on_resource_destroy,
    (rln__callback)on_name_category_a,
    (rln__callback)on_name_category_w,
    (rln__callback)on_register_string_a,
    (rln__callback)on_register_string_w,
    (rln__callback)on_domain_create_a,
    (rln__callback)on_domain_create_w,
    (rln__callback)on_domain_destroy,
    (rln__callback)on_initialize,
};
