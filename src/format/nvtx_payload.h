/* SPDX-License-Identifier: Apache-2.0 */
/* nvtx_payload.h - defines NVTX's numbers in schemas, for the collector and for readers
 * of traces, which do not include the client headers.
 * tests/unit/test_schema_numbers.c compares the two. */
#ifndef RLN_FORMAT_NVTX_PAYLOAD_H
#define RLN_FORMAT_NVTX_PAYLOAD_H

#include <stdint.h>

/* Types of entries; also valid as a payload's schema id. The first 27 are C's, in the
 * program's sizes: struct rln__types. */
enum rln__nvtx_type {
    RLN__TYPE_CHAR = 1,
    RLN__TYPE_UCHAR = 2,
    RLN__TYPE_SHORT = 3,
    RLN__TYPE_USHORT = 4,
    RLN__TYPE_INT = 5,
    RLN__TYPE_UINT = 6,
    RLN__TYPE_LONG = 7,
    RLN__TYPE_ULONG = 8,
    RLN__TYPE_LONGLONG = 9,
    RLN__TYPE_ULONGLONG = 10,
    RLN__TYPE_INT8 = 11,
    RLN__TYPE_UINT8 = 12,
    RLN__TYPE_INT16 = 13,
    RLN__TYPE_UINT16 = 14,
    RLN__TYPE_INT32 = 15,
    RLN__TYPE_UINT32 = 16,
    RLN__TYPE_INT64 = 17,
    RLN__TYPE_UINT64 = 18,
    RLN__TYPE_FLOAT = 19,
    RLN__TYPE_DOUBLE = 20,
    RLN__TYPE_LONGDOUBLE = 21,
    RLN__TYPE_SIZE = 22,
    RLN__TYPE_ADDRESS = 23,
    RLN__TYPE_WCHAR = 24,
    RLN__TYPE_CHAR8 = 25,
    RLN__TYPE_CHAR16 = 26,
    RLN__TYPE_CHAR32 = 27,
    RLN__TYPE_BYTE = 32,
    RLN__TYPE_INT128 = 33,
    RLN__TYPE_UINT128 = 34,
    RLN__TYPE_FLOAT16 = 42,
    RLN__TYPE_FLOAT32 = 43,
    RLN__TYPE_FLOAT64 = 44,
    RLN__TYPE_FLOAT128 = 45,
    RLN__TYPE_BF16 = 50,
    RLN__TYPE_TF32 = 52,
    RLN__TYPE_RANGE_ID = 67,
    RLN__TYPE_CATEGORY = 68,
    RLN__TYPE_COLOR = 69,
    RLN__TYPE_SCOPE = 70,
    RLN__TYPE_PID32 = 71,
    RLN__TYPE_PID64 = 72,
    RLN__TYPE_TID32 = 73,
    RLN__TYPE_TID64 = 74,
    RLN__TYPE_CSTRING = 75,
    RLN__TYPE_CSTRING_UTF8 = 76,
    RLN__TYPE_CSTRING_UTF16 = 77,
    RLN__TYPE_CSTRING_UTF32 = 78,
    RLN__TYPE_STRING_HANDLE = 80,
    RLN__TYPE_SELECTOR = 100,
    RLN__TYPE_REFERENCED = 1022, /* a payload that others point into */
    RLN__TYPE_RAW = 1023,
};

/* Size and alignment, in bytes, of a type that has the same size on all platforms; 0
 * for other types. */
static inline uint16_t rln__fixed_type_bytes(uint64_t type)
{
    switch (type) {
    case RLN__TYPE_BYTE:
    case RLN__TYPE_CSTRING:
    case RLN__TYPE_CSTRING_UTF8:
        return 1;
    case RLN__TYPE_FLOAT16:
    case RLN__TYPE_BF16:
    case RLN__TYPE_CSTRING_UTF16:
        return 2;
    case RLN__TYPE_FLOAT32:
    case RLN__TYPE_TF32:
    case RLN__TYPE_CATEGORY:
    case RLN__TYPE_COLOR:
    case RLN__TYPE_PID32:
    case RLN__TYPE_TID32:
    case RLN__TYPE_SELECTOR: /* undocumented by NVTX; an int, like an enum */
    case RLN__TYPE_CSTRING_UTF32:
        return 4;
    case RLN__TYPE_FLOAT64:
    case RLN__TYPE_RANGE_ID:
    case RLN__TYPE_SCOPE:
    case RLN__TYPE_PID64:
    case RLN__TYPE_TID64:
        return 8;
    case RLN__TYPE_INT128:
    case RLN__TYPE_UINT128:
    case RLN__TYPE_FLOAT128:
        return 16;
    default:
        return 0;
    }
}

/* C's signed integers: all odd numbers among the integers. */
static inline int rln__type_is_signed(uint64_t type)
{
    return type >= RLN__TYPE_SHORT && type <= RLN__TYPE_INT64 && type % 2;
}

/* Text, not a single character. */
static inline int rln__type_is_string(uint64_t type)
{
    return type >= RLN__TYPE_CSTRING && type <= RLN__TYPE_CSTRING_UTF32;
}

#define RLN__FIRST_SCHEMA_ID (UINT64_C(1) << 24) /* smaller ids are NVTX's types */

/* Flags of entries. */
#define RLN__ENTRY_POINTER 0x2u
#define RLN__ENTRY_FROM_BASE 0x4u
#define RLN__ENTRY_FROM_HERE 0x8u
#define RLN__ENTRY_INDIRECT 0xeu
#define RLN__ENTRY_ARRAY(flags) ((unsigned)((flags) >> 4) & 7)
#define RLN__ENTRY_DEEP_COPY 0x100u
#define RLN__ENTRY_HIDE 0x200u
#define RLN__ENTRY_PURPOSE(flags) ((unsigned)((flags) >> 10) & 3)

enum rln__array_kind {
    RLN__ARRAY_NONE = 0,
    RLN__ARRAY_FIXED = 1,
    RLN__ARRAY_TERMINATED = 2,
    RLN__ARRAY_LENGTH_INDEX = 3,
    RLN__ARRAY_LENGTH_PAYLOAD = 4,
};

enum rln__entry_purpose { RLN__PURPOSE_MESSAGE = 1, RLN__PURPOSE_TIMESTAMP = 2 };

#define RLN__SCHEMA_DEEP_COPY 0x2u /* of a schema's flags */

enum rln__schema_type {
    RLN__SCHEMA_STATIC = 1,
    RLN__SCHEMA_DYNAMIC = 2,
    RLN__SCHEMA_UNION = 3,
    RLN__SCHEMA_UNION_INTERNAL = 4,
};

#endif
