/* SPDX-License-Identifier: Apache-2.0 */
/* id_map.h - maps the ids of an export to ids of the scratch trace, and writes each
 * name once.
 *
 *   globalTid --> process, thread       textId --> StringIds --> string
 *   process, domainId --> domain        {domain, category, color, text} --> attributes
 *
 * All processes share the ids of texts and domains, so there is one table of each kind;
 * the record of an id is written to the names of each process that uses it. Ids of
 * attributes count from 1 in each process, because readers keep an array of them per
 * process.
 */
#ifndef RLN_IMPORT_ID_MAP_H
#define RLN_IMPORT_ID_MAP_H

#include "format/gpu_schemas.h"
#include "format/input.h"
#include "format/strings.h"
#include "import/database.h"
#include "import/row_expansion.h"

#define RLN__NO_PROCESS UINT32_MAX

struct rln__import_process {
    struct rln__scratch_trace_stream names, deferred;
    uint64_t global_pid;
    uint32_t n_attributes;
};

/* An export that is being converted into a scratch trace, its `trace`. */
struct rln__import {
    struct rln__database db;
    struct rln__scratch_trace trace;
    struct rln__row_expansion expansion;
    struct rln__strings texts;
    const struct rln__input *file;         /* borrowed: damage is noted for it */
    struct rln__import_process *processes; /* owned */
    size_t n_processes, capacity;
    struct rln__map by_global_pid; /* -> index + 1 */
    struct rln__map text_ids;      /* StringIds.id -> text's number */
    sqlite3_stmt *string_by_id;    /* owned; NULL: there is no StringIds */
    struct rln__map thread_names;  /* globalTid -> nameId + 1 */
    int64_t now_ns;                /* when new threads begin */
    struct rln__map written;       /* process, text's number -> 1 */
    struct rln__key_index domains; /* {process, domainId, or 0 and a name} -> id - 1 */
    struct rln__key_index attributes; /* {process, domain; ...} -> a number */
    uint32_t *attribute_ids;          /* owned: by that number */
    size_t attribute_ids_capacity;
    char *gpu_refusals[RLN__N_GPU_KINDS]; /* owned: struct rln__input's */
};

/* The attributes of an event. */
struct rln__import_attribute_set {
    uint32_t domain, category, color;
    uint32_t text; /* its number; 0: none */
    uint8_t has_color, payload_type;
    uint8_t message_type; /* enum rln__message_type */
};

rln_status rln__id_map_init(struct rln__import *import, rln_error *err);
void rln__id_map_clear(struct rln__import *import);

/* Writes the remaining names. */
rln_status rln__id_map_end(struct rln__import *import, rln_error *err);

/* Notes that a row of a table could not be read. */
void rln__import_damage(const struct rln__import *import, int64_t row,
                        const char *reason);

/* These functions return ids in the scratch trace; a process is its index here. `*out`
 * is RLN__NO_PROCESS if there are too many processes. */
rln_status rln__import_process(struct rln__import *import, int64_t global_id,
                               uint32_t *out, rln_error *err);
/* A process that exists already; else RLN__NO_PROCESS. */
uint32_t rln__import_known_process(const struct rln__import *import, int64_t global_id);
/* A thread's first lane, named if it is new. */
rln_status rln__import_thread(struct rln__import *import, int64_t global_tid,
                              uint32_t *process, uint32_t *lane, rln_error *err);
/* A text's number; 0: none. */
rln_status rln__import_text(struct rln__import *import, rln_text text, uint32_t *out,
                            rln_error *err);
rln_status rln__import_text_of_id(struct rln__import *import, int64_t text_id,
                                  uint32_t *out, rln_error *err);
/* Writes a text to the process's names; its number is its id there. */
rln_status rln__import_string(struct rln__import *import, uint32_t process,
                              uint32_t text, rln_error *err);
rln_status rln__import_domain(struct rln__import *import, uint32_t process,
                              int64_t domain_id, uint32_t *out, rln_error *err);
/* A domain with a name, in addition to those with Nsight's numbers. */
rln_status rln__import_domain_of_name(struct rln__import *import, uint32_t process,
                                      uint32_t text, uint32_t *out, rln_error *err);
rln_status rln__import_attributes(struct rln__import *import, uint32_t process,
                                  const struct rln__import_attribute_set *set,
                                  uint32_t *out, rln_error *err);

#define RLN__IMPORT_EARLIEST 1u /* ticks: before all events */

/* A schema; its entries are those of the format, struct rln__schema_entry. */
struct rln__import_schema {
    uint32_t domain, name, type, flags, pack_align;
    uint64_t id, n_bytes;
    const void *entries; /* borrowed; may be unaligned */
    uint32_t n_entries;
};

/* Writes it to the process's names; the strings must be there. */
rln_status rln__import_schema(struct rln__import *import, uint32_t process,
                              const struct rln__import_schema *schema, rln_error *err);

/* Reserves a record of names, zeroed, with its first word written. NULL as in
 * rln__scratch_trace_take(). */
uint64_t *rln__import_name(struct rln__import *import, uint32_t process, unsigned sub,
                           size_t n_words, rln_error *err);

#endif
