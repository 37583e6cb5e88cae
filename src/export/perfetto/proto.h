/* SPDX-License-Identifier: Apache-2.0 */
/* proto.h - writes protocol buffers: https://protobuf.dev/programming-guides/encoding.
 *
 *     packet = rln__proto_begin(buf, PACKET);
 *     rln__proto_varint(buf, TIMESTAMP, t);
 *     rln__proto_end(buf, packet);
 *
 * A message's length precedes it and is known only after it, so it always takes four
 * bytes, which the encoding allows.
 */
#ifndef RLN_EXPORT_PERFETTO_PROTO_H
#define RLN_EXPORT_PERFETTO_PROTO_H

#include "base/buf.h"
#include "rangeline/error.h"

enum { RLN__PROTO_VARINT = 0, RLN__PROTO_FIXED64 = 1, RLN__PROTO_BYTES = 2 };

#define RLN__PROTO_LENGTH_BYTES 4u

#define RLN__PROTO_MOST_BYTES 10u /* of a number */

/* --- Into reserved space ---------------------------------------------------------- *
 *
 * Each returns the address after its output. The parts of an event are written this
 * way, after one check for space; digits written elsewhere and copied would have to
 * wait for each other.
 */

/* Seven bits a byte, the lowest first: all of them are spread at once. */
static inline char *rln__proto_put_long(char *at, uint64_t value)
{
    const unsigned n_bytes = (70 - (unsigned)__builtin_clzll(value | 1)) / 7;
    const uint64_t more = 0x8080808080808080u; /* in all bytes but the last */
    uint64_t word = value & 0x00ffffffffffffffu;

    word = (word & 0x000000000fffffffu) | (word & 0x00fffffff0000000u) << 4;
    word = (word & 0x00003fff00003fffu) | (word & 0x0fffc0000fffc000u) << 2;
    word = (word & 0x007f007f007f007fu) | (word & 0x3f803f803f803f80u) << 1;
    word |= n_bytes > 8 ? more : more >> (9 - n_bytes) * 8;
    memcpy(at, &word, sizeof(word)); /* little-endian */
    if (n_bytes > 8)
        at[8] =
            (char)(value >> 56); /* the highest bit is set if another byte follows */
    if (n_bytes > 9)
        at[9] = 1;
    return at + n_bytes;
}

static inline char *rln__proto_put(char *at, uint64_t value)
{
    if (value >= 1u << 14)
        return rln__proto_put_long(at, value);
    if (value > 0x7f)
        *at++ = (char)(value | 0x80);
    *at++ = (char)(value > 0x7f ? value >> 7 : value);
    return at;
}

static inline char *rln__proto_put_varint(char *at, uint32_t field, uint64_t value)
{
    at = rln__proto_put(at, (uint64_t)field << 3 | RLN__PROTO_VARINT);
    return rln__proto_put(at, value);
}

/* The length is for rln__proto_end() to fill in. */
static inline char *rln__proto_put_begin(char *at, uint32_t field)
{
    return rln__proto_put(at, (uint64_t)field << 3 | RLN__PROTO_BYTES) +
           RLN__PROTO_LENGTH_BYTES;
}

/* --- Appended --------------------------------------------------------------------- */

static inline void rln__proto_raw(struct rln__buf *buf, uint64_t value)
{
    char *at = rln__buf_room(buf, RLN__PROTO_MOST_BYTES);

    if (at)
        buf->length = (size_t)(rln__proto_put(at, value) - buf->bytes);
}

static inline void rln__proto_tag(struct rln__buf *buf, uint32_t field, unsigned type)
{
    rln__proto_raw(buf, (uint64_t)field << 3 | type);
}

static inline void rln__proto_varint(struct rln__buf *buf, uint32_t field,
                                     uint64_t value)
{
    char *at = rln__buf_room(buf, 2 * RLN__PROTO_MOST_BYTES);

    if (at)
        buf->length = (size_t)(rln__proto_put_varint(at, field, value) - buf->bytes);
}

static inline void rln__proto_fixed64(struct rln__buf *buf, uint32_t field,
                                      uint64_t value)
{
    rln__proto_tag(buf, field, RLN__PROTO_FIXED64);
    rln__buf_add(buf, (const char *)&value, sizeof(value)); /* little-endian */
}

static inline void rln__proto_double(struct rln__buf *buf, uint32_t field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    rln__proto_fixed64(buf, field, bits);
}

/* In UTF-8, whatever `text` is: a string field may contain nothing else. */
void rln__proto_text(struct rln__buf *buf, uint32_t field, rln_text text);

/* Where the message begins, for rln__proto_end(). */
static inline size_t rln__proto_begin(struct rln__buf *buf, uint32_t field)
{
    char *at = rln__buf_room(buf, RLN__PROTO_MOST_BYTES + RLN__PROTO_LENGTH_BYTES);

    if (at)
        buf->length = (size_t)(rln__proto_put_begin(at, field) - buf->bytes);
    return buf->length;
}

static inline void rln__proto_end(struct rln__buf *buf, size_t begin)
{
    const uint32_t n = (uint32_t)(buf->length - begin);
    const uint32_t coded = (n & 0x7f) | (n << 1 & 0x7f00) | (n << 2 & 0x7f0000) |
                           (n << 3 & 0x7f000000) | 0x808080;

    if (buf->has_failed)
        return; /* `begin` may be 0 */
    memcpy(buf->bytes + begin - RLN__PROTO_LENGTH_BYTES, &coded,
           sizeof(coded)); /* little-endian */
}

#endif
