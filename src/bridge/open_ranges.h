/* SPDX-License-Identifier: Apache-2.0 */
/* open_ranges.h - the ranges that one call begins and another, perhaps of another
 * thread, ends by the number that the program gave it; locks by address (itt_sync.c),
 * too. */
#ifndef RLN_BRIDGE_OPEN_RANGES_H
#define RLN_BRIDGE_OPEN_RANGES_H

#include <nvtx3/nvToolsExt.h>

#include <stdint.h>

/* Keeps a range; 0, or -1 if too many are open. */
int rln__open_range_keep(uint64_t key, nvtxRangeId_t range);
/* Whether a range of that key is open. */
int rln__open_range_has(uint64_t key);
/* The newest of that key; 0: there is none. */
nvtxRangeId_t rln__open_range_find(uint64_t key);
/* Takes the newest of that key; 0: there is none. */
nvtxRangeId_t rln__open_range_take(uint64_t key);

#endif
