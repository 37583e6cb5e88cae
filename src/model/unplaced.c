/* SPDX-License-Identifier: Apache-2.0 */
#include "model/unplaced.h"
#include "base/alloc.h"

#include <string.h>

int rln__unplaced_add(struct rln__unplaced *u, rln_reader *reader,
                      const struct rln__past_record *r, const struct rln__past_event *e)
{
    const struct rln__key key = {{r->process, r->domain_id, e->time_domain}};
    const uint32_t number = rln__keyed_number(&u->keys, &key);
    rln_unplaced_info *clock =
        rln__keyed_item(&u->clocks, &u->n, &u->capacity, number, sizeof(*clock));
    int is_unknown = 0;

    if (!clock)
        return -1;
    if (clock->n_events++)
        return 0;
    clock->process = r->process;
    clock->time_domain = e->time_domain;
    clock->domain =
        rln__names_domain(&reader->names, r->process, r->domain_id, &is_unknown);
    return clock->domain == RLN__NONE ? -1 : 0;
}

void rln__unplaced_clear(struct rln__unplaced *u)
{
    rln__keyed_clear(&u->keys);
    rln__free(u->clocks);
    memset(u, 0, sizeof(*u));
}
