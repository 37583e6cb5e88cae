/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/nsys_event_batches.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "export/nsys/nsys_arrow_cells.h"

#define BATCH_RECORDS 32768
#define RECORD sizeof(struct rln__nsys_event)

_Static_assert(RLN__PIECE_BYTES % RECORD == 0, "a record is in one block");

enum { MESSAGES, RECORDS, TEXTS };

static rln_status spool_add(struct rln__nsys_event_batches *b, int stream,
                            const void *bytes, size_t length, rln_error *err)
{
    b->n_bytes[stream] += length;
    return rln__stream_spool_add(b->spool, b->first_stream + (uint32_t)stream, bytes,
                                 length, err);
}

static rln_status spool_read(const struct rln__nsys_event_batches *b, int stream,
                             uint64_t at, size_t length, struct rln__buf *out,
                             rln_error *err)
{
    out->length = 0;
    return rln__stream_spool_read(b->spool, b->first_stream + (uint32_t)stream, at,
                                  length, out, err);
}

/* --- Records to columns ----------------------------------------------------------- */

static uint64_t offset_of(const rln_text *text)
{
    return (uint64_t)(uintptr_t)text->bytes;
}

static void set_offset(rln_text *text, uint64_t offset)
{
    text->bytes = (const char *)(uintptr_t)offset;
}

/* A record whose texts are texts again. A record that stays zeroed is no row. */
static void put_record(struct rln__arrow_batch *columns,
                       const struct rln__ipc_table *table,
                       const struct rln__nsys_event *event, uint64_t number)
{
#pragma GCC unroll 20 /* so that each column's cell is known to be what it is */
    for (int i = 0; i < RLN__N_EVENT_COLUMNS; i++) {
        const struct rln__cell cell = rln__nsys_cell(event, i);

        rln__nsys_arrow_put(columns, &cell);
    }
    if (table->n_fields > RLN__N_EVENT_COLUMNS)
        rln__arrow_i64(columns, (int64_t)number + 1);
}

/* A batch of records with their texts in memory. */
static rln_status make_batch(struct rln__nsys_event_batches *b,
                             const struct rln__nsys_event_records *of,
                             const struct rln__arrow_sink *sink, rln_error *err)
{
    for (size_t at = 0; at < of->records.length; at += RECORD) {
        struct rln__nsys_event event;

        memcpy(&event, of->records.bytes + at, RECORD);
        if (!event.type)
            continue;
        if (event.json.bytes)
            event.json.bytes = of->texts.bytes + offset_of(&event.json) - 1;
        if (event.blob.bytes)
            event.blob.bytes = of->texts.bytes + offset_of(&event.blob) - 1;
        put_record(&b->columns, b->table, &event, of->first + at / RECORD);
    }
    return rln__arrow_write_batch(sink, &b->columns, err);
}

static rln_status to_message(void *message, const void *bytes, size_t length,
                             rln_error *err)
{
    struct rln__buf *buf = message;

    rln__buf_add(buf, bytes, length);
    return buf->has_failed ? rln__fail_nomem(err) : RLN_OK;
}

/* In the second thread. */
static rln_status make_given(void *batches, rln_error *err)
{
    struct rln__nsys_event_batches *b = batches;
    const struct rln__arrow_sink sink = {to_message, &b->message, b->codec};

    b->message.length = 0;
    return make_batch(b, b->given, &sink, err);
}

/* --- Full batches ----------------------------------------------------------------- */

static rln_status list_batch(struct rln__nsys_event_batches *b,
                             const struct rln__nsys_event_records *of, int is_made,
                             rln_error *err)
{
    struct rln__nsys_event_batch *added =
        rln__append(&b->batches, &b->n_batches, &b->capacity, sizeof(*added));

    if (!added)
        return rln__fail_nomem(err);
    *added = (struct rln__nsys_event_batch){
        .first = of->first,
        .is_made = is_made != 0,
        .at = b->n_bytes[is_made ? MESSAGES : RECORDS],
        .n_bytes = is_made ? b->message.length : of->records.length,
    };
    return RLN_OK;
}

static void empty(struct rln__nsys_event_records *of)
{
    of->records.length = of->texts.length = 0;
    of->n_held = 0;
}

/* Spools what the second thread has made. */
static rln_status take_given(struct rln__nsys_event_batches *b, rln_error *err)
{
    rln_status status = rln__worker_wait(&b->worker, err);

    if (status || !b->given)
        return status;
    status = list_batch(b, b->given, 1, err);
    if (!status)
        status = spool_add(b, MESSAGES, b->message.bytes, b->message.length, err);
    empty(b->given);
    b->given = NULL;
    return status;
}

/* Spools records of which some are held: their texts are from then on where they begin
 * in the stream. */
static rln_status spool_records(struct rln__nsys_event_batches *b,
                                struct rln__nsys_event_records *of, rln_error *err)
{
    const uint64_t base = b->n_bytes[TEXTS];
    rln_status status;

    for (size_t at = 0; at < of->records.length; at += RECORD) {
        struct rln__nsys_event event;

        memcpy(&event, of->records.bytes + at, RECORD);
        if (event.json.bytes)
            set_offset(&event.json, offset_of(&event.json) + base);
        if (event.blob.bytes)
            set_offset(&event.blob, offset_of(&event.blob) + base);
        memcpy(of->records.bytes + at, &event, RECORD);
    }
    status = list_batch(b, of, 0, err);
    if (!status)
        status = spool_add(b, TEXTS, of->texts.bytes, of->texts.length, err);
    if (!status)
        status = spool_add(b, RECORDS, of->records.bytes, of->records.length, err);
    empty(of);
    return status;
}

static rln_status end_filling(struct rln__nsys_event_batches *b, rln_error *err)
{
    struct rln__nsys_event_records *full = b->filling;
    rln_status status = take_given(b, err);

    if (status || !full->records.length)
        return status;
    if (full->n_held) {
        status = spool_records(b, full, err);
    } else {
        b->given = full;
        b->filling = full == &b->filled[0] ? &b->filled[1] : &b->filled[0];
        rln__worker_give(&b->worker, make_given, b);
    }
    b->filling->first = b->n_records;
    return status;
}

/* --- Rows ------------------------------------------------------------------------- */

/* Adds a record, whose texts are offsets. */
static rln_status add_record(struct rln__nsys_event_batches *b,
                             const struct rln__nsys_event *record, rln_error *err)
{
    struct rln__nsys_event_records *to = b->filling;

    rln__buf_add(&to->records, (const char *)record, RECORD);
    if (to->records.has_failed || to->texts.has_failed)
        return rln__fail_nomem(err);
    b->n_records++;
    return to->records.length >= BATCH_RECORDS * RECORD ||
                   to->texts.length >= RLN__NSYS_ARROW_BATCH_BYTES
               ? end_filling(b, err)
               : RLN_OK;
}

static void keep_text(struct rln__buf *texts, rln_text *text)
{
    const uint64_t offset = texts->length + 1;

    if (!text->bytes)
        return;
    rln__buf_add(texts, text->bytes, text->length);
    set_offset(text, offset);
}

static rln_status spool_text(struct rln__nsys_event_batches *b, rln_text *text,
                             rln_error *err)
{
    const uint64_t offset = b->n_bytes[TEXTS] + 1;
    rln_status status;

    if (!text->bytes)
        return RLN_OK;
    status = spool_add(b, TEXTS, text->bytes, text->length, err);
    set_offset(text, offset);
    return status;
}

/* The batch of a record that was spooled. */
static const struct rln__nsys_event_batch *
batch_of(const struct rln__nsys_event_batches *b, uint64_t number)
{
    size_t low = 0, high = b->n_batches;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (b->batches[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &b->batches[low];
}

static rln_status give_held(struct rln__nsys_event_batches *b,
                            const struct rln__nsys_event *event, rln_error *err)
{
    const uint64_t number = rln__map_remove(&b->held, event->aside) - 1;
    struct rln__nsys_event record = *event;
    const struct rln__nsys_event_batch *batch;
    rln_status status;

    if (number >= b->filling->first) {
        struct rln__nsys_event_records *in = b->filling;

        keep_text(&in->texts, &record.json);
        keep_text(&in->texts, &record.blob);
        memcpy(in->records.bytes + (number - in->first) * RECORD, &record, RECORD);
        in->n_held--;
        return in->texts.has_failed ? rln__fail_nomem(err) : RLN_OK;
    }
    status = spool_text(b, &record.json, err);
    if (!status)
        status = spool_text(b, &record.blob, err);
    if (status)
        return status;
    batch = batch_of(b, number);
    return rln__stream_spool_replace(b->spool, b->first_stream + RECORDS,
                                     batch->at + (number - batch->first) * RECORD,
                                     &record, RECORD, err);
}

rln_status rln__nsys_event_batches_add(struct rln__nsys_event_batches *b,
                                       const struct rln__nsys_event *event,
                                       rln_error *err)
{
    struct rln__nsys_event record = *event;

    if (event->aside)
        return give_held(b, event, err);
    keep_text(&b->filling->texts, &record.json);
    keep_text(&b->filling->texts, &record.blob);
    return add_record(b, &record, err);
}

rln_status rln__nsys_event_batches_hold(struct rln__nsys_event_batches *b,
                                        uint64_t number, rln_error *err)
{
    static const struct rln__nsys_event none;

    if (rln__map_put(&b->held, number, b->n_records + 1))
        return rln__fail_nomem(err);
    b->filling->n_held++;
    return add_record(b, &none, err);
}

/* --- The end ---------------------------------------------------------------------- */

static rln_status fetch(const struct rln__nsys_event_batches *b, rln_text *text,
                        struct rln__buf *texts, rln_error *err)
{
    const uint64_t offset = offset_of(text);
    const size_t begin = texts->length;
    rln_status status;

    if (!offset)
        return RLN_OK;
    status = rln__stream_spool_read(b->spool, b->first_stream + TEXTS, offset - 1,
                                    text->length, texts, err);
    set_offset(text, begin + 1);
    return status;
}

/* Makes a batch of spooled records. */
static rln_status write_records(struct rln__nsys_event_batches *b,
                                const struct rln__nsys_event_batch *batch,
                                const struct rln__arrow_sink *sink, rln_error *err)
{
    struct rln__nsys_event_records *of = b->filling;
    rln_status status =
        spool_read(b, RECORDS, batch->at, batch->n_bytes, &of->records, err);

    of->first = batch->first;
    of->texts.length = 0;
    for (size_t at = 0; at < of->records.length && !status; at += RECORD) {
        struct rln__nsys_event event;

        memcpy(&event, of->records.bytes + at, RECORD);
        status = fetch(b, &event.json, &of->texts, err);
        if (!status)
            status = fetch(b, &event.blob, &of->texts, err);
        memcpy(of->records.bytes + at, &event, RECORD);
    }
    return status ? status : make_batch(b, of, sink, err);
}

rln_status rln__nsys_event_batches_write(struct rln__nsys_event_batches *b,
                                         const struct rln__arrow_sink *sink,
                                         rln_error *err)
{
    const struct rln__arrow_sink compressed = {sink->write, sink->context, b->codec};
    rln_status status = end_filling(b, err);

    if (!status)
        status = take_given(b, err);
    for (size_t i = 0; i < b->n_batches && !status; i++) {
        const struct rln__nsys_event_batch *batch = &b->batches[i];

        if (!batch->is_made) {
            status = write_records(b, batch, &compressed, err);
            continue;
        }
        status = spool_read(b, MESSAGES, batch->at, batch->n_bytes, &b->message, err);
        if (!status)
            status =
                sink->write(sink->context, b->message.bytes, b->message.length, err);
    }
    return status;
}

rln_status rln__nsys_event_batches_init(struct rln__nsys_event_batches *b,
                                        const struct rln__ipc_table *table,
                                        struct rln__stream_spool *spool,
                                        uint32_t first_stream, rln_error *err)
{
    b->table = table;
    b->spool = spool;
    b->first_stream = first_stream;
    b->filling = &b->filled[0];
    rln__worker_start(&b->worker);
    return rln__arrow_batch_init(&b->columns, table->fields, table->n_fields)
               ? rln__fail_nomem(err)
               : rln__block_codec_new(&b->codec, err);
}

void rln__nsys_event_batches_clear(struct rln__nsys_event_batches *b)
{
    rln__worker_stop(&b->worker);
    for (size_t i = 0; i < 2; i++) {
        rln__buf_clear(&b->filled[i].records);
        rln__buf_clear(&b->filled[i].texts);
    }
    rln__arrow_batch_clear(&b->columns);
    rln__buf_clear(&b->message);
    rln__block_codec_free(b->codec);
    rln__free(b->batches);
    rln__map_clear(&b->held);
    memset(b, 0, sizeof(*b));
}
