/* SPDX-License-Identifier: Apache-2.0 */
#include "export/row_text_cache.h"
#include "base/alloc.h"

/* Longer texts are rare, and mostly cost their copy. */
#define MOST_BYTES 4096u

void rln__row_text_cache_keep(struct rln__row_text_cache *s,
                              const struct rln__row_text_cache_key *key,
                              const struct rln__buf *out, size_t begin)
{
    struct rln__row_text_cache_slot *slot;

    if (out->has_failed || out->length - begin > MOST_BYTES)
        return;
    if (!s->slots)
        s->slots = rln__alloc(RLN__ROW_TEXT_CACHE_SLOTS, sizeof(*s->slots));
    if (!s->slots)
        return;
    slot = rln__row_text_cache_at(s, key);
    slot->key = *key;
    slot->text.length = 0;
    if (rln__buf_room(&slot->text, out->length - begin + RLN__ROW_TEXT_CACHE_BLOCK))
        rln__buf_add(&slot->text, out->bytes + begin, out->length - begin);
}

void rln__row_text_cache_clear(struct rln__row_text_cache *s)
{
    for (size_t i = 0; s->slots && i < RLN__ROW_TEXT_CACHE_SLOTS; i++)
        rln__buf_clear(&s->slots[i].text);
    rln__free(s->slots);
    s->slots = NULL;
}
