/* SPDX-License-Identifier: Apache-2.0 */
/* test_rows.c - ranges come in the order of their starts, however long one is open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "export/rows.h"

/* The rows received, as their starts, negative if the row was set aside. */
struct taken {
    int64_t starts[3 * RLN__MAX_WAITING];
    uint64_t asides[8];
    size_t n, n_asides;
    size_t n_bytes;
};

static rln_status take(void *context, const struct rln__row *row, rln_error *err)
{
    struct taken *t = context;

    (void)err;
    t->starts[t->n++] = row->aside ? -row->range->start_ns : row->range->start_ns;
    t->n_bytes += row->json.length;
    return RLN_OK;
}

static rln_status set_aside(void *context, uint64_t number, const rln_range *range,
                            rln_error *err)
{
    struct taken *t = context;

    (void)range;
    (void)err;
    assert_true(t->n_asides < 8);
    t->asides[t->n_asides++] = number;
    return RLN_OK;
}

static uint64_t begin(struct rln__rows *rows)
{
    uint64_t number;

    assert_int_equal(rln__rows_open(rows, NULL, &number, NULL), RLN_OK);
    return number;
}

static void end(struct rln__rows *rows, uint64_t number, int64_t start_ns,
                rln_text json)
{
    const rln_range range = {.start_ns = start_ns};
    struct rln__row row = {.range = &range, .json = json};

    assert_int_equal(rln__rows_close(rows, number, &row, NULL), RLN_OK);
}

static const rln_text nothing = {NULL, 0};

static void inner_ranges_wait_for_the_outer_one(void **state)
{
    struct taken *t = calloc(1, sizeof(*t));
    struct rln__rows rows = {.take = take, .aside = set_aside, .context = t};
    const uint64_t a = begin(&rows), b = begin(&rows), c = begin(&rows);

    (void)state;
    end(&rows, c, 3, (rln_text){"[{}]", 4});
    end(&rows, b, 2, nothing);
    assert_int_equal(t->n, 0);
    end(&rows, a, 1, nothing);
    assert_int_equal(t->n, 3);
    for (int64_t i = 0; i < 3; i++)
        assert_int_equal(t->starts[i], i + 1);
    assert_int_equal(t->n_bytes, 4);
    assert_int_equal(rows.n_bytes, 0);
    rln__rows_clear(&rows);
    free(t);
}

static void one_that_stays_open_is_set_aside(void **state)
{
    struct taken *t = calloc(1, sizeof(*t));
    struct rln__rows rows = {.take = take, .aside = set_aside, .context = t};
    const uint64_t outer = begin(&rows);
    const size_t n = 2 * RLN__MAX_WAITING;

    (void)state;
    for (size_t i = 0; i < n; i++)
        end(&rows, begin(&rows), (int64_t)i + 2, nothing);
    assert_int_equal(t->n_asides, 1);
    end(&rows, outer, 1, nothing);
    assert_int_equal(t->n, n + 1);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(t->starts[i], i + 2);
    assert_int_equal(t->starts[n], -1);
    rln__rows_clear(&rows);
    free(t);
}

static void payloads_that_wait_are_bounded(void **state)
{
    struct taken *t = calloc(1, sizeof(*t));
    struct rln__rows rows = {.take = take, .aside = set_aside, .context = t};
    const rln_text large = {calloc(1, 1 << 20), 1 << 20};
    const uint64_t outer = begin(&rows);

    (void)state;
    assert_non_null(large.bytes);
    for (int64_t i = 0; i < 200; i++) {
        end(&rows, begin(&rows), i + 2, large);
        assert_true(rows.n_bytes <= RLN__MAX_WAITING_BYTES);
    }
    assert_int_equal(t->n_asides, 1);
    end(&rows, outer, 1, large);
    assert_int_equal(t->n_bytes, (size_t)201 << 20);
    (void)begin(&rows);
    end(&rows, begin(&rows), 301, large); /* waits, and is freed with the rest */
    rln__rows_clear(&rows);
    free((char *)(uintptr_t)large.bytes);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_ranges_wait_for_the_outer_one),
        cmocka_unit_test(one_that_stays_open_is_set_aside),
        cmocka_unit_test(payloads_that_wait_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
