/* SPDX-License-Identifier: Apache-2.0 */
#include "import/gpu_devices.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/global_id.h"
#include "format/nvtx_time.h"

/* Of each table: more rows than this are no machine's. */
#define MOST_ROWS "LIMIT 4096"

/* A GPU as one process sees it, or all do. */
struct rln__known_device {
    int64_t gpu;         /* TARGET_INFO_GPU.id */
    int64_t pid;         /* -1: of all processes; or a globalPid */
    uint32_t name, uuid; /* numbers of texts */
    struct rln__gpu_device device;
};

static rln_status add(struct rln__gpu_devices *devices,
                      const struct rln__known_device *device, rln_error *err)
{
    struct rln__known_device *items =
        rln__grow(devices->items, &devices->capacity, devices->n + 1, sizeof(*items));

    if (!items)
        return rln__fail_nomem(err);
    devices->items = items;
    items[devices->n++] = *device;
    return RLN_OK;
}

static uint32_t number(sqlite3_stmt *rows, int column)
{
    int64_t value = 0;

    (void)rln__cell_get_int(rows, column, &value);
    return value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* --- TARGET_INFO_GPU -------------------------------------------------------------- */

static rln_status read_gpu(struct rln__gpu_devices *gpus, struct rln__import *m,
                           sqlite3_stmt *rows, rln_error *err)
{
    struct rln__known_device gpu = {.pid = -1};
    int64_t memory = 0;
    rln_status status;

    if (!rln__cell_get_int(rows, 0, &gpu.gpu))
        return RLN_OK;
    (void)rln__cell_get_int(rows, 3, &memory);
    gpu.device.device = number(rows, 0);
    gpu.device.memory_bytes = memory > 0 ? (uint64_t)memory : 0;
    gpu.device.multiprocessors = number(rows, 4);
    gpu.device.capability_major = number(rows, 5);
    gpu.device.capability_minor = number(rows, 6);
    status = rln__import_text(m, rln__cell_get_text(rows, 1), &gpu.name, err);
    if (!status)
        status = rln__import_text(m, rln__cell_get_text(rows, 2), &gpu.uuid, err);
    return status ? status : add(gpus, &gpu, err);
}

static rln_status read_gpus(struct rln__gpu_devices *gpus, struct rln__import *m,
                            rln_error *err)
{
    static const char *const columns[] = {
        "id", "name", "uuid", "totalMemory", "smCount", "computeMajor", "computeMinor"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "TARGET_INFO_GPU", columns,
                                             RLN_COUNT(columns), MOST_ROWS, &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK)
        status = read_gpu(gpus, m, rows, err);
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

/* --- TARGET_INFO_CUDA_DEVICE ------------------------------------------------------ */

static const struct rln__known_device *find(const struct rln__gpu_devices *gpus,
                                            int64_t gpu)
{
    for (size_t i = 0; i < gpus->n; i++) {
        if (gpus->items[i].gpu == gpu)
            return &gpus->items[i];
    }
    return NULL;
}

static rln_status read_device(struct rln__gpu_devices *devices,
                              const struct rln__gpu_devices *gpus, sqlite3_stmt *rows,
                              rln_error *err)
{
    const struct rln__known_device *gpu;
    struct rln__known_device device;
    int64_t id;

    if (!rln__cell_get_int(rows, 0, &id) || !(gpu = find(gpus, id)))
        return RLN_OK;
    device = *gpu;
    device.device.device = number(rows, 1);
    if (!rln__cell_get_int(rows, 3, &device.pid) &&
        !rln__cell_get_int(rows, 2, &device.pid))
        device.pid = -1;
    return add(devices, &device, err);
}

static rln_status read_devices(struct rln__gpu_devices *devices,
                               const struct rln__gpu_devices *gpus,
                               const struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {"gpuId", "cudaId", "pid", "globalPid"};
    sqlite3_stmt *rows;
    rln_status status = rln__database_select(&m->db, "TARGET_INFO_CUDA_DEVICE", columns,
                                             RLN_COUNT(columns), MOST_ROWS, &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK)
        status = read_device(devices, gpus, rows, err);
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__gpu_devices_read(struct rln__gpu_devices *devices,
                                 struct rln__import *m, rln_error *err)
{
    struct rln__gpu_devices gpus = {0};
    rln_status status = read_gpus(&gpus, m, err);

    if (!status)
        status = read_devices(devices, &gpus, m, err);
    if (devices->n || status) {
        rln__gpu_devices_clear(&gpus);
        return status;
    }
    /* Without that table, CUDA is taken to count as Nsight does. */
    *devices = gpus;
    return RLN_OK;
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
    rln_status status = RLN_OK;

    if (devices->n)
        status = rln__gpu_records_add(m, process, domain, &type, err);
    for (size_t i = 0; i < devices->n && !status; i++) {
        const int64_t pid = devices->items[i].pid;

        if (pid == -1 || pid == global || pid == rln__pid_of_global(global))
            status = write_device(&devices->items[i], m, process, domain, err);
    }
    return status;
}

void rln__gpu_devices_clear(struct rln__gpu_devices *devices)
{
    rln__free(devices->items);
    *devices = (struct rln__gpu_devices){0};
}
