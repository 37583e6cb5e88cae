/* SPDX-License-Identifier: Apache-2.0 */
/* names_chunk.h - writes records of names: docs/FORMAT.md 6. Cold, signals blocked. */
#ifndef RLN_COLLECT_NAMES_CHUNK_H
#define RLN_COLLECT_NAMES_CHUNK_H

#include "collect/collector.h"

/* Room for a record of `n_words`, a hole until the first word is stored; NULL if there
 * is none. Any thread of the process, side by side. */
uint64_t *rln__names_take(struct rln__process *p, size_t n_words);

/* Stores the word that announces a record whose operands are in place. */
void rln__names_put(uint64_t *at, enum rln__name_sub sub, size_t n_words);

/* Writes a string record with a fresh id. Returns where its text lies in the file, or
 * NULL: {id, length} stand before it, see rln__string_id(). */
const char *rln__names_string(struct rln__process *p, const char *text, size_t n_bytes);

/* A note about the process. */
void rln__names_note(struct rln__process *p, const char *key, const char *value,
                     size_t n_bytes);

/* A string that was written: its id and its length stand before its text. */
static inline uint32_t rln__string_id(const char *text)
{
    return text ? ((const uint32_t *)(const void *)text)[-2] : 0;
}

static inline uint32_t rln__string_length(const char *text)
{
    return text ? ((const uint32_t *)(const void *)text)[-1] : 0;
}

#endif
