/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_put.h - the numbers and texts of a file of sums. */
#ifndef RLN_REDUCE_REDUCED_PUT_H
#define RLN_REDUCE_REDUCED_PUT_H

#include "base/buf.h"

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

#endif
