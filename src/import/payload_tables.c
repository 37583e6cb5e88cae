/* SPDX-License-Identifier: Apache-2.0 */
#include "import/payload_tables.h"
#include "base/fail.h"

#include <string.h>

#define HEADER_WORDS 4
#define MOST_ENTRIES 65536u

/* --- Payloads --------------------------------------------------------------------- */

static int add_segment(struct rln__imported_segments *s, uint64_t schema,
                       rln_text bytes)
{
    const struct rln__segment head = {.schema = schema,
                                      .n_kept = (uint32_t)bytes.length,
                                      .n_given = (uint32_t)bytes.length};

    rln__buf_add(&s->words, (const char *)&head, sizeof(head));
    rln__buf_add(&s->words, bytes.bytes, bytes.length);
    rln__buf_fill(&s->words, '\0', (8 - bytes.length % 8) % 8);
    s->n_payloads++;
    return s->words.has_failed;
}

static void attach_segments(const struct rln__imported_segments *s,
                            struct rln__folded *row)
{
    row->segments = (const uint64_t *)(const void *)s->words.bytes;
    row->n_segment_words = (uint32_t)(s->words.length / 8);
    row->n_payloads = s->n_payloads;
}

rln_status rln__imported_segments_one(struct rln__imported_segments *s, uint64_t schema,
                                      rln_text bytes, struct rln__folded *row,
                                      rln_error *err)
{
    s->words.length = 0;
    s->n_payloads = 0;
    if (add_segment(s, schema, bytes))
        return rln__fail_nomem(err);
    attach_segments(s, row);
    return RLN_OK;
}

rln_status rln__imported_segments_read(struct rln__imported_segments *s, rln_text blob,
                                       struct rln__folded *row, int *is_damaged,
                                       rln_error *err)
{
    size_t at = 0;

    s->words.length = 0;
    s->n_payloads = 0;
    *is_damaged = 0;
    while (at < blob.length) {
        uint64_t header[HEADER_WORDS]; /* domain, schema, size, and always 32 */

        *is_damaged = blob.length - at < sizeof(header);
        if (*is_damaged)
            return RLN_OK;
        memcpy(header, blob.bytes + at, sizeof(header));
        at += sizeof(header);
        *is_damaged = header[2] > blob.length - at ||
                      s->words.length + header[2] > RLN__MAX_EVENT_BYTES ||
                      s->n_payloads == UINT16_MAX;
        if (*is_damaged)
            return RLN_OK;
        if (add_segment(s, header[1], (rln_text){blob.bytes + at, (size_t)header[2]}))
            return rln__fail_nomem(err);
        at += header[2];
    }
    attach_segments(s, row);
    return RLN_OK;
}

void rln__imported_segments_clear(struct rln__imported_segments *s)
{
    rln__buf_clear(&s->words);
}

/* --- Schemas ---------------------------------------------------------------------- */

/* One of the two tables, and the table of its entries; both are read once, in
 * parallel. */
struct tables {
    struct rln__import *import; /* borrowed */
    int is_enum;
    sqlite3_stmt *rows, *entries; /* owned */
    int has_entry;
    struct rln__buf words; /* owned: of the entries of a row */
    uint32_t n_entries;
};

enum { S_DOMAIN, S_ID, S_NAME, S_TYPE, S_FLAGS, S_SIZE, S_ALIGN };
enum {
    E_DOMAIN,
    E_ID,
    E_INDEX,
    E_NAME,
    E_TYPE,
    E_FLAGS,
    E_DESCRIPTION,
    E_DETAIL,
    E_AT
};

static const char *const schema_columns[] = {
    "!domainId", "!schemaId", "name", "type", "flags", "payloadSize", "alignTo"};
static const char *const schema_entry_columns[] = {
    "!domainId",   "!schemaId",          "!idx",  "name", "type", "flags",
    "description", "arrayOrUnionDetail", "offset"};
static const char *const enum_columns[] = {"!domainId", "!schemaId", "name", "size"};
static const char *const enum_entry_columns[] = {"!domainId", "!schemaId", "!idx",
                                                 "name",      "value",     "isFlag"};

#define IN_ORDER "ORDER BY domainId, schemaId"

static rln_status open_tables(struct tables *t, rln_error *err)
{
    const struct rln__database *db = &t->import->db;
    rln_status status;

    if (t->is_enum) {
        status = rln__database_select(db, "NVTX_PAYLOAD_ENUMS", enum_columns,
                                      RLN_COUNT(enum_columns), IN_ORDER, &t->rows, err);
        if (!status)
            status = rln__database_select(
                db, "NVTX_PAYLOAD_ENUM_ENTRIES", enum_entry_columns,
                RLN_COUNT(enum_entry_columns), IN_ORDER ", idx", &t->entries, err);
        return status;
    }
    status = rln__database_select(db, "NVTX_PAYLOAD_SCHEMAS", schema_columns,
                                  RLN_COUNT(schema_columns), IN_ORDER, &t->rows, err);
    if (!status)
        status = rln__database_select(
            db, "NVTX_PAYLOAD_SCHEMA_ENTRIES", schema_entry_columns,
            RLN_COUNT(schema_entry_columns), IN_ORDER ", idx", &t->entries, err);
    return status;
}

static rln_status next_entry(struct tables *t, rln_error *err)
{
    const rln_status status = rln__database_step(&t->import->db, t->entries, err);

    t->has_entry = status == RLN_OK;
    return status == RLN_END ? RLN_OK : status;
}

/* Negative, 0 or positive: the entry comes before the schema's entries, is one of them,
 * or comes after. */
static int compare_entry(const struct tables *t, int64_t domain, int64_t id)
{
    const int64_t own_domain = sqlite3_column_int64(t->entries, E_DOMAIN);
    const int64_t own_id = sqlite3_column_int64(t->entries, E_ID);

    if (own_domain != domain)
        return own_domain < domain ? -1 : 1;
    return own_id < id ? -1 : own_id > id;
}

/* Adds an entry; its text numbers become string ids in each process. */
static rln_status add_entry(struct tables *t, rln_error *err)
{
    struct rln__import *m = t->import;
    uint32_t name = 0, description = 0;
    rln_status status =
        rln__import_text(m, rln__cell_get_text(t->entries, E_NAME), &name, err);

    if (t->is_enum) {
        const uint64_t words[] = {
            (uint64_t)sqlite3_column_int64(t->entries, E_TYPE),
            rln__pair32(name, sqlite3_column_int64(t->entries, E_FLAGS) != 0)};

        rln__buf_add(&t->words, (const char *)words, sizeof(words));
    } else if (!status) {
        status = rln__import_text(m, rln__cell_get_text(t->entries, E_DESCRIPTION),
                                  &description, err);
        const struct rln__schema_entry entry = {
            .flags = (uint64_t)sqlite3_column_int64(t->entries, E_FLAGS),
            .type = (uint64_t)sqlite3_column_int64(t->entries, E_TYPE),
            .name = name,
            .description = description,
            .detail = (uint64_t)sqlite3_column_int64(t->entries, E_DETAIL),
            .offset = (uint64_t)sqlite3_column_int64(t->entries, E_AT),
        };

        rln__buf_add(&t->words, (const char *)&entry, sizeof(entry));
    }
    t->n_entries++;
    return t->words.has_failed ? rln__fail_nomem(err) : status;
}

/* Reads the entries of one schema, each once: the table repeats them for each process
 * with the schema. */
static rln_status read_entries(struct tables *t, int64_t domain, int64_t id,
                               rln_error *err)
{
    int order = -1;
    rln_status status = RLN_OK;

    t->words.length = 0;
    t->n_entries = 0;
    while (!status && t->has_entry && (order = compare_entry(t, domain, id)) <= 0) {
        if (order == 0 && t->n_entries < MOST_ENTRIES &&
            sqlite3_column_int64(t->entries, E_INDEX) == (int64_t)t->n_entries)
            status = add_entry(t, err);
        if (!status)
            status = next_entry(t, err);
    }
    return status;
}

static rln_status append_strings(struct tables *t, uint32_t process, rln_error *err)
{
    const uint64_t *w = (const uint64_t *)(const void *)t->words.bytes;
    rln_status status = RLN_OK;

    for (uint32_t i = 0; i < t->n_entries && !status; i++) {
        struct rln__schema_entry entry;

        if (t->is_enum) {
            status =
                rln__import_string(t->import, process, (uint32_t)w[2 * i + 1], err);
            continue;
        }
        memcpy(&entry, w + i * RLN__ENTRY_WORDS, sizeof(entry));
        status = rln__import_string(t->import, process, entry.name, err);
        if (!status)
            status = rln__import_string(t->import, process, entry.description, err);
    }
    return status;
}

static rln_status append_schema(struct tables *t, uint32_t process, uint32_t domain,
                                uint32_t name, rln_error *err)
{
    sqlite3_stmt *rows = t->rows;
    rln_status status = rln__import_string(t->import, process, name, err);
    uint64_t *w;

    if (!status)
        status = append_strings(t, process, err);
    if (status)
        return status;
    if (!t->is_enum)
        return rln__import_schema(
            t->import, process,
            &(struct rln__import_schema){
                .domain = domain,
                .name = name,
                .id = (uint64_t)sqlite3_column_int64(rows, S_ID),
                .type = (uint32_t)sqlite3_column_int64(rows, S_TYPE),
                .flags = (uint32_t)sqlite3_column_int64(rows, S_FLAGS),
                .n_bytes = (uint64_t)sqlite3_column_int64(rows, S_SIZE),
                .pack_align = (uint32_t)sqlite3_column_int64(rows, S_ALIGN),
                .entries = t->words.bytes,
                .n_entries = t->n_entries,
            },
            err);
    w = rln__import_name(t->import, process, RLN__SUB_ENUM,
                         RLN__ENUM_WORDS + t->words.length / 8, err);
    if (!w)
        return t->import->trace.failed;
    w[1] = rln__pair32(domain, name);
    w[2] = (uint64_t)sqlite3_column_int64(rows, S_ID);
    w[3] = rln__pair32((uint64_t)sqlite3_column_int64(rows, S_TYPE), t->n_entries);
    w[4] = RLN__IMPORT_EARLIEST;
    if (t->words.length)
        memcpy(w + RLN__ENUM_WORDS, t->words.bytes, t->words.length);
    return RLN_OK;
}

/* Writes the schema to every process with a domain of that number; for the default
 * domain, to all processes. */
static rln_status append_to_processes(struct tables *t, int64_t domain_id,
                                      rln_error *err)
{
    struct rln__import *m = t->import;
    uint32_t name;
    rln_status status =
        rln__import_text(m, rln__cell_get_text(t->rows, S_NAME), &name, err);

    for (uint32_t i = 0; i < m->n_processes && !domain_id && !status; i++)
        status = append_schema(t, i, 0, name, err);
    for (uint32_t i = 0; i < m->domains.n && domain_id && !status; i++) {
        const uint64_t *key = m->domains.entries[i].key.words;

        if (key[1] == (uint64_t)domain_id)
            status = append_schema(t, (uint32_t)key[0], i + 1, name, err);
    }
    return status;
}

static rln_status read_tables(struct rln__import *m, int is_enum, rln_error *err)
{
    struct tables t = {.import = m, .is_enum = is_enum};
    int64_t domain = 0, id = 0, last_domain, last_id;
    int has_any = 0;
    rln_status status = open_tables(&t, err);

    if (!status)
        status = next_entry(&t, err);
    while (!status && (status = rln__database_step(&m->db, t.rows, err)) == RLN_OK) {
        last_domain = domain;
        last_id = id;
        if (!rln__cell_get_int(t.rows, S_DOMAIN, &domain) ||
            !rln__cell_get_int(t.rows, S_ID, &id) ||
            (has_any && domain == last_domain && id == last_id))
            continue;
        has_any = 1;
        status = read_entries(&t, domain, id, err);
        if (!status)
            status = append_to_processes(&t, domain, err);
    }
    (void)sqlite3_finalize(t.rows);
    (void)sqlite3_finalize(t.entries);
    rln__buf_clear(&t.words);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__payload_tables(struct rln__import *m, rln_error *err)
{
    const rln_status status = read_tables(m, 1, err);

    return status ? status : read_tables(m, 0, err);
}
