/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h - which word a misspelled one may be. */
#ifndef RLN_CONSOLE_NEAREST_H
#define RLN_CONSOLE_NEAREST_H

#include <stddef.h>

#define RLN__MOST_WORD 31 /* a longer word is no misspelling of ours */

/* The word of `words` that is nearest to `word`, or NULL if none is near. */
const char *rln__nearest(const char *word, const char *const *words, size_t n_words);

#endif
