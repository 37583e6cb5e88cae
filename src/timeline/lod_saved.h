/* SPDX-License-Identifier: Apache-2.0 */
/* lod_saved.h - an index as bytes: what a page has of a trace that is not in it.
 *
 *   index --rln__lod_save()--> bytes in a page --rln__lod_load()--> index, without a trace
 *
 * Names, rows and buckets are in it, and what queries otherwise ask the trace for. The
 * page has the reader that was built with its writer, so the bytes are no format: no
 * other version reads them. They may be damaged even so.
 */
#ifndef RLN_TIMELINE_LOD_SAVED_H
#define RLN_TIMELINE_LOD_SAVED_H

#include "base/alloc.h"
#include "base/buf.h"
#include "timeline/lod.h"

/* The first bytes. */
#define RLN__LOD_MAGIC "RLNINDEX"

struct rln__lod_thread_facts {
    rln_text name;
    uint32_t process, tid;
    uint32_t adopter; /* the process's thread that adopts GPU work; RLN__NONE: none */
};

/* A payload's number, and the extended payloads as JSON. */
struct rln__lod_saved_payload {
    uint8_t value_type; /* 0: no number */
    uint64_t value_bits;
    rln_text json;
};

/* What stands for the trace. */
struct rln__lod_saved {
    void *bytes;         /* owned: what all texts of the index borrow from */
    rln_text head, tail; /* of the description: query_about.h */
    rln_text *groups;    /* owned, as the next; by group: the text of its filter */
    size_t n_groups;
    struct rln__lod_thread_facts *threads;
    size_t n_threads;
    struct rln__lod_saved_payload *payloads; /* `address` of a range: its index + 1 */
    size_t n_payloads;
    uint64_t n_payloads_left_out;
};

/* Appends a complete index with what stands for its trace. `saved` is borrowed; ranges
 * already have the addresses of their payloads in it. */
void rln__lod_save(struct rln__lod *lod, const struct rln__lod_saved *saved,
                   struct rln__buf *out);

/* An index of saved bytes, which were allocated and become its own. RLN_ERR_FORMAT: they
 * are damaged. After a failure, too, rln__lod_clear() frees all. */
rln_status rln__lod_load(struct rln__lod *lod, void *bytes, size_t n_bytes,
                         rln_error *err);

static inline void rln__lod_saved_clear(struct rln__lod_saved *saved)
{
    rln__free(saved->bytes);
    rln__free(saved->groups);
    rln__free(saved->threads);
    rln__free(saved->payloads);
    *saved = (struct rln__lod_saved){.bytes = NULL};
}

#endif
