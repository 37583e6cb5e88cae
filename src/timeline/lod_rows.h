/* SPDX-License-Identifier: Apache-2.0 */
/* lod_rows.h - finds the row and the name of something; each is numbered when it is
 * first met. */
#ifndef RLN_TIMELINE_LOD_ROWS_H
#define RLN_TIMELINE_LOD_ROWS_H

#include "timeline/lod.h"

/* Each returns NULL or RLN__NONE when there is no memory. */
const struct rln__lod_attr *rln__lod_attr_slow(struct rln__lod *lod, uint32_t attr);
uint32_t rln__lod_name(struct rln__lod *lod, rln_text domain, rln_text message,
                       rln_text field);
uint32_t rln__lod_row(struct rln__lod *lod, enum rln__lod_kind kind,
                      const struct rln__lod_row_key *row);
uint32_t rln__lod_counter_row(struct rln__lod *lod, const rln_counter *counter,
                              const rln_sample_value *value);

static inline const struct rln__lod_attr *rln__lod_attr(struct rln__lod *lod,
                                                        uint32_t attr)
{
    return attr < lod->n_attrs && lod->attrs[attr].name ? &lod->attrs[attr]
                                                        : rln__lod_attr_slow(lod, attr);
}

/* Its bit in a row. */
static inline uint64_t rln__lod_kinship_bit(uint32_t kinship)
{
    return (uint64_t)1 << (kinship < RLN__LOD_LAST_KINSHIP ? kinship
                                                           : RLN__LOD_LAST_KINSHIP);
}

/* Adds a name as shown: domain:message.field. */
void rln__lod_put_name(struct rln__buf *out, const struct rln__lod_name *name);

/* Copies the numbering of `old`, with empty contents. 0, or -1: no memory. */
int rln__lod_take_over(struct rln__lod *lod, const struct rln__lod *old);

#endif
