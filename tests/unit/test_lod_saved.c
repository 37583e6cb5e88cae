/* SPDX-License-Identifier: Apache-2.0 */
/* test_lod_saved.c - an index of saved bytes is the one that was saved. That it answers
 * as that one, damaged or not, web/equal.mjs tests. */
#include "base/alloc.h"
#include "lod_walk.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_saved.h"

/* With as little beside the index as it needs. */
static void save(struct rln__lod *lod, struct rln__buf *out)
{
    struct rln__lod_saved saved = {.n_groups = lod->n_groups,
                                   .n_threads = lod->reader->n_threads};

    for (size_t i = 0; i < lod->n_rows; i++) {
        for (size_t k = 0; k < lod->rows[i].buckets.n; k++) {
            struct rln__range_bucket *b = &lod->rows[i].buckets.items[k];

            assert_non_null(rln__lod_attr(lod, b->attr));
            b->address = b->n == 1 ? 0 : b->address;
        }
    }
    saved.groups = rln__alloc(saved.n_groups, sizeof(*saved.groups));
    saved.threads = rln__alloc(saved.n_threads, sizeof(*saved.threads));
    for (size_t i = 0; i < saved.n_threads; i++)
        saved.threads[i].adopter = RLN__NONE;
    rln__lod_save(lod, &saved, out);
    assert_false(out->has_failed);
    rln__lod_saved_clear(&saved);
}

/* RLN_OK; the bytes stay those of `saved`. */
static rln_status load(struct rln__lod *lod, const struct rln__buf *saved,
                       size_t n_bytes)
{
    char *bytes = rln__alloc(n_bytes, 1);

    rln_status status;

    if (!bytes)
        return RLN_ERR_NOMEM;
    memcpy(bytes, saved->bytes, n_bytes);
    status = rln__lod_load(lod, bytes, n_bytes, NULL);
    if (status)
        rln__lod_clear(lod);
    return status;
}

static void expect_equal(struct rln__lod *a, struct rln__lod *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_names, b->n_names);
    assert_int_equal(a->resolution_ns, b->resolution_ns);
    assert_int_equal(a->n_events, b->n_events);
    for (size_t i = 0; i < a->n_rows; i++) {
        struct rln__lod_row *x = &a->rows[i], *y = &b->rows[i];

        assert_int_equal(x->above, y->above);
        if (!a->resolution_ns)
            expect_same(x, y, a->first_ns, a->last_ns, 0);
        assert_int_equal(x->buckets.n, y->buckets.n);
        assert_memory_equal(x->buckets.items, y->buckets.items,
                            x->buckets.n * sizeof(*x->buckets.items));
    }
}

static void what_is_loaded_is_what_was_saved(void **state)
{
    (void)state;
    for (int is_merged = 0; is_merged < 2; is_merged++) {
        rln_reader *reader = open_scenario(sc_walk);
        struct rln__lod lod, loaded;
        struct rln__buf saved = {0};

        build(&lod, reader, is_merged ? SMALL : UINT64_MAX / 16);
        assert_int_equal(lod.resolution_ns != 0, is_merged);
        save(&lod, &saved);
        assert_int_equal(load(&loaded, &saved, saved.length), RLN_OK);
        expect_equal(&lod, &loaded);
        for (size_t n = 0; n < saved.length; n += n < 200 ? 1 : saved.length / 50) {
            struct rln__lod cut;

            assert_int_equal(load(&cut, &saved, n), RLN_ERR_FORMAT);
        }
        rln__lod_clear(&loaded);
        rln__lod_clear(&lod);
        rln__buf_clear(&saved);
        rln_reader_close(reader);
    }
}

/* To save room, names may lose how long each of their ranges is, but not how many there
 * are. */
static void lengths_can_be_forgotten(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod lod, loaded;
    struct rln__buf saved = {0};
    struct rln__duration_histogram *h, *other, both = {0};
    struct rln__duration_histogram_spread spread;
    uint64_t n, max_ns;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_true(lod.n_names > 1);
    h = &lod.names[0].durations;
    n = h->n;
    max_ns = h->max_ns;
    assert_true(n > 1);
    rln__duration_histogram_forget(h);
    save(&lod, &saved);
    assert_int_equal(load(&loaded, &saved, saved.length), RLN_OK);
    h = &loaded.names[0].durations;
    other = &loaded.names[1].durations;
    assert_int_equal(h->n, n);
    assert_int_equal(h->max_ns, max_ns);
    assert_int_equal(rln__duration_histogram_spread(h, &spread), 0);
    assert_int_equal(spread.n_bars, 0);
    assert_int_equal(rln__duration_histogram_spread(other, &spread), 0);
    assert_true(spread.n_bars > 0);
    assert_int_equal(rln__duration_histogram_merge(&both, other), 0);
    assert_int_equal(rln__duration_histogram_merge(&both, h), 0);
    assert_int_equal(both.n, n + other->n);
    assert_null(both.items);
    rln__duration_histogram_clear(&both);
    rln__lod_clear(&loaded);
    rln__lod_clear(&lod);
    rln__buf_clear(&saved);
    rln_reader_close(reader);
}

static void every_failed_allocation_is_reported(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    rln_status status = RLN_ERR_NOMEM;
    struct rln__lod lod, loaded;
    struct rln__buf saved = {0};
    size_t nth;

    (void)state;
    build(&lod, reader, SMALL);
    save(&lod, &saved);
    for (nth = 1; status; nth++) {
        rln__alloc_fail_from(nth);
        status = load(&loaded, &saved, saved.length);
        if (rln__alloc_failures() == 0)
            assert_int_equal(status, RLN_OK);
        rln__alloc_fail_from(0);
        assert_true(status == RLN_OK || status == RLN_ERR_NOMEM);
    }
    assert_true(nth > 10);
    rln__lod_clear(&loaded);
    rln__lod_clear(&lod);
    rln__buf_clear(&saved);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_loaded_is_what_was_saved),
        cmocka_unit_test(lengths_can_be_forgotten),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
