/* SPDX-License-Identifier: Apache-2.0 */
/* test_registry.c - an id refers to the registration of its process or the parent, of
 * its domain, and of its time. */
#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "payload_builder.h"
#include "reports/check/info.h"
#include "temp_trace.h"
#include "trace/open/load.h"

#define ID (RLN__FIRST_SCHEMA_ID + 1)
#define STRING_NAMED(reader, row)                                                      \
    rln__strings_get(                                                                  \
        &(reader)->names.strings,                                                      \
        rln__names_string(&(reader)->names, (row)->from.process, (row)->name))

static void add_schema(struct tb_chunk *c, uint32_t domain, const char *name,
                       uint64_t id, uint64_t t)
{
    const struct pb_entry entry = {0, RLN__TYPE_INT32, "x", 0, 0};

    pb_schema(c, (struct pb_schema){domain, name, id, 1, 0, 4, 0, t}, &entry, 1);
}

/* Process 2 is forked from 1, and registers one of three ids itself. */
static void build(struct tb *tb)
{
    struct tb_chunk c;
    struct rln__process_record *r;
    uint32_t n_strings;

    (void)tb_part(tb, 31);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    add_schema(&c, 0, "parent's", ID, 0);
    add_schema(&c, 0, "parent's other", ID + 1, 0);
    add_schema(&c, 1, "io's", ID, 0);
    add_schema(&c, 9, "the parent's ninth", ID, 0);
    n_strings = pb_string(&c, "the parent's last") + 1;
    c = tb_names(tb, 2);
    r = tb_process(&c, 2, 1, 200);
    r->flags = RLN__PROCESS_FORKED;
    r->inherited_strings = n_strings;
    r->inherited_attributes = 4;
    r->inherited_domains = 2;
    add_schema(&c, 0, "child's", ID, 700);
    add_schema(&c, 0, "child's, later", ID, 900);
}

static void check(const rln_reader *reader, uint32_t process, uint32_t domain,
                  uint64_t id, uint64_t t, const char *expected)
{
    const struct rln__schema *s =
        rln__registry_schema(&reader->names, process, domain, id, TB_START + t);
    rln_text name;

    if (!expected) {
        assert_null(s);
        return;
    }
    assert_non_null(s);
    name = STRING_NAMED(reader, s);
    assert_int_equal(name.length, strlen(expected));
    assert_memory_equal(name.bytes, expected, name.length);
}

static void an_id_belongs_to_a_domain_of_a_process(void **state)
{
    rln_reader *reader = open_scenario(build);
    const uint32_t parent = rln__names_process(&reader->names, 0, 1);

    (void)state;
    check(reader, parent, 0, ID, 0, "parent's");
    check(reader, parent, 1, ID, 0, "io's");
    check(reader, parent, 1, ID + 1, 0, NULL);
    rln_reader_close(reader);
}

static void a_child_asks_its_parent_for_what_it_did_not_register(void **state)
{
    rln_reader *reader = open_scenario(build);
    const uint32_t child = rln__names_process(&reader->names, 0, 2);

    (void)state;
    check(reader, child, 0, ID, 800, "child's");
    check(reader, child, 0, ID, 900, "child's, later");
    check(reader, child, 0, ID, 100, "child's"); /* used before it was registered */
    check(reader, child, 0, ID + 1, 800, "parent's other");
    check(reader, child, 1, ID, 800, "io's");
    check(reader, child, 9, ID, 800,
          NULL); /* the child's own domain with that number */
    rln_reader_close(reader);
}

/* Names are read again as a trace grows; those already read do not change. */
static void reading_again_changes_nothing(void **state)
{
    rln_reader *reader = open_scenario(build);
    const size_t n = reader->names.registry.n_ids;
    const uint32_t child = rln__names_process(&reader->names, 0, 2);

    (void)state;
    assert_int_equal(rln__reader_refresh(reader, NULL), RLN_OK);
    assert_int_equal(reader->names.registry.n_ids, n);
    check(reader, child, 0, ID, 800, "child's");
    rln_reader_close(reader);
}

/* Also without memory for an array of the ids. */
static void what_was_unknown_becomes_known(void **state)
{
    const uint64_t words[4] = {rln__long_word(RLN__LONG, RLN__SUB_ATTRIBUTES, 4),
                               rln__pair32(5000, 0), 0,
                               rln__pair32(2, rln__types(0, 0, RLN__MESSAGE_PLAIN))};
    const struct rln__record record = {words, 0, 4};
    rln_reader *reader = open_scenario(build);
    struct rln__names *names = &reader->names;
    const uint32_t process = rln__names_process(names, 0, 1);

    (void)state;
    names->cache_bytes_left = 0;
    for (int known = 0; known < 2; known++) {
        for (int again = 0; again < 2; again++) {
            const uint32_t attr = rln__names_attr(names, process, 5000);

            assert_int_equal(names->attrs[attr].is_unknown, !known);
            assert_int_equal(
                rln__strings_get(&names->strings, names->attrs[attr].message).length,
                known ? strlen("load") : 0);
        }
        assert_int_equal(rln__names_add(names, 0, process, &record), 0);
        rln__names_forget_unknown(names);
    }
    rln_reader_close(reader);
}

static void build_types(struct tb *tb)
{
    const uint64_t words[3] = {rln__pair32(4, RLN__TYPES_SIGNED_CHAR),
                               0x0001000100000000, 0x0002000400010001};
    struct tb_chunk c;

    (void)tb_part(tb, 32);
    sc_names(tb, 1, 100);
    sc_names(tb, 2, 200);
    c = tb_names(tb, 1);
    tb_long(&c, RLN__SUB_TYPES, words, 3);
}

static void types_are_the_process_s_or_those_of_its_machine(void **state)
{
    rln_reader *reader = open_scenario(build_types);
    const struct rln__names *names = &reader->names;
    const uint32_t one = rln__names_process(&reader->names, 0, 1);
    const uint32_t two = rln__names_process(&reader->names, 0, 2);
    const struct rln__types *t = rln__registry_types(names, one, RLN__CLOCK_TSC);

    (void)state;
    assert_int_equal(t->of[1].size, 1);
    assert_int_equal(t->of[3].size, 4); /* a short of 4 bytes, at multiples of 2 */
    assert_int_equal(t->of[3].alignment, 2);
    assert_int_equal(t->of[4].size, 0);
    t = rln__registry_types(names, two, RLN__CLOCK_TSC);
    assert_int_equal(t->of[RLN__TYPE_LONG].size, 8);
    assert_true(t->flags & RLN__TYPES_LONG_DOUBLE_X87);
    t = rln__registry_types(names, two, RLN__CLOCK_CNTVCT);
    assert_true(t->flags & RLN__TYPES_LONG_DOUBLE_IEEE);
    rln_reader_close(reader);
}

/* Records of names whose lengths do not fit: all kinds too short, and each kind with
 * items having too many. */
static void build_misfits(struct tb *tb)
{
    const uint64_t none[] = {0};
    const uint64_t schema[6] = {0, 0, 0, 0, rln__pair32(0, 1000), 0};
    const uint64_t enumeration[4] = {0, 0, rln__pair32(4, 1000), 0};
    const uint64_t semantics[2] = {1, rln__pair32(1, 100)};
    const uint64_t sync_points[3] = {rln__pair32(0, 1000), 0, 0};
    const uint64_t types[1] = {1000};
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    for (unsigned sub = RLN__SUB_SCHEMA; sub <= RLN__SUB_TYPES; sub++)
        tb_long(&c, sub, none,
                sub == RLN__SUB_SEMANTICS || sub == RLN__SUB_TYPES ? 0 : 1);
    tb_long(&c, RLN__SUB_SCHEMA, schema, 6);
    tb_long(&c, RLN__SUB_ENUM, enumeration, 4);
    tb_long(&c, RLN__SUB_SEMANTICS, semantics, 2);
    tb_long(&c, RLN__SUB_SYNC_POINTS, sync_points, 3);
    tb_long(&c, RLN__SUB_TYPES, types, 1);
    add_schema(&c, 0, "whole", ID, 0);
}

static void a_registration_that_does_not_fit_is_damage(void **state)
{
    rln_reader *reader = open_scenario(build_misfits);
    const unsigned n_kinds = RLN__SUB_TYPES - RLN__SUB_SCHEMA + 1;
    rln_info *info;

    (void)state;
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_damages, n_kinds + 5);
    for (uint32_t i = 0; i < n_kinds + 5; i++)
        assert_string_equal(rln__info_damage(info, i)->reason,
                            "a name does not fit its record");
    check(reader, rln__names_process(&reader->names, 0, 1), 0, ID, 0, "whole");
    rln_info_close(info);
    rln_reader_close(reader);
}

/* Each element is {kind, its words}, then values. Those of kind 9 and those that are
 * too short do not count, and of each kind the first one does. */
static void build_semantics(struct tb *tb)
{
    const uint64_t words[] = {
        77,
        rln__pair32(9, 2),
        1,                 /* of a newer NVTX */
        rln__pair32(1, 1), /* without a scope */
        rln__pair32(2, 1), /* without a time domain */
        rln__pair32(3, 2),
        1, /* half a correlation */
        rln__pair32(5, 2),
        1, /* half a counter */
        rln__pair32(1, 2),
        11,
        rln__pair32(1, 2),
        12,
        rln__pair32(2, 2),
        21,
        rln__pair32(2, 2),
        22,
        rln__pair32(3, 5),
        1,
        2,
        rln__pair32(4, 0),
        31,
        rln__pair32(3, 5),
        1,
        2,
        rln__pair32(4, 0),
        32,
        rln__pair32(5, 7),
        41,
        0,
        1,
        1,
        0,
        0,
        rln__pair32(5, 7),
        42,
        0,
        1,
        1,
        0,
        0,
    };
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    tb_long(&c, RLN__SUB_SEMANTICS, words, sizeof(words) / sizeof(words[0]));
}

static void of_each_kind_of_semantics_the_first_whole_one_counts(void **state)
{
    rln_reader *reader = open_scenario(build_semantics);
    const struct rln__semantics *s = rln__registry_semantics(
        &reader->names, rln__names_process(&reader->names, 0, 1), 77);

    (void)state;
    assert_non_null(s);
    assert_int_equal(s->scope, 11);
    assert_int_equal(s->time_domain, 21);
    assert_int_equal(s->correlation_role, 31);
    assert_int_equal(s->counter_flags, 41);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_belongs_to_a_domain_of_a_process),
        cmocka_unit_test(a_child_asks_its_parent_for_what_it_did_not_register),
        cmocka_unit_test(reading_again_changes_nothing),
        cmocka_unit_test(what_was_unknown_becomes_known),
        cmocka_unit_test(types_are_the_process_s_or_those_of_its_machine),
        cmocka_unit_test(a_registration_that_does_not_fit_is_damage),
        cmocka_unit_test(of_each_kind_of_semantics_the_first_whole_one_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
