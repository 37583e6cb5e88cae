/* SPDX-License-Identifier: Apache-2.0 */
/* meanings.h - what an export's numbers stand for, told to the image once each.
 *
 *   globalTid --> process, thread       textId --> StringIds --> string
 *   process, domainId --> domain        {domain, category, color, text} --> attributes
 *
 * Ids of texts and domains are given out for all processes together, so one table of
 * each kind is enough; what an id means is written into the names of the process that
 * uses it. Those of attributes, which readers keep in an array for each process, count
 * from 1 in each.
 */
#ifndef RLN_IMPORT_MEANINGS_H
#define RLN_IMPORT_MEANINGS_H

#include "format/input.h"
#include "format/strings.h"
#include "import/database.h"
#include "import/unfold.h"

#define RLN__NO_PROCESS UINT32_MAX

struct rln__import_process {
    struct rln__image_stream names;
    uint64_t global_pid;
    uint32_t n_attributes;
};

/* An export on its way into an image. */
struct rln__import {
    struct rln__database db;
    struct rln__image image;
    struct rln__unfold unfold;
    struct rln__strings texts;
    const struct rln__input *file;         /* borrowed: whose damage it is */
    struct rln__import_process *processes; /* owned */
    size_t n_processes, capacity;
    struct rln__map by_global_pid; /* -> index + 1 */
    struct rln__map text_ids;      /* StringIds.id -> text's number; */
    sqlite3_stmt *string_by_id;    /* owned; NULL: there is no StringIds */
    struct rln__map thread_names;  /* globalTid -> nameId + 1 */
    int64_t now_ns;                /* when threads that are new begin */
    struct rln__map told;          /* process, text's number -> 1 */
    struct rln__keyed domains;     /* {process, domainId, or 0 and a name} -> id - 1 */
    struct rln__keyed attributes;  /* {process, domain; ...} -> a number */
    uint32_t *attribute_ids;       /* owned: by that number */
    size_t attribute_ids_capacity;
};

/* What is known about an event. */
struct rln__meaning {
    uint32_t domain, category, color;
    uint32_t text; /* its number; 0: none */
    uint8_t has_color, payload_type;
    uint8_t message_type; /* enum rln__message_type */
};

rln_status rln__meanings_init(struct rln__import *import, rln_error *err);
void rln__meanings_clear(struct rln__import *import);

/* Writes what is left of names. */
rln_status rln__meanings_end(struct rln__import *import, rln_error *err);

/* Notes that a row of a table could not be read. */
void rln__import_damage(const struct rln__import *import, int64_t row,
                        const char *reason);

/* All of these give ids in the image, of a process by its index here. `*out` is
 * RLN__NO_PROCESS where there are more processes than can be. */
rln_status rln__import_process(struct rln__import *import, int64_t global_id,
                               uint32_t *out, rln_error *err);
/* One that there is already; else RLN__NO_PROCESS. */
uint32_t rln__import_known_process(const struct rln__import *import, int64_t global_id);
/* Its first lane, named if it is new. */
rln_status rln__import_thread(struct rln__import *import, int64_t global_tid,
                              uint32_t *process, uint32_t *lane, rln_error *err);
/* A text's number; 0: there is none. */
rln_status rln__import_text(struct rln__import *import, rln_text text, uint32_t *out,
                            rln_error *err);
rln_status rln__import_text_of_id(struct rln__import *import, int64_t text_id,
                                  uint32_t *out, rln_error *err);
/* Tells the process a text; its number is the id there. */
rln_status rln__import_string(struct rln__import *import, uint32_t process,
                              uint32_t text, rln_error *err);
rln_status rln__import_domain(struct rln__import *import, uint32_t process,
                              int64_t domain_id, uint32_t *out, rln_error *err);
/* A domain of a name, beside those of Nsight's numbers. */
rln_status rln__import_domain_of_name(struct rln__import *import, uint32_t process,
                                      uint32_t text, uint32_t *out, rln_error *err);
rln_status rln__import_attributes(struct rln__import *import, uint32_t process,
                                  const struct rln__meaning *meaning, uint32_t *out,
                                  rln_error *err);

/* people.c: of what there is, except that all of our own are. First the threads, before
 * any event; last the programs, and of those that there are by then, the ranks. */
rln_status rln__import_thread_names(struct rln__import *import, rln_error *err);
rln_status rln__import_programs(struct rln__import *import, rln_error *err);
rln_status rln__import_ranks(struct rln__import *import, rln_error *err);
rln_status rln__import_name_thread(struct rln__import *import, int64_t global_tid,
                                   uint32_t process, uint32_t lane, rln_error *err);

/* Room for a record of names, zeroed, its first word written. NULL as
 * rln__image_take(). */
uint64_t *rln__import_name(struct rln__import *import, uint32_t process, unsigned sub,
                           size_t n_words, rln_error *err);

#endif
