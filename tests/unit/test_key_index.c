/* SPDX-License-Identifier: Apache-2.0 */
/* test_key_index.c - the index finds each key's item. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/key_index.h"

struct item {
    uint64_t n;
    uint64_t key;
};

struct list {
    struct rln__key_index keys;
    struct item *items;
    size_t n, capacity;
};

static struct item *item_of(struct list *l, uint64_t key)
{
    const struct rln__key words = {{key, key / 3, 0, key}};
    const uint32_t number = rln__key_index_number(&l->keys, &words);

    return rln__key_index_item(&l->items, &l->n, &l->capacity, number,
                               sizeof(*l->items));
}

static void clear(struct list *l)
{
    rln__key_index_clear(&l->keys);
    rln__free(l->items);
    *l = (struct list){.n = 0};
}

static void a_key_has_one_item_which_begins_as_zeros(void **state)
{
    struct list l = {.n = 0};

    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        struct item *item = item_of(&l, i % 1000);

        assert_non_null(item);
        assert_int_equal(item->n++, i / 1000);
        assert_int_equal(item->key, i < 1000 ? 0 : i % 1000);
        item->key = i % 1000;
        assert_ptr_equal(item, &l.items[i % 1000]);
    }
    assert_int_equal(l.n, 1000);
    clear(&l);
}

static void without_memory_there_is_no_item_and_none_is_counted(void **state)
{
    struct list l = {.n = 0};
    uint64_t key = 0;

    (void)state;
    for (size_t nth = 1; nth < 20; nth++) {
        struct item *item;

        rln__alloc_fail_from(nth);
        while ((item = item_of(&l, key)) && key < 1000)
            key++;
        rln__alloc_fail_from(0);
        assert_true(item || l.n == key);
        clear(&l);
        key = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_has_one_item_which_begins_as_zeros),
        cmocka_unit_test(without_memory_there_is_no_item_and_none_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
