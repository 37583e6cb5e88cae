/* SPDX-License-Identifier: Apache-2.0 */
/* shared_chunk.h - writes records of names and of deferred events
 * (docs/reference/FORMAT.md 6 and 7) into chunks that all threads of the process share.
 * Cold; with signals blocked. */
#ifndef RLN_COLLECT_EVENT_SHARED_CHUNK_H
#define RLN_COLLECT_EVENT_SHARED_CHUNK_H

#include "collect/collector.h"

/* A reserved slot; it is a hole until its first word is stored. */
struct rln__shared_room {
    uint64_t *at; /* NULL: there is none */
    struct rln__block *block;
};

/* Reserves `n_words`. Threads of the process may do so concurrently. `shared` is the
 * process's `names`, `statements` or `deferred`. */
struct rln__shared_room rln__shared_take(struct rln__process_context *p,
                                         struct rln__shared *shared, size_t n_words);

static inline uint64_t *rln__names_take(struct rln__process_context *p, size_t n_words)
{
    return rln__shared_take(p, &p->names, n_words).at;
}

/* Returns the last `n_words` of a slot, which begin at `at`; if other threads have
 * reserved slots after it meanwhile, leaves a hole instead. */
void rln__shared_give_back(struct rln__shared *shared, uint64_t *at, size_t n_words);

/* Stores the word that announces a record whose operands are in place; sub-kind 0 makes
 * it a hole. */
void rln__names_put(uint64_t *at, unsigned sub, size_t n_words);

/* Writes a string record with a new id. Returns its text in the mapped file, or NULL.
 * {id, length} precede the text: rln__string_id(). */
const char *rln__names_append_string(struct rln__process_context *p, const char *text,
                                     size_t n_bytes);

/* The same for a list of semantics, whose bytes are whole words. */
const char *rln__names_semantics(struct rln__process_context *p, const char *words,
                                 size_t n_bytes);

/* Writes a note about the process. */
void rln__names_note(struct rln__process_context *p, const char *key, const char *value,
                     size_t n_bytes);

/* The id of a written string: {id, length} precede its text. */
static inline uint32_t rln__string_id(const char *text)
{
    return text ? ((const uint32_t *)(const void *)text)[-2] : 0;
}

#endif
