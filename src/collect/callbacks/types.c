/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/callbacks/types.h"

#include "collect/event/safe_read.h"
#include "collect/event/statements.h"
#include "format/nvtx_payload.h"

#include <float.h>
#include <limits.h>
#include <wchar.h>

/* Sizes in this library, which are normally right for all programs of the system;
 * clients that were compiled with other options report theirs. */
static struct rln__type c_types[RLN__C_TYPES] = {
    {0, 0}, {1, 1},   {1, 1}, {2, 2}, {2, 2}, {4, 4}, {4, 4}, {8, 8}, {8, 8}, {8, 8},
    {8, 8}, {1, 1},   {1, 1}, {2, 2}, {2, 2}, {4, 4}, {4, 4}, {8, 8}, {8, 8}, {4, 4},
    {8, 8}, {16, 16}, {8, 8}, {8, 8}, {4, 4}, {1, 1}, {2, 2}, {4, 4},
};

static unsigned flags_of_types(void)
{
    unsigned flags = 0;

    if (CHAR_MIN < 0)
        flags |= RLN__TYPES_SIGNED_CHAR;
    if (WCHAR_MIN < 0)
        flags |= RLN__TYPES_SIGNED_WCHAR;
    if (c_types[RLN__TYPE_LONGDOUBLE].size == 16 && LDBL_MANT_DIG == 64)
        flags |= RLN__TYPES_LONG_DOUBLE_X87;
    if (c_types[RLN__TYPE_LONGDOUBLE].size == 16 && LDBL_MANT_DIG == 113)
        flags |= RLN__TYPES_LONG_DOUBLE_IEEE;
    return flags;
}

static void take_over(const struct rln__type *reported, size_t n)
{
    struct rln__type all[RLN__C_TYPES];

    if (n > RLN__C_TYPES)
        n = RLN__C_TYPES;
    if (rln__safe_read(all, reported, n * sizeof *reported) != n * sizeof *reported)
        return;
    for (size_t i = 1; i < n; i++) {
        const uint16_t alignment = all[i].alignment;

        if (all[i].size && all[i].size <= 32 && alignment && alignment <= 32 &&
            !(alignment & (alignment - 1)))
            c_types[i] = all[i];
    }
}

void rln__types_note(const void *info)
{
    static uint32_t is_noted; /* atomic; a forked child has its parent's types */
    struct rln__type first = {0, 0};
    uint64_t words[1 + RLN__C_TYPES / 2];

    if (__atomic_exchange_n(&is_noted, 1, __ATOMIC_RELAXED))
        return;
    if (rln__safe_read_all(&first, (const struct rln__type *)info) &&
        first.alignment == sizeof first)
        take_over(info, first.size);
    words[0] = rln__pair32(RLN__C_TYPES, flags_of_types());
    for (size_t i = 0; i < RLN__C_TYPES / 2; i++) {
        const struct rln__type *pair = &c_types[2 * i];

        words[1 + i] = rln__pair32(pair[0].size | (uint32_t)pair[0].alignment << 16,
                                   pair[1].size | (uint64_t)pair[1].alignment << 16);
    }
    rln__put_statement_words(RLN__SUB_TYPES, words, RLN_COUNT(words));
}

struct rln__type rln__type_of(uint64_t type)
{
    const uint16_t fixed = rln__fixed_type_bytes(type);

    if (type == RLN__TYPE_STRING_HANDLE)
        type = RLN__TYPE_ADDRESS;
    return type < RLN__C_TYPES ? c_types[type] : (struct rln__type){fixed, fixed};
}
