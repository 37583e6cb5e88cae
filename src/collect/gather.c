/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/gather.h"

#include "collect/peek.h"
#include "collect/schema.h"

enum {
    MAX_SEGMENTS = 1024,
    SPARE_BYTES = MAX_SEGMENTS * (sizeof(struct rln__segment) + 8),
};

static uint32_t saturated(size_t n_bytes)
{
    return n_bytes < RLN__GIVEN_UNKNOWN ? (uint32_t)n_bytes : RLN__GIVEN_UNKNOWN - 1;
}

/* Moves what there is to a mapping that holds whatever the bound allows. */
static int grow(struct rln__segments *s)
{
    const size_t n_bytes = rln__collector.config.payload_bytes + SPARE_BYTES;
    uint64_t *words;

    if (s->mapping_bytes)
        return 0;
    words = rln__sys_zeros(n_bytes);
    if (!words)
        return 0;
    for (size_t i = 0; i < s->n_words; i++)
        words[i] = s->near[i];
    s->words = words;
    s->n_room = n_bytes / 8;
    s->mapping_bytes = n_bytes;
    return 1;
}

/* The bytes behind the last whole one are zero. */
static void pad(uint64_t *words, size_t n_bytes)
{
    while (n_bytes % 8)
        ((char *)words)[n_bytes++] = 0;
}

const char *rln__segments_add(struct rln__segments *s, uint64_t schema,
                              const void *from, size_t n_bytes, uint32_t n_given,
                              size_t *n_kept)
{
    const size_t bound = n_bytes < s->bytes_left ? n_bytes : s->bytes_left;
    const size_t need = s->n_words + RLN__SEGMENT_WORDS + (bound + 7) / 8;
    struct rln__segment *segment;
    char *bytes;

    *n_kept = 0;
    if (need > s->n_room && (!grow(s) || need > s->n_room)) {
        s->n_cut++;
        return NULL;
    }
    segment = (struct rln__segment *)(void *)&s->words[s->n_words];
    bytes = (char *)(segment + 1);
    *n_kept = rln__peek_often(bytes, from, bound);
    s->n_unread += *n_kept < bound;
    s->n_cut += bound < n_bytes;
    *segment = (struct rln__segment){schema, (uint64_t)(uintptr_t)from,
                                     (uint32_t)*n_kept, n_given};
    pad((uint64_t *)(void *)bytes, *n_kept);
    s->n_words += RLN__SEGMENT_WORDS + (*n_kept + 7) / 8;
    s->bytes_left -= *n_kept;
    return bytes;
}

/* How large a payload is whose size the call left to us: 0 if nobody can tell. */
static size_t size_of(uint32_t domain, const struct rln__payload_data *d, size_t most)
{
    const size_t character = rln__character_bytes(d->schema);
    const size_t length =
        character ? rln__peek_length(d->payload, character, most / character) : 0;

    return character ? length * character : rln__schema_bytes(domain, d->schema);
}

static void begin(struct rln__segments *s, uint32_t domain)
{
    s->words = s->near;
    s->n_room = RLN_COUNT(s->near);
    s->n_words = s->mapping_bytes = 0;
    s->n_payloads = s->n_cut = s->n_unread = 0;
    s->domain = domain;
    s->bytes_left = rln__collector.config.payload_bytes;
    s->work_left = RLN__FOLLOWING_WORK;
}

static int add_payload(struct rln__segments *s, const struct rln__payload_data *d)
{
    const int is_open = d->size == SIZE_MAX;
    const size_t size = is_open ? size_of(s->domain, d, s->bytes_left) : d->size;
    size_t n_kept;

    s->n_unread += is_open && size == 0;
    return rln__segments_add(s, d->schema, d->payload, size,
                             is_open ? RLN__GIVEN_UNKNOWN : saturated(size),
                             &n_kept) != NULL;
}

void rln__segments_gather(struct rln__segments *s, uint32_t domain,
                          const struct rln__payload_data *data, size_t n_data)
{
    enum { MOST = 256 };
    size_t at = 0;

    begin(s, domain);
    while (s->n_payloads < n_data && s->n_payloads < MOST) {
        struct rln__payload_data d;

        if (rln__peek_often(&d, &data[s->n_payloads], sizeof d) != sizeof d ||
            !add_payload(s, &d))
            break;
        s->n_payloads++;
    }
    s->n_cut += s->n_payloads < n_data;
    for (uint32_t i = 0; i < s->n_payloads; i++) {
        const struct rln__segment *segment = rln__segment_at(s, at);
        const size_t next = at + RLN__SEGMENT_WORDS + (segment->n_kept + 7) / 8;

        rln__schema_follow(s, at, segment->schema);
        at = next;
    }
    if (s->n_cut)
        rln__count(n_payloads_cut, 1);
    if (s->n_unread)
        rln__count(n_payloads_unread, 1);
}

void rln__segments_clear(struct rln__segments *s)
{
    if (s->mapping_bytes)
        rln__sys_munmap(s->words, s->mapping_bytes);
}
