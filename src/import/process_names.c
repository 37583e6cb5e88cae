/* SPDX-License-Identifier: Apache-2.0 */
#include "import/process_names.h"

#include "base/fail.h"
#include "format/global_id.h"

#include <stdio.h>
#include <string.h>

static rln_status append_note(struct rln__import *m, uint32_t process, const char *key,
                              rln_text value, rln_error *err)
{
    const size_t key_length = strlen(key);
    uint64_t *w = rln__import_name(m, process, RLN__SUB_NOTE,
                                   2 + (key_length + value.length + 7) / 8, err);

    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(key_length, value.length);
    memcpy(w + 2, key, key_length);
    memcpy((char *)(w + 2) + key_length, value.bytes, value.length);
    return RLN_OK;
}

/* Nsight lists all processes of the machine; only those with events matter. Exports by
 * Rangeline list those of the run, in its order. */
static rln_status append_program(struct rln__import *m, int64_t global_pid,
                                 rln_text name, rln_error *err)
{
    uint32_t process = rln__import_known_process(m, global_pid);
    rln_status status = RLN_OK;

    /* The launcher has no events, so it is excluded. */
    if (m->db.is_ours &&
        (process != RLN__NO_PROCESS || !rln__text_is(name, "rangeline")))
        status = rln__import_process(m, global_pid, &process, err);
    if (status || process == RLN__NO_PROCESS || !name.length ||
        rln__text_is(name, "[Unknown]") || name.length > RLN__MAX_STRING_BYTES)
        return status;
    return append_note(m, process, "exe", name, err);
}

rln_status rln__import_programs(struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {"!globalPid", "name"};
    sqlite3_stmt *rows;
    int64_t global_pid;
    rln_status status = rln__database_select(&m->db, "PROCESSES", columns,
                                             RLN_COUNT(columns), "", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        if (rln__cell_get_int(rows, 0, &global_pid))
            status = append_program(m, global_pid, rln__cell_get_text(rows, 1), err);
    }
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

/* Written as a note of an environment variable. */
rln_status rln__import_ranks(struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {"!globalPid", "!rank"};
    sqlite3_stmt *rows;
    int64_t global_pid, rank;
    rln_status status = rln__database_select(&m->db, "RANGELINE_RANKS", columns,
                                             RLN_COUNT(columns), "", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        uint32_t process;
        char digits[24];
        int length;

        if (!rln__cell_get_int(rows, 0, &global_pid) ||
            !rln__cell_get_int(rows, 1, &rank))
            continue;
        process = rln__import_known_process(m, global_pid);
        length = snprintf(digits, sizeof(digits), "%lld", (long long)rank);
        if (process != RLN__NO_PROCESS)
            status = append_note(m, process, "RANK", (rln_text){digits, (size_t)length},
                                 err);
    }
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__import_thread_names(struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {"!globalTid", "!nameId"};
    sqlite3_stmt *rows;
    int64_t global_tid, name_id;
    uint32_t process, lane;
    rln_status status = rln__database_select(&m->db, "ThreadNames", columns,
                                             RLN_COUNT(columns), "", &rows, err);

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        if (!rln__cell_get_int(rows, 0, &global_tid) ||
            !rln__cell_get_int(rows, 1, &name_id) || name_id == INT64_MAX ||
            rln__map_get(&m->thread_names, (uint64_t)global_tid))
            continue;
        if (rln__map_put(&m->thread_names, (uint64_t)global_tid, (uint64_t)name_id + 1))
            status = rln__fail_nomem(err);
        else if (m->db.is_ours)
            status = rln__import_thread(m, global_tid, &process, &lane, err);
    }
    (void)sqlite3_finalize(rows);
    return status == RLN_END ? RLN_OK : status;
}
