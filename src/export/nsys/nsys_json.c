/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_json.c - NVTX events as the JSON lines that Nsight Systems exported before it
 * had tables.
 *
 *     {"data":["io","read"]}
 *     {"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"120","Text":"read","TextId":"1",...
 *
 * Some scripts take a text from the event, others from the first line, by its number.
 * That line is complete when the last event is known, so events wait in a temporary
 * file. Numbers of 64 bits are strings, as JSON readers may keep numbers as doubles.
 */
#include "base/alloc.h"
#include "base/json.h"
#include "export/exporters.h"
#include "export/nsys/nsys.h"
#include "export/stream_spool.h"

struct nsys_json {
    struct rln__export *x; /* borrowed */
    struct rln__nsys nsys;
    rln_text *texts; /* owned; borrowed texts, by their number in the first line */
    size_t n_texts, texts_capacity;
    struct rln__stream_spool events; /* a single stream: their lines */
    struct rln__buf line;
};

/* StringIds.id is a text's number in the first line; other tables are left out. */
static rln_status put_row(void *context, enum rln__nsys_table table,
                          const struct rln__cell *cells, rln_error *err)
{
    struct nsys_json *j = context;
    rln_text *added;

    if (table != RLN__T_STRING_IDS)
        return RLN_OK;
    added = rln__append(&j->texts, &j->n_texts, &j->texts_capacity, sizeof(*added));
    if (!added)
        return rln__fail_nomem(err);
    *added = cells[1].text;
    return RLN_OK;
}

static void add_long(struct rln__buf *line, const char *key, int64_t value)
{
    rln__json_key(line, key);
    rln__buf_char(line, '"');
    rln__buf_i64(line, value);
    rln__buf_char(line, '"');
}

static void add_line(struct rln__buf *line, const struct rln__nsys_event *event,
                     rln_text text, int64_t text_id)
{
    line->length = 0;
    rln__json_begin(line, NULL, '{');
    rln__json_u64(line, "Type", event->type);
    rln__json_begin(line, "NvtxEvent", '{');
    rln__json_u64(line, "Type", event->type);
    add_long(line, "Timestamp", event->start_ns);
    if (text.bytes) {
        rln__json_key(line, "Text");
        rln__buf_json(line, text.bytes, text.length);
        add_long(line, "TextId", text_id);
    }
    add_long(line, "GlobalTid", event->global_tid);
    if (event->has_end)
        add_long(line, "EndTimestamp", event->end_ns);
    add_long(line, "DomainId", event->domain_id);
    if (event->has_category)
        rln__json_u64(line, "Category", event->category);
    rln__json_bool(line, "NsTime", 1);
    rln__buf_text(line, "}}\n");
}

static rln_status put_event(void *context, const struct rln__nsys_event *event,
                            rln_error *err)
{
    struct nsys_json *j = context;
    rln_text text = event->text;
    int64_t text_id = event->text_id;
    rln_status status = RLN_OK;

    if (event->has_text_id)
        text = j->texts[text_id];
    else if (text.bytes)
        status = rln__nsys_string(&j->nsys, text, &text_id, err);
    if (status)
        return status;
    add_line(&j->line, event, text, text_id);
    if (j->line.has_failed)
        return rln__fail_nomem(err);
    return rln__stream_spool_add(&j->events, 0, j->line.bytes, j->line.length, err);
}

static rln_status begin(void *state, struct rln__export *x, rln_error *err)
{
    struct nsys_json *j = state;
    const struct rln__nsys_sink sink = {j, 1, put_event, put_row};

    j->x = x;
    return rln__nsys_init(&j->nsys, x, &sink, err);
}

static rln_status on_row(void *state, const struct rln__row *row, rln_error *err)
{
    return rln__nsys_row(&((struct nsys_json *)state)->nsys, row, err);
}

static rln_status write_texts(const struct nsys_json *j, rln_error *err)
{
    struct rln__output *output = &j->x->output;
    rln_status status = RLN_OK;

    rln__buf_text(&output->buf, "{\"data\":[");
    for (size_t i = 0; i < j->n_texts && !status; i++) {
        if (i)
            rln__buf_char(&output->buf, ',');
        rln__buf_json(&output->buf, j->texts[i].bytes, j->texts[i].length);
        status = rln__output_flush_full(output, err);
    }
    rln__buf_text(&output->buf, "]}\n");
    return status;
}

static rln_status write_events(const struct nsys_json *j, char *room, rln_error *err)
{
    struct rln__output *output = &j->x->output;
    rln_status status = RLN_OK;
    rln_text piece = {NULL, 0};
    size_t at = 0;

    do {
        rln__buf_add(&output->buf, piece.bytes, piece.length);
        status = rln__output_flush_full(output, err);
        if (!status)
            status = rln__stream_spool_next(&j->events, 0, &at, room, &piece, err);
    } while (!status && piece.length);
    return status;
}

static rln_status end(void *state, rln_error *err)
{
    struct nsys_json *j = state;
    char *room = rln__alloc(1, RLN__PIECE_BYTES);
    rln_status status =
        room ? rln__nsys_unused_names(&j->nsys, err) : rln__fail_nomem(err);

    if (!status)
        status = write_texts(j, err);
    if (!status && j->events.n)
        status = write_events(j, room, err);
    rln__free(room);
    return status;
}

static void clear(void *state)
{
    struct nsys_json *j = state;

    rln__nsys_clear(&j->nsys);
    rln__stream_spool_clear(&j->events);
    rln__buf_clear(&j->line);
    rln__free(j->texts);
}

const struct rln__exporter rln__exporter_json = {
    .format = {.name = "json",
               .extension = ".json",
               .help = "NVTX events as Nsight Systems' older JSON lines",
               .is_stream = 1,
               .has_rows = 1},
    .state_bytes = sizeof(struct nsys_json),
    .begin = begin,
    .row = on_row,
    .end = end,
    .clear = clear,
};
