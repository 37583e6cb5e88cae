/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/exact_spread.h"
#include "base/alloc.h"
#include "base/wide_int.h"
#include "statistics/deviation.h"
#include "statistics/select.h"

#include <string.h>

#define FIRST_BLOCK 16u
#define LARGEST_BLOCK 8192u
/* As large as their counts, which therefore never cost more than they replace. */
#define MANY_SAMPLES (RLN__N_COUNTS * sizeof(uint64_t) / sizeof(uint32_t))
#define FEW_SAMPLES 65536u /* that are copied: more would be noticed */
#define DIGIT_BITS 16
#define N_DIGITS (1u << DIGIT_BITS)

static int add_large(struct rln__samples *s, uint64_t value)
{
    uint64_t *added =
        rln__append(&s->large, &s->n_large, &s->large_capacity, sizeof(*added));

    if (!added)
        return -1;
    *added = value;
    s->n++;
    return 0;
}

static int add_block(struct rln__samples *s)
{
    uint32_t capacity = s->block ? s->block->capacity * 2 : FIRST_BLOCK;
    struct rln__sample_block *block;

    if (capacity > LARGEST_BLOCK)
        capacity = LARGEST_BLOCK;
    block = rln__alloc(1, sizeof(*block) + capacity * sizeof(uint32_t));
    if (!block)
        return -1;
    block->next = s->block;
    block->capacity = capacity;
    s->block = block;
    return 0;
}

/* Counts the short ones of those in blocks, each of which is added again before it is
 * freed. */
static int count_blocks(struct rln__samples *s)
{
    struct rln__sample_block *block = s->block;
    int failed = 0;

    s->block = NULL;
    while (block) {
        struct rln__sample_block *next = block->next;

        s->n -= block->n;
        for (uint32_t i = 0; i < block->n && !failed; i++)
            failed = rln__samples_add(s, block->values[i]);
        rln__free(block);
        block = next;
    }
    return failed ? -1 : 0;
}

/* Counts the short ones from now on. */
static int begin_counts(struct rln__samples *s)
{
    s->counts = rln__alloc(RLN__N_COUNTS, sizeof(*s->counts));
    return s->counts ? count_blocks(s) : -1;
}

int rln__samples_add_slow(struct rln__samples *s, uint64_t value)
{
    if (value > UINT32_MAX)
        return add_large(s, value);
    if (!s->counts && !s->keeps_order && s->n - s->n_large >= MANY_SAMPLES) {
        if (begin_counts(s))
            return -1;
        return rln__samples_add(s, value);
    }
    if (!s->block || s->block->n == s->block->capacity) {
        if (add_block(s))
            return -1;
    }
    s->block->values[s->block->n++] = (uint32_t)value;
    s->n++;
    return 0;
}

/* Takes over all blocks of `from`, behind the one that is being filled. */
static void take_blocks(struct rln__samples *s, struct rln__samples *from)
{
    struct rln__sample_block **last = &from->block;
    size_t n = 0;

    if (!from->block)
        return;
    for (; *last; last = &(*last)->next)
        n += (*last)->n;
    if (s->block) {
        *last = s->block->next;
        s->block->next = from->block;
    } else {
        s->block = from->block;
    }
    s->n += n;
    from->n -= n;
    from->block = NULL;
}

int rln__samples_merge(struct rln__samples *s, struct rln__samples *from)
{
    if (from->counts && !s->counts && begin_counts(s))
        return -1;
    take_blocks(s, from);
    if (s->counts && count_blocks(s))
        return -1;
    for (size_t i = 0; from->counts && i < RLN__N_COUNTS; i++) {
        s->counts[i] += from->counts[i];
        s->n += from->counts[i];
    }
    for (size_t i = 0; i < from->n_large; i++) {
        if (add_large(s, from->large[i]))
            return -1;
    }
    rln__samples_clear(from);
    return 0;
}

static size_t count_counted(const struct rln__samples *s)
{
    size_t n = 0;

    for (size_t value = 0; s->counts && value < RLN__N_COUNTS; value++)
        n += s->counts[value];
    return n;
}

/* The one at `rank` of those that are counted. */
static uint64_t counted_at(const struct rln__samples *s, size_t rank)
{
    size_t value = 0;

    while (rank >= s->counts[value])
        rank -= s->counts[value++];
    return value;
}

/* The bits set in any of those in blocks. */
static uint32_t bits_of(const struct rln__samples *s)
{
    uint32_t bits = 0;

    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        for (uint32_t i = 0; i < b->n; i++)
            bits |= b->values[i];
    }
    return bits;
}

/* The one at `rank` of those in blocks: scans them once for each 16 bits in use, instead
 * of copying them. */
static uint64_t block_value_at(const struct rln__samples *s, size_t rank,
                               size_t *histogram)
{
    uint32_t prefix = 0, mask = 0;

    for (int shift = bits_of(s) >> DIGIT_BITS ? DIGIT_BITS : 0; shift >= 0;
         shift -= DIGIT_BITS) {
        uint32_t digit = 0;

        memset(histogram, 0, N_DIGITS * sizeof(*histogram));
        for (const struct rln__sample_block *b = s->block; b; b = b->next) {
            for (uint32_t i = 0; i < b->n; i++) {
                if ((b->values[i] & mask) == prefix)
                    histogram[(b->values[i] >> shift) & (N_DIGITS - 1)]++;
            }
        }
        while (rank >= histogram[digit])
            rank -= histogram[digit++];
        prefix |= digit << shift;
        mask |= (N_DIGITS - 1) << shift;
    }
    return prefix;
}

/* The newest block comes first. */
static void copy_blocks(const struct rln__samples *s, size_t n, uint64_t *out)
{
    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        n -= b->n;
        for (uint32_t i = 0; i < b->n; i++)
            out[n + i] = b->values[i];
    }
}

/* Those of one kind are all less than those of the next. */
struct parts {
    size_t n_counted, n_in_blocks;
    uint64_t *copied;  /* owned, of those in blocks, if they are few */
    size_t *histogram; /* owned, for them, if they are many */
};

static int part(const struct rln__samples *s, struct parts *out)
{
    const size_t n_counted = count_counted(s);
    const size_t n = s->n - s->n_large - n_counted;

    *out = (struct parts){.n_counted = n_counted, .n_in_blocks = n};
    if (!n)
        return 0;
    if (n > FEW_SAMPLES) {
        out->histogram = rln__alloc(N_DIGITS, sizeof(*out->histogram));
        return out->histogram ? 0 : -1;
    }
    out->copied = rln__alloc(n, sizeof(*out->copied));
    if (!out->copied)
        return -1;
    copy_blocks(s, n, out->copied);
    return 0;
}

/* The one at `rank` if all were sorted. */
static uint64_t sample_at(const struct rln__samples *s, const struct parts *p,
                          size_t rank)
{
    if (rank < p->n_counted)
        return counted_at(s, rank);
    rank -= p->n_counted;
    if (rank >= p->n_in_blocks)
        return rln__select(s->large, s->n_large, rank - p->n_in_blocks);
    return p->copied ? rln__select(p->copied, p->n_in_blocks, rank)
                     : block_value_at(s, rank, p->histogram);
}

/* The mean of the two in the middle, or the one. */
static double median_of(const struct rln__samples *s, const struct parts *p)
{
    const double upper = (double)sample_at(s, p, s->n / 2);

    return s->n % 2 ? upper : ((double)sample_at(s, p, s->n / 2 - 1) + upper) / 2;
}

static rln__u128 squares_of(const struct rln__samples *s)
{
    rln__u128 squares = 0;

    for (uint64_t value = 0; s->counts && value < RLN__N_COUNTS; value++)
        squares += (rln__u128)(value * value) * s->counts[value];
    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        for (uint32_t i = 0; i < b->n; i++)
            squares += (uint64_t)b->values[i] * b->values[i];
    }
    for (size_t i = 0; i < s->n_large; i++)
        squares += (rln__u128)s->large[i] * s->large[i];
    return squares;
}

int rln__samples_spread(const struct rln__samples *s, uint64_t total,
                        struct rln__spread *out)
{
    struct parts parts;
    int failed;

    memset(out, 0, sizeof(*out));
    if (s->n == 0)
        return 0;
    failed = part(s, &parts);
    if (!failed)
        *out = (struct rln__spread){
            .average = (double)total / (double)s->n,
            .median = median_of(s, &parts),
            .stddev = rln__stddev(s->n, total, squares_of(s)),
        };
    rln__free(parts.copied);
    rln__free(parts.histogram);
    return failed;
}

void rln__samples_copy(const struct rln__samples *s, uint64_t *out)
{
    const size_t n = s->n - s->n_large;

    copy_blocks(s, n, out);
    if (s->n_large)
        memcpy(out + n, s->large, s->n_large * sizeof(*out));
}

void rln__samples_clear(struct rln__samples *s)
{
    while (s->block) {
        struct rln__sample_block *next = s->block->next;

        rln__free(s->block);
        s->block = next;
    }
    rln__free(s->counts);
    rln__free(s->large);
    *s = (struct rln__samples){.keeps_order = s->keeps_order};
}
