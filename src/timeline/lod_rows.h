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

/* Adds a range or a mark to a row and counts it, at the latest in rln__lod_catch_up().
 * 0, or -1: no memory. */
int rln__lod_add(struct rln__lod *lod, uint32_t row,
                 const struct rln__range_bucket *bucket, uint64_t self_ns);

/* Adds a name as shown: domain:message.field. */
void rln__lod_put_name(struct rln__buf *out, const struct rln__lod_name *name);

/* Copies the numbering of `old`, with empty contents. 0, or -1: no memory. */
int rln__lod_take_over(struct rln__lod *lod, const struct rln__lod *old);

#endif
