/* SPDX-License-Identifier: Apache-2.0 */
#include "import/import.h"
#include "base/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SQLITE_MAGIC "SQLite format 3" /* and a zero byte */

static int open_file(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static int is_sqlite(const char *path)
{
    const int fd = open_file(path);
    char magic[sizeof(SQLITE_MAGIC)];
    struct stat st;
    int result;

    if (fd < 0)
        return 0;
    result = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
             pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
             memcmp(magic, SQLITE_MAGIC, sizeof(magic)) == 0;
    (void)close(fd);
    return result;
}

#if RLN_HAVE_SQLITE

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/whole_io.h"
#include "import/generic_events.h"
#include "import/gpu_tables.h"
#include "import/nvtx_events.h"
#include "import/process_names.h"

/* 0, or -errno. */
static int hash_file(const char *path, uint64_t *hash)
{
    const int fd = open_file(path);
    uint8_t bytes[32 << 10];
    size_t n = sizeof(bytes);
    int result = fd < 0 ? -errno : 0;

    for (uint64_t at = 0; !result && n == sizeof(bytes); at += n) {
        result = rln__read_at(fd, at, bytes, sizeof(bytes), &n);
        *hash = rln__mix(*hash + rln__hash_bytes(bytes, n));
    }
    if (fd >= 0)
        (void)close(fd);
    return result;
}

/* The trace id is a hash of all bytes, so that a copy is noticed, and an export that
 * differs in one row is not taken for one. The rows may still be in a write-ahead log.
 * To be called before the database is opened: closing a file ends the locks that the
 * process has on it. */
static rln_status read_id(const char *path, uint64_t *id, rln_error *err)
{
    struct rln__buf log = {0};
    int result;

    *id = 0;
    rln__buf_format(&log, "%s-wal", path);
    rln__buf_char(&log, '\0');
    if (log.has_failed)
        return rln__fail_nomem(err);
    result = hash_file(path, id);
    if (!result)
        (void)hash_file(log.bytes, id); /* if there is one */
    rln__buf_clear(&log);
    return result ? rln__fail(err, RLN_ERR_IO, 0,
                              "cannot read SQLite export: path=\"%.200s\": %s", path,
                              strerror(-result))
                  : RLN_OK;
}

static int is_after_epoch(int64_t ns)
{
    return ns > 0 && ns <= RLN__SCRATCH_TRACE_MAX_NS;
}

/* Reads the clocks at time 0. */
static rln_status read_session(struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {"utcEpochNs", "systemClockNs"};
    sqlite3_stmt *rows;
    int64_t utc_ns = 0, system_ns = 0;
    rln_status status =
        rln__database_select(&m->db, "TARGET_INFO_SESSION_START_TIME", columns,
                             RLN_COUNT(columns), "LIMIT 1", &rows, err);

    if (!status)
        status = rln__database_step(&m->db, rows, err);
    if (!status) {
        (void)rln__cell_get_int(rows, 0, &utc_ns);
        (void)rln__cell_get_int(rows, 1, &system_ns);
    }
    (void)sqlite3_finalize(rows);
    m->trace.realtime_ns = is_after_epoch(utc_ns) ? utc_ns : 0;
    m->trace.monotonic_ns = is_after_epoch(system_ns) ? system_ns : 1;
    return status == RLN_END ? RLN_OK : status;
}

static rln_status read_host(struct rln__import *m, char *host, size_t size,
                            rln_error *err)
{
    static const char *const columns[] = {"value", "name"};
    sqlite3_stmt *rows;
    rln_text name = {NULL, 0};
    rln_status status = rln__database_select(
        &m->db, "TARGET_INFO_SYSTEM_ENV", columns, RLN_COUNT(columns),
        "WHERE name = 'Hostname' LIMIT 1", &rows, err);

    if (!status)
        status = rln__database_step(&m->db, rows, err);
    if (!status)
        name = rln__cell_get_text(rows, 0);
    if (name.length >= size)
        name.length = size - 1;
    if (name.length)
        memcpy(host, name.bytes, name.length);
    host[name.length] = '\0';
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

/* Moves both to their next item; the end of either is not a failure. */
static rln_status read_next(struct rln__nvtx_events *events,
                            struct rln__generic_events *samples, struct rln__import *m,
                            rln_error *err)
{
    rln_status status = rln__nvtx_events_next(events, m, err);

    if (!status || status == RLN_END)
        status = rln__generic_events_next(samples, m, err);
    return status == RLN_END ? RLN_OK : status;
}

/* Merges events and samples in time order. */
static rln_status merge(struct rln__nvtx_events *events,
                        struct rln__generic_events *samples, struct rln__import *m,
                        rln_error *err)
{
    rln_status status = read_next(events, samples, m, err);

    while (!status && (events->is_ready || samples->is_ready)) {
        const int is_sample = !events->is_ready ||
                              (samples->is_ready && samples->next_ns < events->next_ns);

        m->now_ns = is_sample ? samples->next_ns : events->next_ns;
        if (is_sample) {
            status = rln__generic_events_add(samples, m, err);
            continue;
        }
        status = rln__nvtx_events_add(events, m, err);
        if (!status)
            status = rln__nvtx_events_next(events, m, err);
        if (status == RLN_END)
            status = RLN_OK;
    }
    return status;
}

static rln_status read_events(struct rln__import *m, rln_error *err)
{
    struct rln__generic_events samples = {0};
    struct rln__nvtx_events events;
    rln_status status = rln__nvtx_events_open(&events, m, err);

    if (!status)
        status = rln__generic_events_open(&samples, m, err);
    m->now_ns = events.first_ns < 0 ? events.first_ns : 0;
    if (!status)
        status = rln__import_thread_names(m, err);
    if (!status)
        status = merge(&events, &samples, m, err);
    rln__nvtx_events_close(&events);
    rln__generic_events_close(&samples);
    return status;
}

static rln_status make_trace(struct rln__import *m, rln_error *err)
{
    char host[64];
    rln_status status = read_session(m, err);

    if (!status)
        status = rln__id_map_init(m, err);
    if (!status)
        status = read_events(m, err);
    if (!status)
        status = rln__payload_tables(m, err);
    if (!status)
        status = rln__gpu_tables(m, err);
    if (!status)
        status = rln__import_programs(m, err);
    if (!status)
        status = rln__import_ranks(m, err);
    if (!status)
        status = rln__row_expansion_end(&m->expansion, err);
    if (!status)
        status = rln__id_map_end(m, err);
    if (!status)
        status = read_host(m, host, sizeof(host), err);
    return status ? status : rln__scratch_trace_seal(&m->trace, host, err);
}

static rln_status open_export(struct rln__input *file, rln_error *err)
{
    struct rln__import m = {.file = file, .trace.fd = -1};
    uint64_t id;
    rln_status status = read_id(file->path, &id, err);

    if (!status)
        status = rln__database_open(&m.db, file->path, err);
    if (!status)
        status = rln__scratch_trace_init(&m.trace, id, err);
    if (!status)
        status = make_trace(&m, err);
    if (!status) {
        file->fd = m.trace.fd;
        file->size = 0;
        file->is_import = 1;
        memcpy(file->gpu_refusals, m.gpu_refusals, sizeof(m.gpu_refusals));
        memset(m.gpu_refusals, 0, sizeof(m.gpu_refusals)); /* handed over */
        status = rln__input_refresh(file, err);
    } else {
        rln__scratch_trace_clear(&m.trace);
    }
    rln__id_map_clear(&m);
    rln__database_close(&m.db);
    return status;
}

#else

static rln_status open_export(struct rln__input *file, rln_error *err)
{
    return rln__fail(err, RLN_ERR_FORMAT, 0,
                     "cannot read SQLite export: path=\"%.200s\": built without SQLite",
                     file->path);
}

#endif

rln_status rln__import_open(struct rln__input *file, const char *path,
                            struct rln__damages *damages, rln_error *err)
{
    rln_status status;

    if (!is_sqlite(path))
        return rln__input_open(file, path, damages, err);
    status = rln__input_init(file, path, damages, err);
    if (!status)
        status = open_export(file, err);
    if (status)
        rln__input_close(file);
    return status;
}
