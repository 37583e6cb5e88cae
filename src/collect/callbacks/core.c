/* SPDX-License-Identifier: Apache-2.0 */
/* core.c - implements NVTX's module CORE: events of the default domain.           [hot]
 *
 * push and pop return the depth, counted from 0, also for dropped events; start returns
 * an id that any thread of any process of the run may end.
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/resource.h"
#include "collect/event/event.h"

/* If NVTX's function returns int, ours returns 64 bits, and the caller uses the lower
 * half: a conversion would prevent a tail call. */

static void on_mark_ex(const struct rln__event_attributes *attributes)
{
    rln__event(RLN__MARK, RLN__TAG_DOMAIN, attributes);
}

static void on_mark_a(const char *message)
{
    rln__event_plain(RLN__MARK, 0, message);
}

static void on_mark_w(const void *message)
{
    rln__event_wide(RLN__MARK, 0, message);
}

static uint64_t on_range_start_ex(const struct rln__event_attributes *attributes)
{
    return rln__event(RLN__START, RLN__TAG_DOMAIN, attributes);
}

static uint64_t on_range_start_a(const char *message)
{
    return rln__event_plain(RLN__START, 0, message);
}

static uint64_t on_range_start_w(const void *message)
{
    return rln__event_wide(RLN__START, 0, message);
}

static void on_range_end(uint64_t id)
{
    if (RLN_UNLIKELY(!id) && rln__may_have_no_id())
        return;
    rln__put(RLN__END, 0, 0, id);
}

static uint64_t on_range_push_ex(const struct rln__event_attributes *attributes)
{
    return rln__event(RLN__PUSH, RLN__TAG_DOMAIN, attributes);
}

static uint64_t on_range_push_a(const char *message)
{
    return rln__event_plain(RLN__PUSH, 0, message);
}

static uint64_t on_range_push_w(const void *message)
{
    return rln__event_wide(RLN__PUSH, 0, message);
}

static uint64_t on_range_pop(void)
{
    return rln__put(RLN__POP, 0, 0, 0);
}

static void on_name_category_a(uint32_t category, const char *name)
{
    rln__on_name_category(0, category, name);
}

static void on_name_category_w(uint32_t category, const void *name)
{
    rln__on_name_category_wide(0, category, name);
}

static void on_name_os_thread_a(uint32_t tid, const char *name)
{
    rln__name_thread(tid, name);
}

static void on_name_os_thread_w(uint32_t tid, const void *name)
{
    rln__name_thread_wide(tid, name);
}

/* --- if the default domain is excluded -------------------------------------------- */

static uint64_t on_push_excluded(void)
{
    return rln__result_of_excluded(RLN__PUSH, 0);
}

static uint64_t on_pop_excluded(void)
{
    return rln__result_of_excluded(RLN__POP, 0);
}

const rln__callback rln__core_excluded_callbacks[RLN__CORE_CALLBACKS] = {
    [7] = (rln__callback)on_range_end, /* it ends ranges of any domain */
    [8] = (rln__callback)on_push_excluded,
    [9] = (rln__callback)on_push_excluded,
    [10] = (rln__callback)on_push_excluded,
    [11] = (rln__callback)on_pop_excluded,
    [14] = (rln__callback)on_name_os_thread_a,
    [15] = (rln__callback)on_name_os_thread_w,
};

const rln__callback rln__core_callbacks[RLN__CORE_CALLBACKS] = {
    NULL,
    (rln__callback)on_mark_ex,
    (rln__callback)on_mark_a,
    (rln__callback)on_mark_w,
    (rln__callback)on_range_start_ex,
    (rln__callback)on_range_start_a,
    (rln__callback)on_range_start_w,
    (rln__callback)on_range_end,
    (rln__callback)on_range_push_ex,
    (rln__callback)on_range_push_a,
    (rln__callback)on_range_push_w,
    (rln__callback)on_range_pop,
    (rln__callback)on_name_category_a,
    (rln__callback)on_name_category_w,
    (rln__callback)on_name_os_thread_a,
    (rln__callback)on_name_os_thread_w,
};
