/* SPDX-License-Identifier: Apache-2.0 */
/* test_event_batches.c - Arrow's batches of events are the same bytes, whether rows come in
 * order or some of them late. */
#include "base/alloc.h"
#include "export/nsys/nsys_arrow_cells.h"
#include "export/nsys/nsys_event_batches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 100000, STREAM = 3, MOST_TEXT = 24 };

struct row {
    struct rln__nsys_event event;
    char json[MOST_TEXT], blob[MOST_TEXT];
};

static struct rln__arrow_field fields[RLN__N_EVENT_COLUMNS + 1];
static struct rln__ipc_table table = {.name = "NVTX_EVENTS", .fields = fields};

static void make_table(void)
{
    const struct rln__nsys_schema *schema = &rln__nsys_schemas[RLN__T_NVTX_EVENTS];

    for (size_t i = 0; i < schema->n_columns; i++) {
        const struct rln__nsys_column *column = &schema->columns[i];

        fields[i] =
            (struct rln__arrow_field){column->name, rln__nsys_arrow_type(column)};
    }
    fields[schema->n_columns] = (struct rln__arrow_field){"eventId", RLN__ARROW_I64};
    table.n_fields = schema->n_columns + 1;
}

static void make_row(struct row *row, unsigned i)
{
    memset(row, 0, sizeof(*row));
    row->event.start_ns = i * 10;
    row->event.end_ns = i * 10 + 5;
    row->event.has_end = 1;
    row->event.type = 59;
    row->event.text = (rln_text){"a name", 6};
    if (i % 3 == 0)
        row->event.json =
            (rln_text){row->json, (size_t)snprintf(row->json, MOST_TEXT, "json %u", i)};
    if (i % 5 == 0)
        row->event.blob =
            (rln_text){row->blob, (size_t)snprintf(row->blob, MOST_TEXT, "blob %u", i)};
}

static rln_status keep(void *context, const void *bytes, size_t length, rln_error *err)
{
    (void)err;
    rln__buf_add(context, bytes, length);
    return RLN_OK;
}

/* Which rows are late, and how many others come before they do; 0: none. */
typedef unsigned is_late(unsigned row);

static unsigned never(unsigned row)
{
    (void)row;
    return 0;
}

static const unsigned delays[] = {700, 40000};

static unsigned within_a_batch(unsigned row)
{
    return row % 1000 == 1 ? delays[0] : 0;
}

static unsigned until_another_batch(unsigned row)
{
    return row % 50 == 0 ? delays[1] : 0;
}

static unsigned the_first(unsigned row)
{
    return row == 0 ? ROWS : 0;
}

static void add_late(struct rln__nsys_event_batches *batches, unsigned i)
{
    struct row row;

    make_row(&row, i);
    row.event.aside = i + 1;
    assert_int_equal(rln__nsys_event_batches_add(batches, &row.event, NULL), RLN_OK);
}

static void write_rows(is_late *late, struct rln__buf *out)
{
    const struct rln__arrow_sink sink = {keep, out, NULL};
    struct rln__stream_spool spool = {0};
    struct rln__nsys_event_batches batches = {0};

    assert_int_equal(
        rln__nsys_event_batches_init(&batches, &table, &spool, STREAM, NULL), RLN_OK);
    for (unsigned i = 0; i < ROWS; i++) {
        struct row row;

        make_row(&row, i);
        assert_int_equal(late(i)
                             ? rln__nsys_event_batches_hold(&batches, i + 1, NULL)
                             : rln__nsys_event_batches_add(&batches, &row.event, NULL),
                         RLN_OK);
        for (size_t k = 0; k < sizeof(delays) / sizeof(*delays); k++)
            if (i >= delays[k] && late(i - delays[k]) == delays[k])
                add_late(&batches, i - delays[k]);
    }
    for (unsigned i = 0; i < ROWS; i++)
        if (late(i) && i + late(i) >= ROWS)
            add_late(&batches, i);
    assert_int_equal(rln__nsys_event_batches_write(&batches, &sink, NULL), RLN_OK);
    rln__nsys_event_batches_clear(&batches);
    rln__stream_spool_clear(&spool);
    assert_false(out->has_failed);
}

static void late_rows_are_where_they_were_held(void **state)
{
    is_late *const all[] = {within_a_batch, until_another_batch, the_first};
    struct rln__buf in_order = {0};

    (void)state;
    make_table();
    write_rows(never, &in_order);
    assert_true(in_order.length > ROWS);
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct rln__buf found = {0};

        write_rows(all[i], &found);
        assert_int_equal(found.length, in_order.length);
        assert_memory_equal(found.bytes, in_order.bytes, found.length);
        rln__buf_clear(&found);
    }
    rln__buf_clear(&in_order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_rows_are_where_they_were_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
