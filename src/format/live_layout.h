/* SPDX-License-Identifier: Apache-2.0 */
/* live_layout.h - the chunks of files, of which some may grow while they are looked
 * through.
 *
 *   looked at    [A0][  ][B0]...            chunk 1 of A has no header yet,
 *   meanwhile    [A0][A1][B0][A2]
 *   found        [A0]    [B0][A2]           and A is missing what lies between
 *
 * A thread's chunks are numbered. Where one is missing below another, the files are
 * looked through once more: whatever was begun before what the first look has found is
 * there by then. What is newer than that is left for the next look, for it may have
 * such a gap itself.
 */
#ifndef RLN_FORMAT_LIVE_LAYOUT_H
#define RLN_FORMAT_LIVE_LAYOUT_H

#include "format/chunk_reader.h"

/* What is in `files`, whose sizes are looked at anew. `*out` is zeroed, and the caller
 * clears it, also on failure. */
rln_status rln__layout_find(struct rln__layout *out, struct rln__input **files,
                            size_t n_files, rln_error *err);

#endif
