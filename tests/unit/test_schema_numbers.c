/* SPDX-License-Identifier: Apache-2.0 */
/* test_schema_numbers.c - format/nvtx_payload.h has the constants of the client
 * headers, which the reading side does not include. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NVTX_NO_IMPL
#include "format/nvtx_payload.h"
#include "format/registry.h"
#include "nvtx3/nvToolsExtPayload.h"

#define TYPE(ours, theirs)                                                             \
    {                                                                                  \
#theirs, RLN__TYPE_##ours, NVTX_PAYLOAD_ENTRY_TYPE_##theirs                    \
    }
#define SAME(ours, theirs)                                                             \
    {                                                                                  \
#theirs, ours, theirs                                                          \
    }

static void our_numbers_are_those_of_the_client_headers(void **state)
{
    static const struct {
        const char *name;
        uint64_t ours, theirs;
    } numbers[] = {
        TYPE(CHAR, CHAR),
        TYPE(UCHAR, UCHAR),
        TYPE(SHORT, SHORT),
        TYPE(USHORT, USHORT),
        TYPE(INT, INT),
        TYPE(UINT, UINT),
        TYPE(LONG, LONG),
        TYPE(ULONG, ULONG),
        TYPE(LONGLONG, LONGLONG),
        TYPE(ULONGLONG, ULONGLONG),
        TYPE(INT8, INT8),
        TYPE(UINT8, UINT8),
        TYPE(INT16, INT16),
        TYPE(UINT16, UINT16),
        TYPE(INT32, INT32),
        TYPE(UINT32, UINT32),
        TYPE(INT64, INT64),
        TYPE(UINT64, UINT64),
        TYPE(FLOAT, FLOAT),
        TYPE(DOUBLE, DOUBLE),
        TYPE(LONGDOUBLE, LONGDOUBLE),
        TYPE(SIZE, SIZE),
        TYPE(ADDRESS, ADDRESS),
        TYPE(WCHAR, WCHAR),
        TYPE(CHAR8, CHAR8),
        TYPE(CHAR16, CHAR16),
        TYPE(CHAR32, CHAR32),
        TYPE(BYTE, BYTE),
        TYPE(INT128, INT128),
        TYPE(UINT128, UINT128),
        TYPE(FLOAT16, FLOAT16),
        TYPE(FLOAT32, FLOAT32),
        TYPE(FLOAT64, FLOAT64),
        TYPE(FLOAT128, FLOAT128),
        TYPE(BF16, BF16),
        TYPE(TF32, TF32),
        TYPE(RANGE_ID, RANGE_ID),
        TYPE(CATEGORY, CATEGORY),
        TYPE(COLOR, COLOR_ARGB),
        TYPE(SCOPE, SCOPE_ID),
        TYPE(PID32, PID_UINT32),
        TYPE(PID64, PID_UINT64),
        TYPE(TID32, TID_UINT32),
        TYPE(TID64, TID_UINT64),
        TYPE(CSTRING, CSTRING),
        TYPE(CSTRING_UTF8, CSTRING_UTF8),
        TYPE(CSTRING_UTF16, CSTRING_UTF16),
        TYPE(CSTRING_UTF32, CSTRING_UTF32),
        TYPE(STRING_HANDLE, NVTX_REGISTERED_STRING_HANDLE),
        TYPE(SELECTOR, UNION_SELECTOR),
        SAME(RLN__N_TYPES, NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE),
        SAME(RLN__TYPE_REFERENCED, NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED),
        SAME(RLN__TYPE_RAW, NVTX_TYPE_PAYLOAD_SCHEMA_RAW),
        SAME(RLN__FIRST_SCHEMA_ID, NVTX_PAYLOAD_SCHEMA_ID_STATIC_START),
        SAME(RLN__ENTRY_POINTER, NVTX_PAYLOAD_ENTRY_FLAG_POINTER),
        SAME(RLN__ENTRY_FROM_BASE, NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE),
        SAME(RLN__ENTRY_FROM_HERE, NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE),
        SAME(RLN__ARRAY_FIXED << 4, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE),
        SAME(RLN__ARRAY_TERMINATED << 4, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED),
        SAME(RLN__ARRAY_LENGTH_INDEX << 4, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX),
        SAME(RLN__ARRAY_LENGTH_PAYLOAD << 4,
             NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX),
        SAME(RLN__ENTRY_HIDE, NVTX_PAYLOAD_ENTRY_FLAG_HIDE),
        SAME(RLN__PURPOSE_MESSAGE << 10, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE),
        SAME(RLN__PURPOSE_TIMESTAMP << 10, NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP),
        SAME(RLN__SCHEMA_STATIC, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC),
        SAME(RLN__SCHEMA_DYNAMIC, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC),
        SAME(RLN__SCHEMA_UNION, NVTX_PAYLOAD_SCHEMA_TYPE_UNION),
        SAME(RLN__SCHEMA_UNION_INTERNAL,
             NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (numbers[i].ours != numbers[i].theirs)
            fail_msg("%s is %llu", numbers[i].name,
                     (unsigned long long)numbers[i].theirs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_numbers_are_those_of_the_client_headers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
