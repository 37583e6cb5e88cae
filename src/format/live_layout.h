/* SPDX-License-Identifier: Apache-2.0 */
/* live_layout.h - the chunks of files, some of which may grow while we look.
 *
 *   looked at    [A0][  ][B0]...            chunk 1 of A has no header yet,
 *   meanwhile    [A0][A1][B0][A2]
 *   found        [A0]    [B0][A2]           and A lacks what lies between
 *
 * A thread's chunks are numbered. If one is missing below another, the files are read
 * once more: whatever was begun before something that the first look found is there by
 * then. Newer chunks are left for the next look, as they may have such a gap
 * themselves.
 */
#ifndef RLN_FORMAT_LIVE_LAYOUT_H
#define RLN_FORMAT_LIVE_LAYOUT_H

#include "format/chunk_reader.h"

/* Finds what is in `files`, and updates their sizes. `*out` must be zeroed; the caller
 * clears it, also on failure. */
rln_status rln__layout_find(struct rln__layout *out, struct rln__input **files,
                            size_t n_files, rln_error *err);

#endif
