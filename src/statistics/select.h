/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - one number of those that sorting would put in order. */
#ifndef RLN_STATISTICS_SELECT_H
#define RLN_STATISTICS_SELECT_H

#include <stddef.h>
#include <stdint.h>

/* The item at `rank`, which is less than `n`, if `values` were sorted; reorders them. */
uint64_t rln__select(uint64_t *values, size_t n, size_t rank);

#endif
