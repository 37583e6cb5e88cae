/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_building.h"

#include "base/alloc.h"

#include <string.h>

void rln__lod_building_clear(struct rln__lod_building *b)
{
    rln__scan_steps_clear(&b->scan);
    rln__deferred_events_clear(&b->deferred);
    rln__gpu_order_clear(&b->gpu);
    rln__predicate_clear(&b->gpu_predicate);
    rln__map_clear(&b->calls.by_id);
    rln__free(b->calls.items);
    memset(b, 0, sizeof(*b));
}
