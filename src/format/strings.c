/* SPDX-License-Identifier: Apache-2.0 */
#include "format/strings.h"
#include "base/alloc.h"

#include <string.h>

#define BLOCK_BYTES 65536u

struct rln__text_block {
    struct rln__text_block *next;
    size_t used, size;
    char bytes[];
};

/* Reserves bytes that never move. Long texts get a block of their own, behind the
 * current one in the list. */
static char *reserve(struct rln__strings *strings, size_t length)
{
    struct rln__text_block *block = strings->block;

    if (!block || length > block->size - block->used) {
        const size_t size = length > BLOCK_BYTES / 4 ? length : BLOCK_BYTES;

        block = rln__alloc(1, sizeof(*block) + size);
        if (!block)
            return NULL;
        block->size = size;
        if (size == BLOCK_BYTES || !strings->block) {
            block->next = strings->block;
            strings->block = block;
        } else {
            block->next = strings->block->next;
            strings->block->next = block;
        }
    }
    block->used += length;
    return block->bytes + block->used - length;
}

static uint32_t append(struct rln__strings *strings, const char *bytes, size_t length)
{
    char *copy;
    rln_text *texts;

    if (strings->n >= UINT32_MAX || strings->is_fixed)
        return 0;
    texts =
        rln__grow(strings->texts, &strings->capacity, strings->n + 2, sizeof(*texts));
    if (!texts)
        return 0;
    strings->texts = texts;
    copy = reserve(strings, length ? length : 1);
    if (!copy)
        return 0;
    if (length)
        memcpy(copy, bytes, length);
    if (strings->n == 0)
        texts[strings->n++] = (rln_text){NULL, 0};
    texts[strings->n] = (rln_text){copy, length};
    return (uint32_t)strings->n++;
}

/* The number of a text, or 0, and the key that it has or would have. Texts with
 * colliding hashes have the next keys. */
static uint32_t find(const struct rln__strings *strings, const char *bytes,
                     size_t length, uint64_t *key)
{
    for (*key = rln__hash_bytes(bytes, length);; ++*key) {
        const uint64_t found = rln__map_get(&strings->by_hash, *key);
        const rln_text *text;

        if (!found)
            return 0;
        text = &strings->texts[found];
        if (text->length == length &&
            (length == 0 || !memcmp(text->bytes, bytes, length)))
            return (uint32_t)found;
    }
}

uint32_t rln__strings_find(const struct rln__strings *strings, const char *bytes,
                           size_t length)
{
    uint64_t key;

    return find(strings, bytes, length, &key);
}

uint32_t rln__strings_add(struct rln__strings *strings, const char *bytes,
                          size_t length)
{
    uint64_t key;
    uint32_t number = find(strings, bytes, length, &key);

    if (number)
        return number;
    number = append(strings, bytes, length);
    if (number && rln__map_put(&strings->by_hash, key, number))
        return 0;
    return number;
}

void rln__strings_clear(struct rln__strings *strings)
{
    while (strings->block) {
        struct rln__text_block *next = strings->block->next;

        rln__free(strings->block);
        strings->block = next;
    }
    rln__map_clear(&strings->by_hash);
    rln__free(strings->texts);
    memset(strings, 0, sizeof(*strings));
}
