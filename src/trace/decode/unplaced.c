/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/unplaced.h"
#include "base/alloc.h"
#include "base/count.h"
#include "format/attributes.h"

#include <string.h>

int rln__unplaced_add(struct rln__unplaced *u, rln_reader *reader,
                      const struct rln__deferred_record *r,
                      const struct rln__deferred_event *e)
{
    const struct rln__key key = {
        {r->process, ((uint64_t)e->why_unplaced << 32) | r->domain_id, e->time_domain}};
    const uint32_t number = rln__key_index_number(&u->keys, &key);
    struct rln__unplaced_info *clock =
        rln__key_index_item(&u->clocks, &u->n, &u->capacity, number, sizeof(*clock));
    int is_unknown = 0;

    if (!clock)
        return -1;
    if (clock->n_events++)
        return 0;
    clock->process = r->process;
    clock->time_domain = e->time_domain;
    clock->why = (enum rln__unplaced_cause)e->why_unplaced;
    clock->domain =
        rln__names_domain(&reader->names, r->process, r->domain_id, &is_unknown);
    return clock->domain == RLN__NONE ? -1 : 0;
}

void rln__unplaced_clear(struct rln__unplaced *u)
{
    rln__key_index_clear(&u->keys);
    rln__free(u->clocks);
    memset(u, 0, sizeof(*u));
}

const char *rln__unplaced_cause_name(enum rln__unplaced_cause why)
{
    static const char *const reasons[] = {
        [RLN__UNPLACED_UNTIED] = "its clock is unknown: record two sync points "
                                 "(nvtxTimeSyncPoint), or declare a timestamp type",
        [RLN__UNPLACED_CONTRADICTORY] =
            "its time stands still or goes back: check its sync points and factors, "
            "and look for ranges that end before they begin",
        [RLN__UNPLACED_UNTIMED] =
            "it has too few timestamps: pass as many timestamps as samples",
    };

    return (unsigned)why < RLN_COUNT(reasons) ? reasons[why] : NULL;
}
