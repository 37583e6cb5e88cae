/* SPDX-License-Identifier: Apache-2.0 */
/* test_proto.c - numbers of every length are encoded as protocol buffers require. */
#include "base/count.h"
#include "export/perfetto/proto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The encoding as documented: seven bits per byte, the lowest first. */
static size_t put_slowly(char *at, uint64_t value)
{
    size_t n = 0;

    for (; value > 0x7f; value >>= 7)
        at[n++] = (char)(value | 0x80);
    at[n++] = (char)value;
    return n;
}

static void a_number_takes_seven_bits_per_byte(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t power = (uint64_t)1 << bit;
        const uint64_t values[] = {power - 1, power, power | 1, power | power / 3,
                                   0 - power};

        for (size_t i = 0; i < RLN_COUNT(values); i++) {
            char expected[RLN__PROTO_MOST_BYTES], found[RLN__PROTO_MOST_BYTES];
            const size_t n = put_slowly(expected, values[i]);

            assert_int_equal(rln__proto_put(found, values[i]) - found, n);
            assert_memory_equal(found, expected, n);
        }
    }
}

static void a_length_is_filled_in_when_it_is_known(void **state)
{
    static const char expected[] = {0x0a, (char)0x83, (char)0x80, (char)0x80,
                                    0x00, 0x18,       (char)0xac, 0x02};
    struct rln__buf buf = {0};
    size_t begin;

    (void)state;
    begin = rln__proto_begin(&buf, 1);
    rln__proto_varint(&buf, 3, 300);
    rln__proto_end(&buf, begin);
    assert_int_equal(buf.length, sizeof(expected));
    assert_memory_equal(buf.bytes, expected, sizeof(expected));
    rln__buf_clear(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_takes_seven_bits_per_byte),
        cmocka_unit_test(a_length_is_filled_in_when_it_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
