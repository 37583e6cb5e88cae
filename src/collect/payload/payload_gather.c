/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/payload/payload_gather.h"

#include "collect/event/safe_read.h"
#include "collect/payload/schema.h"
#include "format/nvtx_payload.h"

enum {
    MAX_SEGMENTS = 1024,
    SPARE_BYTES = MAX_SEGMENTS * (sizeof(struct rln__segment) + 8),
};

static uint32_t saturated(size_t n_bytes)
{
    return n_bytes < RLN__GIVEN_UNKNOWN ? (uint32_t)n_bytes : RLN__GIVEN_UNKNOWN - 1;
}

/* Moves the segments to a mapping large enough for the event's limit. */
static int grow(struct rln__payload_gather *s)
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

/* Zeros the rest of the last word. */
static void pad(uint64_t *words, size_t n_bytes)
{
    while (n_bytes % 8)
        ((char *)words)[n_bytes++] = 0;
}

const char *rln__payload_gather_add(struct rln__payload_gather *s, uint64_t schema,
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
    *n_kept = rln__safe_read_often(bytes, from, bound);
    s->n_unread += *n_kept < bound;
    s->n_cut += bound < n_bytes;
    *segment = (struct rln__segment){schema, (uint64_t)(uintptr_t)from,
                                     (uint32_t)*n_kept, n_given};
    pad((uint64_t *)(void *)bytes, *n_kept);
    s->n_words += RLN__SEGMENT_WORDS + (*n_kept + 7) / 8;
    s->bytes_left -= *n_kept;
    return bytes;
}

/* The size of a payload, computed here if the call did not pass it. */
struct found {
    size_t size;
    uint32_t n_given;
};

/* A text ends at its zero. If that is beyond the limit, or beyond the memory, there is
 * at least one more character. */
static struct found find_text(const struct rln__payload_gather *s,
                              const struct rln__payload_data *d, size_t character)
{
    const size_t most = s->bytes_left / character;
    const size_t length = rln__safe_read_length(d->payload, character, most);
    const size_t size = length * character;

    return (struct found){size, length < most ? RLN__GIVEN_UNKNOWN
                                              : saturated(size + character)};
}

static struct found find_size(struct rln__payload_gather *s,
                              const struct rln__payload_data *d)
{
    const size_t character =
        rln__type_is_string(d->schema) ? rln__type_of(d->schema).size : 0;
    struct found found = {d->size, saturated(d->size)};

    if (d->size != SIZE_MAX)
        return found;
    if (character)
        return find_text(s, d, character);
    found = (struct found){rln__schema_bytes(s->domain, d->schema), RLN__GIVEN_UNKNOWN};
    s->n_unread += found.size == 0; /* unknown */
    return found;
}

static void begin(struct rln__payload_gather *s, uint32_t domain)
{
    s->words = s->near;
    s->n_room = RLN_COUNT(s->near);
    s->n_words = s->mapping_bytes = 0;
    s->n_payloads = s->n_cut = s->n_unread = 0;
    s->domain = domain;
    s->bytes_left = rln__collector.config.payload_bytes;
    s->work_left = RLN__FOLLOWING_WORK;
}

static int add_payload(struct rln__payload_gather *s, const struct rln__payload_data *d)
{
    const struct found found = find_size(s, d);
    size_t n_kept;

    if (!rln__payload_gather_add(s, d->schema, d->payload, found.size, found.n_given,
                                 &n_kept))
        return 0;
    s->n_cut += n_kept == found.size && found.n_given != RLN__GIVEN_UNKNOWN &&
                n_kept < found.n_given;
    return 1;
}

/* Adds a segment without a schema, which means that payloads are missing. */
static void add_missing(struct rln__payload_gather *s,
                        const struct rln__payload_data *d)
{
    size_t n_kept;

    if (rln__payload_gather_add(s, 0, d, 0, RLN__GIVEN_UNKNOWN, &n_kept))
        s->n_payloads++;
}

void rln__payload_gather_all(struct rln__payload_gather *s, uint32_t domain,
                             const struct rln__payload_data *data, size_t n_data)
{
    enum { MOST = 256 };

    begin(s, domain);
    while (s->n_payloads < n_data && s->n_payloads < MOST) {
        struct rln__payload_data d;

        if (rln__safe_read_often(&d, &data[s->n_payloads], sizeof d) != sizeof d) {
            s->n_unread++;
            break;
        }
        if (!add_payload(s, &d))
            break;
        s->n_payloads++;
    }
    s->n_cut += s->n_payloads == MOST && n_data > MOST;
    if (s->n_payloads < n_data)
        add_missing(s, &data[s->n_payloads]);
}

void rln__payload_gather_clear(struct rln__payload_gather *s)
{
    if (s->mapping_bytes)
        rln__sys_munmap(s->words, s->mapping_bytes);
}
