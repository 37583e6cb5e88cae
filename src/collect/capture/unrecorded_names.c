/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/capture/unrecorded_names.h"

#include "collect/event/intern.h"

enum { TEXT_AT = 3 }; /* after {domain key, style key, bytes} */

static size_t n_words_of(size_t n_bytes)
{
    return TEXT_AT + (n_bytes + 7) / 8;
}

/* The words of range `n`; NULL if it has no text. */
static uint64_t *words_of(struct rln__kept *kept, uint32_t n)
{
    const uint32_t name = kept->unrecorded[n] >> 32 ? 0 : kept->unrecorded_names[n];

    return name ? kept->unrecorded_texts + name - 1 : NULL;
}

/* The end of the texts of the first `n` ranges. */
static size_t end_of(struct rln__kept *kept, uint32_t n)
{
    const uint64_t *words = NULL;

    while (n > 0 && !words)
        words = words_of(kept, --n);
    return words ? (size_t)(words - kept->unrecorded_texts) + n_words_of(words[2]) : 0;
}

static uint32_t id_of(uint64_t domain_key, uint64_t style_key, const char *text,
                      size_t n_bytes)
{
    const struct rln__attributes *a =
        rln__intern_message(domain_key, style_key, text, n_bytes);

    return a ? a->shifted_id >> RLN__ID_SHIFT : 0;
}

/* A text that is too long to keep gets its row at once. */
void rln__unrecorded_name_keep(uint32_t n, const struct rln__gated_event *e)
{
    struct rln__kept *kept = rln__own_kept();
    const size_t at = end_of(kept, n);
    const uint64_t domain_key = rln__domain_key(e->domain, e->category);
    uint64_t *words = kept->unrecorded_texts + at;

    if (at + n_words_of(e->n_bytes) > RLN__UNRECORDED_TEXT_WORDS) {
        kept->unrecorded[n] = rln__pair32(
            e->domain, id_of(domain_key, e->style_key, e->text, e->n_bytes));
        return;
    }
    words[0] = domain_key;
    words[1] = e->style_key;
    words[2] = e->n_bytes;
    for (size_t i = 0; i < e->n_bytes; i++)
        ((char *)(words + TEXT_AT))[i] = e->text[i];
    /* A handler that lists the range before the next store finds no text. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    kept->unrecorded_names[n] = (uint32_t)at + 1;
}

uint64_t rln__unrecorded_range(uint32_t n)
{
    struct rln__kept *kept = rln__own_kept();
    const uint64_t *words = words_of(kept, n);

    if (!words)
        return kept->unrecorded[n];
    return rln__pair32(
        kept->unrecorded[n],
        id_of(words[0], words[1], (const char *)(words + TEXT_AT), words[2]));
}
