/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/nsys_about.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "export/nsys/nsys.h"
#include "export/nsys/nsys_gpu.h"
#include "export/nsys/nsys_switches.h"
#include "trace/open/rank.h"
#include "trace/open/schema_catalog.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PRIORITY 20 /* what Nsight has where the system does not say */
#define LOCAL_VM ((int64_t)1 << 48)

/* NULL where the number is not known. */
static struct rln__cell unless_zero(uint64_t value)
{
    return rln__cell_int_if(value != 0, (int64_t)value);
}

/* --- Processes and threads -------------------------------------------------------- */

static const rln_text unknown = {"[Unknown]", 9};

/* Scripts take it for granted that a process has a name: its launcher has none. */
static rln_text name_of_process(const rln_reader *reader, uint32_t process)
{
    static const rln_text launcher = {"rangeline", 9};
    const rln_text name = rln__process_name(reader, process);

    if (name.length)
        return name;
    return reader->names.processes[process].record.flags & RLN__PROCESS_LAUNCHER
               ? launcher
               : unknown;
}

static rln_status write_processes(struct rln__nsys *n, rln_error *err)
{
    const rln_reader *reader = n->x->reader;
    rln_status status = RLN_OK;

    for (uint32_t i = 0; i < reader->names.n_processes && !status; i++) {
        rln_text name = name_of_process(reader, i);
        struct rln__cell cells[3] = {
            rln__cell_int(rln__nsys_global_pid(n, i)),
            rln__cell_int(reader->names.processes[i].record.pid)};

        status = rln__nsys_clean(n, &name, err);
        cells[2] = rln__nsys_cell_text(name);
        if (!status)
            status = rln__nsys_put(n, RLN__T_PROCESSES, cells, err);
    }
    return status;
}

/* Of a job, as rank_sum has them: a forked process has its parent's. */
static rln_status write_ranks(struct rln__nsys *n, rln_error *err)
{
    const rln_reader *reader = n->x->reader;
    rln_status status = RLN_OK;

    for (uint32_t i = 0; i < reader->names.n_processes && !status; i++) {
        const uint32_t rank = rln__rank_of(reader, i);
        const struct rln__cell cells[] = {rln__cell_int(rln__nsys_global_pid(n, i)),
                                          rln__cell_int(rank)};

        if (rank != RLN_NO_RANK)
            status = rln__nsys_put(n, RLN__T_RANKS, cells, err);
    }
    return status;
}

/* A thread without any name has its process's. */
static rln_status write_threads(struct rln__nsys *n, rln_error *err)
{
    const rln_reader *reader = n->x->reader;
    rln_status status = RLN_OK;

    for (uint32_t i = 0; i < reader->n_threads && !status; i++) {
        const struct rln__trace_thread *t = &reader->threads[i];
        rln_text name = rln__thread_name(reader, t->process, t->tid, i);
        struct rln__cell cells[3];
        int64_t id;

        if (t->is_stream)
            continue;
        if (!name.length)
            name = name_of_process(reader, t->process);
        status = rln__nsys_string(n, name, &id, err);
        cells[0] = rln__cell_int(id);
        cells[1] = rln__cell_int(PRIORITY);
        cells[2] = rln__cell_int(rln__nsys_global_tid(n, t->process, t->tid));
        if (!status)
            status = rln__nsys_put(n, RLN__T_THREAD_NAMES, cells, err);
    }
    return status;
}

/* --- Registered objects ----------------------------------------------------------- */

static rln_status write_entry(struct rln__nsys *n,
                              const struct rln__listed_schema *schema, uint32_t index,
                              uint32_t domain_id, rln_error *err)
{
    const struct rln__listed_entry *e = &schema->entries[index];
    rln_text name = e->name, description = e->description;
    rln_status status = rln__nsys_clean(n, &name, err);

    if (!status)
        status = rln__nsys_clean(n, &description, err);
    if (status)
        return status;
    if (schema->kind == RLN__SCHEMA_ENUM) {
        const struct rln__cell cells[] = {rln__cell_int(domain_id),
                                          rln__cell_int((int64_t)schema->id),
                                          rln__cell_int(index),
                                          rln__nsys_cell_text(name),
                                          rln__cell_int((int64_t)e->type),
                                          unless_zero(e->flags & 1)};

        return rln__nsys_put(n, RLN__T_NVTX_PAYLOAD_ENUM_ENTRIES, cells, err);
    }
    const struct rln__cell cells[] = {rln__cell_int(domain_id),
                                      rln__cell_int((int64_t)schema->id),
                                      rln__cell_int(index),
                                      unless_zero(e->flags),
                                      unless_zero(e->type),
                                      rln__nsys_cell_text(name),
                                      rln__nsys_cell_text(description),
                                      unless_zero(e->detail),
                                      unless_zero(e->offset)};

    return rln__nsys_put(n, RLN__T_NVTX_PAYLOAD_SCHEMA_ENTRIES, cells, err);
}

static rln_status write_schema(struct rln__nsys *n, const struct rln__listed_schema *s,
                               rln_error *err)
{
    rln_text name = s->name;
    uint32_t domain_id;
    rln_status status =
        rln__nsys_domain(n, s->process, s->domain, n->x->last_ns, 0, &domain_id, err);

    if (!status)
        status = rln__nsys_clean(n, &name, err);
    if (status)
        return status;
    if (s->kind == RLN__SCHEMA_ENUM) {
        const struct rln__cell cells[] = {
            rln__cell_int(domain_id), rln__cell_int((int64_t)s->id),
            rln__nsys_cell_text(name), rln__cell_int(s->n_entries),
            unless_zero(s->size_bytes)};

        status = rln__nsys_put(n, RLN__T_NVTX_PAYLOAD_ENUMS, cells, err);
    } else {
        const struct rln__cell cells[] = {
            rln__cell_int(domain_id),   rln__cell_int((int64_t)s->id),
            rln__nsys_cell_text(name),  unless_zero(s->kind),
            unless_zero(s->flags),      rln__cell_int(s->n_entries),
            unless_zero(s->size_bytes), unless_zero(s->pack_align)};

        status = rln__nsys_put(n, RLN__T_NVTX_PAYLOAD_SCHEMAS, cells, err);
    }
    for (uint32_t i = 0; i < s->n_entries && !status; i++)
        status = write_entry(n, s, i, domain_id, err);
    return status;
}

static rln_status write_scope(struct rln__nsys *n, const struct rln__listed_scope *s,
                              rln_error *err)
{
    rln_text path = s->path;
    uint32_t domain_id;
    rln_status status =
        rln__nsys_domain(n, s->process, s->domain, n->x->last_ns, 0, &domain_id, err);
    struct rln__cell cells[4];

    if (!status)
        status = rln__nsys_clean(n, &path, err);
    cells[0] = rln__cell_int(domain_id);
    cells[1] = rln__cell_int((int64_t)s->id);
    cells[2] = unless_zero(s->parent);
    cells[3] = rln__nsys_cell_text(path);
    return status ? status : rln__nsys_put(n, RLN__T_NVTX_SCOPES, cells, err);
}

static rln_status write_registered(struct rln__nsys *n, rln_error *err)
{
    struct rln__schema_catalog *registered;
    const struct rln__listed_schema *schema;
    const struct rln__listed_scope *scope;
    rln_status status = rln__schema_catalog_open(n->x->reader, &registered, err);

    for (size_t i = 0; !status && (schema = rln__schema_catalog_schema(registered, i));
         i++) { /* GPU work has tables of its own */
        if (!rln__is_gpu_domain(schema->domain_name))
            status = write_schema(n, schema, err);
    }
    for (size_t i = 0; !status && (scope = rln__schema_catalog_scope(registered, i));
         i++) {
        if (!rln__is_gpu_domain(scope->domain_name))
            status = write_scope(n, scope, err);
    }
    rln__schema_catalog_close(registered);
    return status;
}

/* --- The run ---------------------------------------------------------------------- */

static void format_time(int64_t ns, int is_local, char *out, size_t size)
{
    const time_t seconds = (time_t)(ns / 1000000000);
    struct tm tm;

    if (is_local ? !localtime_r(&seconds, &tm) : !gmtime_r(&seconds, &tm))
        memset(&tm, 0, sizeof(tm));
    if (!strftime(out, size, "%Y-%m-%dT%H:%M:%S", &tm))
        *out = 0;
}

static rln_status write_times(struct rln__nsys *n, rln_error *err)
{
    const struct rln__superblock *super = &n->x->reader->layout.parts[0].super;
    const int64_t epoch_ns = (int64_t)super->created[0].realtime_ns;
    const int64_t clock_ns = (int64_t)super->created[0].monotonic_ns;
    const int64_t duration_ns = n->x->last_ns > 0 ? n->x->last_ns : 0;
    char utc[32], local[32];
    struct rln__cell session[4], details[4];
    rln_status status;

    format_time(epoch_ns, 0, utc, sizeof(utc));
    format_time(epoch_ns, 1, local, sizeof(local));
    session[0] = rln__cell_int(epoch_ns);
    session[1] = rln__cell_words(utc);
    session[2] = rln__cell_words(local);
    session[3] = rln__cell_int(clock_ns);
    status = rln__nsys_put(n, RLN__T_TARGET_INFO_SESSION_START_TIME, session, err);
    details[0] = rln__cell_int(LOCAL_VM);
    details[1] = rln__cell_int(duration_ns);
    details[2] = rln__cell_int(clock_ns);
    details[3] = rln__cell_int(clock_ns + duration_ns);
    return status ? status : rln__nsys_put(n, RLN__T_ANALYSIS_DETAILS, details, err);
}

static rln_status write_machine(struct rln__nsys *n, rln_error *err)
{
    const struct rln__superblock *super = &n->x->reader->layout.parts[0].super;
    rln_text host = {super->host, strnlen(super->host, sizeof(super->host))};
    rln_status status = rln__nsys_clean(n, &host, err);
    const struct {
        const char *name;
        int number; /* Nsight's nameEnum */
        rln_text value;
    } rows[] = {{"Hostname", 619, host}, {"HasNvtxEvents", 809, {"true", 4}}};

    for (size_t i = 0; i < RLN_COUNT(rows) && !status; i++) {
        const struct rln__cell cells[] = {
            rln__cell_int(LOCAL_VM), rln__cell_words("Local (CLI)"),
            rln__cell_words(rows[i].name), rln__cell_int(rows[i].number),
            rln__nsys_cell_text(rows[i].value)};

        status = rln__nsys_put(n, RLN__T_TARGET_INFO_SYSTEM_ENV, cells, err);
    }
    return status;
}

struct pair {
    const char *name, *value;
};

static rln_status write_pairs(struct rln__nsys *n, enum rln__nsys_table table,
                              const struct pair *pairs, size_t n_pairs, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < n_pairs && !status; i++) {
        rln_text value = {pairs[i].value, strlen(pairs[i].value)};
        struct rln__cell cells[2] = {rln__cell_words(pairs[i].name)};

        status = rln__nsys_clean(n, &value, err);
        cells[1] = rln__nsys_cell_text(value);
        if (!status)
            status = rln__nsys_put(n, table, cells, err);
    }
    return status;
}

static const char *yes(int is_so)
{
    return is_so ? "true" : "false";
}

static rln_status write_export(struct rln__nsys *n, rln_error *err)
{
    const struct rln__export *x = n->x;
    const int schema_minor = rln__export_schema_minor(x);
    const char *output = x->output.path ? x->output.path : "-";
    char version[32], minor[16], utc[32], local[32];

    (void)snprintf(minor, sizeof(minor), "%d", schema_minor);
    (void)snprintf(version, sizeof(version), "3.%d.%d", schema_minor,
                   schema_minor == 28);
    format_time((int64_t)time(NULL) * 1000000000, 0, utc, sizeof(utc));
    format_time((int64_t)time(NULL) * 1000000000, 1, local, sizeof(local));
    const struct pair pairs[] = {
        {"EXPORT_PRODUCT_NAME", "Rangeline"},
        {"EXPORT_PRODUCT_VERSION", rln_version()},
        {"EXPORT_SCHEMA_VERSION", version},
        {"EXPORT_SCHEMA_VERSION_MAJOR", "3"},
        {"EXPORT_SCHEMA_VERSION_MINOR", minor},
        {"EXPORT_SCHEMA_VERSION_MICRO", schema_minor == 28 ? "1" : "0"},
        {"EXPORT_PLATFORM", "linux-desktop"},
        {"EXPORT_TIME_UTC", utc},
        {"EXPORT_TIME_LOCAL", local},
        {"EXPORT_PARAM_INPUT_FILE", rln__file_name(rln__reader_path(x->reader, 0))},
        {"EXPORT_PARAM_OUTPUT_FILE", rln__file_name(output)},
        {"EXPORT_PARAM_LAZY", yes(!rln__export_needs(x, RLN_EXPORT_EMPTY_TABLES))},
        {"EXPORT_PARAM_INCLUDE_JSON", yes(rln__export_needs(x, RLN_EXPORT_JSON))},
        {"EXPORT_PARAM_INCLUDE_BLOBS", yes(rln__export_needs(x, RLN_EXPORT_BLOBS))},
        {"EXPORT_PARAM_TIME_NORMALIZE", "false"},
        {"EXPORT_PARAM_TIME_SHIFT", "0"},
        {"EXPORT_CONFIG_TIME_SHIFT", "0"},
    };

    return write_pairs(n, RLN__T_META_DATA_EXPORT, pairs, RLN_COUNT(pairs), err);
}

static rln_status write_capture(struct rln__nsys *n, rln_error *err)
{
    static const struct pair pairs[] = {{"DEVICE_ID", "Local (CLI)"},
                                        {"CAPTURE_EVENT_TYPE", "NvtxEvents"},
                                        {"PROCESS_0:COLLECT_NVTX_TRACE", "true"}};

    return write_pairs(n, RLN__T_META_DATA_CAPTURE, pairs, RLN_COUNT(pairs), err);
}

/* --- Processes without a GPU ------------------------------------------------------ */

/* Scripts that list processes by their kernels find one kernel in each. */
static rln_status write_placeholders(struct rln__nsys *n, rln_error *err)
{
    const struct rln__nsys_schema *schema = &rln__nsys_schemas[RLN__T_KERNEL];
    const rln_text words = {"[no GPU]", 8};
    struct rln__cell cells[64] = {{.kind = RLN__CELL_NULL}};
    int64_t name;
    rln_status status = rln__nsys_string(n, words, &name, err);

    for (size_t i = 0; i < schema->n_columns; i++) {
        if (strstr(schema->columns[i].type, "NOT NULL"))
            cells[i] = strstr(schema->columns[i].type, "TEXT") ? rln__cell_words("")
                                                               : rln__cell_int(0);
        if (strstr(schema->columns[i].name, "Name") && cells[i].kind)
            cells[i] = rln__cell_int(name);
    }
    for (uint32_t i = 0; i < n->x->reader->names.n_processes && !status; i++) {
        cells[6] = rln__cell_int(i); /* correlationId: of no API call */
        cells[7] = rln__cell_int(rln__nsys_global_pid(n, i));
        status = rln__nsys_put(n, RLN__T_KERNEL, cells, err);
    }
    return status;
}

rln_status rln__nsys_end(struct rln__nsys *n, rln_error *err)
{
    static rln_status (*const all[])(struct rln__nsys *, rln_error *) = {
        rln__nsys_unused_names, write_registered, write_processes,   write_ranks,
        write_threads,          write_times,      write_machine,     write_capture,
        write_export,           rln__nsys_gpus,   rln__nsys_switches};
    rln_status status = RLN_OK;

    for (size_t i = 0; i < RLN_COUNT(all) && !status; i++)
        status = all[i](n, err);
    if (!status && rln__export_needs(n->x, RLN_EXPORT_PLACEHOLDER_GPU))
        status = write_placeholders(n, err);
    return status;
}
