/* SPDX-License-Identifier: Apache-2.0 */
/* test_record_cache.c - batches stay cached while elements of several alternate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "trace/decode/record_cache.h"

#define THIRD (RLN__CACHED_BYTES / 3 / 8) /* words: three fit */

static const uint64_t *keep(struct rln__record_cache *cache, uint32_t part,
                            uint64_t offset, size_t n_words)
{
    uint64_t *words = rln__resize(NULL, n_words, sizeof(*words));

    assert_non_null(words);
    assert_int_equal(rln__record_keep(cache, part, offset, words, n_words), 0);
    return words;
}

static const uint64_t *get(struct rln__record_cache *cache, uint32_t part,
                           uint64_t offset, size_t n_expected)
{
    size_t n_words = 0;
    const uint64_t *words = rln__record_cached(cache, part, offset, &n_words);

    assert_int_equal(n_words, words ? n_expected : 0);
    return words;
}

static void batches_side_by_side_stay(void **state)
{
    struct rln__record_cache cache = {0};
    const uint64_t *a = keep(&cache, 0, 65600, 10), *b = keep(&cache, 0, 65680, 20),
                   *c = keep(&cache, 1, 65600, 30); /* of another part */

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        assert_ptr_equal(get(&cache, 0, 65600, 10), a);
        assert_ptr_equal(get(&cache, 1, 65600, 30), c);
        assert_ptr_equal(get(&cache, 0, 65680, 20), b);
    }
    assert_null(get(&cache, 1, 65680, 0));
    rln__record_cache_clear(&cache);
}

static void what_was_used_longest_ago_goes_first(void **state)
{
    struct rln__record_cache cache = {0};
    const uint64_t *a = keep(&cache, 0, 8, THIRD);

    (void)state;
    (void)keep(&cache, 0, 16, THIRD);
    (void)keep(&cache, 0, 24, THIRD);
    assert_ptr_equal(get(&cache, 0, 8, THIRD), a);
    (void)keep(&cache, 0, 32, THIRD);
    assert_ptr_equal(get(&cache, 0, 8, THIRD), a);
    assert_null(get(&cache, 0, 16, 0));
    assert_true(cache.n_bytes <= RLN__CACHED_BYTES);
    rln__record_cache_clear(&cache);
}

static void a_batch_that_is_too_large_is_cached_alone(void **state)
{
    struct rln__record_cache cache = {0};
    const uint64_t *large;

    (void)state;
    (void)keep(&cache, 0, 8, 10);
    large = keep(&cache, 0, 16, THIRD * 4);
    assert_null(get(&cache, 0, 8, 0));
    assert_ptr_equal(get(&cache, 0, 16, THIRD * 4), large);
    (void)keep(&cache, 0, 8, 10);
    assert_null(get(&cache, 0, 16, 0));
    rln__record_cache_clear(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_side_by_side_stay),
        cmocka_unit_test(what_was_used_longest_ago_goes_first),
        cmocka_unit_test(a_batch_that_is_too_large_is_cached_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
