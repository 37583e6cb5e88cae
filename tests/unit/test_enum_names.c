/* SPDX-License-Identifier: Apache-2.0 */
/* test_enum_names.c - each constant of the library has a name of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "rangeline/model.h"
#include "trace/open/enum_names.h"

static const char *event_type(unsigned number)
{
    return rln_event_type_name((rln_event_type)number);
}

static const char *range_style(unsigned number)
{
    return rln__range_style_name((rln_range_style)number);
}

static void each_has_its_own(const char *(*name)(unsigned number), unsigned last)
{
    assert_null(name(0));
    for (unsigned i = 1; i <= last; i++) {
        assert_non_null(name(i));
        for (unsigned j = 1; j < i; j++)
            assert_string_not_equal(name(i), name(j));
    }
    assert_null(name(last + 1));
    assert_null(name(UINT32_MAX));
}

static void test_types_and_styles(void **state)
{
    (void)state;
    each_has_its_own(event_type, RLN_EVENT_CALL);
    each_has_its_own(range_style, RLN_RANGE_CALL);
    assert_string_equal(event_type(RLN_EVENT_PUSH), "push");
    assert_string_equal(event_type(RLN_EVENT_CALL), "call");
    assert_string_equal(range_style(RLN_RANGE_CALL), "call");
}

static void test_samples_without_a_value(void **state)
{
    (void)state;
    assert_string_equal(rln__no_value_cause_name(RLN_NO_VALUE_ZERO), "zero");
    assert_string_equal(rln__no_value_cause_name(RLN_NO_VALUE_UNCHANGED), "unchanged");
    assert_string_equal(rln__no_value_cause_name(RLN_NO_VALUE_UNAVAILABLE),
                        "unavailable");
    assert_string_equal(rln__no_value_cause_name(RLN_NO_VALUE_OTHER), "other");
    assert_string_equal(rln__no_value_cause_name(0), "other");
    assert_string_equal(rln__no_value_cause_name(UINT8_MAX), "other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_styles),
        cmocka_unit_test(test_samples_without_a_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
