/* SPDX-License-Identifier: Apache-2.0 */
/* digits.h - writes numbers in decimal, eight digits at a time.
 *
 *     12345678   ->   1234|5678   ->   12|34|56|78   ->   1|2|3|4|5|6|7|8
 *                     halves of a word, then quarters, then bytes
 *
 * One multiplication divides all parts of a word. Text formats consist mostly of
 * numbers, so this is inline and writes directly to the destination: copying with a
 * wide load would stall on the stores.
 */
#ifndef RLN_BASE_DIGITS_H
#define RLN_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

/* The most bytes of a number. Bytes after the number may also be overwritten. */
#define RLN__DIGITS_U64 20u
#define RLN__DIGITS_I64 21u

/* The digits of a number below 10^8, one byte each from 0 to 9; the first digit is the
 * lowest byte, which is stored first. */
static inline uint64_t rln__eight_digits(uint32_t value)
{
    uint64_t word = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t tens = (word * 10486 >> 20) & 0x0000007f0000007fu; /* hundredths */

    word = tens | (word - tens * 100) << 16;
    tens = (word * 103 >> 10) & 0x000f000f000f000fu;
    return tens | (word - tens * 10) << 8;
}

static inline char *rln__digits_store(char *at, uint64_t digits)
{
    digits |= 0x3030303030303030u; /* '0' */
    memcpy(at, &digits, sizeof(digits));
    return at + sizeof(digits);
}

/* Without leading zeros. */
static inline char *rln__digits_first(char *at, uint32_t value)
{
    const uint64_t digits = rln__eight_digits(value);
    /* Keep the last digit, even if it is 0. */
    const unsigned zeros = (unsigned)__builtin_ctzll(digits | (uint64_t)1 << 56) / 8;

    (void)rln__digits_store(at, digits >> zeros * 8);
    return at + 8 - zeros;
}

/* `at` has room for RLN__DIGITS_U64. Returns the end. */
static inline char *rln__digits_u64(char *at, uint64_t value)
{
    const uint32_t group = 100000000;

    if (value < group)
        return rln__digits_first(at, (uint32_t)value);
    if (value < (uint64_t)group * group) {
        at = rln__digits_first(at, (uint32_t)(value / group));
    } else {
        const uint64_t high = value / group;

        at = rln__digits_first(at, (uint32_t)(high / group));
        at = rln__digits_store(at, rln__eight_digits((uint32_t)(high % group)));
    }
    return rln__digits_store(at, rln__eight_digits((uint32_t)(value % group)));
}

static inline char *rln__digits_i64(char *at, int64_t value)
{
    uint64_t size = (uint64_t)value;

    if (value < 0) {
        *at++ = '-';
        size = 0 - size;
    }
    return rln__digits_u64(at, size);
}

#endif
