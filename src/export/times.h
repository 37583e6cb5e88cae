/* SPDX-License-Identifier: Apache-2.0 */
/* times.h - Nsight's --times: [:][start]/[end][:], several of them with commas.
 *
 *     1s/2s     inside; what reaches beyond is left out
 *     :1s/2s    may begin before
 *     1s/2s:    may end after
 */
#ifndef RLN_EXPORT_TIMES_H
#define RLN_EXPORT_TIMES_H

#include "rangeline/error.h"

struct rln__time_range {
    int64_t start_ns, end_ns;
    int is_start_open, is_end_open; /* ranges of such a track may cross it */
};

struct rln__time_ranges {
    struct rln__time_range *items; /* owned */
    size_t n, capacity;
};

/* Adds the words in `text`. RLN_ERR_ARGUMENT names the word that is wrong. */
rln_status rln__time_ranges_add(struct rln__time_ranges *times, const char *text,
                                rln_error *err);
int rln__time_ranges_have(const struct rln__time_ranges *times, int64_t start_ns,
                          int64_t end_ns);
void rln__time_ranges_clear(struct rln__time_ranges *times);

#endif
