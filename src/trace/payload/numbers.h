/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.h - numbers of a type known at run time, and sums without rounding loss. */
#ifndef RLN_TRACE_PAYLOAD_NUMBERS_H
#define RLN_TRACE_PAYLOAD_NUMBERS_H

#include "rangeline/reader.h"

#include <string.h>

/* `type` is RLN_PAYLOAD_I64, _U64, _DOUBLE or _FLOAT. */
static inline double rln__number_double(uint8_t type, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    double number;
    float narrow;

    if (type == RLN_PAYLOAD_FLOAT) {
        memcpy(&narrow, &low, sizeof(narrow));
        return (double)narrow;
    }
    if (type == RLN_PAYLOAD_I64)
        return (double)(int64_t)bits;
    if (type == RLN_PAYLOAD_U64)
        return (double)bits;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

/* Converts the number in `bits` to RLN_PAYLOAD_I64, _U64 or _DOUBLE; returns which, or
 * 0 if `type` is not numeric. */
static inline uint8_t rln__number_widen(uint8_t type, uint64_t *bits)
{
    double wide;

    switch (type) {
    case RLN_PAYLOAD_I64:
    case RLN_PAYLOAD_U64:
    case RLN_PAYLOAD_DOUBLE:
        return type;
    case RLN_PAYLOAD_U32:
        *bits = (uint32_t)*bits;
        return RLN_PAYLOAD_U64;
    case RLN_PAYLOAD_I32:
        *bits = (uint64_t)(int64_t)(int32_t)(uint32_t)*bits;
        return RLN_PAYLOAD_I64;
    case RLN_PAYLOAD_FLOAT:
        wide = rln__number_double(type, *bits);
        memcpy(bits, &wide, sizeof(*bits));
        return RLN_PAYLOAD_DOUBLE;
    default:
        return 0;
    }
}

static inline int rln__number_is_less(uint8_t type, uint64_t a, uint64_t b)
{
    if (type == RLN_PAYLOAD_I64)
        return (int64_t)a < (int64_t)b;
    if (type == RLN_PAYLOAD_U64)
        return a < b;
    return rln__number_double(type, a) < rln__number_double(type, b);
}

#define RLN__UNORDERED 2 /* one of them is not a number */

/* -1, 0, 1 or RLN__UNORDERED. The types are RLN_PAYLOAD_I64, _U64 or _DOUBLE; two
 * integers are compared as integers. */
static inline int rln__number_order(uint8_t type_a, uint64_t a, uint8_t type_b,
                                    uint64_t b)
{
    if (type_a == RLN_PAYLOAD_DOUBLE || type_b == RLN_PAYLOAD_DOUBLE) {
        const double x = rln__number_double(type_a, a);
        const double y = rln__number_double(type_b, b);

        return x < y ? -1 : x > y ? 1 : x == y ? 0 : RLN__UNORDERED;
    }
    if ((type_a == RLN_PAYLOAD_I64 && (int64_t)a < 0) !=
        (type_b == RLN_PAYLOAD_I64 && (int64_t)b < 0))
        return type_a == RLN_PAYLOAD_I64 && (int64_t)a < 0 ? -1 : 1;
    return (a > b) - (a < b);
}

static inline uint64_t rln__number_bits(double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

/* A sum and what rounding took from it (Neumaier). */
struct rln__exact {
    double sum, lost;
};

static inline double rln__absolute(double x)
{
    return x < 0 ? -x : x;
}

static inline void rln__exact_add(struct rln__exact *e, double x)
{
    const double sum = e->sum + x;

    e->lost += rln__absolute(e->sum) >= rln__absolute(x) ? (e->sum - sum) + x
                                                         : (x - sum) + e->sum;
    e->sum = sum;
}

static inline double rln__exact_total(const struct rln__exact *e)
{
    const double total = e->sum + e->lost;

    return total == total ? total
                          : e->sum; /* `lost` of an infinite sum is not a number */
}

#endif
