/* SPDX-License-Identifier: Apache-2.0 */
/* enum_names.c - what docs/reference/JSON.md calls things, for everything that writes
 * them. */
#include "rangeline/model.h"

#include "base/count.h"

const char *rln_event_type_name(rln_event_type type)
{
    static const char *const names[] = {
        NULL,
        "mark",
        "push",
        "pop",
        "start",
        "end",
        "gap",
        "inherited",
        "thread_begin",
        "thread_name",
        "resource",
        "resource_destroy",
        "domain_destroy",
        "sample",
        "sync_wait",
        "sync_gave_up",
        "sync_acquire",
        "sync_release",
        "sync_object",
        "sync_destroy",
        "memory",
        "resumed",
        "overwritten",
        "gpu",
        "call",
    };

    return (unsigned)type < RLN_COUNT(names) ? names[type] : NULL;
}

const char *rln__range_style_name(rln_range_style style)
{
    static const char *const names[] = {NULL,   "push_pop", "start_end", "wait",
                                        "hold", "gpu",      "call"};

    return (unsigned)style < RLN_COUNT(names) ? names[style] : NULL;
}

const char *rln__no_value_cause_name(uint8_t no_value)
{
    static const char *const names[] = {"other", "zero", "unchanged", "unavailable"};

    return names[no_value < RLN_COUNT(names) ? no_value : 0];
}
