/* SPDX-License-Identifier: Apache-2.0 */
/* read_all.h - asks a trace everything that the library can say about it. Used where it
 * only matters that nothing breaks: damage, failing memory, fuzzing. */
#ifndef RLN_TESTS_READ_ALL_H
#define RLN_TESTS_READ_ALL_H

#include "rangeline/rangeline.h"

/* Returns the first failure, which only memory and the disk may cause. */
static inline rln_status read_all(const char *const *paths, size_t n_paths,
                                  rln_error *err)
{
    rln_reader *reader;
    rln_ranges *ranges = NULL;
    rln_info *info = NULL;
    rln_stats *stats = NULL;
    rln_tree *tree = NULL;
    const rln_range *range;
    rln_status status = rln_reader_open(paths, n_paths, &reader, err);

    if (status)
        return status;
    status = rln_ranges_open(reader, &ranges, err);
    while (!status)
        status = rln_ranges_next(ranges, &range, err);
    if (status == RLN_END)
        status = rln_info_open(reader, &info, err);
    if (!status)
        status = rln_stats_new(reader, &stats, err);
    if (!status)
        status = rln_tree_new(reader, &tree, err);
    if (!status)
        status = rln_reader_refresh(reader, err);
    rln_ranges_close(ranges);
    rln_info_close(info);
    rln_stats_free(stats);
    rln_tree_free(tree);
    rln_reader_close(reader);
    return status;
}

#endif
