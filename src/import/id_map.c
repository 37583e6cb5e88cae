/* SPDX-License-Identifier: Apache-2.0 */
#include "import/id_map.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/global_id.h"

#include <string.h>

#define MOST_PROCESSES 65536

/* Longer names come from programs, not from the system. */
#define SYSTEM_NAME_BYTES 16

void rln__import_damage(const struct rln__import *m, int64_t row, const char *reason)
{
    rln__note_damage(m->file, (uint64_t)row, reason);
}

uint64_t *rln__import_name(struct rln__import *m, uint32_t process, unsigned sub,
                           size_t n_words, rln_error *err)
{
    uint64_t *w = rln__scratch_trace_take(&m->trace, &m->processes[process].names,
                                          RLN__SCRATCH_TRACE_ZERO, n_words, NULL, err);

    if (w)
        w[0] = rln__long_word(RLN__LONG, sub, n_words);
    return w;
}

/* --- Texts ------------------------------------------------------------------------ */

rln_status rln__import_text(struct rln__import *m, rln_text text, uint32_t *out,
                            rln_error *err)
{
    size_t length = text.length;

    *out = 0;
    if (!text.bytes)
        return RLN_OK;
    if (length > RLN__MAX_STRING_BYTES) {
        length = RLN__MAX_STRING_BYTES;
        while (length && ((unsigned char)text.bytes[length] & 0xc0) == 0x80)
            length--;
    }
    *out = rln__strings_add(&m->texts, text.bytes, length);
    return *out ? RLN_OK : rln__fail_nomem(err);
}

rln_status rln__import_text_of_id(struct rln__import *m, int64_t text_id, uint32_t *out,
                                  rln_error *err)
{
    rln_status status;

    *out = (uint32_t)rln__map_get(&m->text_ids, (uint64_t)text_id);
    if (*out || !m->string_by_id)
        return RLN_OK;
    (void)sqlite3_reset(m->string_by_id);
    (void)sqlite3_bind_int64(m->string_by_id, 1, text_id);
    status = rln__database_step(&m->db, m->string_by_id, err);
    if (status == RLN_END)
        return RLN_OK;
    if (!status)
        status = rln__import_text(m, rln__cell_get_text(m->string_by_id, 0), out, err);
    if (!status && *out && rln__map_put(&m->text_ids, (uint64_t)text_id, *out))
        status = rln__fail_nomem(err);
    return status;
}

rln_status rln__import_string(struct rln__import *m, uint32_t process, uint32_t text,
                              rln_error *err)
{
    const uint64_t key = (uint64_t)process << 32 | text;
    const rln_text t = rln__strings_get(&m->texts, text);
    uint64_t *w;

    if (!text || rln__map_get(&m->written, key))
        return RLN_OK;
    if (rln__map_put(&m->written, key, 1))
        return rln__fail_nomem(err);
    w = rln__import_name(m, process, RLN__SUB_STRING, 2 + (t.length + 7) / 8, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(text, t.length);
    memcpy(w + 2, t.bytes, t.length);
    return RLN_OK;
}

/* --- Processes and threads -------------------------------------------------------- */

static rln_status append_process(struct rln__import *m, uint32_t process,
                                 rln_error *err)
{
    uint64_t *w =
        rln__import_name(m, process, RLN__SUB_PROCESS, RLN__PROCESS_WORDS, err);
    struct rln__process_record record;

    if (!w)
        return m->trace.failed;
    record = (struct rln__process_record){
        .word = w[0],
        .process = process + 1,
        .pid = rln__pid_of_global((int64_t)m->processes[process].global_pid),
    };
    memcpy(w, &record, sizeof(record));
    return RLN_OK;
}

uint32_t rln__import_known_process(const struct rln__import *m, int64_t global_id)
{
    const uint64_t found =
        rln__map_get(&m->by_global_pid, rln__process_of_global(global_id));

    return found ? (uint32_t)found - 1 : RLN__NO_PROCESS;
}

rln_status rln__import_process(struct rln__import *m, int64_t global_id, uint32_t *out,
                               rln_error *err)
{
    const uint64_t global_pid = rln__process_of_global(global_id);
    struct rln__import_process *processes;

    *out = rln__import_known_process(m, global_id);
    if (*out != RLN__NO_PROCESS || m->n_processes >= MOST_PROCESSES)
        return RLN_OK;
    processes =
        rln__grow(m->processes, &m->capacity, m->n_processes + 1, sizeof(*processes));
    if (!processes)
        return rln__fail_nomem(err);
    m->processes = processes;
    if (rln__map_put(&m->by_global_pid, global_pid, m->n_processes + 1))
        return rln__fail_nomem(err);
    *out = (uint32_t)m->n_processes++;
    processes[*out] = (struct rln__import_process){
        .names = {.process = *out + 1},
        .deferred = {.process = *out + 1, .is_deferred = 1},
        .global_pid = global_pid,
    };
    return append_process(m, *out, err);
}

static rln_status name_thread(struct rln__import *m, int64_t global_tid,
                              uint32_t process, uint32_t lane, rln_error *err)
{
    const uint64_t name_id = rln__map_get(&m->thread_names, (uint64_t)global_tid);
    uint32_t text;
    rln_text name;
    rln_status status;
    uint64_t *w;

    if (!name_id)
        return RLN_OK;
    status = rln__import_text_of_id(m, (int64_t)(name_id - 1), &text, err);
    name = rln__strings_get(&m->texts, text);
    if (status || !name.length)
        return status;
    if (name.length <= SYSTEM_NAME_BYTES)
        return rln__row_expansion_name(&m->expansion, lane, m->now_ns, name, err);
    status = rln__import_string(m, process, text, err);
    if (status)
        return status;
    w = rln__import_name(m, process, RLN__SUB_THREAD_NAME, 3, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(rln__tid_of_global(global_tid), text);
    w[2] = rln__scratch_trace_ticks(m->now_ns);
    return RLN_OK;
}

rln_status rln__import_thread(struct rln__import *m, int64_t global_tid,
                              uint32_t *process, uint32_t *lane, rln_error *err)
{
    const rln_status status = rln__import_process(m, global_tid, process, err);
    const size_t n_lanes = m->expansion.n_lanes;

    *lane = RLN__NO_LANE;
    if (status || *process == RLN__NO_PROCESS)
        return status;
    *lane = rln__row_expansion_thread(&m->expansion, *process + 1,
                                      rln__tid_of_global(global_tid));
    if (*lane == RLN__NO_LANE)
        return rln__fail_nomem(err);
    return *lane < n_lanes ? RLN_OK : name_thread(m, global_tid, *process, *lane, err);
}

/* --- Domains and attributes ------------------------------------------------------- */

rln_status rln__import_domain(struct rln__import *m, uint32_t process,
                              int64_t domain_id, uint32_t *out, rln_error *err)
{
    const struct rln__key key = {{process, (uint64_t)domain_id}};
    const uint32_t number =
        domain_id ? rln__key_index_number(&m->domains, &key) : UINT32_MAX;

    *out = number + 1;
    return domain_id && number == UINT32_MAX ? rln__fail_nomem(err) : RLN_OK;
}

rln_status rln__import_domain_of_name(struct rln__import *m, uint32_t process,
                                      uint32_t text, uint32_t *out, rln_error *err)
{
    const struct rln__key key = {{process, 0, text}};
    const size_t n_known = m->domains.n;
    const uint32_t number =
        text ? rln__key_index_number(&m->domains, &key) : UINT32_MAX;
    rln_status status;
    uint64_t *w;

    *out = number + 1;
    if (text && number == UINT32_MAX)
        return rln__fail_nomem(err);
    if (!text || number < n_known)
        return RLN_OK;
    status = rln__import_string(m, process, text, err);
    if (status)
        return status;
    w = rln__import_name(m, process, RLN__SUB_DOMAIN, 2, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(*out, text);
    return RLN_OK;
}

rln_status rln__import_attributes(struct rln__import *m, uint32_t process,
                                  const struct rln__import_attribute_set *set,
                                  uint32_t *out, rln_error *err)
{
    const uint64_t types =
        rln__types(set->has_color, set->payload_type, set->message_type);
    const struct rln__key key = {{(uint64_t)process << 32 | set->domain,
                                  rln__pair32(set->category, set->color),
                                  rln__pair32(set->text, types)}};
    const size_t n_known = m->attributes.n;
    const uint32_t number = rln__key_index_number(&m->attributes, &key);
    uint32_t *ids;
    rln_status status;
    uint64_t *w;

    *out = number < n_known ? m->attribute_ids[number] : 0;
    if (*out)
        return RLN_OK;
    ids = number == UINT32_MAX ? NULL
                               : rln__grow(m->attribute_ids, &m->attribute_ids_capacity,
                                           m->attributes.n, sizeof(*ids));
    if (!ids)
        return rln__fail_nomem(err);
    m->attribute_ids = ids;
    *out = ids[number] = ++m->processes[process].n_attributes;
    status = rln__import_string(m, process, set->text, err);
    if (status)
        return status;
    w = rln__import_name(m, process, RLN__SUB_ATTRIBUTES, 4, err);
    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(*out, set->domain);
    w[2] = key.words[1];
    w[3] = key.words[2];
    return RLN_OK;
}

rln_status rln__import_schema(struct rln__import *m, uint32_t process,
                              const struct rln__import_schema *schema, rln_error *err)
{
    const size_t n_bytes = schema->n_entries * sizeof(struct rln__schema_entry);
    uint64_t *w = rln__import_name(m, process, RLN__SUB_SCHEMA,
                                   RLN__SCHEMA_WORDS + n_bytes / 8, err);

    if (!w)
        return m->trace.failed;
    w[1] = rln__pair32(schema->domain, schema->name);
    w[2] = schema->id;
    w[3] = rln__pair32(schema->type, schema->flags);
    w[4] = schema->n_bytes;
    w[5] = rln__pair32(schema->pack_align, schema->n_entries);
    w[6] = RLN__IMPORT_EARLIEST;
    if (n_bytes)
        memcpy(w + RLN__SCHEMA_WORDS, schema->entries, n_bytes);
    return RLN_OK;
}

/* --- Begin and end ---------------------------------------------------------------- */

/* Without a key, SQLite would read all texts to find one; so all are read once. */
static rln_status read_strings(struct rln__import *m, sqlite3_stmt *rows,
                               rln_error *err)
{
    int64_t id;
    uint32_t text;
    rln_status status = RLN_OK;

    while (!status && (status = rln__database_step(&m->db, rows, err)) == RLN_OK) {
        if (!rln__cell_get_int(rows, 1, &id) ||
            rln__map_get(&m->text_ids, (uint64_t)id))
            continue;
        status = rln__import_text(m, rln__cell_get_text(rows, 0), &text, err);
        if (!status && text && rln__map_put(&m->text_ids, (uint64_t)id, text))
            status = rln__fail_nomem(err);
    }
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__id_map_init(struct rln__import *m, rln_error *err)
{
    static const char *const columns[] = {"!value", "!id"};
    const int has_key = rln__database_has_key(&m->db, "StringIds", "id");
    sqlite3_stmt *rows;
    rln_status status;

    m->expansion.trace = &m->trace;
    status = rln__database_select(&m->db, "StringIds", columns, RLN_COUNT(columns),
                                  has_key ? "WHERE id = ?1" : "", &rows, err);
    if (has_key) {
        m->string_by_id = rows;
        return status;
    }
    if (!status)
        status = read_strings(m, rows, err);
    (void)sqlite3_finalize(rows);
    return status;
}

rln_status rln__id_map_end(struct rln__import *m, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < m->n_processes && !status; i++) {
        status = rln__scratch_trace_end(&m->trace, &m->processes[i].names, err);
        if (!status)
            status = rln__scratch_trace_end(&m->trace, &m->processes[i].deferred, err);
    }
    return status;
}

void rln__id_map_clear(struct rln__import *m)
{
    for (size_t i = 0; i < m->n_processes; i++) {
        rln__free(m->processes[i].names.bytes);
        rln__free(m->processes[i].deferred.bytes);
    }
    rln__free(m->processes);
    (void)sqlite3_finalize(m->string_by_id);
    rln__strings_clear(&m->texts);
    rln__map_clear(&m->by_global_pid);
    rln__map_clear(&m->text_ids);
    rln__map_clear(&m->thread_names);
    rln__map_clear(&m->written);
    rln__key_index_clear(&m->domains);
    rln__key_index_clear(&m->attributes);
    rln__free(m->attribute_ids);
    for (size_t i = 0; i < RLN__N_GPU_KINDS; i++)
        rln__free(m->gpu_refusals[i]);
    rln__row_expansion_clear(&m->expansion);
}
