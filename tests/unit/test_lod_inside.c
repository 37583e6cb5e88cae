/* SPDX-License-Identifier: Apache-2.0 */
/* test_lod_inside.c - what is inside occurrences of a name, and which name a program
 * repeats. */
#include "base/count.h"
#include "failed_allocations.h"
#include "gpu_scenario.h"
#include "lod_walk.h"
#include "ranges/event_filter.h"
#include "timeline/lod_gpu_gaps.h"
#include "timeline/lod_inside.h"
#include "timeline/lod_kinds.h"
#include "timeline/lod_step.h"

enum { TRAIN = 1, LOAD, SOLVE, SAVE, STEPS };

#define N_STEPS 10u
#define SLOW 6u

static void name(struct tb_chunk *c, uint32_t id, const char *text)
{
    tb_string(c, id, text);
    tb_attributes(c, id, 0, id);
}

static uint64_t span(struct tb_chunk *c, uint32_t attr, uint64_t t, uint64_t ns)
{
    (void)tb_event(c, RLN__PUSH, attr, t);
    (void)tb_event(c, RLN__POP, 0, t + ns);
    return t + ns;
}

/* train around `step 0` to `step 9`; each loads twice, for 100 ns, but the slow one for
 * 5000, solves for 2000, is 30 ns by itself, and each fourth one saves for 700. */
static void sc_steps(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t t = 1000;

    (void)tb_part(tb, 41);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    name(&c, TRAIN, "train");
    name(&c, LOAD, "load");
    name(&c, SOLVE, "solve");
    name(&c, SAVE, "save");
    for (uint32_t i = 0; i < N_STEPS; i++) {
        char text[16];

        (void)snprintf(text, sizeof(text), "step %u", i);
        name(&c, STEPS + i, text);
    }
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    (void)tb_event(&c, RLN__PUSH, TRAIN, 0);
    for (uint32_t i = 0; i < N_STEPS; i++) {
        (void)tb_event(&c, RLN__PUSH, STEPS + i, t);
        t = span(&c, LOAD, t + 10, i == SLOW ? 5000 : 100);
        t = span(&c, LOAD, t, 100);
        t = span(&c, SOLVE, t + 10, 2000);
        if (i % 4 == 3)
            t = span(&c, SAVE, t, 700);
        (void)tb_event(&c, RLN__POP, 0, t += 10);
        t += 500;
    }
    (void)tb_event(&c, RLN__POP, 0, t + 500);
}

static uint32_t number_of(const struct rln__lod *lod, const char *message)
{
    for (size_t i = 0; i < lod->n_names; i++)
        if (rln__text_is(lod->names[i].message, message))
            return (uint32_t)i;
    return RLN__NONE;
}

/* All of a kind, and what is inside them. */
struct measured {
    struct rln__lod_gpus gpus;
    struct rln__lod_occurrences all;
    struct rln__lod_inside inside;
};

static int measure_some(struct rln__lod *lod, uint32_t kind, int are_outermost,
                        struct measured *out)
{
    const uint32_t *kinds = rln__lod_kinds_of_names(lod);
    uint8_t *names = rln__alloc(lod->n_names, 1);
    int failed = !kinds || !names;

    memset(out, 0, sizeof(*out));
    for (size_t i = 0; i < lod->n_names && !failed; i++)
        names[i] = kinds[i] == kind;
    failed =
        failed || rln__lod_find_gpus(lod, &out->gpus) ||
        rln__lod_find_occurrences(lod, names, are_outermost, &out->all) ||
        rln__lod_measure_inside(lod, lod, kinds, &out->gpus, &out->all, &out->inside);
    rln__free(names);
    return failed;
}

static int measure(struct rln__lod *lod, uint32_t kind, struct measured *out)
{
    return measure_some(lod, kind, 0, out);
}

static void clear(struct measured *m)
{
    rln__lod_gpus_clear(&m->gpus);
    rln__lod_occurrences_clear(&m->all);
    rln__lod_inside_clear(&m->inside);
}

/* The time of a part in an occurrence; 0: it has none. */
static uint64_t time_of(const struct rln__lod_inside *inside, uint32_t part,
                        uint32_t occurrence, uint32_t *n)
{
    *n = 0;
    for (size_t i = 0; i < inside->n; i++) {
        if (inside->times[i].part != part || inside->times[i].occurrence != occurrence)
            continue;
        assert_int_equal(*n, 0); /* one each */
        *n = inside->times[i].n;
        return inside->times[i].ns;
    }
    return 0;
}

static void each_occurrence_has_its_parts(void **state)
{
    rln_reader *reader = open_scenario(sc_steps);
    struct rln__lod lod;
    struct measured m;
    double values[N_STEPS];
    uint32_t step, n;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(rln__lod_find_step(&lod, rln__lod_kinds_of_names(&lod), &step), 0);
    assert_int_equal(step, number_of(&lod, "step 0"));
    assert_int_equal(measure(&lod, step, &m), 0);
    assert_int_equal(m.all.n, N_STEPS);
    assert_int_equal(m.all.n_all, N_STEPS);
    assert_true(rln__lod_are_usual(&m.all));
    assert_false(m.inside.is_rough);
    for (uint32_t i = 0; i < N_STEPS; i++) {
        const int has_saved = i % 4 == 3;

        assert_int_equal(time_of(&m.inside, number_of(&lod, "load"), i, &n),
                         i == SLOW ? 5100 : 200);
        assert_int_equal(n, 2);
        assert_int_equal(time_of(&m.inside, number_of(&lod, "solve"), i, &n), 2000);
        assert_int_equal(n, 1);
        assert_int_equal(time_of(&m.inside, number_of(&lod, "save"), i, &n),
                         has_saved ? 700 : 0);
        assert_int_equal(n, has_saved);
        assert_int_equal(time_of(&m.inside, RLN__LOD_SELF, i, &n), 30);
    }
    n = (uint32_t)rln__lod_find_part(&m.inside, number_of(&lod, "load"));
    assert_int_equal(rln__lod_end_of_part(&m.inside, n), n + N_STEPS);
    assert_true(rln__lod_median_of_part(&m.inside, n, N_STEPS, values) == 200.0);
    n = (uint32_t)rln__lod_find_part(&m.inside, number_of(&lod, "save"));
    assert_true(rln__lod_median_of_part(&m.inside, n, N_STEPS, values) == 0.0);
    assert_int_equal(rln__lod_find_part(&m.inside, number_of(&lod, "train")),
                     m.inside.n);
    clear(&m);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* Where levels between an occurrence and what is in it do not match. */
static void with_a_filter_what_matches_is_inside(void **state)
{
    rln_reader *reader = open_scenario(sc_steps);
    rln_filter *filter;
    struct rln__lod lod;
    struct measured m;
    uint32_t n;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "train", NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "load", NULL), RLN_OK);
    rln_reader_set_filter(reader, filter);
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(measure(&lod, number_of(&lod, "train"), &m), 0);
    assert_int_equal(m.all.n, 1);
    assert_int_equal(time_of(&m.inside, number_of(&lod, "load"), 0, &n),
                     (N_STEPS - 1) * 200 + 5100);
    assert_int_equal(n, 2 * N_STEPS);
    assert_int_equal(m.inside.n, 2); /* and itself */
    clear(&m);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
    rln_filter_free(filter);
}

static void what_is_merged_is_called_rough(void **state)
{
    rln_reader *reader = open_scenario(sc_walk);
    struct rln__lod whole, small;
    uint64_t exact = 0, rough = 0;
    struct measured m;

    (void)state;
    build(&whole, reader, UINT64_MAX / 16);
    build(&small, reader, SMALL);
    assert_int_equal(measure(&whole, 0, &m), 0);
    assert_int_equal(m.all.n_merged, 0);
    exact = m.all.n_all;
    clear(&m);
    assert_int_equal(measure(&small, 0, &m), 0);
    assert_int_equal(m.all.n_all, exact);
    assert_true(m.all.n_merged > exact / 2);
    assert_false(rln__lod_are_usual(&m.all));
    rough = m.all.n;
    clear(&m);
    assert_true(exact > 1000);
    assert_true(rough < exact / 10);
    rln__lod_clear(&whole);
    rln__lod_clear(&small);
    rln_reader_close(reader);
}

/* `step` around two `step`, of which one is around another: three times. */
static void sc_recursion(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t t = 0;

    (void)tb_part(tb, 43);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    tb_thread(&c, 1, 100, 0, "main");
    for (uint32_t i = 0; i < 3; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, t += 100);
        t = span(&c, 1, t + 10, 20);
        (void)tb_event(&c, RLN__PUSH, 1, t += 10);
        t = span(&c, 1, t + 10, 30);
        (void)tb_event(&c, RLN__POP, 0, t += 10);
        (void)tb_event(&c, RLN__POP, 0, t += 10);
    }
}

static void outermost_ones_are_inside_no_other(void **state)
{
    rln_reader *reader = open_scenario(sc_recursion);
    struct rln__lod lod;
    struct measured m;
    uint32_t n;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(measure_some(&lod, 0, 1, &m), 0);
    assert_int_equal(m.all.n, 3);
    assert_int_equal(m.all.n_all, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rln__lod_length(&m.all.items[i]), 100);
        assert_int_equal(time_of(&m.inside, 0, i, &n), 70);
        assert_int_equal(n, 2);
        assert_int_equal(time_of(&m.inside, RLN__LOD_SELF, i, &n), 30);
    }
    clear(&m);
    assert_int_equal(measure(&lod, 0, &m), 0);
    assert_int_equal(m.all.n, 12);
    clear(&m);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

static void what_repeats_too_rarely_is_no_step(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    struct rln__lod lod;
    uint32_t step = 0;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(rln__lod_find_step(&lod, rln__lod_kinds_of_names(&lod), &step), 0);
    assert_int_equal(step, RLN__NONE);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* A service: three threads load six times, for 100 ns each, and save 20 ns of them; eight
 * tasks of another one solve at the same time, for 600 ns, and one saves for 9000. */
static void sc_service(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t tasks[9];

    (void)tb_part(tb, 44);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    name(&c, LOAD, "load");
    name(&c, SOLVE, "solve");
    name(&c, SAVE, "save");
    for (uint32_t thread = 1; thread <= 3; thread++) {
        c = tb_events(tb, 1, thread, 100);
        tb_thread(&c, thread, 100 + thread, 0, "worker");
        for (uint32_t i = 0; i < 6; i++) {
            (void)tb_event(&c, RLN__PUSH, LOAD, i * 200);
            (void)span(&c, SAVE, i * 200 + 10, 20);
            (void)tb_event(&c, RLN__POP, 0, i * 200 + 100);
        }
    }
    c = tb_events(tb, 1, 4, 100);
    tb_thread(&c, 4, 104, 0, "loop");
    for (uint32_t i = 0; i < 9; i++)
        tasks[i] = tb_event(&c, RLN__START, i < 8 ? SOLVE : SAVE, i);
    for (uint32_t i = 0; i < 9; i++)
        (void)tb_value(&c, RLN__END, 0, i < 8 ? 600 + i : 9000, tasks[i]);
}

static void the_step_takes_most_of_all_threads(void **state)
{
    rln_reader *reader = open_scenario(sc_service);
    struct rln__lod lod;
    uint32_t step = 0;

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(rln__lod_find_step(&lod, rln__lod_kinds_of_names(&lod), &step), 0);
    assert_int_equal(step, number_of(&lod, "load"));
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* --- GPUs ------------------------------------------------------------------------- */

/* What a GPU did in ranges that have its calls is that of rln__query_links(). */
static void gaps_are_between_operations(void **state)
{
    rln_reader *reader = open_scenario(sc_gpu);
    struct rln__lod lod;
    struct rln__lod_gpus gpus;
    struct rln__lod_gpu_idle idle[8] = {{.n = 0}};

    (void)state;
    build(&lod, reader, UINT64_MAX / 16);
    assert_int_equal(rln__lod_find_gpus(&lod, &gpus), 0);
    assert_in_range(gpus.n, 1, RLN_COUNT(idle));
    assert_int_equal(rln__lod_find_gpu_gaps(&lod, &gpus, idle), 0);
    for (size_t i = 0; i < gpus.n; i++) {
        uint64_t listed_ns = 0;

        assert_true(idle[i].n_operations > 0);
        for (size_t k = 0; k < idle[i].n; k++) {
            const struct rln__lod_gpu_gap *gap = &idle[i].longest[k];

            assert_true(gap->start_ns < gap->end_ns);
            assert_int_equal(gap->next->start_ns, gap->end_ns);
            listed_ns += (uint64_t)(gap->end_ns - gap->start_ns);
            for (size_t row = 0; row < lod.n_rows; row++) {
                const struct rln__range_buckets *b = &lod.rows[row].buckets;

                for (size_t at = 0;
                     at < b->n && gpus.of_row[row] == i && !lod.rows[row].is_of_waits;
                     at++)
                    assert_true(b->items[at].end_ns <= gap->start_ns ||
                                b->items[at].start_ns >= gap->end_ns);
            }
        }
        assert_true(listed_ns <= idle[i].idle_ns);
        if (idle[i].n < RLN__LOD_MOST_GAPS)
            assert_int_equal(listed_ns, idle[i].idle_ns);
    }
    rln__lod_gpus_clear(&gpus);
    rln__lod_clear(&lod);
    rln_reader_close(reader);
}

/* --- No memory -------------------------------------------------------------------- */

static rln_status measure_file(const char *path, rln_error *err)
{
    struct rln__lod_gpu_idle idle[8] = {{.n = 0}};
    struct rln__lod lod = {.n_rows = 0};
    struct measured m = {.all = {.n = 0}};
    rln_reader *reader;
    uint32_t step;
    rln_status status = rln_reader_open(&path, 1, &reader, err);

    if (status)
        return status;
    status = rln__lod_init(&lod, reader, NULL, UINT64_MAX / 16, err);
    status = status ? status : rln__lod_build(&lod, err);
    if (!status) {
        const uint32_t *kinds = rln__lod_kinds_of_names(&lod);

        if (!kinds || rln__lod_find_step(&lod, kinds, &step) || measure(&lod, 0, &m) ||
            rln__lod_find_gpu_gaps(&lod, &m.gpus, idle)) {
            status = RLN_ERR_NOMEM;
            if (err)
                (void)snprintf(err->message, sizeof(err->message), "out of memory");
        }
        clear(&m);
    }
    rln__lod_clear(&lod);
    rln_reader_close(reader);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    struct tb tb = {0};

    (void)state;
    sc_steps(&tb);
    fail_each_allocation(&tb, measure_file);
    tb_clear(&tb);
    sc_gpu(&tb);
    fail_each_allocation(&tb, measure_file);
    tb_clear(&tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_occurrence_has_its_parts),
        cmocka_unit_test(with_a_filter_what_matches_is_inside),
        cmocka_unit_test(what_is_merged_is_called_rough),
        cmocka_unit_test(outermost_ones_are_inside_no_other),
        cmocka_unit_test(what_repeats_too_rarely_is_no_step),
        cmocka_unit_test(the_step_takes_most_of_all_threads),
        cmocka_unit_test(gaps_are_between_operations),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
