/* SPDX-License-Identifier: Apache-2.0 */
/* helper_calls.c - every macro of nvToolsExtPayloadHelper.h, with each number of
 * arguments; the toy tool logs what they register. */
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtPayloadHelper.h>

#include <stdio.h>

/* A struct that exists. */
typedef struct {
    int32_t i;
    double d;
    char text[24];
    unsigned char *bytes;
    size_t n_bytes;
} existing;

/* clang-format off */
NVTX_DEFINE_SCHEMA_FOR_STRUCT(existing, "Existing", static,
    NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY, NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 1,
    NVTX_PAYLOAD_ENTRIES(
        (i, TYPE_INT32),
        (d, TYPE_DOUBLE, "a number"),
        (n_bytes, TYPE_SIZE, "bytes", "how many"),
        (text, TYPE_CSTRING, "text", NVTX_NULLPTR, 24),
        (bytes, TYPE_BYTE, "data", "the bytes", 2, ARRAY_LENGTH_INDEX)))

/* One that is defined here, at file scope. */
NVTX_DEFINE_STRUCT_WITH_SCHEMA(point, "Point", static,
    NVTX_PAYLOAD_ENTRIES(
        (double, x, TYPE_DOUBLE),
        (double, y, TYPE_DOUBLE, "y"),
        (float, z, TYPE_FLOAT, "z", "height"),
        (char, (label, 24), TYPE_CSTRING, "label", "its name", 24),
        (short, (list, 4), TYPE_SHORT, "list", NVTX_NULLPTR, 4, ARRAY_FIXED_SIZE)))

NVTX_DEFINE_STRUCT(plain,
    (double, fp64),
    (uint8_t, u8),
    (float, fp32[3]))
/* clang-format on */

static void say_registered(nvtxDomainHandle_t domain)
{
    /* clang-format off */
    NVTX_DEFINE_SCHEMA_FOR_STRUCT_AND_REGISTER(domain, plain,
        NVTX_PAYLOAD_ENTRIES((fp64, TYPE_DOUBLE), (u8, TYPE_UINT8)))

    NVTX_DEFINE_STRUCT_WITH_SCHEMA_AND_REGISTER(domain, nesting, "Nesting",
        NVTX_PAYLOAD_ENTRIES(
            (point, at, NVTX_PAYLOAD_NESTED(NVTX_PAYLOAD_SCHEMA_ID_STATIC_START), "at"),
            (plain, what, NVTX_PAYLOAD_NESTED(plain_schemaId))))

    NVTX_DEFINE_STRUCT_WITH_SCHEMA(many, "Many", , NVTX_PAYLOAD_SCHEMA_FLAG_NONE,
        NVTX_PAYLOAD_ENTRIES(
            (char, a, TYPE_CHAR), (char, b, TYPE_CHAR), (char, c, TYPE_CHAR),
            (char, d, TYPE_CHAR), (char, e, TYPE_CHAR), (char, f, TYPE_CHAR),
            (char, g, TYPE_CHAR), (char, h, TYPE_CHAR), (char, i, TYPE_CHAR),
            (char, j, TYPE_CHAR), (char, k, TYPE_CHAR), (char, l, TYPE_CHAR),
            (char, m, TYPE_CHAR), (char, n, TYPE_CHAR), (char, o, TYPE_CHAR)))
    /* clang-format on */
    uint64_t id;

    id = NVTX_PAYLOAD_SCHEMA_REGISTER(domain, many);
    printf("plain %d, nesting %d, many %d\n", plain_schemaId != 0,
           nesting_schemaId != 0, id != 0);
}

int main(void)
{
    uint64_t ids[2];

    ids[0] = NVTX_PAYLOAD_SCHEMA_REGISTER(NULL, existing);
    ids[1] = NVTX_PAYLOAD_SCHEMA_REGISTER(NULL, point);
    printf("existing %d, point %d\n", ids[0] != 0, ids[1] != 0);
    say_registered(NULL);
    printf("%d %d\n", (int)sizeof(point), (int)sizeof(plain));
    printf("# done\n");
    return 0;
}
