/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_paths_file.h - paths in the file: parents first, then by name; their rows by
 * origin. */
#ifndef RLN_REDUCE_REDUCED_PATHS_FILE_H
#define RLN_REDUCE_REDUCED_PATHS_FILE_H

#include "reduce/reduced_paths.h"

void rln__reduced_paths_put(void *paths, struct rln__reduced_orders *orders,
                            struct rln__buf *out);
void rln__reduced_paths_read(void *paths, struct rln__reduced_cursor *cursor);

#endif
