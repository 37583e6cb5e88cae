/* SPDX-License-Identifier: Apache-2.0 */
/* nsys.h - a trace as rows of Nsight Systems' tables, for `sqlite`, `arrow`, `jsonl`
 * and `json`.
 *
 *   rows.c --> nsys.c -------> NVTX_EVENTS, StringIds          as the trace is read
 *              nsys_samples.c  GENERIC_EVENT...
 *              nsys_gpu.c      CUPTI_ACTIVITY_KIND_...
 *              nsys_switches.c SCHED_EVENTS                    at the end, as
 *              nsys_about.c    everything else
 *                    |
 *                    '--> sink: sqlite.c, nsys_arrow.c, jsonl.c or nsys_json.c
 *
 * Numbers of this schema: <host:8><vm:8><pid:24><tid:24> for threads and, with tid 0,
 * processes; domains are numbered from 1 in each process, 0 is the default one; a
 * registered message is a StringIds.id in textId, any other is in text.
 */
#ifndef RLN_EXPORT_NSYS_NSYS_H
#define RLN_EXPORT_NSYS_NSYS_H

#include "base/key_index.h"
#include "export/exporter.h"
#include "export/nsys/nsys_event.h"
#include "export/samples.h"
#include "format/gpu_schemas.h"
#include "format/nvtx_payload.h"

/* Of Nsight's schema, 3.x. */
static inline int rln__export_schema_minor(const struct rln__export *x)
{
    return rln__export_needs(x, RLN_EXPORT_SCHEMA_3_28) ? 28 : 25;
}

struct rln__nsys_sink {
    void *context;
    int has_all; /* --tables does not apply: what is written is no table */
    rln_status (*event)(void *context, const struct rln__nsys_event *event,
                        rln_error *err);
    rln_status (*row)(void *context, enum rln__nsys_table table,
                      const struct rln__cell *cells, rln_error *err);
};

#define RLN__NSYS_VALID 64u /* 2^6 */

struct rln__nsys {
    struct rln__export *x; /* borrowed */
    struct rln__nsys_sink sink;
    uint8_t is_excluded[RLN__N_TABLES]; /* by --tables */
    uint8_t has_rows[RLN__N_TABLES];    /* of those tables whose rows are cells */
    struct rln__map strings;            /* address of a text -> its id + 1 */
    uint32_t n_strings;
    struct rln__map cleaned; /* address of a text that is not UTF-8 -> rln_text * */
    const char *valid[RLN__NSYS_VALID]; /* by address: messages that are UTF-8 */
    struct rln__key_index domains;      /* globalPid, domain -> row of domain_ids */
    uint32_t *domain_ids;               /* owned: the numbers in their processes */
    size_t n_domains, domains_capacity;
    struct rln__map n_domains_of;     /* globalPid -> how many it has */
    struct rln__key_index categories; /* globalPid, domain number, category */
    uint64_t *vms;                    /* owned: of each part, the bits of host and vm */
    uint64_t *alias_vms; /* owned: of each process that is known, the same */
    size_t n_alias_vms;
    struct rln__sampling samples;
    struct rln__map sources; /* domain + 1 -> 1: has a row */
    int64_t n_generic;       /* rows of GENERIC_EVENTS */
    struct rln__buf scratch; /* for composed texts */
    /* Of each kind of GPU work: where its table's columns come from; made when used. */
    int8_t gpu_columns[RLN__N_GPU_KINDS][RLN__MOST_GPU_COLUMNS];
    uint8_t has_gpu_columns[RLN__N_GPU_KINDS];
};

rln_status rln__nsys_init(struct rln__nsys *n, struct rln__export *x,
                          const struct rln__nsys_sink *sink, rln_error *err);
rln_status rln__nsys_row(struct rln__nsys *n, const struct rln__row *row,
                         rln_error *err);
/* Names of domains and categories that no event has used. */
rln_status rln__nsys_unused_names(struct rln__nsys *n, rln_error *err);
void rln__nsys_clear(struct rln__nsys *n);

/* Whether the file has a table, at the end; or one of names for numbers. */
int rln__nsys_has(const struct rln__nsys *n, enum rln__nsys_table table);
int rln__nsys_has_enum(const struct rln__nsys *n, const struct rln__nsys_enum *e);

/* --- Shared by its files ---------------------------------------------------------- */

int64_t rln__nsys_global_pid(const struct rln__nsys *n, uint32_t process);
int64_t rln__nsys_global_tid(const struct rln__nsys *n, uint32_t process, uint32_t tid);

/* Passes a row on, unless its table is left out. */
rln_status rln__nsys_put(struct rln__nsys *n, enum rln__nsys_table table,
                         const struct rln__cell *cells, rln_error *err);

/* The number of a domain in its process. Writes its row if it is new. */
rln_status rln__nsys_domain(struct rln__nsys *n, uint32_t process, uint32_t domain,
                            int64_t t_ns, uint32_t tid, uint32_t *out, rln_error *err);

/* The id of a text, which gets a row if it is new. */
rln_status rln__nsys_string(struct rln__nsys *n, rln_text text, int64_t *out,
                            rln_error *err);

/* The same text, or a copy in which bytes that are not UTF-8 are U+FFFD. */
rln_status rln__nsys_clean(struct rln__nsys *n, rln_text *text, rln_error *err);

#endif
