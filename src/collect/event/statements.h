/* SPDX-License-Identifier: Apache-2.0 */
/* statements.h - writes records about names into the chunks of statements, which
 * threads share: shared_chunk.h. Cold. */
#ifndef RLN_COLLECT_EVENT_STATEMENTS_H
#define RLN_COLLECT_EVENT_STATEMENTS_H

#include "collect/collector.h"

/* Writes a whole record about names, in any state and from any thread, with `n_words`
 * operands after its first word. 0 if there is no space; that is counted. */
int rln__names_append(enum rln__name_sub sub, const uint64_t *operands, size_t n_words);
#define rln__put_statement(sub, ...)                                                   \
    rln__names_append((sub), (const uint64_t[]){__VA_ARGS__},                          \
                      RLN_COUNT(((const uint64_t[]){__VA_ARGS__})))

#endif
