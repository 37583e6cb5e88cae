/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_put.h - the numbers and texts of a file of sums. */
#ifndef RLN_REDUCE_REDUCED_PUT_H
#define RLN_REDUCE_REDUCED_PUT_H

#include "base/buf.h"

/* Items in the order of the file, for qsort(). */
struct rln__reduced_item {
    uint64_t words[4];
    uint32_t number; /* of the object */
};

static inline int rln__by_words(const void *a, const void *b)
{
    const struct rln__reduced_item *x = a, *y = b;

    for (int i = 0; i < 4; i++) {
        if (x->words[i] != y->words[i])
            return x->words[i] < y->words[i] ? -1 : 1;
    }
    return 0;
}

/* Seven bits per byte, the lowest first; all but the last have the highest bit set. */
static inline void rln__put_number(struct rln__buf *out, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        rln__buf_char(out, (char)(value & 127) | (char)-128);
    rln__buf_char(out, (char)value);
}

static inline void rln__put_signed(struct rln__buf *out, int64_t value)
{
    rln__put_number(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline void rln__put_fixed(struct rln__buf *out, uint64_t value,
                                  unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        rln__buf_char(out, (char)(unsigned char)(value >> 8 * i));
}

static inline void rln__put_counted_text(struct rln__buf *out, const char *bytes,
                                         size_t length)
{
    rln__put_number(out, length);
    rln__buf_add(out, bytes, length);
}

/* Puts the number of items, which begin with the number of their origin, and gives
 * sorted copies with its number in the file, of `origins`: owned by the caller; NULL:
 * no memory, and `out->has_failed` is set. */
void *rln__put_sorted(const uint32_t *origins, const void *items, size_t n,
                      size_t item_bytes, int (*compare)(const void *, const void *),
                      struct rln__buf *out);

#endif
