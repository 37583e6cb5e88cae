/* SPDX-License-Identifier: Apache-2.0 */
#include "format/identity.h"

#include <string.h>

#include "base/whole_io.h"

/* Generous bounds for the rates of processor counters and of clocks in nanoseconds. */
#define LEAST_TICKS_PER_S 1000000u
#define MOST_TICKS_PER_S 100000000000u
#define SHORT_NS 1000000
#define SHORT_TICKS (SHORT_NS * 100)

int rln__identity_is_sound(const struct rln__superblock *super)
{
    return memcmp(super->magic, RLN__MAGIC, sizeof(super->magic)) == 0 &&
           super->superblock_bytes == RLN__SUPERBLOCK_BYTES && super->trace_id != 0 &&
           super->major != 0;
}

static int is_known_chunk(const struct rln__chunk_header *h)
{
    return rln__is_chunk(h) && h->trace_id != 0 && h->kind >= RLN__CHUNK_EVENTS &&
           h->kind <= RLN__CHUNK_LAST;
}

/* Whether both clocks advanced between the tuple and the chunk, in the same direction
 * and at a plausible rate. The time of day is not compared, because `merge --align` may
 * have corrected it. */
static int agrees(const struct rln__clock_tuple *tuple,
                  const struct rln__chunk_header *h)
{
    const double ticks = (double)(int64_t)(h->base_ticks - tuple->ticks);
    const double ns = (double)(int64_t)(h->base_monotonic_ns - tuple->monotonic_ns);

    /* Over short times the uncertainty of both tuples dominates. */
    if (ns > -SHORT_NS && ns < SHORT_NS)
        return ticks > -SHORT_TICKS && ticks < SHORT_TICKS;
    return ticks / ns > LEAST_TICKS_PER_S * 1e-9 &&
           ticks / ns < MOST_TICKS_PER_S * 1e-9;
}

static int correct_clock(struct rln__superblock *s, const struct rln__chunk_header *h)
{
    int is_wrong = 0;

    for (size_t i = 0; i < 2; i++) {
        if (agrees(&s->created[i], h))
            continue;
        s->created[i] = (struct rln__clock_tuple){
            .ticks = h->base_ticks,
            .monotonic_ns = h->base_monotonic_ns,
            .realtime_ns = h->base_realtime_ns,
            .uncertainty_ticks = (uint64_t)h->uncertainty_16ticks * 16,
        };
        is_wrong = 1;
    }
    if (s->ticks_per_s &&
        (s->ticks_per_s < LEAST_TICKS_PER_S || s->ticks_per_s > MOST_TICKS_PER_S)) {
        s->ticks_per_s = 0;
        is_wrong = 1;
    }
    return is_wrong;
}

static int correct(struct rln__superblock *s, const struct rln__chunk_header *h)
{
    int is_wrong = 0;

    if (!rln__identity_is_sound(s) && s->major != RLN__MAJOR) {
        s->major = RLN__MAJOR;
        s->minor = RLN__MINOR;
    }
    if (!rln__identity_is_sound(s) || s->trace_id != h->trace_id) {
        memcpy(s->magic, RLN__MAGIC, sizeof(s->magic));
        s->superblock_bytes = RLN__SUPERBLOCK_BYTES;
        s->trace_id = h->trace_id;
        is_wrong = 1;
    }
    return correct_clock(s, h) || is_wrong;
}

int rln__identity_read(int fd, uint64_t offset, struct rln__superblock *out,
                       int *is_damaged)
{
    struct rln__chunk_header header;
    int result = rln__read_at(fd, offset, out, sizeof(*out), NULL);

    *is_damaged = 0;
    if (result < 0)
        return result;
    result =
        rln__read_at(fd, offset + RLN__SUPERBLOCK_BYTES, &header, sizeof(header), NULL);
    /* The contents of a newer version are unknown. */
    if (result == 0 && is_known_chunk(&header) &&
        (!rln__identity_is_sound(out) || out->major == RLN__MAJOR))
        *is_damaged = correct(out, &header);
    return result;
}
