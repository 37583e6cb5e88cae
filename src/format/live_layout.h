/* SPDX-License-Identifier: Apache-2.0 */
/* live_layout.h - finds the chunks of files that may grow meanwhile.
 *
 *   scanned      [A0][  ][B0]...            chunk 1 of A has no header yet
 *   meanwhile    [A0][A1][B0][A2]
 *   found        [A0]    [B0][A2]           A lacks chunk 1
 *
 * A thread's chunks are numbered. If one is missing below another, the files are
 * scanned again: a chunk that was begun before one that the first scan found is present
 * by then. Newer chunks are left for the next refresh, because one may be missing below
 * them, too.
 */
#ifndef RLN_FORMAT_LIVE_LAYOUT_H
#define RLN_FORMAT_LIVE_LAYOUT_H

#include "format/chunk_reader.h"

/* Finds the parts and chunks of `files`, and updates their sizes. `*out` must be
 * zeroed; the caller clears it, also on failure. */
rln_status rln__layout_find(struct rln__layout *out, struct rln__input **files,
                            size_t n_files, rln_error *err);

#endif
