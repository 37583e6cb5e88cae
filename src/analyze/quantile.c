/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/quantile.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

#define FIRST_BLOCK 16u
#define LARGEST_BLOCK 8192u

int rln__samples_add_slow(struct rln__samples *s, uint64_t value)
{
    if (value > UINT32_MAX) {
        uint64_t *large =
            rln__grow(s->large, &s->large_capacity, s->n_large + 1, sizeof(*large));

        if (!large)
            return -1;
        s->large = large;
        large[s->n_large++] = value;
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

static double median_of(uint64_t *values, size_t n)
{
    const uint64_t upper = rln__select(values, n, n / 2);
    uint64_t lower = 0;

    if (n % 2)
        return (double)upper;
    /* All in front of the middle are now at most it; the largest of them is the other.
     */
    for (size_t i = 0; i < n / 2; i++)
        lower = values[i] > lower ? values[i] : lower;
    return ((double)lower + (double)upper) / 2;
}

int rln__samples_spread(const struct rln__samples *s, uint64_t total,
                        struct rln__spread *out)
{
    uint64_t *values; /* owned */
    size_t n = 0;
    double squares = 0;

    memset(out, 0, sizeof(*out));
    if (s->n == 0)
        return 0;
    values = rln__alloc(s->n, sizeof(*values));
    if (!values)
        return -1;
    for (const struct rln__sample_block *b = s->block; b; b = b->next) {
        for (uint32_t i = 0; i < b->n; i++)
            values[n++] = b->values[i];
    }
    for (size_t i = 0; i < s->n_large; i++)
        values[n++] = s->large[i];

    out->average = (double)total / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double off = (double)values[i] - out->average;

        squares += off * off;
    }
    out->stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
    out->median = median_of(values, n);
    rln__free(values);
    return 0;
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
