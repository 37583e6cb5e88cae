/* SPDX-License-Identifier: Apache-2.0 */
/* row_text_cache.h - caches the text that lines of output have in common.
 *
 *     push_pop,1200,1800,600,|4711,4712,,,train,main,io,7,disk,#ff00ff00,load,|,,0,,,
 *                            '---- same thread, same attributes: copied -----'
 *
 * Lines of one name differ in their times and little else, and copying a hundred bytes
 * costs less than formatting one number. The table has few slots: a newcomer replaces
 * the entry in its slot.
 */
#ifndef RLN_EXPORT_ROW_TEXT_CACHE_H
#define RLN_EXPORT_ROW_TEXT_CACHE_H

#include "base/buf.h"
#include "base/hash.h"
#include "rangeline/model.h"

#define RLN__ROW_TEXT_CACHE_WORDS 6
#define RLN__ROW_TEXT_CACHE_SLOTS 256u /* a power of two */
#define RLN__ROW_TEXT_CACHE_BLOCK                                                      \
    32u /* texts are copied in such blocks; so long is each */

/* Everything that determines the text. The reader keeps each text once, so an address
 * identifies it. */
struct rln__row_text_cache_key {
    uint64_t words[RLN__ROW_TEXT_CACHE_WORDS];
};

struct rln__row_text_cache_slot {
    struct rln__row_text_cache_key key;
    struct rln__buf text; /* empty: a free slot; a block of space follows it */
};

/* Zeroed: empty. */
struct rln__row_text_cache {
    struct rln__row_text_cache_slot *slots; /* owned */
};

/* Of attributes, except the payload; `what` is the caller's, to distinguish texts. */
static inline struct rln__row_text_cache_key
rln__row_text_cache_key(const rln_attributes *with, uint32_t process, uint32_t thread,
                        uint32_t tid, uint32_t what)
{
    return (struct rln__row_text_cache_key){
        {(uint64_t)(uintptr_t)with->message.bytes,
         (uint64_t)(uintptr_t)with->category_name.bytes,
         (uint64_t)with->domain << 32 | with->category,
         (uint64_t)with->color << 32 | process, (uint64_t)thread << 32 | tid,
         (uint64_t)what << 1 | (with->has_color != 0)}};
}

/* No word waits for the one before it, and words that are known to be 0 cost nothing.
 */
static inline struct rln__row_text_cache_slot *
rln__row_text_cache_at(const struct rln__row_text_cache *s,
                       const struct rln__row_text_cache_key *key)
{
    static const uint64_t odd[RLN__ROW_TEXT_CACHE_WORDS] = {
        0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu,
        0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u, 0xd6e8feb86659fd93u};
    uint64_t hash = 0;

#pragma GCC unroll 6
    for (size_t i = 0; i < RLN__ROW_TEXT_CACHE_WORDS; i++)
        hash += key->words[i] * odd[i];
    return &s->slots[hash >> 56 & (RLN__ROW_TEXT_CACHE_SLOTS - 1)];
}

/* Appends the text cached for this key; 0 if there is none. */
static inline int rln__row_text_cache_add(const struct rln__row_text_cache *s,
                                          const struct rln__row_text_cache_key *key,
                                          struct rln__buf *out)
{
    const struct rln__row_text_cache_slot *slot;
    uint64_t differs = 0;
    char *at;

    if (!s->slots)
        return 0;
    slot = rln__row_text_cache_at(s, key);
#pragma GCC unroll 6
    for (size_t i = 0; i < RLN__ROW_TEXT_CACHE_WORDS; i++)
        differs |= slot->key.words[i] ^ key->words[i];
    if (differs || !slot->text.length)
        return 0;
    at = rln__buf_room(out, slot->text.length + RLN__ROW_TEXT_CACHE_BLOCK);
    if (!at)
        return 1;
    for (size_t i = 0; i < slot->text.length; i += RLN__ROW_TEXT_CACHE_BLOCK)
        memcpy(at + i, slot->text.bytes + i, RLN__ROW_TEXT_CACHE_BLOCK);
    out->length += slot->text.length;
    return 1;
}

/* Caches the text in `out` from `begin` on. Without memory it is formatted again. */
void rln__row_text_cache_keep(struct rln__row_text_cache *text_cache,
                              const struct rln__row_text_cache_key *key,
                              const struct rln__buf *out, size_t begin);
void rln__row_text_cache_clear(struct rln__row_text_cache *text_cache);

#endif
