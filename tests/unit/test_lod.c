/* SPDX-License-Identifier: Apache-2.0 */
/* test_lod.c - the viewer's index returns the right contents at any resolution. */
#include "base/alloc.h"
#include "base/count.h"
#include "lod_walk.h"
#include "timeline/lod_build.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_gpu.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_pass.h"
#include "timeline/lod_payloads.h"
#include "timeline/lod_query.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_sums.h"

#define N_THREADS (RLN__LOD_ROWS + 5000)

static int by_name(const void *a, const void *b)
{
    const struct rln__lod_sum *x = a, *y = b;

    return (x->name > y->name) - (x->name < y->name);
}

static void expect_same_names(struct rln__lod_sums *a, struct rln__lod_sums *b)
{
    assert_int_equal(a->n_names, b->n_names);
    if (a->n_names == 0)
        return;
    qsort(a->names, a->n_names, sizeof(*a->names), by_name);
    qsort(b->names, b->n_names, sizeof(*b->names), by_name);
    for (size_t i = 0; i < a->n_names; i++) {
        assert_int_equal(b->names[i].name, a->names[i].name);
        assert_int_equal(b->names[i].n, a->names[i].n);
        assert_int_equal(b->names[i].total_ns, a->names[i].total_ns);
        assert_int_equal(b->names[i].self_ns, a->names[i].self_ns);
        assert_int_equal(b->names[i].nested_ns, a->names[i].nested_ns);
    }
}

/* The number of ranges of a whole row, and the time that they cover. */
static void add_up(struct rln__lod_row *row, int64_t pixel_ns, uint64_t *n,
                   uint64_t *covered_ns)
{
    size_t at = rln__range_buckets_from(&row->buckets, INT64_MIN);
    struct rln__range_bucket bucket;

    *n = *covered_ns = 0;
    while (rln__range_buckets_next(&row->buckets, &at, INT64_MAX, pixel_ns, &bucket)) {
        *n += bucket.n;
        *covered_ns += rln__range_bucket_covered(&bucket);
    }
}

static void nothing_is_left_out_at_any_zoom(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod whole, small;
    uint64_t n_all = 0;

    (void)state;
    build(&whole, reader, UINT64_MAX / 16);
    build(&small, reader, SMALL);
    assert_int_equal(whole.resolution_ns, 0);
    assert_true(small.resolution_ns > 0);
    assert_true(small.n_buckets < whole.n_buckets / 10);
    assert_int_equal(small.n_rows, whole.n_rows);
    for (size_t i = 0; i < whole.n_rows; i++) {
        uint64_t n, covered, n_other, covered_other;

        add_up(&whole.rows[i], 0, &n, &covered);
        n_all += n;
        for (int64_t pixel = 1; pixel < INT64_C(1) << 40; pixel *= 16) {
            add_up(&whole.rows[i], pixel, &n_other, &covered_other);
            assert_int_equal(n_other, n);
            assert_int_equal(covered_other, covered);
            add_up(&small.rows[i], pixel, &n_other, &covered_other);
            assert_int_equal(n_other, n);
            assert_int_equal(covered_other, covered);
        }
    }
    assert_true(n_all > 10000);
    rln__lod_clear(&small);
    rln__lod_clear(&whole);
    rln_reader_close(reader);
}

static void a_narrow_span_is_exact(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod whole, small;
    int64_t length;

    (void)state;
    build(&whole, reader, UINT64_MAX / 16);
    build(&small, reader, SMALL);
    length = (whole.last_ns - whole.first_ns) / 37;
    for (int64_t from = whole.first_ns - length; from < whole.last_ns;
         from += length / 2) {
        struct rln__lod *close = rln__lod_refine(&small, from, from + length, 0);

        assert_true(close != &small);
        for (size_t i = 0; i < whole.n_rows; i++) {
            if (rln__lod_is_close(&whole.rows[i]))
                expect_same(&whole.rows[i], &close->rows[i], from, from + length,
                            small.resolution_ns);
        }
        assert_ptr_equal(rln__lod_refine(&small, from + 1, from + 2, 0), close);
    }
    assert_ptr_equal(
        rln__lod_refine(&small, small.first_ns, small.last_ns, small.resolution_ns),
        &small);
    rln__lod_clear(&small);
    rln__lod_clear(&whole);
    rln_reader_close(reader);
}

static void expect_same_index(const struct rln__lod *a, const struct rln__lod *b)
{
    assert_int_equal(a->resolution_ns, b->resolution_ns);
    assert_int_equal(a->n_buckets, b->n_buckets);
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_names, b->n_names);
    for (size_t i = 0; i < a->n_rows; i++) {
        const struct rln__lod_row *x = &a->rows[i], *y = &b->rows[i];

        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->above, y->above);
        assert_int_equal(x->kinships, y->kinships);
        assert_int_equal(x->buckets.n, y->buckets.n);
        assert_int_equal(x->sample_buckets.n, y->sample_buckets.n);
        for (size_t k = 0; k < x->buckets.n; k++)
            assert_memory_equal(&x->buckets.items[k], &y->buckets.items[k],
                                sizeof(struct rln__range_bucket));
        for (size_t k = 0; k < x->sample_buckets.n; k++)
            assert_memory_equal(
                &x->sample_buckets.items[k], &y->sample_buckets.items[k],
                offsetof(struct rln__sample_bucket, n) + sizeof(uint32_t));
    }
    for (size_t i = 0; i < a->n_names; i++) {
        assert_int_equal(a->names[i].n_marks, b->names[i].n_marks);
        assert_int_equal(a->names[i].total_ns, b->names[i].total_ns);
        assert_int_equal(a->names[i].self_ns, b->names[i].self_ns);
        assert_int_equal(a->names[i].durations.n, b->names[i].durations.n);
        assert_int_equal(a->names[i].durations.max_ns, b->names[i].durations.max_ns);
    }
}

static void expect_same_segments(const struct rln__lod *a, const struct rln__lod *b)
{
    assert_int_equal(a->n_segments, b->n_segments);
    for (size_t i = 0; i < a->n_segments; i++) {
        const struct rln__lod_segment *x = &a->segments[i], *y = &b->segments[i];

        assert_int_equal(x->chunk.offset, y->chunk.offset);
        assert_int_equal(x->thread, y->thread);
        assert_int_equal(x->from_ns, y->from_ns);
        assert_int_equal(x->to_ns, y->to_ns);
        assert_int_equal(x->n_open, y->n_open);
        for (uint32_t k = 0; k < x->n_open; k++) {
            assert_int_equal(x->open[k].t_ns, y->open[k].t_ns);
            assert_int_equal(x->open[k].address, y->open[k].address);
            assert_int_equal(x->open[k].level, y->open[k].level);
            assert_int_equal(x->open[k].value_type, y->open[k].value_type);
        }
    }
}

static void expect_same_by_runs_and_by_items(void (*scenario)(struct tb *tb),
                                             uint64_t budget)
{
    static const struct rln_filter everything;
    rln_reader *reader = open_scenario(scenario);
    struct rln__lod by_runs, by_items;

    build(&by_runs, reader, budget);
    reader->filter = &everything; /* a filter makes an item of each event */
    build(&by_items, reader, budget);
    expect_same_index(&by_runs, &by_items);
    expect_same_segments(&by_runs, &by_items);
    assert_int_equal(by_runs.n_events, by_items.n_events);
    assert_int_equal(by_runs.first_ns, by_items.first_ns);
    assert_int_equal(by_runs.last_ns, by_items.last_ns);
    rln__lod_clear(&by_runs);
    rln__lod_clear(&by_items);
    rln_reader_close(reader);
}

static void sums_are_exact_or_say_that_they_are_not(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod whole, small;
    struct rln__lod_sums exact, all, rough;
    int64_t third_ns;

    (void)state;
    build(&whole, reader, UINT64_MAX / 16);
    build(&small, reader, SMALL);
    assert_int_equal(
        rln__lod_sum_up(&whole, whole.first_ns, whole.last_ns, NULL, 0, &exact), 0);
    assert_int_equal(
        rln__lod_sum_up(&small, small.first_ns, small.last_ns, NULL, 0, &all), 0);
    assert_true(exact.n_names >= 3);
    assert_false(exact.are_names_rough || exact.are_paths_rough);
    assert_false(all.are_names_rough);
    expect_same_names(&exact, &all);
    rln__lod_sums_clear(&exact);
    rln__lod_sums_clear(&all);

    /* As if the part were too long to be read again. */
    third_ns = (whole.last_ns - whole.first_ns) / 3;
    small.is_narrow = 1;
    assert_int_equal(rln__lod_sum_up(&small, small.first_ns, small.first_ns + third_ns,
                                     NULL, 0, &rough),
                     0);
    assert_true(rough.are_names_rough && rough.are_paths_rough);
    rln__lod_sums_clear(&rough);
    rln__lod_clear(&small);
    rln__lod_clear(&whole);
    rln_reader_close(reader);
}

#define N_DEEP 300u /* more than RLN__LOD_LEVELS */

static void sc_very_deep(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 11);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (uint32_t i = 0; i < N_DEEP; i++)
        (void)tb_event(&c, RLN__PUSH, 1 + i % 2, 10 * i);
    for (uint32_t i = 0; i < N_DEEP; i++)
        (void)tb_event(&c, RLN__POP, 0, 10 * (N_DEEP + i));
}

static void levels_that_share_a_row_have_sums_that_are_exact_or_say_so(void **state)
{
    rln_reader *reader = open_scenario(sc_very_deep);
    struct rln__lod lod;
    struct rln__lod_sums sums;
    int64_t self_ns = 0;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, NULL, 0, &sums),
                     0);
    assert_false(sums.are_names_rough);
    for (size_t i = 0; i < sums.n_names; i++) {
        assert_true(sums.names[i].self_ns >= 0);
        self_ns += sums.names[i].self_ns;
    }
    assert_int_equal(self_ns, lod.last_ns - lod.first_ns); /* of the outermost */
    rln__lod_sums_clear(&sums);
    assert_int_equal(
        rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns - 1, NULL, 0, &sums), 0);
    assert_true(sums.are_names_rough && sums.are_paths_rough);
    rln__lod_sums_clear(&sums);
    /* Where no such range is, nothing is known about them. */
    assert_int_equal(
        rln__lod_sum_up(&lod, lod.first_ns, lod.first_ns + 100, NULL, 0, &sums), 0);
    assert_false(sums.are_names_rough || sums.are_paths_rough);
    rln__lod_sums_clear(&sums);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

static void a_narrow_span_has_exact_sums_at_any_resolution(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod whole, small;

    (void)state;
    build(&whole, reader, UINT64_MAX / 16);
    build(&small, reader, SMALL);
    for (int64_t at = 2; at < 5; at++) {
        const int64_t from_ns =
            whole.first_ns + (whole.last_ns - whole.first_ns) / 7 * at;
        struct rln__lod_sums exact, read_again;

        assert_int_equal(
            rln__lod_sum_up(&whole, from_ns, from_ns + 3000, NULL, 0, &exact), 0);
        assert_int_equal(
            rln__lod_sum_up(&small, from_ns, from_ns + 3000, NULL, 0, &read_again), 0);
        assert_false(read_again.are_names_rough);
        assert_true(exact.n_names > 0);
        expect_same_names(&exact, &read_again);
        rln__lod_sums_clear(&exact);
        rln__lod_sums_clear(&read_again);
    }
    rln__lod_clear(&small);
    rln__lod_clear(&whole);
    rln_reader_close(reader);
}

/* Ten roots, each longer than the one before, with two paths in each. */
static void the_longest_paths_are_kept_with_their_ancestors(void **state)
{
    struct rln__lod_sum paths[30];
    struct rln__lod_sums sums = {.paths = paths, .n_paths = 30};
    uint64_t rest_ns;

    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        paths[3 * i] =
            (struct rln__lod_sum){.name = i, .parent = RLN__NONE, .total_ns = 10 + i};
        paths[3 * i + 1] =
            (struct rln__lod_sum){.name = 20, .parent = 3 * i, .total_ns = i / 5 * 9};
        paths[3 * i + 2] = (struct rln__lod_sum){.name = 21, .parent = 3 * i};
    }
    assert_int_equal(rln__lod_keep_longest(&sums, 30, &rest_ns), 0);
    assert_int_equal(sums.n_paths, 30);
    assert_int_equal(rest_ns, 0);
    assert_int_equal(rln__lod_keep_longest(&sums, 4, &rest_ns), 0);
    assert_int_equal(sums.n_paths, 4);
    assert_int_equal(rest_ns, 10 + 11 + 12 + 13 + 14 + 15);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(paths[i].name, 6 + i);
        assert_int_equal(paths[i].parent, RLN__NONE);
    }
}

static void paths_keep_their_parents_where_others_are_left_out(void **state)
{
    struct rln__lod_sum paths[] = {
        {.name = 0, .parent = RLN__NONE, .total_ns = 1},
        {.name = 1, .parent = RLN__NONE, .total_ns = 9},
        {.name = 2, .parent = 0, .total_ns = 1},
        {.name = 3, .parent = 1, .total_ns = 8},
        {.name = 4, .parent = 3, .total_ns = 7},
    };
    struct rln__lod_sums sums = {.paths = paths, .n_paths = 5};
    uint64_t rest_ns;

    (void)state;
    assert_int_equal(rln__lod_keep_longest(&sums, 3, &rest_ns), 0);
    assert_int_equal(sums.n_paths, 3);
    assert_int_equal(rest_ns, 1);
    assert_int_equal(paths[0].name, 1);
    assert_int_equal(paths[1].name, 3);
    assert_int_equal(paths[1].parent, 0);
    assert_int_equal(paths[2].name, 4);
    assert_int_equal(paths[2].parent, 1);
}

static void runs_of_words_make_the_same_index_as_items(void **state)
{
    (void)state;
    expect_same_by_runs_and_by_items(sc_walk, UINT64_MAX / 16);
    expect_same_by_runs_and_by_items(sc_walk, SMALL);
    for (size_t i = 0; i < SC_COUNT; i++)
        expect_same_by_runs_and_by_items(sc_all[i].build, SMALL);
}

/* Whatever number and tid a trace says it has: items of streams have other members. */
static void no_thread_of_a_program_is_a_stream(void **state)
{
    const uint32_t of_streams = 1u << 30;
    struct tb tb = {0};
    struct tb_chunk c;
    rln_reader *reader;
    struct rln__lod lod;

    (void)state;
    (void)tb_part(&tb, 1);
    sc_names(&tb, 1, 100);
    c = tb_events(&tb, 1, of_streams, 100);
    tb_thread(&c, of_streams, of_streams, 10, "t");
    (void)tb_event(&c, RLN__PUSH, 1, 20);
    (void)tb_event(&c, RLN__POP, 0, 30);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(lod.n_rows, 1);
    assert_int_equal(reader->threads[lod.rows[0].thread].tid, of_streams);
    assert_false(lod.rows[0].is_stream);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
    tb_clear(&tb);
}

/* Others read an index while it is built. */
struct look {
    struct rln__lod *lod;
    uint64_t n_seen, n_steps; /* with more to see than before */
};

static void look_inside(struct look *look)
{
    struct rln__lod_sums sums;
    uint64_t n = 0;

    assert_int_equal(
        rln__lod_sum_up(look->lod, INT64_MIN / 4, INT64_MAX / 4, NULL, 0, &sums), 0);
    for (size_t i = 0; i < sums.n_names; i++)
        n += sums.names[i].n;
    assert_true(n >= look->n_seen);
    look->n_steps += n > look->n_seen;
    look->n_seen = n;
    rln__lod_sums_clear(&sums);
}

static void what_was_read_is_seen_before_all_of_it_is(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod lod;
    struct look look = {.lod = &lod};
    rln_status status;

    (void)state;
    assert_int_equal(rln__lod_init(&lod, reader, NULL, SMALL, NULL), RLN_OK);
    while ((status = rln__lod_build_step(&lod, NULL)) == RLN_OK)
        look_inside(&look);
    assert_int_equal(status, RLN_END);
    assert_true(look.n_seen > 1000);
    assert_true(look.n_steps > 3);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

static void an_index_of_a_trace_that_grew_keeps_all_numbers(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod old, lod;

    (void)state;
    build(&old, reader, SMALL);
    assert_int_equal(rln__lod_init(&lod, reader, &old, SMALL, NULL), RLN_OK);
    assert_int_equal(rln__lod_build(&lod, NULL), RLN_OK);
    assert_int_equal(lod.n_rows, old.n_rows);
    assert_int_equal(lod.n_names, old.n_names);
    for (size_t i = 0; i < lod.n_rows; i++) {
        assert_int_equal(lod.rows[i].kind, old.rows[i].kind);
        assert_int_equal(lod.rows[i].thread, old.rows[i].thread);
        assert_int_equal(lod.rows[i].level, old.rows[i].level);
        assert_int_equal(lod.rows[i].buckets.n, old.rows[i].buckets.n);
    }
    for (size_t i = 0; i < lod.n_names; i++)
        assert_int_equal(lod.names[i].durations.n, old.names[i].durations.n);
    rln__lod_clear(&lod);
    rln__lod_clear(&old);
    rln_reader_close(reader);
}

/* Two threads, each with four marks at one time, and one more before and after. */
static void sc_at_once(struct tb *tb)
{
    (void)tb_part(tb, 31);
    sc_names(tb, 1, 100);
    for (unsigned i = 1; i <= 2; i++) {
        struct tb_chunk c = tb_events(tb, i, 1, i);

        tb_thread(&c, i, i, 0, "t");
        for (unsigned k = 0; k < 6; k++)
            (void)tb_event(&c, RLN__MARK, 1, k == 0 ? 5 : k < 5 ? 10 : 20);
    }
}

static void all_that_begin_at_one_moment_are_reached_both_ways(void **state)
{
    rln_reader *reader = open_scenario(sc_at_once);
    const uint8_t names[] = {1, 1, 1, 1};
    const struct rln__lod_sought sought = {names, NULL, NULL};
    struct rln__lod_position p = {INT64_MIN, RLN__NONE, RLN__NONE};
    struct rln__lod_found found, seen[12];
    struct rln__lod lod;
    size_t n = 0;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(lod.n_rows, 2);
    assert_true(lod.n_names <= sizeof(names));
    for (; rln__lod_next(&lod, &sought, &p, 0, &found); n++) {
        assert_true(n < 12);
        seen[n] = found;
        p = (struct rln__lod_position){
            found.bucket->start_ns, found.row,
            rln__lod_tie_index(&lod, found.row, found.bucket)};
        assert_ptr_equal(rln__lod_item(&lod, &p), found.bucket);
    }
    assert_int_equal(n, 12);
    assert_int_equal(seen[2].row, 0);
    assert_int_equal(rln__lod_tie_index(&lod, 0, seen[2].bucket), 0);
    assert_int_equal(seen[5].row, 0);
    assert_int_equal(rln__lod_tie_index(&lod, 0, seen[5].bucket), RLN__NONE);
    for (n--; n > 0; n--) {
        assert_true(rln__lod_next(&lod, &sought, &p, 1, &found));
        assert_ptr_equal(found.bucket, seen[n - 1].bucket);
        p = (struct rln__lod_position){
            found.bucket->start_ns, found.row,
            rln__lod_tie_index(&lod, found.row, found.bucket)};
    }
    assert_false(rln__lod_next(&lod, &sought, &p, 1, &found));

    /* A time alone. */
    p = (struct rln__lod_position){10, RLN__NONE, RLN__NONE};
    assert_true(rln__lod_next(&lod, &sought, &p, 0, &found));
    assert_ptr_equal(found.bucket, seen[10].bucket);
    p = (struct rln__lod_position){10, 0, 0};
    assert_true(rln__lod_next(&lod, &sought, &p, 1, &found));
    assert_ptr_equal(found.bucket, seen[1].bucket);
    p = (struct rln__lod_position){11, 0, 0};
    assert_null(rln__lod_item(&lod, &p));
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* The row of a lane: its number, and of its ranges how many there are. */
static void expect_lane(const struct rln__lod *lod, uint32_t row, uint32_t lane,
                        uint32_t above, size_t n)
{
    assert_int_equal(lod->rows[row].kind, RLN__LOD_STARTED);
    assert_int_equal(lod->rows[row].level, lane);
    assert_int_equal(lod->rows[row].above, above);
    assert_int_equal(lod->rows[row].buckets.n, n);
}

static const struct rln__lod_sum *sum_named(const struct rln__lod *lod,
                                            const struct rln__lod_sum *sums, size_t n,
                                            const char *name, const char *in)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t parent = sums[i].parent;
        struct rln__buf text = {0}, around = {0};
        int is_it;

        rln__lod_put_name(&text, &lod->names[sums[i].name]);
        if (parent != RLN__NONE)
            rln__lod_put_name(&around, &lod->names[sums[parent].name]);
        is_it = rln__text_is((rln_text){text.bytes, text.length}, name) &&
                rln__text_is((rln_text){around.bytes, around.length}, in);
        rln__buf_clear(&text);
        rln__buf_clear(&around);
        if (is_it)
            return &sums[i];
    }
    fail_msg("no %s in %s", name, in);
    return NULL;
}

static void expect_sum(const struct rln__lod_sum *sum, uint64_t total_ns,
                       int64_t self_ns, uint64_t nested_ns)
{
    assert_int_equal(sum->total_ns, total_ns);
    assert_int_equal(sum->self_ns, self_ns);
    assert_int_equal(sum->nested_ns, nested_ns);
}

/* Everything matches, but sums are not taken from what was counted in the pass. */
static const struct rln__lod_filter all_rows = {.name = {NULL, 0}};

static void the_pass_counts_as_the_rows_do(void **state)
{
    void (*const all[])(struct tb * tb) = {sc_walk, sc_tasks, sc_itself};

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        rln_reader *reader = open_scenario(all[i]);
        struct rln__lod_sums by_pass = {0}, by_rows = {0};
        struct rln__lod lod;

        build(&lod, reader, UINT64_MAX / 16);
        assert_int_equal(
            rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, NULL, 0, &by_pass), 0);
        assert_int_equal(
            rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, &all_rows, 0, &by_rows),
            0);
        assert_true(by_pass.n_names > 1);
        assert_false(by_rows.are_names_rough);
        expect_same_names(&by_pass, &by_rows);
        rln__lod_sums_clear(&by_pass);
        rln__lod_sums_clear(&by_rows);
        rln__lod_clear(&lod);
        rln_reader_close(reader);
    }
}

static void time_of_a_name_inside_itself_is_known(void **state)
{
    rln_reader *reader = open_scenario(sc_itself);
    struct rln__lod_sums sums = {0};
    struct rln__lod lod;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, NULL, 0, &sums),
                     0);
    expect_sum(sum_named(&lod, sums.names, sums.n_names, "step", ""), 100 + 60 + 20,
               30 + 20 + 20, 60 + 20);
    expect_sum(sum_named(&lod, sums.names, sums.n_names, "load", ""), 40 + 10, 20 + 10,
               0);
    expect_sum(sum_named(&lod, sums.paths, sums.n_paths, "step", "load"), 20, 20, 0);
    rln__lod_sums_clear(&sums);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* A task that begins another one of its name, which goes on after it. */
static void sc_task_in_itself(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t outer, inner;

    (void)tb_part(tb, 42);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    outer = tb_event(&c, RLN__START, 1, 0);
    inner = sc_task(&c, 1, 60, outer);
    (void)tb_value(&c, RLN__END, 0, 100, outer);
    (void)tb_value(&c, RLN__END, 0, 120, inner);
}

static void a_task_inside_one_of_its_name_is_known(void **state)
{
    rln_reader *reader = open_scenario(sc_task_in_itself);
    const struct rln__lod_filter *const filters[] = {NULL, &all_rows};
    struct rln__lod lod;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    for (size_t i = 0; i < 2; i++) {
        struct rln__lod_sums sums = {0};

        assert_int_equal(
            rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, filters[i], 0, &sums), 0);
        expect_sum(sum_named(&lod, sums.names, sums.n_names, "step", ""), 100 + 60,
                   60 + 60, 60);
        rln__lod_sums_clear(&sums);
    }
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* What tasks do counts in what they were begun in: what they cover of it together is not
 * its own time. */
static void expect_sum_of_tasks(const struct rln__lod *lod,
                                const struct rln__lod_sums *sums)
{
    const struct rln__lod_sum *names = sums->names, *paths = sums->paths;

    expect_sum(sum_named(lod, names, sums->n_names, "step", ""), 110, 15 + 10, 0);
    expect_sum(sum_named(lod, names, sums->n_names, "load", ""), 60 + 70 + 15 + 10,
               50 + 60 + 15 + 10, 0);
    expect_sum(sum_named(lod, names, sums->n_names, "io:load", ""), 20, 20, 0);
    assert_int_equal(sums->n_paths, 4);
    expect_sum(sum_named(lod, paths, sums->n_paths, "step", ""), 110, 15 + 10, 0);
    expect_sum(sum_named(lod, paths, sums->n_paths, "load", "step"), 145, 125, 0);
    expect_sum(sum_named(lod, paths, sums->n_paths, "io:load", "load"), 20, 20, 0);
    expect_sum(sum_named(lod, paths, sums->n_paths, "load", ""), 10, 10, 0);
}

static void tasks_are_below_the_ones_they_were_begun_in(void **state)
{
    rln_reader *reader = open_scenario(sc_tasks);
    struct rln__lod_sums sums = {0};
    struct rln__lod lod;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(lod.n_rows, 6);
    expect_lane(&lod, 0, 0, RLN__NONE, 2);
    expect_lane(&lod, 1, 1, 0, 2); /* the third load is in the lane of the first */
    expect_lane(&lod, 2, 2, 0, 1);
    expect_lane(&lod, 3, 3, 1, 1);
    expect_lane(&lod, 4, 4, 2, 1);
    expect_lane(&lod, 5, 0, RLN__NONE, 1);
    assert_int_equal(rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, NULL, 0, &sums),
                     0);
    expect_sum_of_tasks(&lod, &sums);
    rln__lod_sums_clear(&sums);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

#define N_NESTED 270u /* more than there are lanes */

/* Starts of which each says that it was begun in the one before; then in itself, and in
 * what no range has as id. */
static void sc_hostile_tasks(struct tb *tb)
{
    uint64_t outer = 0;
    struct tb_chunk c;

    (void)tb_part(tb, 40);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    outer = (c.at - c.tb->part) / 8;
    (void)sc_task(&c, 1, 1, outer);
    (void)sc_task(&c, 1, 2, UINT64_MAX);
    for (uint32_t i = 0; i < N_NESTED; i++)
        outer = sc_task(&c, 2, 10 + i, outer);
}

/* Random ones, of which some end; ids are those of any earlier or later range. */
static void sc_random_tasks(struct tb *tb)
{
    uint64_t random = 88172645463325252u, ids[64] = {0};
    struct tb_chunk c;

    (void)tb_part(tb, 40);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint32_t i = 0; i < 450; i++) {
        uint64_t *id;

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        id = &ids[random >> 20 & 63u];
        if (random & 1)
            (void)tb_value(&c, RLN__END, 1, i, *id);
        else
            *id = sc_task(&c, 1 + i % 3, i,
                          ids[random >> 40 & 63u] + (random >> 50 & 16u));
    }
}

static void whatever_tasks_say_there_is_a_way_out(void **state)
{
    static void (*const all[])(struct tb * tb) = {sc_hostile_tasks, sc_random_tasks};

    (void)state;
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        rln_reader *reader = open_scenario(all[k]);
        uint32_t n_inside = 0;
        struct rln__lod lod;

        build(&lod, reader, UINT64_MAX / 16);
        assert_true(lod.n_rows > 20 && lod.n_rows <= RLN__LOD_LEVELS + 1u);
        for (uint32_t i = 0; i < lod.n_rows; i++) {
            assert_true(lod.rows[i].above == RLN__NONE || lod.rows[i].above < i);
            n_inside += lod.rows[i].above != RLN__NONE;
        }
        assert_true(n_inside > 5);
        if (all[k] == sc_hostile_tasks) {
            expect_lane(&lod, 0, 0, RLN__NONE, 1);
            expect_lane(&lod, RLN__LOD_LEVELS, RLN__LOD_LEVELS, RLN__NONE,
                        N_NESTED + 2 - RLN__LOD_LEVELS);
        }
        rln__lod_clear(&lod);
        rln_reader_close(reader);
    }
}

/* Each thread takes over the rest of the previous thread's chunk. */
static void sc_many_threads(struct tb *tb)
{
    struct tb_chunk c = {0};

    (void)tb_part(tb, 32);
    sc_names(tb, 1, 100);
    for (unsigned i = 1; i <= N_THREADS; i++) {
        if (c.at + 9 * 8 > c.end)
            c = tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, i, i, (uint64_t)i * 10);
        tb_thread(&c, i, i, (uint64_t)i * 10, "t");
        (void)tb_event(&c, RLN__PUSH, 1, 0);
        (void)tb_event(&c, RLN__POP, 0, 5);
    }
}

static void what_more_threads_do_than_there_are_rows_is_in_one(void **state)
{
    rln_reader *reader = open_scenario(sc_many_threads);
    uint64_t n_all = 0, n_others = 0;
    struct rln__lod lod;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(lod.n_rows, RLN__LOD_ROWS + 1);
    for (size_t i = 0; i < lod.n_rows; i++) {
        uint64_t n, covered;

        add_up(&lod.rows[i], 1000, &n, &covered);
        n_all += n;
        n_others += lod.rows[i].thread == RLN__NONE ? n : 0;
    }
    assert_int_equal(n_all, N_THREADS);
    assert_int_equal(n_others, N_THREADS - RLN__LOD_ROWS);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* As the percentile of diff. */
static void the_95th_percentile_is_the_least(void **state)
{
    struct rln__duration_histogram lengths = {0};
    struct rln__duration_histogram_spread spread;

    (void)state;
    for (uint64_t ns = 1; ns <= 20; ns++)
        assert_int_equal(rln__duration_histogram_add(&lengths, ns), 0);
    assert_int_equal(rln__duration_histogram_spread(&lengths, &spread), 0);
    assert_int_equal(spread.p95_ns, 19);
    for (uint64_t i = 0; i < 499; i++)
        for (uint64_t ns = 1; ns <= 20; ns++)
            assert_int_equal(rln__duration_histogram_add(&lengths, ns), 0);
    assert_false(rln__duration_histogram_is_exact(&lengths));
    assert_int_equal(rln__duration_histogram_spread(&lengths, &spread), 0);
    assert_int_equal(spread.p95_ns, 19);
    rln__duration_histogram_clear(&lengths);
}

static void lengths_beyond_those_that_are_kept_are_nearly_right(void **state)
{
    struct rln__duration_histogram lengths = {0};
    struct rln__duration_histogram_spread spread;
    uint64_t n = 0;

    (void)state;
    for (uint64_t i = 1; i <= 100000; i++)
        assert_int_equal(rln__duration_histogram_add(&lengths, i * 1000), 0);
    assert_int_equal(rln__duration_histogram_spread(&lengths, &spread), 0);
    assert_int_equal(lengths.min_ns, 1000);
    assert_int_equal(lengths.max_ns, 100000000);
    assert_true(spread.median_ns > 49800000 && spread.median_ns < 50200000);
    assert_true(spread.p95_ns > 94620000 && spread.p95_ns < 95380000);
    for (size_t i = 0; i < spread.n_bars; i++)
        n += spread.bars[i].n;
    assert_int_equal(n, 100000);
    rln__duration_histogram_clear(&lengths);
}

/* Lengths of 1, 2, ... us, dealt out to two in turn. */
static void lengths_of_two_are_those_of_both(void **state)
{
    static const uint64_t numbers[][2] = {
        {0, 1}, {10, 20}, {5000, 10}, {10, 5000}, {5000, 6000}, {4096, 1}, {4000, 97}};

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(numbers); i++) {
        struct rln__duration_histogram both = {0}, parts[2] = {{0}, {0}};
        struct rln__duration_histogram_spread one, other;

        for (size_t k = 0; k < 2; k++) {
            for (uint64_t n = 1; n <= numbers[i][k]; n++) {
                const uint64_t ns = (2 * n + k) * 1000;

                assert_int_equal(rln__duration_histogram_add(&parts[k], ns), 0);
                assert_int_equal(rln__duration_histogram_add(&both, ns), 0);
            }
        }
        assert_int_equal(rln__duration_histogram_merge(&parts[0], &parts[1]), 0);
        assert_int_equal(rln__duration_histogram_spread(&parts[0], &one), 0);
        assert_int_equal(rln__duration_histogram_spread(&both, &other), 0);
        assert_int_equal(parts[0].n, both.n);
        assert_int_equal(parts[0].min_ns, both.min_ns);
        assert_int_equal(parts[0].max_ns, both.max_ns);
        assert_memory_equal(&one, &other, sizeof(one));
        for (size_t k = 0; k < 2; k++)
            rln__duration_histogram_clear(&parts[k]);
        rln__duration_histogram_clear(&both);
    }
}

static void the_median_of_an_even_number_is_between_the_middle_ones(void **state)
{
    static const uint64_t numbers[] = {2, 4, 2 * RLN__DURATION_HISTOGRAM_EXACT};

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(numbers); i++) {
        struct rln__duration_histogram lengths = {0};
        struct rln__duration_histogram_spread spread;

        for (uint64_t n = 0; n < numbers[i]; n++)
            assert_int_equal(rln__duration_histogram_add(&lengths, n % 2 ? 7 : 10), 0);
        assert_int_equal(rln__duration_histogram_spread(&lengths, &spread), 0);
        assert_true(spread.median_ns == 8.5);
        rln__duration_histogram_clear(&lengths);
    }
}

/* A range with a payload, and inside it one without. */
static void sc_one_payload(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)pb_event(&c, RLN__PUSH, 1, 10, NULL, PS_NOBODY, "\x01", 1);
    (void)tb_event(&c, RLN__PUSH, 1, 20);
    (void)tb_event(&c, RLN__POP, 0, 30);
    (void)tb_event(&c, RLN__POP, 0, 40);
}

static void a_range_has_no_payloads_of_the_one_read_before(void **state)
{
    rln_reader *reader = open_scenario(sc_one_payload);
    struct rln__lod lod;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(lod.n_rows, 2);
    for (size_t i = 0; i < 2; i++) {
        struct rln__lod_details read;

        assert_int_equal(rln__lod_read(&lod, &lod.rows[i],
                                       &lod.rows[i].buckets.items[0], &read, NULL),
                         RLN_OK);
        assert_int_equal(read.payloads.length != 0, i == 0);
        rln__buf_clear(&read.payloads);
    }
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

static void sc_payloads_of_ends(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)pb_event(&c, RLN__PUSH, 1, 10, NULL, PS_NOBODY, "\x01", 1);
    (void)tb_event(&c, RLN__PUSH, 1, 20);
    (void)pb_event(&c, RLN__POP, 0, 30, NULL, PS_NOBODY, "\x02", 1);
    (void)pb_event(&c, RLN__POP, 0, 40, NULL, PS_NOBODY, "\x03", 1);
}

/* How many payloads a list in JSON has. */
static size_t n_payloads(const struct rln__buf *json)
{
    size_t n = 0;

    for (const char *at = json->bytes; (at = strstr(at, "\"bytes\"")); at++)
        n++;
    return n;
}

static void a_range_has_the_payloads_of_its_begin_and_its_end(void **state)
{
    rln_reader *reader = open_scenario(sc_payloads_of_ends);
    struct rln__lod lod;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(lod.n_rows, 2);
    for (size_t i = 0; i < 2; i++) {
        struct rln__lod_details read;

        assert_int_equal(rln__lod_read(&lod, &lod.rows[i],
                                       &lod.rows[i].buckets.items[0], &read, NULL),
                         RLN_OK);
        rln__buf_char(&read.payloads, '\0');
        assert_int_equal(n_payloads(&read.payloads), 2 - i);
        rln__buf_clear(&read.payloads);
    }
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* The main thread has a range all the time, the third one in its first half, the second
 * one none. */
static void sc_adopted(struct tb *tb)
{
    struct rln__gpu_call calls[3] = {{.head = gs_head(200, 300, 13, 1)},
                                     {.head = gs_head(310, 330, 13, 2)},
                                     {.head = gs_head(700, 800, 13, 3)}};
    struct rln__gpu_kernel kernels[3] = {{.head = gs_head(1000, 1100, 11, 1)},
                                         {.head = gs_head(1200, 1300, 11, 2)},
                                         {.head = gs_head(1400, 1500, 11, 3)}};
    struct tb_chunk n, c, d;

    calls[0].head.tid = 101;
    calls[1].head.tid = calls[2].head.tid = 102;
    (void)tb_part(tb, 27);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    gs_names(&n);
    for (uint32_t i = 0; i < 3; i++) {
        c = tb_events(tb, 1, i + 1, 100 + i);
        tb_thread(&c, i + 1, 100 + i, 0, "thread");
        if (i != 1)
            (void)tb_event(&c, RLN__PUSH, 1, 100);
        if (i != 1)
            (void)tb_event(&c, RLN__POP, 0, i ? 500 : 2000);
    }
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    gs_batch(&d, 3600, RLN__GPU_SCHEMA(RLN__GPU_CALL), 0, calls, sizeof(calls));
    for (size_t i = 0; i < 3; i++)
        gs_batch(&d, 3600, RLN__GPU_SCHEMA(RLN__GPU_KERNEL), SD_SCHEMA + 1, &kernels[i],
                 sizeof(kernels[i]));
}

static void work_belongs_to_its_thread_or_to_the_one_that_adopts_it(void **state)
{
    static const uint32_t callers[] = {101, 102, 102}, owners[] = {100, 102, 100};
    rln_reader *reader = open_scenario(sc_adopted);
    struct rln__lod lod;
    size_t n = 0;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    for (size_t i = 0; i < lod.n_rows; i++) {
        const struct rln__lod_row *row = &lod.rows[i];

        for (size_t k = 0; row->is_stream && k < row->buckets.n; k++) {
            const struct rln__range_bucket *b = &row->buckets.items[k];

            assert_true(rln__lod_has_call(row, b) && n < RLN_COUNT(owners));
            assert_int_equal(reader->threads[rln__lod_caller(b)].tid, callers[n]);
            assert_int_equal(reader->threads[rln__lod_owner(&lod, b)].tid, owners[n++]);
        }
    }
    assert_int_equal(n, RLN_COUNT(owners));
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

static rln_status build_and_ask(rln_reader *reader)
{
    struct rln__lod lod;
    struct rln__lod_sums sums = {0};
    rln_status status = rln__lod_init(&lod, reader, NULL, SMALL, NULL);

    if (status)
        return status;
    status = rln__lod_build(&lod, NULL);
    if (!status) {
        (void)rln__lod_refine(&lod, lod.first_ns, lod.first_ns + 1000, 0);
        if (rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, NULL, 0, &sums))
            status = RLN_ERR_NOMEM;
        rln__lod_sums_clear(&sums);
    }
    rln__lod_clear(&lod);
    return status;
}

static void expect_failures_reported(void (*scenario)(struct tb *tb))
{
    rln_reader *reader = open_scenario(scenario);
    rln_status status = RLN_ERR_NOMEM;
    size_t nth;

    for (nth = 1; status; nth++) {
        rln__alloc_fail_from(nth);
        status = build_and_ask(reader);
        rln__alloc_fail_from(0);
        assert_true(status == RLN_OK || status == RLN_ERR_NOMEM);
    }
    assert_true(nth > 10);
    rln_reader_close(reader);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    expect_failures_reported(sc_nested);
    expect_failures_reported(sc_adopted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_out_at_any_zoom),
        cmocka_unit_test(a_narrow_span_is_exact),
        cmocka_unit_test(sums_are_exact_or_say_that_they_are_not),
        cmocka_unit_test(levels_that_share_a_row_have_sums_that_are_exact_or_say_so),
        cmocka_unit_test(a_narrow_span_has_exact_sums_at_any_resolution),
        cmocka_unit_test(the_longest_paths_are_kept_with_their_ancestors),
        cmocka_unit_test(paths_keep_their_parents_where_others_are_left_out),
        cmocka_unit_test(runs_of_words_make_the_same_index_as_items),
        cmocka_unit_test(no_thread_of_a_program_is_a_stream),
        cmocka_unit_test(what_was_read_is_seen_before_all_of_it_is),
        cmocka_unit_test(an_index_of_a_trace_that_grew_keeps_all_numbers),
        cmocka_unit_test(all_that_begin_at_one_moment_are_reached_both_ways),
        cmocka_unit_test(what_more_threads_do_than_there_are_rows_is_in_one),
        cmocka_unit_test(the_95th_percentile_is_the_least),
        cmocka_unit_test(lengths_beyond_those_that_are_kept_are_nearly_right),
        cmocka_unit_test(lengths_of_two_are_those_of_both),
        cmocka_unit_test(the_median_of_an_even_number_is_between_the_middle_ones),
        cmocka_unit_test(a_range_has_no_payloads_of_the_one_read_before),
        cmocka_unit_test(tasks_are_below_the_ones_they_were_begun_in),
        cmocka_unit_test(the_pass_counts_as_the_rows_do),
        cmocka_unit_test(a_task_inside_one_of_its_name_is_known),
        cmocka_unit_test(time_of_a_name_inside_itself_is_known),
        cmocka_unit_test(whatever_tasks_say_there_is_a_way_out),
        cmocka_unit_test(a_range_has_the_payloads_of_its_begin_and_its_end),
        cmocka_unit_test(work_belongs_to_its_thread_or_to_the_one_that_adopts_it),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
