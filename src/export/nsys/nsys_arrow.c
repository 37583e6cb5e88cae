/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_arrow.c - Nsight's tables as Arrow streams, one after the other by their names.
 *
 *   rows --> batches in the spool --at the end--> [ANALYSIS_DETAILS][CUPTI_...]...
 *
 * A table's stream is in one piece, so all rows wait in a spool, as compressed batches;
 * those of NVTX_EVENTS in nsys_event_batches.h.
 */
#include "base/alloc.h"
#include "export/arrow/arrow_ipc.h"
#include "export/exporters.h"
#include "export/nsys/nsys.h"
#include "export/nsys/nsys_about.h"
#include "export/nsys/nsys_arrow_cells.h"
#include "export/nsys/nsys_event_batches.h"
#include "export/nsys/nsys_gpu.h"
#include "export/nsys/nsys_samples.h"
#include "export/stream_spool.h"

#include <stdlib.h>

#define BATCH_ROWS 65536
#define EVENT_STREAMS RLN__N_TABLES /* the spool's, behind those of tables */

struct table {
    struct rln__arrow_field *fields; /* owned; NULL: it has no rows yet */
    struct rln__ipc_table as;
    struct rln__arrow_batch batch;
    struct rln__buf keyed; /* rows of cells: is_keyed() */
};

struct nsys_arrow {
    struct rln__export *x; /* borrowed */
    struct rln__nsys nsys;
    struct table tables[RLN__N_TABLES];
    struct rln__stream_spool spool; /* by table */
    struct rln__block_codec *codec; /* owned */
    struct rln__nsys_event_batches events;
};

/* --- Rows ------------------------------------------------------------------------- */

/* SQLite has these in the order of their first column, in which they do not come. There
 * is a row for a domain, or for a counter, and no text in it. */
static int is_keyed(enum rln__nsys_table table)
{
    return table == RLN__T_GENERIC_EVENT_SOURCES || table == RLN__T_GENERIC_EVENT_TYPES;
}

static rln_status open_table(struct nsys_arrow *s, enum rln__nsys_table number,
                             rln_error *err)
{
    const struct rln__nsys_schema *schema = &rln__nsys_schemas[number];
    const size_t has_id =
        number == RLN__T_NVTX_EVENTS && rln__export_schema_minor(s->x) >= 28;
    struct table *t = &s->tables[number];

    if (t->fields)
        return RLN_OK;
    t->fields = rln__alloc(schema->n_columns + 1, sizeof(*t->fields));
    if (!t->fields)
        return rln__fail_nomem(err);
    t->as = (struct rln__ipc_table){.name = schema->name, .fields = t->fields};
    for (size_t i = 0; i < schema->n_columns + has_id; i++) {
        static const struct rln__nsys_column id = {"eventId", "INTEGER NOT NULL"};
        const struct rln__nsys_column *column =
            i < schema->n_columns ? &schema->columns[i] : &id;

        t->fields[t->as.n_fields++] =
            (struct rln__arrow_field){column->name, rln__nsys_arrow_type(column)};
        if (strstr(column->type, "NOT NULL"))
            t->as.required |= UINT64_C(1) << i;
    }
    return rln__arrow_batch_init(&t->batch, t->fields, t->as.n_fields)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

static rln_status write_if_full(struct rln__arrow_batch *b,
                                const struct rln__arrow_sink *sink, rln_error *err)
{
    const int is_full = b->has_failed || b->n_rows >= BATCH_ROWS ||
                        b->n_bytes >= RLN__NSYS_ARROW_BATCH_BYTES;

    return is_full ? rln__arrow_write_batch(sink, b, err) : RLN_OK;
}

static rln_status put_cells(struct table *t, const struct rln__cell *cells,
                            const struct rln__arrow_sink *sink, rln_error *err)
{
    for (size_t i = 0; i < t->as.n_fields; i++)
        rln__nsys_arrow_put(&t->batch, &cells[i]);
    return write_if_full(&t->batch, sink, err);
}

struct spooled {
    struct rln__stream_spool *spool;
    uint32_t stream;
};

static rln_status to_spool(void *context, const void *bytes, size_t length,
                           rln_error *err)
{
    const struct spooled *to = context;

    return rln__stream_spool_add(to->spool, to->stream, bytes, length, err);
}

static rln_status put_row(void *context, enum rln__nsys_table table,
                          const struct rln__cell *cells, rln_error *err)
{
    struct nsys_arrow *s = context;
    struct table *t = &s->tables[table];
    struct spooled to = {&s->spool, table};
    const struct rln__arrow_sink sink = {to_spool, &to, s->codec};
    rln_status status;

    status = open_table(s, table, err);
    if (status || !is_keyed(table))
        return status ? status : put_cells(t, cells, &sink, err);
    rln__buf_add(&t->keyed, (const char *)cells, t->as.n_fields * sizeof(*cells));
    return t->keyed.has_failed ? rln__fail_nomem(err) : RLN_OK;
}

/* --- NVTX_EVENTS ------------------------------------------------------------------ */

/* Opens the table at the first row. */
static rln_status open_events(struct nsys_arrow *s, rln_error *err)
{
    struct table *t = &s->tables[RLN__T_NVTX_EVENTS];
    const int is_first = !t->fields;
    const rln_status status = open_table(s, RLN__T_NVTX_EVENTS, err);

    return status || !is_first ? status
                               : rln__nsys_event_batches_init(
                                     &s->events, &t->as, &s->spool, EVENT_STREAMS, err);
}

static rln_status put_event(void *context, const struct rln__nsys_event *event,
                            rln_error *err)
{
    struct nsys_arrow *s = context;
    const rln_status status = open_events(s, err);

    return status ? status : rln__nsys_event_batches_add(&s->events, event, err);
}

static rln_status on_aside(void *state, uint64_t number, const rln_range *range,
                           rln_error *err)
{
    struct nsys_arrow *s = state;
    rln_status status;

    (void)range;
    if (s->nsys.is_excluded[RLN__T_NVTX_EVENTS])
        return RLN_OK;
    status = open_events(s, err);
    return status ? status : rln__nsys_event_batches_hold(&s->events, number, err);
}

/* --- The file --------------------------------------------------------------------- */

static rln_status to_output(void *context, const void *bytes, size_t length,
                            rln_error *err)
{
    struct rln__output *output = context;

    rln__buf_add(&output->buf, bytes, length);
    return rln__output_flush_full(output, err);
}

static int by_key(const void *a, const void *b)
{
    const struct rln__cell *x = a, *y = b;

    return x->integer < y->integer ? -1 : x->integer > y->integer;
}

static rln_status write_keyed(struct table *t, const struct rln__arrow_sink *sink,
                              rln_error *err)
{
    const size_t row_bytes = t->as.n_fields * sizeof(struct rln__cell);
    rln_status status = RLN_OK;

    if (t->keyed.length)
        qsort(t->keyed.bytes, t->keyed.length / row_bytes, row_bytes, by_key);
    for (size_t at = 0; at < t->keyed.length && !status; at += row_bytes)
        status =
            put_cells(t, (const struct rln__cell *)(t->keyed.bytes + at), sink, err);
    return status;
}

static rln_status write_spooled(struct nsys_arrow *s, uint32_t stream, char *room,
                                const struct rln__arrow_sink *sink, rln_error *err)
{
    rln_status status = RLN_OK;
    size_t at = 0;
    rln_text piece;

    do {
        status = rln__stream_spool_next(&s->spool, stream, &at, room, &piece, err);
        if (!status && piece.length)
            status = sink->write(sink->context, piece.bytes, piece.length, err);
    } while (!status && piece.length);
    return status;
}

static rln_status write_table(struct nsys_arrow *s, enum rln__nsys_table table,
                              char *room, const struct rln__arrow_sink *sink,
                              rln_error *err)
{
    struct table *t = &s->tables[table];
    const int is_events = table == RLN__T_NVTX_EVENTS;
    rln_status status = is_events ? open_events(s, err) : open_table(s, table, err);

    if (!status)
        status = rln__arrow_write_schema(sink, &t->as, err);
    if (!status)
        status = is_events ? rln__nsys_event_batches_write(&s->events, sink, err)
                           : write_spooled(s, table, room, sink, err);
    if (!status)
        status = write_keyed(t, sink, err);
    if (!status)
        status = rln__arrow_write_batch(sink, &t->batch, err);
    rln__arrow_batch_clear(&t->batch);
    return status ? status : rln__arrow_write_end(sink, err);
}

static rln_status write_enum(const struct rln__nsys_enum *e,
                             const struct rln__arrow_sink *sink, rln_error *err)
{
    static const struct rln__arrow_field fields[] = {
        {"id", RLN__ARROW_I64},
        {"name", RLN__ARROW_PLAIN_TEXT},
        {"label", RLN__ARROW_PLAIN_TEXT},
    };
    const struct rln__ipc_table table = {e->name, fields, RLN_COUNT(fields), 1};
    struct rln__arrow_batch batch;
    rln_status status;

    if (rln__arrow_batch_init(&batch, fields, RLN_COUNT(fields)))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < e->n_rows; i++) {
        const struct rln__nsys_enum_row *row = &e->rows[i];

        rln__arrow_i64(&batch, row->id);
        rln__arrow_bytes(&batch, (rln_text){row->name, strlen(row->name)});
        rln__arrow_bytes(&batch, (rln_text){row->label, strlen(row->label)});
    }
    status = rln__arrow_write_schema(sink, &table, err);
    if (!status)
        status = rln__arrow_write_batch(sink, &batch, err);
    rln__arrow_batch_clear(&batch);
    return status ? status : rln__arrow_write_end(sink, err);
}

/* --- Beginning and end ------------------------------------------------------------ */

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct nsys_arrow *s = state;
    const struct rln__nsys_sink sink = {s, 0, put_event, put_row};

    rln_status status = rln__block_codec_new(&s->codec, err);

    s->x = x;
    s->spool.beside = x->output.part;
    return status ? status : rln__nsys_init(&s->nsys, x, &sink, err);
}

static rln_status on_row(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_row(&((struct nsys_arrow *)state)->nsys, row, err);
}

static rln_status on_sample(void *state, const rln_event *event, rln_error *err)
{
    return rln__nsys_sample(&((struct nsys_arrow *)state)->nsys, event, err);
}

static rln_status on_gpu(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_gpu(&((struct nsys_arrow *)state)->nsys, row->range, err);
}

/* A table of the file, or one of names for numbers. */
struct part {
    const char *name;
    const struct rln__nsys_enum *names; /* or NULL */
    enum rln__nsys_table table;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct part *)a)->name, ((const struct part *)b)->name);
}

/* Returns how many there are. */
static size_t list_parts(const struct nsys_arrow *s, struct part *parts)
{
    size_t n = 0;

    for (size_t i = 0; i < RLN__N_TABLES; i++) {
        if (rln__nsys_has(&s->nsys, (enum rln__nsys_table)i))
            parts[n++] =
                (struct part){rln__nsys_schemas[i].name, NULL, (enum rln__nsys_table)i};
    }
    for (size_t i = 0; i < rln__n_nsys_enums; i++) {
        if (rln__nsys_has_enum(&s->nsys, &rln__nsys_enums[i]))
            parts[n++] = (struct part){.name = rln__nsys_enums[i].name,
                                       .names = &rln__nsys_enums[i]};
    }
    qsort(parts, n, sizeof(*parts), by_name);
    return n;
}

static rln_status end(void *state, rln_error *err)
{
    struct nsys_arrow *s = state;
    const struct rln__arrow_sink sink = {to_output, &s->x->output, s->codec};
    struct part *parts = rln__alloc(RLN__N_TABLES + rln__n_nsys_enums, sizeof(*parts));
    char *room = rln__alloc(1, RLN__PIECE_BYTES);
    rln_status status =
        parts && room ? rln__nsys_end(&s->nsys, err) : rln__fail_nomem(err);
    const size_t n = status ? 0 : list_parts(s, parts);

    for (size_t i = 0; i < n && !status; i++)
        status = parts[i].names ? write_enum(parts[i].names, &sink, err)
                                : write_table(s, parts[i].table, room, &sink, err);
    rln__free(room);
    rln__free(parts);
    return status;
}

static void clear(void *state)
{
    struct nsys_arrow *s = state;

    rln__nsys_event_batches_clear(&s->events);
    for (size_t i = 0; i < RLN__N_TABLES; i++) {
        rln__arrow_batch_clear(&s->tables[i].batch);
        rln__buf_clear(&s->tables[i].keyed);
        rln__free(s->tables[i].fields);
    }
    rln__stream_spool_clear(&s->spool);
    rln__block_codec_free(s->codec);
    rln__nsys_clear(&s->nsys);
}

const struct rln__exporter rln__exporter_arrow = {
    .format = {.name = "arrow",
               .extension = ".arrows",
               .help = "the same tables, one Arrow stream after the other",
               .is_stream = 1,
               .is_binary = 1,
               .has_rows = 1},
    .state_bytes = sizeof(struct nsys_arrow),
    .begin = begin,
    .row = on_row,
    .aside = on_aside,
    .sample = on_sample,
    .gpu = on_gpu,
    .end = end,
    .clear = clear,
};
