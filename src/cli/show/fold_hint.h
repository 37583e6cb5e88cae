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
    bool is_given;
};

void rln__fold_hint_add(struct rln__fold_hint *hint, rln_text name);

/* How many names are left, if that is worthwhile: of 20 or more, at most a quarter.
 * Else 0. */
size_t rln__fold_hint_names(const struct rln__fold_hint *hint);

/* Whether numbers alone make a list too long to look at: of 1,000 names or more, at
 * most a tenth are left. */
bool rln__fold_hint_is_strong(const struct rln__fold_hint *hint);

/* Notes it, if that is worthwhile and the hint was not given elsewhere. */
void rln__fold_hint_note(const struct rln__fold_hint *hint);
void rln__fold_hint_clear(struct rln__fold_hint *hint);

#endif
