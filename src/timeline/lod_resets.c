/* SPDX-License-Identifier: Apache-2.0 */
/* lod_resets.c - records that restate what a thread has open: losses, forks, and
 * windows that opened. */
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/open_state.h"
#include "timeline/lod_build.h"

#include <string.h>

static int goes_on(void *lod, uint32_t range, uint32_t enclosing)
{
    struct rln__lod *l = lod;
    const struct rln__lod_begun like = {0};

    return rln__lod_begin_pushed(l, l->pairing.pool[range].thread, enclosing, range,
                                 &like);
}

static int note_gap(struct rln__lod *lod, const struct rln__item *item, int64_t t_ns,
                    uint32_t part)
{
    struct rln__lod_gap *gaps;

    if (lod->n_gaps == RLN__LOD_GAPS ||
        !rln__lod_matches_gap(lod, item->thread, part, t_ns))
        return 0;
    gaps = rln__grow(lod->gaps, &lod->gaps_capacity, lod->n_gaps + 1, sizeof(*gaps));
    if (!gaps)
        return -1;
    lod->gaps = gaps;
    gaps[lod->n_gaps++] = (struct rln__lod_gap){t_ns, item->value, item->thread};
    return 0;
}

rln_status rln__lod_visit_reset(struct rln__lod *lod, const struct rln__item *item,
                                int64_t t_ns, uint32_t part, rln_error *err)
{
    if (item->kind == RLN__ITEM_GAP && note_gap(lod, item, t_ns, part))
        return rln__fail_nomem(err);
    return rln__open_state_read(&lod->pairing, lod->reader, item, part, t_ns, goes_on,
                                lod, err);
}
