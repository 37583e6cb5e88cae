/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/activities.h"
#include "base/count.h"

#include <string.h>

enum { MOST_CALLS = 1200 };

static const int kinds[] = {
    RLN__ACTIVITY_DEVICE, RLN__ACTIVITY_CONTEXT,  RLN__ACTIVITY_KERNEL,
    RLN__ACTIVITY_COPY,   RLN__ACTIVITY_SET,      RLN__ACTIVITY_PEER_COPY,
    RLN__ACTIVITY_SYNC,   RLN__ACTIVITY_OVERHEAD,
};

static enum { LAUNCHING, ALL, NONE } calls;
static int has_whole_graphs;

void rln__activities_choose(const char *api, const char *graph_trace)
{
    has_whole_graphs = graph_trace && strncmp(graph_trace, "graph", 5) == 0;
    calls = api && strcmp(api, "all") == 0    ? ALL
            : api && strcmp(api, "none") == 0 ? NONE
                                              : LAUNCHING;
}

/* "cudaLaunchKernel_v7000" */
static int is_launching(const char *name)
{
    static const char *const prefixes[] = {"Launch", "GraphLaunch", "Memcpy", "Memset"};

    name += strncmp(name, "cuda", 4) == 0 ? 4 : strncmp(name, "cu", 2) == 0 ? 2 : 0;
    for (size_t i = 0; i < RLN_COUNT(prefixes); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return 1;
    }
    return 0;
}

/* Returns how many calls of a domain could be switched. */
static int switch_calls(const struct rln__cupti *cupti, int domain,
                        int (*switch_one)(uint32_t cbid, uint8_t is_on), uint8_t is_on)
{
    int n = 0;

    for (uint32_t cbid = 1; cbid <= MOST_CALLS; cbid++) {
        const char *name = NULL;

        if (!cupti->call_name(domain, cbid, &name) && name && is_launching(name))
            n += !switch_one(cbid, is_on);
    }
    return n;
}

/* Older releases have all calls or none. */
static int uses_single_calls(const struct rln__cupti *cupti)
{
    return calls == LAUNCHING && cupti->enable_runtime_call &&
           cupti->enable_driver_call;
}

static int enable_calls(const struct rln__cupti *cupti)
{
    int result = 0;

    if (calls == NONE)
        return 0;
    if (uses_single_calls(cupti))
        return switch_calls(cupti, RLN__CUPTI_RUNTIME_API, cupti->enable_runtime_call,
                            1) +
                       switch_calls(cupti, RLN__CUPTI_DRIVER_API,
                                    cupti->enable_driver_call, 1)
                   ? 0
                   : RLN__CUPTI_NOT_INITIALIZED;
    result = cupti->enable(RLN__ACTIVITY_RUNTIME);
    return result ? result : cupti->enable(RLN__ACTIVITY_DRIVER);
}

static void disable_calls(const struct rln__cupti *cupti)
{
    if (uses_single_calls(cupti)) {
        (void)switch_calls(cupti, RLN__CUPTI_RUNTIME_API, cupti->enable_runtime_call,
                           0);
        (void)switch_calls(cupti, RLN__CUPTI_DRIVER_API, cupti->enable_driver_call, 0);
        return;
    }
    (void)cupti->disable(RLN__ACTIVITY_RUNTIME);
    (void)cupti->disable(RLN__ACTIVITY_DRIVER);
}

int rln__activities_enable(const struct rln__cupti *cupti)
{
    int result = 0;

    for (size_t i = 0; i < RLN_COUNT(kinds) && !result; i++)
        result = cupti->enable(kinds[i]);
    if (!result && has_whole_graphs)
        result = cupti->enable(RLN__ACTIVITY_GRAPH);
    if (!result)
        result = enable_calls(cupti);
    if (result)
        rln__activities_disable(cupti);
    return result;
}

void rln__activities_disable(const struct rln__cupti *cupti)
{
    disable_calls(cupti);
    if (has_whole_graphs)
        (void)cupti->disable(RLN__ACTIVITY_GRAPH);
    for (size_t i = RLN_COUNT(kinds); i > 0; i--)
        (void)cupti->disable(kinds[i - 1]);
}
