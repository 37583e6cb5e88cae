/* SPDX-License-Identifier: Apache-2.0 */
#include "export/row_text_cache.h"
#include "base/alloc.h"

/* Longer texts are rare, and mostly cost their copy. */
#define MOST_BYTES 4096u

void rln__row_text_cache_keep(struct rln__row_text_cache *s,
                              const struct rln__row_text_cache_key *key,
                              const struct rln__buf *out, size_t begin)
{
    struct rln__row_text_cache_place *place;

    if (out->has_failed || out->length - begin > MOST_BYTES)
        return;
    if (!s->places)
        s->places = rln__alloc(RLN__ROW_TEXT_CACHE_PLACES, sizeof(*s->places));
    if (!s->places)
        return;
    place = rln__row_text_cache_at(s, key);
    place->key = *key;
    place->text.length = 0;
    if (rln__buf_room(&place->text, out->length - begin + RLN__ROW_TEXT_CACHE_BLOCK))
        rln__buf_add(&place->text, out->bytes + begin, out->length - begin);
}

void rln__row_text_cache_clear(struct rln__row_text_cache *s)
{
    for (size_t i = 0; s->places && i < RLN__ROW_TEXT_CACHE_PLACES; i++)
        rln__buf_clear(&s->places[i].text);
    rln__free(s->places);
    s->places = NULL;
}
