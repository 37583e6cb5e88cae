/* SPDX-License-Identifier: Apache-2.0 */
/* register.h - writes and finds registrations of schemas, enums, scopes, counters and
 * time domains. Cold.
 *
 * A registration is a record of names. A table has the address of each, so that an
 * equal one is not written again (libraries register the same schema at each call), and
 * so that schemas give the sizes of payloads. Records of names stay mapped and are not
 * modified.
 */
#ifndef RLN_COLLECT_CALLBACKS_REGISTER_H
#define RLN_COLLECT_CALLBACKS_REGISTER_H

#include "collect/event/intern.h"

#define RLN__FIRST_STATIC_ID (1ull << 24)  /* lower ids are NVTX's own */
#define RLN__FIRST_DYNAMIC_ID (1ull << 32) /* from here on, ids are the tool's */

struct rln__registration {
    enum rln__name_sub sub;
    uint32_t domain;
    uint64_t id;     /* 0: the collector chooses it */
    uint64_t *words; /* the record without its first word; the second is the id */
    size_t n_words;
    size_t ticks_at;   /* index of the word that holds the time; 0: none */
    int is_by_content; /* equal contents with an id of ours are one registration */
};

/* Writes the registration unless an equal one exists, and returns its id. */
uint64_t rln__register(const struct rln__registration *r);

/* The latest record that defines `id`, including its first word; NULL if there is none.
 * Schemas and enums share their ids. */
const uint64_t *rln__registered(enum rln__name_sub sub, uint32_t domain, uint64_t id);

/* The id of a list of semantics (nvtxSemanticsHeader_t) that a program points to; 0 if
 * there is none. */
uint32_t rln__semantics(const void *list);

#endif
