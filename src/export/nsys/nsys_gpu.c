/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/nsys_gpu.h"

#include "base/fail.h"
#include "export/gpu_fields.h"
#include "format/global_id.h"

#include <string.h>

static const enum rln__nsys_table tables[RLN__N_GPU_KINDS] = {
    [RLN__GPU_KERNEL] = RLN__T_KERNEL,     [RLN__GPU_COPY] = RLN__T_MEMCPY,
    [RLN__GPU_SET] = RLN__T_MEMSET,        [RLN__GPU_GRAPH] = RLN__T_GRAPH_TRACE,
    [RLN__GPU_CALL] = RLN__T_RUNTIME,      [RLN__GPU_SYNC] = RLN__T_SYNCHRONIZATION,
    [RLN__GPU_OVERHEAD] = RLN__T_OVERHEAD, [RLN__GPU_NODE] = RLN__T_GRAPH_NODE,
};

/* What a column has that no field has. */
enum { OF_NO_FIELD = -1, OF_START = -2, OF_END = -3, OF_PROCESS = -4, OF_THREAD = -5 };

static int8_t source_of(enum rln__gpu_kind kind, const char *column)
{
    static const struct {
        const char *column;
        int8_t source;
    } own[] = {{"start", OF_START},
               {"end", OF_END},
               {"globalPid", OF_PROCESS},
               {"globalTid", OF_THREAD}};

    for (size_t i = 0; i < RLN_COUNT(own); i++) {
        if (strcmp(column, own[i].column) == 0)
            return own[i].source;
    }
    return rln__gpu_field_index(kind, column);
}

static const int8_t *sources_of(struct rln__nsys *n, enum rln__gpu_kind kind)
{
    const struct rln__nsys_schema *table = &rln__nsys_schemas[tables[kind]];
    int8_t *sources = n->gpu_columns[kind];

    for (size_t i = 0; i < table->n_columns && !n->has_gpu_columns[kind]; i++)
        sources[i] = source_of(kind, table->columns[i].name);
    n->has_gpu_columns[kind] = 1;
    return sources;
}

/* Of a column that may not be NULL: an empty list is the only text among them. */
static struct rln__cell nothing(const struct rln__nsys_column *column)
{
    if (!strstr(column->type, "NOT NULL"))
        return rln__cell_null();
    return strncmp(column->type, "TEXT", 4) == 0 ? rln__cell_words("[]")
                                                 : rln__cell_int(0);
}

/* `value` is NULL where the event has none. */
static rln_status fill_field(struct rln__nsys *n, const struct rln__gpu_field *field,
                             const rln_field *value, const rln_range *range,
                             const struct rln__nsys_column *column,
                             struct rln__cell *out, rln_error *err)
{
    const int is_named = value && value->bits;
    int64_t id;
    rln_status status;

    *out = value ? rln__cell_int((int64_t)value->bits) : nothing(column);
    if (field->type != RLN__TYPE_STRING_HANDLE ||
        (!is_named && !strstr(column->type, "NOT NULL")))
        return RLN_OK;
    /* A name that is missing is that of the event. */
    status = rln__nsys_string(n, is_named ? value->text : range->attributes.message,
                              &id, err);
    *out = rln__cell_int(id);
    return status;
}

rln_status rln__nsys_gpu(struct rln__nsys *n, const rln_range *range, rln_error *err)
{
    struct rln__cell cells[RLN__MOST_GPU_COLUMNS];
    struct rln__gpu_fields fields;
    const struct rln__nsys_schema *table;
    const int8_t *sources;
    rln_status status = rln__gpu_fields_read(n->x->ranges, &fields, err);

    if (status || !fields.items)
        return status;
    table = &rln__nsys_schemas[tables[fields.kind]];
    sources = sources_of(n, fields.kind);
    for (size_t i = 0; i < table->n_columns && !status; i++) {
        switch (sources[i]) {
        case OF_START:
            cells[i] = rln__cell_int(range->start_ns);
            break;
        case OF_END:
            cells[i] = rln__cell_int(range->end_ns);
            break;
        case OF_PROCESS:
            cells[i] = rln__cell_int(rln__nsys_global_pid(n, range->process));
            break;
        case OF_THREAD:
            cells[i] =
                rln__cell_int(rln__nsys_global_tid(n, range->process, range->tid));
            break;
        case OF_NO_FIELD:
            cells[i] = nothing(&table->columns[i]);
            break;
        default:
            status = fill_field(n, &rln__gpu_schemas[fields.kind].fields[sources[i]],
                                rln__gpu_field_at(&fields, sources[i]), range,
                                &table->columns[i], &cells[i], err);
        }
    }
    return status ? status : rln__nsys_put(n, tables[fields.kind], cells, err);
}

/* --- GPUs ------------------------------------------------------------------------- */

static rln_status write_gpu(struct rln__nsys *n, const struct rln__gpu_info *gpu,
                            int64_t id, rln_error *err)
{
    const struct rln__cell cells[] = {
        rln__cell_int(0),
        rln__cell_int(id),
        rln__nsys_cell_text(gpu->name),
        rln__cell_null(),
        rln__cell_int((int64_t)gpu->memory_bytes),
        rln__cell_null(),
        rln__cell_int(gpu->multiprocessors),
        rln__nsys_cell_text(gpu->uuid),
        rln__cell_null(),
        rln__cell_int(gpu->capability_major),
        rln__cell_int(gpu->capability_minor),
    };

    return rln__nsys_put(n, RLN__T_TARGET_INFO_GPU, cells, err);
}

static rln_status write_device(struct rln__nsys *n, const struct rln__gpu_info *gpu,
                               int64_t id, rln_error *err)
{
    const int64_t global_pid = rln__nsys_global_pid(n, gpu->process);
    const struct rln__cell cells[] = {
        rln__cell_int(id),
        rln__cell_int(gpu->device),
        rln__cell_int(rln__pid_of_global(global_pid)),
        rln__nsys_cell_text(gpu->uuid),
        rln__cell_int(gpu->multiprocessors),
        rln__cell_int(global_pid),
    };

    return rln__nsys_put(n, RLN__T_TARGET_INFO_CUDA_DEVICE, cells, err);
}

/* Processes have numbers of their own for a GPU, which its UUID identifies: one without
 * is of its process. */
static rln_status write_both(struct rln__nsys *n, struct rln__key_index *known,
                             const struct rln__gpu_info *as_recorded, rln_error *err)
{
    struct rln__gpu_info gpu = *as_recorded;
    const size_t n_known = known->n;
    rln_status status = rln__nsys_clean(n, &gpu.name, err);
    struct rln__key key;
    uint32_t id;

    if (!status)
        status = rln__nsys_clean(n, &gpu.uuid, err);
    if (status)
        return status;
    /* Equal texts have one address. */
    key = (struct rln__key){
        {(uint64_t)(uintptr_t)gpu.name.bytes, (uint64_t)(uintptr_t)gpu.uuid.bytes,
         gpu.uuid.length ? 0 : (uint64_t)gpu.process << 32 | gpu.device,
         !gpu.uuid.length}};
    id = rln__key_index_number(known, &key);
    if (id == UINT32_MAX)
        return rln__fail_nomem(err);
    if (id >= n_known)
        status = write_gpu(n, &gpu, id, err);
    return status ? status : write_device(n, &gpu, id, err);
}

rln_status rln__nsys_gpus(struct rln__nsys *n, rln_error *err)
{
    const struct rln__gpus *gpus = &n->x->reader->gpus;
    struct rln__key_index known = {.n = 0}; /* {name, UUID; or the process's device} */
    rln_status status = RLN_OK;

    for (size_t i = 0; i < gpus->n && !status; i++)
        status = write_both(n, &known, &gpus->items[i], err);
    rln__key_index_clear(&known);
    return status;
}
