/* SPDX-License-Identifier: Apache-2.0 */
/* lod_kinds.h - kinds of names: those that differ only in numbers are one.
 *
 *   names   load   step 1   step 2   load   step 3        (with other domains)
 *   kinds   0      1        1        3      1             the first of the kind
 */
#ifndef RLN_TIMELINE_LOD_KINDS_H
#define RLN_TIMELINE_LOD_KINDS_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

struct rln__lod;

struct rln__lod_kinds {
    uint32_t *of_name; /* owned */
    size_t n, capacity;
    struct rln__map by_hash; /* -> the first name with that folded text, + 1 */
};

/* The kinds of all names that the index has by now: borrowed until it has more. NULL:
 * no memory. */
const uint32_t *rln__lod_kinds_of_names(struct rln__lod *lod);
void rln__lod_kinds_clear(struct rln__lod_kinds *kinds);

#endif
