/* SPDX-License-Identifier: Apache-2.0 */
/* fold_hint.h - finds out whether names differ only in numbers, so that --fold-numbers
 * would shorten a long list. */
#ifndef RLN_CLI_SHOW_FOLD_HINT_H
#define RLN_CLI_SHOW_FOLD_HINT_H

#include "base/buf.h"
#include "base/hash.h"
#include "rangeline/error.h"

#include <stdbool.h>

/* Zeroed, it has seen no name. */
struct rln__fold_hint {
    struct rln__map folded; /* hashes of names without their numbers */
    struct rln__buf name;   /* owned */
    size_t n_names;
};

void rln__fold_hint_add(struct rln__fold_hint *foldable, rln_text name);

/* Notes it, if that is worthwhile: of 20 or more names, at most a quarter is left. */
void rln__fold_hint_note(const struct rln__fold_hint *foldable);
void rln__fold_hint_clear(struct rln__fold_hint *foldable);

#endif
