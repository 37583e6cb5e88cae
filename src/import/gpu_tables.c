/* SPDX-License-Identifier: Apache-2.0 */
#include "import/gpu_tables.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/fail.h"
#include "format/global_id.h"
#include "format/gpu_schemas.h"
#include "format/nvtx_payload.h"
#include "format/nvtx_time.h"
#include "import/gpu_devices.h"
#include "import/gpu_records.h"

#include <stdio.h>
#include <string.h>

#define BATCH_BYTES 32768u /* then it is written */

/* The elements of one kind and stream that are not written yet. */
struct batch {
    struct rln__buf elements; /* owned */
    uint32_t process, domain;
    enum rln__gpu_kind kind;
    uint64_t scope;
    int64_t last_ns;
};

/* A handle that was found, so that most rows need no look-up. */
struct known_handle {
    uint64_t handle; /* 0: unused */
    int64_t text_id;
    uint32_t process;
};

#define KNOWN_HANDLES 1024u /* a power of two */

struct reader {
    struct rln__import *import;       /* borrowed */
    const struct rln__gpu_schema *of; /* the table being read */
    enum rln__gpu_kind kind;
    sqlite3_stmt *rows;    /* owned */
    struct batch *batches; /* owned */
    size_t n_batches, capacity;
    struct rln__key_index by_stream;  /* process, kind, stream -> batch */
    struct rln__key_index by_scope;   /* process, stream -> number of the scope */
    struct rln__key_index registered; /* process, kind */
    struct rln__gpu_devices devices;
    uint32_t process, domain; /* of the last row of this table; or RLN__NO_PROCESS */
    int is_too_wide;          /* the row: a number does not fit its field */
    struct known_handle known[KNOWN_HANDLES];
};

/* Why something of a table is missing: of each kind, the table and a row. */
#define MISSING(table)                                                                 \
    {                                                                                  \
        "the table " table " could not be read, or not whole",                         \
            "a row of " table " has invalid times, or no process"                      \
    }

static const struct {
    const char *table, *row;
} missing[RLN__N_GPU_KINDS] = {
    [RLN__GPU_KERNEL] = MISSING("CUPTI_ACTIVITY_KIND_KERNEL"),
    [RLN__GPU_COPY] = MISSING("CUPTI_ACTIVITY_KIND_MEMCPY"),
    [RLN__GPU_SET] = MISSING("CUPTI_ACTIVITY_KIND_MEMSET"),
    [RLN__GPU_GRAPH] = MISSING("CUPTI_ACTIVITY_KIND_GRAPH_TRACE"),
    [RLN__GPU_CALL] = MISSING("CUPTI_ACTIVITY_KIND_RUNTIME"),
    [RLN__GPU_SYNC] = MISSING("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"),
    [RLN__GPU_OVERHEAD] = MISSING("CUPTI_ACTIVITY_KIND_OVERHEAD"),
    [RLN__GPU_NODE] = MISSING("CUDA_GRAPH_NODE_EVENTS"),
};

/* --- What readers must know --------------------------------------------------------
 */

/* Whether it was added now, and not before; `*failed`: no memory. */
static int is_new(struct rln__key_index *index, uint64_t a, uint64_t b, int *failed)
{
    const struct rln__key key = {{a, b}};
    const size_t n_known = index->n;
    const uint32_t number = rln__key_index_number(index, &key);

    *failed |= number == UINT32_MAX;
    return number >= n_known;
}

static rln_status begin_process(struct reader *r, uint32_t process, uint32_t domain,
                                rln_error *err)
{
    const rln_status status = rln__gpu_records_begin(r->import, process, err);

    return status
               ? status
               : rln__gpu_devices_write(&r->devices, r->import, process, domain, err);
}

/* The domain, registered with the schema if the process has no such work yet. */
static rln_status register_kind(struct reader *r, uint32_t process, uint32_t *domain,
                                rln_error *err)
{
    struct rln__import *m = r->import;
    const struct rln__gpu_type type = {
        RLN__GPU_SCHEMA(r->kind), RLN__SCHEMA_IS_STARTEND, &rln__gpu_schemas[r->kind]};
    int failed = 0;
    rln_status status;

    *domain = r->domain;
    if (process == r->process)
        return RLN_OK;
    status = rln__gpu_records_find(m, process, domain, err);
    if (!status && is_new(&r->registered, process, RLN__N_GPU_KINDS, &failed) &&
        !failed)
        status = begin_process(r, process, *domain, err);
    if (!status && is_new(&r->registered, process, r->kind, &failed) && !failed)
        status = rln__gpu_records_add(m, process, *domain, &type, err);
    if (failed)
        return rln__fail_nomem(err);
    r->process = process;
    r->domain = *domain;
    return status;
}

static uint64_t scope_id(uint32_t number)
{
    return RLN__FIRST_SCHEMA_ID + number;
}

/* Registers the scope of a stream, or finds it. */
static rln_status register_scope(struct reader *r, uint32_t process, uint32_t domain,
                                 const struct rln__gpu_stream_id *at, uint64_t *scope,
                                 rln_error *err)
{
    const struct rln__key key = {{process, (uint64_t)at->device << 32 | at->context,
                                  (uint64_t)at->green_context << 32 | at->stream}};
    const size_t n_known = r->by_scope.n;
    const uint32_t number = rln__key_index_number(&r->by_scope, &key);
    char path[RLN__MOST_GPU_NAME];
    uint32_t text;
    rln_status status;
    uint64_t *w;

    if (number == UINT32_MAX)
        return rln__fail_nomem(err);
    *scope = scope_id(number);
    if (number < n_known)
        return RLN_OK;
    rln__gpu_stream_path(at, path);
    status = rln__gpu_records_string(r->import, process, path, &text, err);
    if (status)
        return status;
    w = rln__import_name(r->import, process, RLN__SUB_SCOPE, 4, err);
    if (!w)
        return r->import->trace.failed;
    w[1] = rln__pair32(domain, text);
    w[2] = *scope;
    return RLN_OK;
}

/* --- Batches -----------------------------------------------------------------------
 */

static rln_status write_batch(struct reader *r, struct batch *b, rln_error *err)
{
    const struct rln__gpu_elements elements = {
        .process = b->process,
        .domain = b->domain,
        .type = RLN__GPU_SCHEMA(b->kind),
        .scope = b->scope,
        .t_ns = b->last_ns,
        .bytes = b->elements.bytes,
        .n_bytes = b->elements.length,
    };

    if (b->elements.has_failed)
        return rln__fail_nomem(err);
    b->elements.length = 0;
    return elements.n_bytes ? rln__gpu_records_write(r->import, &elements, err)
                            : RLN_OK;
}

static rln_status batch_of(struct reader *r, uint32_t process, uint64_t scope,
                           uint32_t domain, struct batch **out, rln_error *err)
{
    const struct rln__key key = {{process, r->kind, scope}};
    const size_t n_known = r->n_batches;
    struct batch *b =
        rln__key_index_item(&r->batches, &r->n_batches, &r->capacity,
                            rln__key_index_number(&r->by_stream, &key), sizeof(*b));

    *out = b;
    if (!b)
        return rln__fail_nomem(err);
    if (r->n_batches > n_known)
        *b = (struct batch){
            .process = process, .domain = domain, .kind = r->kind, .scope = scope};
    return RLN_OK;
}

/* --- Rows --------------------------------------------------------------------------
 */

static rln_status find_handle(struct reader *r, uint32_t process, uint32_t domain,
                              int64_t text_id, uint64_t *out, rln_error *err)
{
    struct known_handle *known =
        &r->known[((uint64_t)text_id ^ process) & (KNOWN_HANDLES - 1)];
    uint32_t text;
    rln_status status;

    *out = known->handle;
    if (known->handle && known->text_id == text_id && known->process == process)
        return RLN_OK;
    status = rln__import_text_of_id(r->import, text_id, &text, err);
    if (!status)
        status = rln__gpu_records_handle(r->import, process, domain, text, out, err);
    if (!status)
        *known = (struct known_handle){*out, text_id, process};
    return status;
}

static rln_status read_cell(struct reader *r, uint32_t process, uint32_t domain,
                            uint32_t column, union rln__gpu_element *e, rln_error *err)
{
    const struct rln__gpu_field *field = &r->of->fields[column];
    char *to = (char *)e + field->offset;
    int64_t value = 0;
    uint64_t wide;
    uint32_t narrow;
    rln_status status = RLN_OK;

    if (!field->column || !rln__cell_get_int(r->rows, (int)column, &value))
        return RLN_OK;
    wide = (uint64_t)value;
    if (RLN__ENTRY_PURPOSE(field->flags) == RLN__PURPOSE_TIMESTAMP)
        wide = rln__scratch_trace_ticks(value);
    if (field->type == RLN__TYPE_STRING_HANDLE)
        status = find_handle(r, process, domain, value, &wide, err);
    if (field->type != RLN__TYPE_INT32 && field->type != RLN__TYPE_UINT32) {
        memcpy(to, &wide, sizeof(wide));
        return status;
    }
    if (value < INT32_MIN || value > UINT32_MAX) {
        r->is_too_wide = 1;
        return status;
    }
    narrow = (uint32_t)wide;
    memcpy(to, &narrow, sizeof(narrow));
    return status;
}

static rln_status name_element(struct reader *r, uint32_t process, uint32_t domain,
                               union rln__gpu_element *e, rln_error *err)
{
    char name[RLN__MOST_GPU_NAME];
    uint32_t text;
    rln_status status;

    if (!rln__gpu_usual_name(r->kind, e, name))
        return RLN_OK;
    status = rln__import_text(r->import, (rln_text){name, strlen(name)}, &text, err);
    return status ? status
                  : rln__gpu_records_handle(r->import, process, domain, text,
                                            &e->head.name, err);
}

/* The names that older releases lack; nsys itself falls back to the next one. */
static void settle_names(struct rln__gpu_kernel *kernel)
{
    if (!kernel->head.name)
        kernel->head.name =
            kernel->short_name ? kernel->short_name : kernel->mangled_name;
}

/* The first columns, and those after the columns of the fields. */
enum { C_START, C_END, C_NAME, C_CORRELATION };
enum { C_GLOBAL_ID, C_ROW, N_MORE };

static int64_t more(const struct reader *r, unsigned which)
{
    return sqlite3_column_int64(r->rows, (int)(r->of->n_fields + which));
}

static int has_global_id(const struct reader *r)
{
    return sqlite3_column_type(r->rows, (int)(r->of->n_fields + C_GLOBAL_ID)) ==
           SQLITE_INTEGER;
}

/* Whether the row has times. */
static int read_times(const struct reader *r, int64_t *start, int64_t *end)
{
    return rln__cell_get_int(r->rows, C_START, start) &&
           rln__scratch_trace_has_time(*start) &&
           rln__cell_get_int(r->rows, C_END, end) &&
           rln__scratch_trace_has_time(*end) && *start <= *end;
}

/* The process of a call, whose thread becomes known even if it has no event of its own:
 * its chunk then has only a hole. */
static rln_status find_thread(struct reader *r, int64_t global_tid, int64_t start,
                              uint32_t *process, rln_error *err)
{
    struct rln__import *m = r->import;
    uint32_t lane;
    rln_status status;
    uint64_t *w;

    m->now_ns = start;
    status = rln__import_thread(m, global_tid, process, &lane, err);
    if (status || *process == RLN__NO_PROCESS || m->expansion.lanes[lane].stream.at)
        return status;
    w = rln__row_expansion_take(&m->expansion, lane, start, 1, err);
    if (!w)
        return m->trace.failed;
    w[0] = rln__long_word(RLN__HOLE, 0, 1);
    return RLN_OK;
}

static rln_status add_row(struct reader *r, rln_error *err)
{
    const int is_on_stream = rln__gpu_is_on_stream(r->kind);
    const int64_t global_id = more(r, C_GLOBAL_ID);
    union rln__gpu_element e;
    struct batch *batch = NULL;
    uint32_t process, domain;
    uint64_t scope = 0;
    int64_t start, end;
    rln_status status;

    if (!read_times(r, &start, &end) || !has_global_id(r)) {
        rln__import_damage(r->import, more(r, C_ROW), missing[r->kind].row);
        return RLN_OK;
    }
    status = is_on_stream ? rln__import_process(r->import, global_id, &process, err)
                          : find_thread(r, global_id, start, &process, err);
    if (status)
        return status;
    if (process == RLN__NO_PROCESS) {
        rln__import_damage(r->import, more(r, C_ROW),
                           "a row of GPU work exceeds the number of processes");
        return RLN_OK;
    }
    status = register_kind(r, process, &domain, err);
    memset(&e, 0, sizeof(e));
    r->is_too_wide = 0;
    for (uint32_t i = 0; i < r->of->n_fields && !status; i++)
        status = read_cell(r, process, domain, i, &e, err);
    if (r->is_too_wide)
        rln__import_damage(r->import, more(r, C_ROW),
                           "a number of GPU work exceeds 32 bits");
    if (!is_on_stream)
        e.head.tid = rln__tid_of_global(global_id);
    if (r->kind == RLN__GPU_KERNEL)
        settle_names(&e.kernel);
    if (!status)
        status = name_element(r, process, domain, &e, err);
    if (!status && is_on_stream)
        status = register_scope(r, process, domain, &e.kernel.at, &scope, err);
    if (!status)
        status = batch_of(r, process, scope, domain, &batch, err);
    if (status)
        return status;
    batch->last_ns = end;
    rln__buf_add(&batch->elements, (const char *)&e, r->of->n_bytes);
    return batch->elements.length < BATCH_BYTES ? RLN_OK : write_batch(r, batch, err);
}

/* --- Tables ------------------------------------------------------------------------
 */

/* A table that cannot be read is no reason to refuse the others: reports that need it
 * fail with this message. */
static rln_status refuse(struct reader *r, const rln_error *why, rln_error *err)
{
    const size_t n_bytes = strlen(why->message) + 1;
    char *copy = rln__alloc(n_bytes, 1);

    if (!copy)
        return rln__fail_nomem(err);
    memcpy(copy, why->message, n_bytes);
    rln__free(r->import->gpu_refusals[r->kind]);
    r->import->gpu_refusals[r->kind] = copy;
    rln__import_damage(r->import, 0, missing[r->kind].table);
    return RLN_OK;
}

static rln_status read_rows(struct reader *r, rln_error *err)
{
    const char *columns[RLN__MOST_GPU_FIELDS + N_MORE];
    uint32_t n = 0;
    rln_status status;

    for (; n < r->of->n_fields; n++)
        columns[n] = r->of->fields[n].column ? r->of->fields[n].column : "none";
    columns[C_START] = "!start";
    columns[C_END] = "!end";
    if (r->kind != RLN__GPU_NODE)
        columns[C_CORRELATION] = "!correlationId";
    columns[n + C_GLOBAL_ID] =
        rln__gpu_is_on_stream(r->kind) ? "!globalPid" : "!globalTid";
    columns[n + C_ROW] = "rowid";
    status = rln__database_select(&r->import->db, r->of->table, columns, n + N_MORE, "",
                                  &r->rows, err);
    while (!status &&
           (status = rln__database_step(&r->import->db, r->rows, err)) == RLN_OK)
        status = add_row(r, err);
    (void)sqlite3_finalize(r->rows);
    r->rows = NULL;
    return status == RLN_END ? RLN_OK : status;
}

static rln_status read_table(struct reader *r, rln_error *err)
{
    rln_error own = {0};
    rln_status status;

    r->of = &rln__gpu_schemas[r->kind];
    r->process = RLN__NO_PROCESS;
    if (!rln__database_has(&r->import->db, r->of->table))
        return RLN_OK;
    status = read_rows(r, &own);
    if (status == RLN_ERR_FORMAT)
        return refuse(r, &own, err);
    if (status && err)
        *err = own;
    return status;
}

rln_status rln__gpu_tables(struct rln__import *import, rln_error *err)
{
    struct reader r = {.import = import};
    rln_status status = rln__gpu_devices_read(&r.devices, import, err);

    for (r.kind = 0; r.kind < RLN__N_GPU_KINDS && !status; r.kind++)
        status = read_table(&r, err);
    for (size_t i = 0; i < r.n_batches; i++) {
        if (!status)
            status = write_batch(&r, &r.batches[i], err);
        rln__buf_clear(&r.batches[i].elements);
    }
    rln__free(r.batches);
    rln__key_index_clear(&r.by_stream);
    rln__key_index_clear(&r.by_scope);
    rln__key_index_clear(&r.registered);
    rln__gpu_devices_clear(&r.devices);
    return status;
}
