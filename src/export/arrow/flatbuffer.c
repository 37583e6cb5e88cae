/* SPDX-License-Identifier: Apache-2.0 */
#include "export/arrow/flatbuffer.h"

static void align(struct rln__buf *out, size_t to, size_t n_before)
{
    rln__buf_fill(out, 0, -(out->length + n_before) % to);
}

/* Nothing is where there was no memory. */
void rln__flat_set(struct rln__buf *out, size_t at, uint64_t value, size_t width)
{
    if (!out->has_failed)
        memcpy(out->bytes + at, &value, width);
}

static void add(struct rln__buf *out, uint64_t value, size_t width)
{
    rln__buf_add(out, (const char *)&value, width);
}

size_t rln__flat_table(struct rln__buf *out, const uint8_t *widths, size_t n_fields)
{
    size_t vtable, table, end = 4; /* behind the distance to the vtable */

    align(out, 2, 0);
    vtable = out->length;
    add(out, 4 + 2 * n_fields, 2);
    add(out, 0, 2);
    for (size_t i = 0; i < n_fields; i++) {
        if (widths[i])
            end += -end % widths[i];
        add(out, widths[i] ? end : 0, 2);
        end += widths[i];
    }
    rln__flat_set(out, vtable + 2, end, 2);
    align(out, 8, 0);
    table = out->length;
    add(out, table - vtable, 4);
    rln__buf_fill(out, 0, end - 4);
    return table;
}

size_t rln__flat_field(const struct rln__buf *out, size_t table, size_t field)
{
    uint32_t distance;
    uint16_t offset;

    if (out->has_failed)
        return 0;
    memcpy(&distance, out->bytes + table, sizeof(distance));
    memcpy(&offset, out->bytes + table - distance + 4 + 2 * field, sizeof(offset));
    return table + offset;
}

void rln__flat_refer(struct rln__buf *out, size_t at, size_t target)
{
    rln__flat_set(out, at, target - at, RLN__FLAT_OFFSET);
}

size_t rln__flat_vector(struct rln__buf *out, size_t at, size_t n)
{
    align(out, 8, 4);
    rln__flat_refer(out, at, out->length);
    add(out, n, 4);
    return out->length;
}

size_t rln__flat_offsets(struct rln__buf *out, size_t at, size_t n)
{
    const size_t first = rln__flat_vector(out, at, n);

    rln__buf_fill(out, 0, n * RLN__FLAT_OFFSET);
    return first;
}

void rln__flat_text(struct rln__buf *out, size_t at, const char *text)
{
    (void)rln__flat_vector(out, at, strlen(text));
    rln__buf_add(out, text, strlen(text) + 1);
}
