/* SPDX-License-Identifier: Apache-2.0 */
/* test_lod_states.c - which traces have states of threads beside their index. */
#include "failed_allocations.h"
#include "timeline/lod_states.h"

#define MIB ((uint64_t)1 << 20)

static void states_are_known_unless_they_would_take_too_much_memory(void **state)
{
    rln_reader *with = open_scenario(sc_switches);
    rln_reader *without = open_scenario(sc_switched_ranges);
    const struct rln__lod none = {.reader = without}, saved = {.reader = NULL};
    const struct rln__lod lod = {.reader = with};
    struct rln__chunk_info *switches = NULL;

    (void)state;
    for (size_t i = 0; i < with->layout.n_chunks; i++)
        if (with->layout.chunks[i].kind == RLN__CHUNK_SWITCHES)
            switches = &with->layout.chunks[i];
    assert_non_null(switches);
    assert_int_equal(rln__lod_states_known(&none), RLN__LOD_STATES_NONE);
    assert_int_equal(rln__lod_states_known(&saved), RLN__LOD_STATES_NONE);
    assert_int_equal(rln__lod_states_known(&lod), RLN__LOD_STATES_KNOWN);
    switches->end = switches->offset + 50 * MIB;
    assert_int_equal(rln__lod_states_known(&lod), RLN__LOD_STATES_KNOWN);
    switches->end++;
    assert_int_equal(rln__lod_states_known(&lod), RLN__LOD_STATES_TOO_MANY);
    rln_reader_close(with);
    rln_reader_close(without);
}

static rln_status read_states(const char *path, rln_error *err)
{
    rln_reader *reader = NULL;
    rln_status status = rln_reader_open(&path, 1, &reader, err);
    struct rln__lod lod = {.reader = reader};
    struct rln__cpu_times *times = NULL, *again = NULL;

    if (!status)
        status = rln__lod_states(&lod, &times, err);
    assert_int_equal(status == RLN_OK, times != NULL);
    if (!status) {
        assert_int_equal(rln__lod_states(&lod, &again, err), RLN_OK);
        assert_ptr_equal(times, again); /* they are read once */
    }
    rln__lod_clear(&lod);
    rln_reader_close(reader);
    return status;
}

static void states_are_read_once_or_there_is_no_memory(void **state)
{
    struct tb tb = {0};

    (void)state;
    sc_switches(&tb);
    fail_each_allocation(&tb, read_states);
    tb_clear(&tb);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_known_unless_they_would_take_too_much_memory),
        cmocka_unit_test(states_are_read_once_or_there_is_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
