/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/quantile.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

#define FIRST_BLOCK 16u
#define LARGEST_BLOCK 8192u
#define MANY_SAMPLES 65536u /* beyond this, a copy would be noticed */
#define DIGIT_BITS 16
#define N_DIGITS (1u << DIGIT_BITS)

int rln__samples_add_slow(struct rln__samples *s, uint64_t value)
{
    if (value > UINT32_MAX) {
        uint64_t *added =
            rln__append(&s->large, &s->n_large, &s->large_capacity, sizeof(*added));

        if (!added)
            return -1;
        *added = value;
        s->n++;
        return 0;
    }
    if (!s->block || s->block->n == s->block->capacity) {
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
    }
    s->block->values[s->block->n++] = (uint32_t)value;
    s->n++;
    return 0;
}

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t t = *a;

    *a = *b;
    *b = t;
}

/* The median of three, so that sorted input is not the worst case. */
static uint64_t choose_pivot(uint64_t *v, size_t low, size_t high)
{
    const size_t middle = low + (high - low) / 2;

    if (v[middle] < v[low])
        swap(&v[middle], &v[low]);
    if (v[high] < v[low])
        swap(&v[high], &v[low]);
    if (v[high] < v[middle])
        swap(&v[high], &v[middle]);
    return v[middle];
}

uint64_t rln__select(uint64_t *v, size_t n, size_t rank)
{
    size_t low = 0, high = n - 1;

    while (low < high) {
        const uint64_t pivot = choose_pivot(v, low, high);
        size_t i = low, j = high;

        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i > j)
                break;
            swap(&v[i++], &v[j]);
            if (j == 0)
                break;
            j--;
        }
        if (rank <= j && j < high)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break; /* between the two: equal to the pivot */
    }
    return v[rank];
}

/* The bits set in any of the small samples. */
static uint32_t bits_of(const struct rln__samples *s)
{
    uint32_t bits = 0;

    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        for (uint32_t i = 0; i < b->n; i++)
            bits |= b->values[i];
    }
    return bits;
}

/* Scans the blocks once for each 16 bits in use, instead of copying them. `*n_before`
 * is the number of equal samples before that rank. */
static uint32_t small_at(const struct rln__samples *s, size_t rank, size_t *histogram,
                         size_t *n_before)
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
    *n_before = rank;
    return prefix;
}

/* The largest of the small samples that are less than `limit`. */
static uint32_t largest_below(const struct rln__samples *s, uint32_t limit)
{
    uint32_t largest = 0;

    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        for (uint32_t i = 0; i < b->n; i++) {
            if (b->values[i] < limit && b->values[i] > largest)
                largest = b->values[i];
        }
    }
    return largest;
}

/* The newest block comes first. */
static size_t copy_blocks(const struct rln__samples *s, uint64_t *out)
{
    const size_t n = s->n - s->n_large;
    size_t at = n;

    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        at -= b->n;
        for (uint32_t i = 0; i < b->n; i++)
            out[at + i] = b->values[i];
    }
    return n;
}

/* All in one array, for names with few ranges. NULL if there is no memory. */
static uint64_t *copy_small(const struct rln__samples *s)
{
    uint64_t *values = rln__alloc(s->n - s->n_large, sizeof(*values));

    if (values)
        (void)copy_blocks(s, values);
    return values;
}

/* The sample at `rank` if all were sorted: the large ones come last. `scratch` holds
 * copies of the small ones. */
static double sample_at(const struct rln__samples *s, size_t rank, uint64_t *scratch)
{
    const size_t n_small = s->n - s->n_large;

    return (double)(rank < n_small ? rln__select(scratch, n_small, rank)
                                   : rln__select(s->large, s->n_large, rank - n_small));
}

/* The mean of the two in the middle, or the one. */
static double median_of_few(const struct rln__samples *s, uint64_t *scratch)
{
    const double upper = sample_at(s, s->n / 2, scratch);

    return s->n % 2 ? upper : (sample_at(s, s->n / 2 - 1, scratch) + upper) / 2;
}

static double median_of_many(const struct rln__samples *s, size_t *histogram)
{
    size_t n_before;
    uint32_t upper;

    upper = small_at(s, s->n / 2, histogram, &n_before);
    if (s->n % 2 || n_before)
        return upper;
    return ((double)largest_below(s, upper) + upper) / 2;
}

/* With the mean q + r / n, the squares of the distances from q are whole numbers: their
 * sum is S - 2qT + nq^2, which is correct modulo 2^128. From the mean, they sum up to
 * r^2 / n less. */
double rln__stddev(uint64_t n, uint64_t total, rln__u128 squares)
{
    const uint64_t q = n ? total / n : 0, r = n ? total % n : 0;
    const rln__u128 from_q = squares - 2 * (rln__u128)q * total + (rln__u128)q * q * n;

    if (n < 2)
        return 0;
    return sqrt(((double)from_q - (double)r * (double)r / (double)n) / (double)(n - 1));
}

static rln__u128 squares_of(const struct rln__samples *s)
{
    rln__u128 squares = 0;

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
    void *scratch; /* owned */
    int is_many;

    memset(out, 0, sizeof(*out));
    if (s->n == 0)
        return 0;
    /* The median of many is a small one, unless most of them took longer than 4 s. */
    is_many = s->n - s->n_large > MANY_SAMPLES && s->n / 2 < s->n - s->n_large;
    scratch = is_many ? rln__alloc(N_DIGITS, sizeof(size_t)) : (void *)copy_small(s);
    if (!scratch)
        return -1;
    out->average = (double)total / (double)s->n;
    out->stddev = rln__stddev(s->n, total, squares_of(s));
    out->median = is_many ? median_of_many(s, scratch) : median_of_few(s, scratch);
    rln__free(scratch);
    return 0;
}

void rln__samples_copy(const struct rln__samples *s, uint64_t *out)
{
    const size_t n = copy_blocks(s, out);

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
    rln__free(s->large);
    memset(s, 0, sizeof(*s));
}
