/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_file.h - the beginning and the end of a file of reduced traces, which
 * docs/reference/REDUCED.md describes.
 *
 *   | magic | version, 0 | bytes of the file | content ... | checksum |
 *       8        4 + 4             8                            8
 */
#ifndef RLN_REDUCE_REDUCED_FILE_H
#define RLN_REDUCE_REDUCED_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RLN__REDUCED_MAGIC "RLNSUM\r\n"
#define RLN__REDUCED_MAGIC_BYTES 8u
/* 2 has what the time of ranges was made of. 1 is read, too. */
#define RLN__REDUCED_VERSION 2u
#define RLN__REDUCED_CPU_TIMES 2u
#define RLN__REDUCED_HEAD_BYTES 24u
#define RLN__REDUCED_END_BYTES 8u

static inline int rln__reduced_has_magic(const void *bytes, size_t n)
{
    return n >= RLN__REDUCED_MAGIC_BYTES &&
           memcmp(bytes, RLN__REDUCED_MAGIC, RLN__REDUCED_MAGIC_BYTES) == 0;
}

/* FNV-1a, of 64 bits. */
static inline uint64_t rln__reduced_checksum(const unsigned char *bytes, size_t n)
{
    uint64_t sum = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

#endif
