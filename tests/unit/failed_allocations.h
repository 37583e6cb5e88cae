/* SPDX-License-Identifier: Apache-2.0 */
/* failed_allocations.h - lets each allocation of some work fail in turn. */
#ifndef RLN_TESTS_FAILED_ALLOCATIONS_H
#define RLN_TESTS_FAILED_ALLOCATIONS_H

#include "base/alloc.h"
#include "temp_trace.h"

/* Work on a built trace must report each failure as such, and end as it does without
 * one. Sanitizers find what it leaks. */
static inline void fail_each_allocation(const struct tb *tb,
                                        rln_status (*work)(const char *path,
                                                           rln_error *err))
{
    const char *path = temp_file(tb->bytes, tb->size);
    rln_error err = {0};
    const rln_status expected = work(path, &err);
    rln_status status = RLN_ERR_NOMEM;

    assert_int_not_equal(expected, RLN_ERR_NOMEM);
    for (size_t nth = 1; status == RLN_ERR_NOMEM; nth++) {
        assert_true(nth < 10000);
        rln__alloc_fail_from(nth);
        status = work(path, &err);
        rln__alloc_fail_from(0);
        if (status == RLN_ERR_NOMEM)
            assert_string_equal(err.message, "out of memory");
    }
    assert_int_equal(status, expected);
    (void)unlink(path);
}

#endif
