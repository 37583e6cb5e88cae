/* SPDX-License-Identifier: Apache-2.0 */
/* compared_side.h - a side of `rangeline diff`: traces, or files of sums that stand for
 * them where the traces themselves are too large to keep. */
#ifndef RLN_CLI_INPUTS_COMPARED_SIDE_H
#define RLN_CLI_INPUTS_COMPARED_SIDE_H

#include "cli/inputs/input_traces.h"

struct rln__compared_side {
    struct rln__input_traces traces; /* without a reader, if there are sums */
    struct rln__reduced **sums;      /* owned, as each is: a run each; NULL: traces */
    size_t n_sums;
    const char *name; /* borrowed: what to call the side in a message */
};

/* Opens the files, whose names it takes, with the filter options from `filters` on.
 * Sums must have been made with the same. Exits with a message if that fails. */
void rln__compared_side_open(struct rln__compared_side *side,
                             struct rln__file_names *files,
                             const struct rln__args *args, unsigned filters);

/* Adds it to a comparison, as RLN__DIFF_BEFORE or RLN__DIFF_AFTER. Exits 1 with a
 * message if that fails. */
void rln__compared_side_add(const struct rln__compared_side *side,
                            struct rln__diff *diff, int which);

/* Notes what the traces or the sums lack. */
void rln__compared_side_note_losses(const struct rln__compared_side *side);

void rln__compared_side_close(struct rln__compared_side *side);

#endif
