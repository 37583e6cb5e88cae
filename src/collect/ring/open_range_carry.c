/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/ring/open_range_carry.h"

#include "collect/event/intern.h"

enum { MASK = RLN__MOST_CONTINUED - 1, EVENT_WORDS = 3, RESUMED_WORDS = 4 };

_Static_assert((RLN__MOST_CONTINUED & MASK) == 0, "a power of two");

/* --- records of events ------------------------------------------------------------ */

/* Fields of a long event's {kind:8, flags:8, payloads:16, id:32}. */
static unsigned long_kind(const uint64_t *words)
{
    return (unsigned)words[2] & 255;
}

static unsigned long_flags(const uint64_t *words)
{
    return (unsigned)(words[2] >> 8) & 255;
}

static const uint64_t *in_line_of(const uint64_t *words)
{
    const unsigned flags = long_flags(words);

    return flags & RLN__EVENT_IN_LINE
               ? words + EVENT_WORDS + (flags & RLN__EVENT_HAS_VALUE ? 1 : 0)
               : NULL;
}

static uint32_t domain_of_id(uint32_t id)
{
    const struct rln__attributes *a = rln__attributes_at(id);

    return a ? (uint32_t)a->domain_key : 0;
}

/* The domain of a push's record. */
static uint32_t domain_of(const uint64_t *words)
{
    const uint64_t *in_line;

    if ((words[0] & 15) != RLN__LONG)
        return domain_of_id((uint32_t)(words[0] >> RLN__ID_SHIFT) & RLN__MAX_ID);
    in_line = in_line_of(words);
    return in_line ? (uint32_t)*in_line : domain_of_id((uint32_t)(words[2] >> 32));
}

/* --- the list --------------------------------------------------------------------- */

static void add(struct rln__carried *c, size_t at, uint32_t domain, uint32_t resumed)
{
    c->ranges[c->n++ & MASK] =
        (struct rln__carried_range){(uint32_t)at, (uint16_t)domain, (uint16_t)resumed};
    if (c->n - c->low > RLN__MOST_CONTINUED)
        c->low = c->n - RLN__MOST_CONTINUED;
}

/* If the push of a range is not in the list, the range was below it, and is dropped
 * already. */
static void take_away(struct rln__carried *c, uint32_t domain)
{
    uint32_t i = c->n;

    while (i > c->low && c->ranges[(i - 1) & MASK].domain != domain)
        i--;
    if (i == c->low)
        return;
    for (; i < c->n; i++)
        c->ranges[(i - 1) & MASK] = c->ranges[i & MASK];
    c->n--;
}

static void forget(struct rln__carried *c)
{
    c->low = c->n;
}

/* --- reading a chunk -------------------------------------------------------------- */

struct reading {
    const uint64_t *begin; /* the chunk's first word, in the header */
    uint64_t base_ticks;
    struct rln__carried *carried; /* or NULL */
    struct rln__found *found;
    int has_zeros; /* right after the last record */
};

static void note_time(struct reading *r, uint64_t ticks)
{
    if (ticks > r->found->last_ticks)
        r->found->last_ticks = ticks;
}

static void meet(struct reading *r, const uint64_t *at, unsigned kind, uint32_t id)
{
    if (kind == RLN__START || kind == RLN__START_VALUE || kind == RLN__END)
        r->found->has_pairs = 1;
    if (!r->carried)
        return;
    if (kind == RLN__PUSH || kind == RLN__PUSH_VALUE)
        add(r->carried, (size_t)(at - r->begin), domain_of(at), 0);
    else if (kind == RLN__POP)
        take_away(r->carried, id);
}

static void meet_resumed(struct reading *r, const uint64_t *at, uint32_t n_words)
{
    for (uint32_t i = 3; r->carried && i < n_words; i++)
        add(r->carried, (size_t)(at + i - r->begin), (uint32_t)at[i], i);
}

/* The ranges that the chunk began with. */
static void meet_continued(struct reading *r, const uint64_t *at, uint32_t n_words)
{
    const uint64_t *const end = at + n_words;
    const uint64_t *next = at + RLN__CONTINUED_WORDS + (uint32_t)at[5];

    while (r->carried && next < end) {
        if (rln__sub_of(*next) == RLN__SUB_RESUMED)
            meet_resumed(r, next, rln__record_words(*next));
        else
            add(r->carried, (size_t)(next - r->begin), domain_of(next), 0);
        next += rln__record_words(*next);
    }
}

static void meet_long(struct reading *r, const uint64_t *at, uint32_t n_words)
{
    note_time(r, at[1]);
    switch (rln__sub_of(*at)) {
    case RLN__SUB_EVENT:
    case RLN__SUB_PAYLOADS:
        meet(r, at, long_kind(at), (uint32_t)(at[2] >> 32));
        break;
    case RLN__SUB_RESUMED:
        meet_resumed(r, at, n_words);
        break;
    case RLN__SUB_CONTINUED:
        meet_continued(r, at, n_words);
        break;
    case RLN__SUB_THREAD:
    case RLN__SUB_INHERITED:
    case RLN__SUB_GAP:
        if (r->carried)
            forget(r->carried);
    }
}

/* Reads a record or a missing word. Returns its number of words. */
static uint32_t meet_any(struct reading *r, const uint64_t *at)
{
    const uint64_t word = __atomic_load_n(at, __ATOMIC_RELAXED);
    const unsigned kind = (unsigned)(word & 15);

    if (word == 0) {
        r->has_zeros = 1;
        return 1;
    }
    r->found->has_gaps |= (uint32_t)(r->has_zeros || kind == RLN__HOLE);
    r->has_zeros = 0;
    if (kind == RLN__LONG) {
        meet_long(r, at, rln__record_words(word));
    } else if (kind != RLN__HOLE) {
        note_time(r, r->base_ticks + (word >> RLN__TICKS_SHIFT));
        meet(r, at, kind, (uint32_t)(word >> RLN__ID_SHIFT) & RLN__MAX_ID);
    }
    return rln__record_words(word);
}

void rln__open_range_carry_find(const struct rln__chunk_extent *extent,
                                struct rln__carried *carried, struct rln__found *found)
{
    const uint64_t *const begin = (const uint64_t *)extent->address;
    const uint64_t *const end = begin + extent->size / 8 - 1;
    const struct rln__chunk_header *header =
        (const struct rln__chunk_header *)(const void *)begin;
    struct reading r = {begin, header->base_ticks, carried, found, 0};

    *found = (struct rln__found){.last_ticks = header->base_ticks};
    if (carried)
        carried->low = carried->n = 0;
    for (const uint64_t *at = begin + RLN__CHUNK_HEADER_BYTES / 8; at < end;) {
        const uint32_t n_words = meet_any(&r, at);

        at += n_words ? n_words : 1;
        if (!r.has_zeros)
            found->end_bytes = (uint64_t)(at - begin) * 8;
    }
}

/* --- writing the next ------------------------------------------------------------- */

static size_t in_line_words(const uint64_t *in_line)
{
    return in_line ? 3 + ((uint32_t)in_line[2] + 7) / 8 : 0;
}

static size_t n_words_of(const uint64_t *begin, const struct rln__carried_range *range)
{
    const uint64_t *from = begin + range->at;
    const unsigned kind = (unsigned)(from[0] & 15);

    if (range->resumed)
        return RESUMED_WORDS;
    if (kind != RLN__LONG)
        return (size_t)EVENT_WORDS + (kind == RLN__PUSH_VALUE ? 1 : 0);
    return (size_t)EVENT_WORDS + (long_flags(from) & RLN__EVENT_HAS_VALUE ? 1 : 0) +
           in_line_words(in_line_of(from));
}

size_t rln__open_range_carry_words(const struct rln__chunk_extent *extent,
                                   struct rln__carried *carried)
{
    const uint64_t *begin = (const uint64_t *)extent->address;
    size_t n_words = 0;

    for (uint32_t i = carried->n; i > carried->low; i--) {
        const size_t n = n_words_of(begin, &carried->ranges[(i - 1) & MASK]);

        if ((n_words + n) * 8 > RLN__OPEN_RANGE_CARRY_BYTES) {
            carried->low = i;
            break;
        }
        n_words += n;
    }
    return n_words;
}

/* Writes a short record as a long one, with its full time. */
static void put_short(uint64_t *to, const uint64_t *from, uint64_t base_ticks)
{
    const int has_value = (from[0] & 15) == RLN__PUSH_VALUE;

    to[1] = base_ticks + (from[0] >> RLN__TICKS_SHIFT);
    to[2] = rln__pair32(RLN__PUSH | (has_value ? RLN__EVENT_HAS_VALUE << 8 : 0u),
                        (from[0] >> RLN__ID_SHIFT) & RLN__MAX_ID);
    if (has_value)
        to[3] = from[1];
}

/* Copies a long record without its payloads. */
static void put_long(uint64_t *to, const uint64_t *from, size_t n_words)
{
    to[1] = from[1];
    to[2] = from[2] & ~(0xffffull << 16);
    for (size_t i = EVENT_WORDS; i < n_words; i++)
        to[i] = from[i];
}

static void put_range(uint64_t *to, const uint64_t *begin,
                      const struct rln__carried_range *range, size_t n_words)
{
    const struct rln__chunk_header *header =
        (const struct rln__chunk_header *)(const void *)begin;
    const uint64_t *from = begin + range->at;

    to[0] = rln__long_word(RLN__LONG,
                           range->resumed ? RLN__SUB_RESUMED : RLN__SUB_EVENT, n_words);
    if (range->resumed) {
        to[1] = (from - range->resumed)[1];
        to[2] = 0;
        to[3] = *from;
    } else if ((from[0] & 15) == RLN__LONG) {
        put_long(to, from, n_words);
    } else {
        put_short(to, from, header->base_ticks);
    }
}

uint32_t rln__open_range_carry_in(const struct rln__carried *carried, uint32_t domain)
{
    uint32_t n = 0;

    for (uint32_t i = carried->low; i < carried->n; i++)
        n += carried->ranges[i & MASK].domain == domain;
    return n;
}

void rln__open_range_carry_put(uint64_t *to, const struct rln__chunk_extent *extent,
                               const struct rln__carried *carried)
{
    const uint64_t *begin = (const uint64_t *)extent->address;

    for (uint32_t i = carried->low; i < carried->n; i++) {
        const struct rln__carried_range *range = &carried->ranges[i & MASK];
        const size_t n_words = n_words_of(begin, range);

        put_range(to, begin, range, n_words);
        to += n_words;
    }
}

/* --- starts and ends -------------------------------------------------------------- */

int rln__range_record_decode(const uint64_t *words, uint64_t base_ticks,
                             struct rln__range_record *out)
{
    const unsigned kind = (unsigned)(words[0] & 15);
    const unsigned sub = rln__sub_of(words[0]);

    if (kind != RLN__LONG) {
        *out = (struct rln__range_record){
            .ticks = base_ticks + (words[0] >> RLN__TICKS_SHIFT),
            .range = kind == RLN__END ? words[1] : 0,
            .kind = kind == RLN__START_VALUE ? RLN__START : kind,
            .id = (uint32_t)(words[0] >> RLN__ID_SHIFT) & RLN__MAX_ID,
        };
    } else if (sub == RLN__SUB_EVENT || sub == RLN__SUB_PAYLOADS) {
        *out = (struct rln__range_record){
            .ticks = words[1],
            .range = long_kind(words) == RLN__END ? words[3] : 0,
            .kind = long_kind(words),
            .id = (uint32_t)(words[2] >> 32),
            .in_line = in_line_of(words),
        };
    } else {
        return 0;
    }
    return out->kind == RLN__START || out->kind == RLN__END;
}
