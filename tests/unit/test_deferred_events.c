/* SPDX-License-Identifier: Apache-2.0 */
/* test_deferred_events.c - rare kinds of deferred events; test_events.c has the usual
 * ones.
 */
#include <inttypes.h>

#include "rangeline/values.h"
#include "ranges/events.h"
#include "reports/summary/stats.h"
#include "temp_trace.h"
#include "trace/open/load.h"

/* "time type message flags", a line per deferred event. */
static void check_past(void (*build)(struct tb *tb), const char *expected)
{
    rln_reader *reader = open_scenario(build);
    char text[2048] = "";
    rln_events *events;
    const rln_event *e;
    size_t n = 0;

    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &e, NULL) == RLN_OK) {
        if (!(e->flags & RLN_FLAG_DEFERRED))
            continue;
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%" PRId64 " %d %.*s",
                              e->t_ns, (int)e->type, (int)e->attributes.message.length,
                              e->attributes.message.bytes);
        if (e->n_values)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "=%" PRId64,
                                  (int64_t)e->values->bits);
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s\n",
                              e->flags & RLN_FLAG_UNPLACED ? " unplaced" : "",
                              e->flags & RLN_FLAG_UNMATCHED ? " unmatched" : "");
        assert_true(n < sizeof(text) - 200);
    }
    assert_string_equal(text, expected);
    rln_events_close(events);
    rln_reader_close(reader);
}

static struct tb_chunk begin(struct tb *tb)
{
    struct tb_chunk n, c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    sd_deferred_names(&n);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 1, 0);
    return tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
}

#define POWER ((UINT64_C(1) << 32) + 1)

/* A tick of the clock of "power" is 10 ns, and its time 1000 is at 10000 ns. */
static void build_pairs(struct tb *tb)
{
    static const int64_t values[] = {1, 2, 3}, pair[] = {1500, 100};
    const uint64_t at_end[] = {POWER, UINT64_C(2) << 32}, lost[] = {POWER, 0};
    struct tb_chunk d = begin(tb);

    sd_batch(&d, RLN__SUB_COUNTER_BATCH, 100, at_end, 2, values, 24, pair, 16);
    sd_batch(&d, RLN__SUB_COUNTER_BATCH, 200, lost, 2, values, 24, pair, 16);
}

static void an_interval_gives_the_time_that_is_missing(void **state)
{
    (void)state;
    check_past(build_pairs, "13000 13 power=1\n14000 13 power=2\n15000 13 power=3\n"
                            "15000 13 power=1\n16000 13 power=2\n17000 13 power=3\n");
}

/* A range on a clock unrelated to ours, a batch with an unknown schema, one end of a
 * range without the other, an end before its begin, a truncated record. */
static void build_odd(struct tb *tb)
{
    const struct sd_half pop = {9, TB_START + 300, 0, 0};
    const struct sd_kernel back = {TB_START + 900, TB_START + 800, "back"};
    const uint64_t unknown[] = {SD_SCHEMA + 99, 0, 0, 0};
    const uint64_t cut[] = {TB_START + 600, 1};
    struct tb_chunk d = begin(tb), n = tb_names(tb, 1);
    const struct sd_entry untied[] = {{SD_TIME | SD_BEGIN, SD_INT64, 31, 10, 0},
                                      {SD_TIME | SD_END, SD_INT64, 32, 10, 0},
                                      {SD_MESSAGE, SD_TEXT, 33, 0, 8}};

    sd_schema(&n, SD_SCHEMA + 6, 2, sizeof(struct sd_kernel), untied, 3);
    sd_schema(&n, SD_SCHEMA + 7, 6, sizeof(struct sd_half), untied + 1, 1);
    sd_submit(&d, 500, SD_SCHEMA + 6, &back, sizeof(back));
    sd_batch(&d, RLN__SUB_EVENT_BATCH, 510, unknown, 4, "12345678", 8, "", 0);
    sd_submit(&d, 520, SD_SCHEMA + 4, &pop, sizeof(pop));
    sd_submit(&d, 530, SD_SCHEMA + 2, &back, sizeof(back));
    tb_long(&d, RLN__SUB_EVENT_BATCH, cut, 2);
}

static void odd_events_are_kept_and_reported(void **state)
{
    (void)state;
    check_past(build_odd, "300 5  unmatched\n"
                          "500 2 back unplaced\n500 3 back unplaced\n"
                          "510 1 \n"
                          "900 4 back unplaced\n900 5 back unplaced\n");
}

enum { N_STAIRS = 100 };

/* Each begins inside the previous one and ends outside it. */
static void build_stairs(struct tb *tb)
{
    const uint64_t batch[] = {SD_SCHEMA + 1, 0, 0, 0};
    struct tb_chunk d = begin(tb);

    for (int64_t i = 0; i < N_STAIRS; i++) {
        const struct sd_kernel kernel = {1000 + i, 2000 + i, "stair"};

        sd_batch(&d, RLN__SUB_EVENT_BATCH, 100, batch, 4, &kernel, sizeof(kernel), "",
                 0);
    }
}

static void ranges_that_cross_keep_their_lengths(void **state)
{
    rln_reader *reader = open_scenario(build_stairs);
    struct rln__stats *stats;
    uint64_t n = 0;

    (void)state;
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    for (size_t i = 0; i < rln__stats_count(stats); i++) {
        assert_int_equal(rln__stats_at(stats, i)->min_ns, 10000);
        assert_int_equal(rln__stats_at(stats, i)->max_ns, 10000);
        n += rln__stats_at(stats, i)->n_ranges;
    }
    assert_int_equal(n, N_STAIRS);
    assert_int_equal(rln__stats_get_totals(stats)->n_unmatched, 0);
    rln__stats_free(stats);
    rln_reader_close(reader);
}

/* --- Flexible data ---------------------------------------------------------------- */

enum { SD_POINTER = 1 << 1, AT_EVENTS = 0x10000, AT_FLEX = 0x20000 };

struct named {
    int64_t at;
    uint64_t name; /* address of a text */
};

/* Marks whose names lie in the flexible data, among the events themselves, after the
 * flexible data, and nowhere. */
static void build_flexible(struct tb *tb)
{
    static const char flex[] = "first\0second";
    const struct sd_entry entries[] = {{SD_TIME, SD_INT64, 31, 0, 0},
                                       {SD_MESSAGE | SD_POINTER, SD_TEXT, 33, 0, 0}};
    struct named events[5] = {{TB_START + 100, AT_FLEX},
                              {TB_START + 200, AT_FLEX + 6},
                              {TB_START + 300, AT_EVENTS + 4 * sizeof(*events) + 8},
                              {TB_START + 400, AT_FLEX + sizeof(flex)},
                              {TB_START + 450, 0}};
    uint64_t words[64] = {TB_START + 500, rln__pair32(1, 1), SD_SCHEMA + 6, 0, 0, 0};
    struct tb_chunk d = begin(tb), n = tb_names(tb, 1);
    size_t n_words = 6, n_flex;

    sd_schema(&n, SD_SCHEMA + 6, 4, sizeof(*events), entries, 2);
    memcpy(&events[4].name, "inside", 7); /* as an address: nowhere */
    n_words += sd_segment(words + n_words, 0, events, sizeof(events));
    words[6 + 1] = AT_EVENTS; /* sd_segment() says another */
    n_flex = n_words;
    n_words += sd_segment(words + n_flex, 0, flex, sizeof(flex));
    words[n_flex + 1] = AT_FLEX;
    tb_long(&d, RLN__SUB_EVENT_BATCH, words, n_words);
}

static void names_of_a_batch_may_lie_in_its_flexible_data(void **state)
{
    (void)state;
    check_past(build_flexible, "100 1 first\n200 1 second\n300 1 inside\n"
                               "400 1 \n450 1 \n");
}

/* --- Scopes ----------------------------------------------------------------------- */

enum { SCOPE = 70, MARK = 3 << 12 }; /* NVTX's: a type; the role of an entry */

struct scoped {
    int64_t at;
    uint64_t of_event, of_role;
    int64_t n;
};

/* Of five scopes, the i-th event has the first `i`; scope `k` is called `k`. */
static void build_scopes(struct tb *tb)
{
    struct tb_chunk d = begin(tb), n = tb_names(tb, 1);

    for (uint32_t k = 1; k <= 5; k++) {
        const uint64_t scope[] = {rln__pair32(1, 50 + k), SD_SCHEMA + k, 0};
        const uint64_t semantics[] = {20 + k, rln__pair32(1 | 1u << 16, 2),
                                      SD_SCHEMA + k};

        tb_string(&n, 50 + k, (char[]){(char)('0' + k), 0});
        tb_long(&n, RLN__SUB_SCOPE, scope, 3);
        tb_long(&n, RLN__SUB_SEMANTICS, semantics, 3);
    }
    for (unsigned i = 0; i <= 5; i++) {
        const struct sd_entry entries[] = {
            {SD_TIME | MARK, SD_INT64, 31, i >= 4 ? 24 : 0, 0},
            {0, SCOPE, 32, 0, 0},
            {MARK, SCOPE, 33, 0, 0},
            {0, SD_INT64, 34, i >= 1 ? 21 : 0, 0}};
        const uint64_t batch[] = {SD_SCHEMA + 10 + i, i >= 2 ? SD_SCHEMA + 2 : 0, 0, 0};
        const struct scoped event = {TB_START + 100 * (int64_t)i,
                                     i >= 3 ? SD_SCHEMA + 3 : 0,
                                     i >= 5 ? SD_SCHEMA + 5 : 0, 0};

        sd_schema(&n, SD_SCHEMA + 10 + i, 4, sizeof(event), entries, 4);
        sd_batch(&d, RLN__SUB_EVENT_BATCH, 900, batch, 4, &event, sizeof(event), "", 0);
    }
}

/* General semantics, the batch, a field, semantics of a time, a field with a role. */
static void of_several_scopes_the_one_counts_that_nvtx_specifies(void **state)
{
    rln_reader *reader = open_scenario(build_scopes);
    char text[16] = "";
    rln_events *events;
    const rln_event *e;
    size_t n = 0;

    (void)state;
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &e, NULL) == RLN_OK) {
        if (e->flags & RLN_FLAG_DEFERRED)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s ",
                                  (int)e->scope.length, e->scope.bytes);
        assert_true(n < sizeof(text));
    }
    assert_string_equal(text, " 1 2 3 4 5 ");
    rln_events_close(events);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_a_batch_may_lie_in_its_flexible_data),
        cmocka_unit_test(an_interval_gives_the_time_that_is_missing),
        cmocka_unit_test(odd_events_are_kept_and_reported),
        cmocka_unit_test(ranges_that_cross_keep_their_lengths),
        cmocka_unit_test(of_several_scopes_the_one_counts_that_nvtx_specifies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
