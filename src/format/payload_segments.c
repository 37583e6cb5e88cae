/* SPDX-License-Identifier: Apache-2.0 */
#include "format/payload_segments.h"
#include "base/alloc.h"

#include <string.h>

#define EVENT_WORDS 3   /* the long word, ticks, {kind, flags, n_payloads, id} */
#define IN_LINE_WORDS 3 /* before the text */

size_t rln__payloads_begin(const uint64_t *words, size_t n_words)
{
    size_t at = EVENT_WORDS;
    uint64_t n_text_words;
    unsigned flags;

    if (n_words < EVENT_WORDS)
        return 0;
    flags = (unsigned)(words[2] >> 8) & 255;
    if (flags & RLN__EVENT_HAS_VALUE)
        at++;
    if (flags & RLN__EVENT_IN_LINE) {
        if (n_words < at + IN_LINE_WORDS)
            return 0;
        n_text_words = ((uint64_t)(uint32_t)words[at + 2] + 7) / 8;
        at += IN_LINE_WORDS;
        if (n_text_words > n_words - at)
            return 0;
        at += (size_t)n_text_words;
    }
    return at <= n_words ? at : 0;
}

int rln__payload_segments_read(struct rln__payload_segments *segments,
                               const uint64_t *words, size_t n_words,
                               uint64_t n_payloads)
{
    size_t at = 0;

    segments->n = 0;
    segments->n_payloads = 0;
    while (at < n_words) {
        struct rln__segment segment;
        struct rln__payload_segment *item;
        uint64_t n_byte_words;

        if (n_words - at < RLN__SEGMENT_WORDS)
            return 1;
        memcpy(&segment, words + at, sizeof(segment));
        at += RLN__SEGMENT_WORDS;
        n_byte_words = ((uint64_t)segment.n_kept + 7) / 8;
        if (n_byte_words > n_words - at)
            return 1;
        item = rln__append(&segments->items, &segments->n, &segments->capacity,
                           sizeof(*item));
        if (!item)
            return -1;
        *item = (struct rln__payload_segment){(const uint8_t *)(words + at),
                                              segment.schema, segment.address,
                                              segment.n_kept, segment.n_given};
        at += (size_t)n_byte_words;
    }
    if (segments->n < n_payloads)
        return 1;
    segments->n_payloads = (size_t)n_payloads;
    return 0;
}

void rln__payload_segments_clear(struct rln__payload_segments *segments)
{
    rln__free(segments->items);
    memset(segments, 0, sizeof(*segments));
}
