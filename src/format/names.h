/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - looks up the ids in a trace: processes, strings, domains, categories,
 * attributes, thread names. registry.h has the ids of NVTX's extensions.
 *
 *   word in a chunk --(process, id)--> attributes --> domain, category, message
 *                          |
 *                          +-- id below the inherited limit: look in the parent process
 *
 * Records are stored with unresolved ids, because a record may refer to a string in
 * another chunk; an id is resolved when an event first uses it. A reader has one set of
 * tables for all its traces; they only grow. Tables that are fixed refuse to, as if
 * there were no memory: trace/open/view.h.
 */
#ifndef RLN_FORMAT_NAMES_H
#define RLN_FORMAT_NAMES_H

#include "base/renaming.h"
#include "format/chunk_reader.h"
#include "format/registry.h"
#include "format/strings.h"

#define RLN__NONE UINT32_MAX /* no index; also "out of memory" */

/* The attributes of an event, with every id resolved. */
struct rln__attr {
    uint32_t domain_id; /* the process's own */
    uint32_t domain;    /* index of struct rln__domain */
    uint32_t category;
    uint32_t category_name; /* string numbers */
    uint32_t message;       /* after renaming */
    uint32_t color;
    uint8_t color_type;
    uint8_t payload_type;
    uint8_t message_type;
    uint8_t is_unknown; /* the trace has no record of an id */
};

/* A record of attributes, with unresolved ids. */
struct rln__raw_attr {
    uint32_t process, id; /* the process, and the id of the attributes in it */
    uint32_t domain, category, color, string;
    uint8_t color_type, payload_type, message_type;
};

/* Domains of the same name are one domain. [0] is the default domain. */
struct rln__domain {
    uint32_t name;
    uint32_t n_categories;
};

/* Attributes that an event's payloads set; a message is a string number. */
struct rln__payload_attributes {
    uint32_t message, category, color;
    uint8_t has_message, has_category, has_color;
    uint8_t is_registered; /* the message */
};

struct rln__trace_process {
    uint32_t part;
    uint32_t number;                   /* in the part */
    struct rln__process_record record; /* zero if there is none */
    /* owned: index of the attributes + 1, by id; the map has the rest */
    uint32_t *attrs;
    size_t n_attrs;
    uint32_t exe, command, directory, exit, pid_namespace, start, title,
        no_switches;     /* string numbers */
    uint32_t rank;       /* according to its environment, + 1 */
    uint32_t rank_order; /* index in RLN__RANK_VARIABLES of its variable, + 1 */
};

struct rln__category {
    uint32_t process, domain_id, category; /* the process, and ids in it */
    uint32_t name;
};

/* An event recorded in a chunk of names. */
struct rln__name_event {
    uint64_t ticks;
    uint64_t offset;
    uint64_t identifier;
    uint32_t process;
    uint32_t sub;       /* enum rln__name_sub */
    uint32_t id;        /* tid, resource, domain or synchronization object */
    uint32_t domain_id; /* of a resource or object */
    uint32_t string_id;
    uint32_t type; /* of a resource's identifier */
};

/* A launcher's note on another process. */
struct rln__noted_title {
    uint32_t launcher; /* the process that wrote it */
    uint32_t pid;
    uint32_t start, title, exe; /* string numbers */
};

struct rln__part_tuple {
    struct rln__clock_tuple tuple;
    uint32_t part;
};

/* A domain that a process has created, with or without an event in it. */
struct rln__created_domain {
    uint32_t process;
    uint32_t id, string; /* in the process */
};

struct rln__names {
    struct rln__strings strings;
    struct rln__map map; /* {table, owner, id} -> index or number; names_table.h */
    struct rln__map by_content;           /* hash of attributes -> index + 1 */
    struct rln__trace_process *processes; /* owned, like the others below */
    size_t n_processes, processes_capacity;
    struct rln__domain *domains;
    size_t n_domains, domains_capacity;
    struct rln__created_domain *created_domains; /* created ones, each once */
    size_t n_created_domains, created_domains_capacity;
    struct rln__raw_attr *raw; /* in the order of records, each once */
    size_t n_raw, raw_capacity;
    struct rln__attr *attrs;
    size_t n_attrs, attrs_capacity;
    struct rln__category *categories;
    size_t n_categories, categories_capacity;
    struct rln__name_event *events;
    size_t n_events, events_capacity;
    struct rln__part_tuple *tuples;
    size_t n_tuples, tuples_capacity;
    struct rln__noted_title *titles;
    size_t n_titles, titles_capacity;
    struct rln__registry registry;
    struct rln__renaming renaming;
    int has_locations;         /* of functions: locations.h */
    uint64_t cache_bytes_left; /* for the processes' `attrs` */
    int is_fixed;              /* as `strings.is_fixed` */
};

rln_status rln__names_init(struct rln__names *names, rln_error *err);
void rln__names_clear(struct rln__names *names);

/* Reads all chunks of names, also again after they grew. Empties `events`, `tuples` and
 * `titles` first. */
rln_status rln__names_load(struct rln__names *names, const struct rln__layout *layout,
                           rln_error *err);

/* Adds one record of a chunk of names; call rln__registry_sort() after the last one. 0,
 * -1 when there is no memory, 1 if the record is damaged. */
int rln__names_add(struct rln__names *names, uint32_t part, uint32_t process,
                   const struct rln__record *record);

/* The process `number` of a part, added if it is new; RLN__NONE if there is no memory.
 * The same holds for the two below. */
uint32_t rln__names_process(struct rln__names *names, uint32_t part, uint32_t number);

#endif
