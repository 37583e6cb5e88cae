/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/sort_numbers.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define FEW 512 /* for which a pass over a table of counts costs more than qsort() */
#define DIGIT_BITS 11
#define N_DIGITS ((size_t)1 << DIGIT_BITS)
#define SIGN ((uint64_t)1 << 63)

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static size_t digit_of(uint64_t number, unsigned shift)
{
    return (size_t)(number >> shift) & (N_DIGITS - 1);
}

/* Bits that some numbers have and others have not. */
static uint64_t differing_bits(const uint64_t *numbers, size_t n)
{
    uint64_t any = 0, all = UINT64_MAX;

    for (size_t i = 0; i < n; i++) {
        any |= numbers[i];
        all &= numbers[i];
    }
    return any & ~all;
}

/* Those with equal digits keep their order. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
    size_t at[N_DIGITS] = {0}, n_before = 0;

    for (size_t i = 0; i < n; i++)
        at[digit_of(from[i], shift)]++;
    for (size_t d = 0; d < N_DIGITS; d++) {
        const size_t n_of_digit = at[d];

        at[d] = n_before;
        n_before += n_of_digit;
    }
    for (size_t i = 0; i < n; i++)
        to[at[digit_of(from[i], shift)]++] = from[i];
}

void rln__sort_lengths(uint64_t *lengths, size_t n)
{
    uint64_t *const spare = n > FEW ? rln__alloc(n, sizeof(*spare)) : NULL;
    uint64_t *from = lengths, *to = spare, differing;

    if (!spare) {
        if (n)
            qsort(lengths, n, sizeof(*lengths), by_size);
        return;
    }
    differing = differing_bits(lengths, n);
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        uint64_t *const sorted = to;

        if (!digit_of(differing, shift))
            continue;
        sort_by_digit(from, to, n, shift);
        to = from;
        from = sorted;
    }
    if (from != lengths)
        memcpy(lengths, from, n * sizeof(*lengths));
    rln__free(spare);
}

/* An IEEE double as an integer of the same order: without a sign, larger ones are larger
 * integers; with one, smaller ones. */
static uint64_t as_ordered(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double from_ordered(uint64_t ordered)
{
    const uint64_t bits = ordered & SIGN ? ordered & ~SIGN : ~ordered;
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = as_ordered(*(const double *)a),
                   y = as_ordered(*(const double *)b);

    return (x > y) - (x < y);
}

void rln__sort_doubles(double *values, size_t n)
{
    uint64_t *const ordered = n > FEW ? rln__alloc(n, sizeof(*ordered)) : NULL;

    if (!ordered) {
        if (n)
            qsort(values, n, sizeof(*values), by_value);
        return;
    }
    for (size_t i = 0; i < n; i++)
        ordered[i] = as_ordered(values[i]);
    rln__sort_lengths(ordered, n);
    for (size_t i = 0; i < n; i++)
        values[i] = from_ordered(ordered[i]);
    rln__free(ordered);
}
