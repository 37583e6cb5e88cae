/* SPDX-License-Identifier: Apache-2.0 */
/* key_index.h - numbers keys of several words, such as the rows of a report.
 *
 *   {domain, message, field, ...}  -->  0, 1, 2, ...
 *
 * The reader stores each text once, so a key has the text's address.
 */
#ifndef RLN_BASE_KEY_INDEX_H
#define RLN_BASE_KEY_INDEX_H

#include "base/hash.h"
#include "rangeline/error.h"

#include <string.h>

#define RLN__KEY_WORDS 4

struct rln__key {
    uint64_t words[RLN__KEY_WORDS];
};

struct rln__key_index_entry {
    struct rln__key key;
    uint32_t next; /* next entry with the same hash, + 1 */
};

struct rln__key_index {
    struct rln__map by_hash;              /* -> first entry with the hash, + 1 */
    struct rln__key_index_entry *entries; /* owned */
    size_t n, capacity;
};

static inline int rln__key_is(const struct rln__key *key, const struct rln__key *other)
{
    return !((key->words[0] ^ other->words[0]) | (key->words[1] ^ other->words[1]) |
             (key->words[2] ^ other->words[2]) | (key->words[3] ^ other->words[3]));
}

/* The number of a key; a new key gets the next one. UINT32_MAX when there is no memory.
 */
uint32_t rln__key_index_number(struct rln__key_index *index,
                               const struct rln__key *key);
void rln__key_index_clear(struct rln__key_index *index);

/* Extends an array by zeroed items up to that of `number`. */
void *rln__key_index_add(void *array, size_t *n, size_t *capacity, uint32_t number,
                         size_t item_bytes);

/* The item of a number in an array with one item per number. If the number is new, the
 * array and `*n` grow by zeroed items. `array` is the address of the pointer to the
 * items. NULL when there is no memory, or if `number` is UINT32_MAX. */
static inline void *rln__key_index_item(void *array, size_t *n, size_t *capacity,
                                        uint32_t number, size_t item_bytes)
{
    char *items;

    if (number >= *n)
        return rln__key_index_add(array, n, capacity, number, item_bytes);
    memcpy(&items, array, sizeof(items));
    return items + number * item_bytes;
}

/* Missing and empty text are the same. */
static inline uint64_t rln__key_of_text(rln_text text)
{
    return text.length ? (uint64_t)(uintptr_t)text.bytes : 0;
}

static inline int rln__text_is(rln_text text, const char *words)
{
    return text.length == strlen(words) &&
           (!text.length || memcmp(text.bytes, words, text.length) == 0);
}

/* Compares bytes; missing text sorts first. */
int rln__compare_text(rln_text a, rln_text b);

#endif
