/* SPDX-License-Identifier: Apache-2.0 */
/* lod_marks.h - marks on buckets that what begins inside them inherits.
 *
 *   row 0   |--- marked ---|   |------------|
 *   row 1     |-1-|  |-1-|        |-0-|
 */
#ifndef RLN_TIMELINE_LOD_MARKS_H
#define RLN_TIMELINE_LOD_MARKS_H

#include "timeline/lod_query.h"

/* The marks of a row that it inherits, by bucket; owned by the caller. `marks` has those
 * of the rows above it, by row, and NULL where there are none. NULL: no memory. */
uint8_t *rln__lod_inherit_marks(struct rln__lod *lod, uint32_t row,
                                uint8_t *const *marks);
/* Frees those of all rows, and the list. */
void rln__lod_free_marks(const struct rln__lod *lod, uint8_t **marks);

#endif
