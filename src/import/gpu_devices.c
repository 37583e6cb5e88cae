/* SPDX-License-Identifier: Apache-2.0 */
#include "import/gpu_devices.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/global_id.h"
#include "format/nvtx_time.h"

/* Far more than the processes of a job have GPUs. */
#define MOST_DEVICES (UINT32_C(1) << 20)
/* Of rows without a process: those of one machine, as each process gets them. */
#define MOST_OF_ALL 1024u
#define ALL_PROCESSES (-1)

/* A GPU as one process sees it, or all do. */
struct rln__known_device {
    uint32_t name, uuid; /* numbers of texts */
    uint32_t next;       /* of the same list: index + 1 */
    int64_t list;        /* pid, globalPid, or ALL_PROCESSES */
    struct rln__gpu_device device;
};

/* The rows of TARGET_INFO_GPU. */
struct gpus {
    struct rln__known_device *items; /* owned */
    size_t n, capacity;
    struct rln__map by_id, by_uuid; /* -> index + 1 */
};

static int read_number(sqlite3_stmt *rows, int column, uint32_t *out)
{
    int64_t value;

    *out = 0;
    if (!rln__cell_get_int(rows, column, &value) || value < 0 || value > UINT32_MAX)
        return 0;
    *out = (uint32_t)value;
    return 1;
}

/* The rows of a table that can be read; the rest is damage. */
static rln_status next_row(const struct rln__import *m, sqlite3_stmt *rows, size_t n,
                           const char *damage, rln_error *err)
{
    rln_error own = {0};
    const rln_status status =
        n < MOST_DEVICES ? rln__database_step(&m->db, rows, &own) : RLN_ERR_FORMAT;

    if (status == RLN_ERR_FORMAT) {
        rln__import_damage(m, 0, damage);
        return RLN_END;
    }
    if (status && status != RLN_END && err)
        *err = own;
    return status;
}

/* --- TARGET_INFO_GPU -------------------------------------------------------------- */

static rln_status read_gpu(struct gpus *gpus, struct rln__import *m, sqlite3_stmt *rows,
                           rln_error *err)
{
    struct rln__known_device gpu = {.name = 0};
    struct rln__known_device *item;
    int64_t memory = 0;
    rln_status status;

    if (!read_number(rows, 0, &gpu.device.device))
        return RLN_OK;
    (void)rln__cell_get_int(rows, 3, &memory);
    gpu.device.memory_bytes = memory > 0 ? (uint64_t)memory : 0;
    (void)read_number(rows, 4, &gpu.device.multiprocessors);
    (void)read_number(rows, 5, &gpu.device.capability_major);
    (void)read_number(rows, 6, &gpu.device.capability_minor);
    status = rln__import_text(m, rln__cell_get_text(rows, 1), &gpu.name, err);
    if (!status)
        status = rln__import_text(m, rln__cell_get_text(rows, 2), &gpu.uuid, err);
    if (status)
        return status;
    item = rln__append(&gpus->items, &gpus->n, &gpus->capacity, sizeof(*item));
    if (!item)
        return rln__fail_nomem(err);
    *item = gpu;
    /* Of several with one id, the first counts. */
    if ((!rln__map_get(&gpus->by_id, gpu.device.device) &&
         rln__map_put(&gpus->by_id, gpu.device.device, gpus->n)) ||
        (gpu.uuid && !rln__map_get(&gpus->by_uuid, gpu.uuid) &&
         rln__map_put(&gpus->by_uuid, gpu.uuid, gpus->n)))
        return rln__fail_nomem(err);
    return RLN_OK;
}

static rln_status read_gpus(struct gpus *gpus, struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {
        "id", "name", "uuid", "totalMemory", "smCount", "computeMajor", "computeMinor"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "TARGET_INFO_GPU", columns,
                                             RLN_COUNT(columns), "", &rows, err);

    while (!status && rows &&
           !(status = next_row(m, rows, gpus->n,
                               "the table TARGET_INFO_GPU could not be read, or not "
                               "whole",
                               err)))
        status = read_gpu(gpus, m, rows, err);
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

static void clear_gpus(struct gpus *gpus)
{
    rln__free(gpus->items);
    rln__map_clear(&gpus->by_id);
    rln__map_clear(&gpus->by_uuid);
}

/* --- TARGET_INFO_CUDA_DEVICE ------------------------------------------------------ */

static rln_status add(struct rln__gpu_devices *devices,
                      const struct rln__known_device *device, int64_t list,
                      rln_error *err)
{
    struct rln__known_device *added =
        rln__append(&devices->items, &devices->n, &devices->capacity, sizeof(*added));

    if (!added)
        return rln__fail_nomem(err);
    *added = *device;
    added->list = list;
    return RLN_OK;
}

/* Makes the lists, each in the order of rows. */
static rln_status link_all(struct rln__gpu_devices *devices, rln_error *err)
{
    for (size_t i = devices->n; i > 0; i--) {
        struct rln__known_device *item = &devices->items[i - 1];
        const uint64_t list = (uint64_t)item->list;

        item->next = (uint32_t)rln__map_get(&devices->lists, list);
        if (rln__map_put(&devices->lists, list, i))
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

/* The GPU of a row: ids may be of several machines, UUIDs are not. */
static rln_status find_gpu(const struct gpus *gpus, struct rln__import *m,
                           sqlite3_stmt *rows, const struct rln__known_device **out,
                           rln_error *err)
{
    uint32_t id, uuid;
    uint64_t found;
    const rln_status status =
        rln__import_text(m, rln__cell_get_text(rows, 4), &uuid, err);

    *out = NULL;
    if (status)
        return status;
    found = uuid ? rln__map_get(&gpus->by_uuid, uuid) : 0;
    if (!found && read_number(rows, 0, &id))
        found = rln__map_get(&gpus->by_id, id);
    if (found)
        *out = &gpus->items[found - 1];
    return RLN_OK;
}

static rln_status read_device(struct rln__gpu_devices *devices, const struct gpus *gpus,
                              struct rln__import *m, sqlite3_stmt *rows, rln_error *err)
{
    const struct rln__known_device *gpu;
    struct rln__known_device device;
    int64_t list = ALL_PROCESSES;
    const rln_status status = find_gpu(gpus, m, rows, &gpu, err);

    if (status || !gpu)
        return status;
    device = *gpu;
    if (!read_number(rows, 1, &device.device.device))
        return RLN_OK;
    if (!rln__cell_get_int(rows, 3, &list))
        (void)rln__cell_get_int(rows, 2, &list);
    return list == ALL_PROCESSES && devices->n >= MOST_OF_ALL
               ? RLN_OK
               : add(devices, &device, list, err);
}

static rln_status read_devices(struct rln__gpu_devices *devices,
                               const struct gpus *gpus, struct rln__import *m,
                               rln_error *err)
{
    static const char *const columns[] = {"gpuId", "cudaId", "pid", "globalPid",
                                          "uuid"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "TARGET_INFO_CUDA_DEVICE", columns,
                                             RLN_COUNT(columns), "", &rows, err);

    while (!status && rows &&
           !(status = next_row(m, rows, devices->n,
                               "the table TARGET_INFO_CUDA_DEVICE could not be read, "
                               "or not whole",
                               err)))
        status = read_device(devices, gpus, m, rows, err);
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__gpu_devices_read(struct rln__gpu_devices *devices,
                                 struct rln__import *m, rln_error *err)
{
    struct gpus gpus = {.items = NULL};
    rln_status status = read_gpus(&gpus, m, err);

    if (!status)
        status = read_devices(devices, &gpus, m, err);
    /* Without that table, CUDA is taken to count as Nsight does. */
    for (size_t i = 0, had_any = devices->n;
         i < gpus.n && i < MOST_OF_ALL && !status && !had_any; i++)
        status = add(devices, &gpus.items[i], ALL_PROCESSES, err);
    clear_gpus(&gpus);
    return status ? status : link_all(devices, err);
}

/* --- A process -------------------------------------------------------------------- */

static rln_status write_device(const struct rln__known_device *known,
                               struct rln__import *m, uint32_t process, uint32_t domain,
                               rln_error *err)
{
    struct rln__gpu_device device = known->device;
    const struct rln__gpu_elements elements = {
        .process = process,
        .domain = domain,
        .type = RLN__GPU_DEVICE_SCHEMA,
        .t_ns = m->now_ns,
        .bytes = &device,
        .n_bytes = sizeof(device),
    };
    rln_status status =
        rln__gpu_records_handle(m, process, domain, known->name, &device.name, err);

    if (!status)
        status =
            rln__gpu_records_handle(m, process, domain, known->uuid, &device.uuid, err);
    device.time = (int64_t)rln__scratch_trace_ticks(m->now_ns);
    return status ? status : rln__gpu_records_write(m, &elements, err);
}

rln_status rln__gpu_devices_write(const struct rln__gpu_devices *devices,
                                  struct rln__import *m, uint32_t process,
                                  uint32_t domain, rln_error *err)
{
    static const struct rln__gpu_type type = {
        RLN__GPU_DEVICE_SCHEMA, RLN__SCHEMA_IS_MARK, &rln__gpu_device_schema};
    const int64_t global = (int64_t)m->processes[process].global_pid;
    const int64_t lists[] = {global, rln__pid_of_global(global), ALL_PROCESSES};
    rln_status status = RLN_OK;

    if (devices->n)
        status = rln__gpu_records_add(m, process, domain, &type, err);
    for (size_t i = 0; i < RLN_COUNT(lists) && !status; i++) {
        uint32_t at = (uint32_t)rln__map_get(&devices->lists, (uint64_t)lists[i]);

        for (; at && !status; at = devices->items[at - 1].next)
            status = write_device(&devices->items[at - 1], m, process, domain, err);
    }
    return status;
}

void rln__gpu_devices_clear(struct rln__gpu_devices *devices)
{
    rln__free(devices->items);
    rln__map_clear(&devices->lists);
    *devices = (struct rln__gpu_devices){0};
}
