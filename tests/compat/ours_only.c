/* SPDX-License-Identifier: Apache-2.0 */
/* ours_only.c - checks what only our headers do: see docs/reference/COMPATIBILITY.md.
 * As C99 and as C++; exits with the number of the first claim that is false. */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtPayloadHelper.h>

/* clang-format off */
NVTX_DEFINE_STRUCT_WITH_SCHEMA(many, "Many", static,
    NVTX_PAYLOAD_ENTRIES(
        (char, a, TYPE_CHAR), (char, b, TYPE_CHAR), (char, c, TYPE_CHAR),
        (char, d, TYPE_CHAR), (char, e, TYPE_CHAR), (char, f, TYPE_CHAR),
        (char, g, TYPE_CHAR), (char, h, TYPE_CHAR), (char, i, TYPE_CHAR),
        (char, j, TYPE_CHAR), (char, k, TYPE_CHAR), (char, l, TYPE_CHAR),
        (char, m, TYPE_CHAR), (char, n, TYPE_CHAR), (char, o, TYPE_CHAR),
        (int, (p, 2), TYPE_INT, "array", NVTX_NULLPTR, 2, ARRAY_FIXED_SIZE)))

/* A length for a member that is no array, and an array without one. */
NVTX_DEFINE_STRUCT_WITH_SCHEMA(loose, "Loose", static,
    NVTX_PAYLOAD_ENTRIES(
        (const char *, text, TYPE_CSTRING, "text", NVTX_NULLPTR, 0, POINTER),
        (char, (name, 8), TYPE_CHAR)))
/* clang-format on */

int main(void)
{
    int array[2] = {1, 2};

    if (manyAttr.numEntries != 16 || manySchema[15].offset != 16)
        return 1;
    if (looseAttr.numEntries != 2 || looseSchema[1].offset != sizeof(char *))
        return 2;
    if (NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR >> 32 != 1 ||
        NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR >> 33 != 1)
        return 3;
    if (NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY != 112 ||
        NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(
            NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX | 1) != 64)
        return 6;
    if (NVTX_MEM_HEAP_HANDLE_NO_TOOL == NULL ||
        NVTX_MEM_REGION_HANDLE_NO_TOOL == NULL ||
        NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL == NULL)
        return 4;
    if (NVTX_POINTER_AS_PAYLOAD_ULLVALUE(array) != (uintptr_t)array)
        return 5;
    return 0;
}
