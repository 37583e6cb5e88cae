/* SPDX-License-Identifier: Apache-2.0 */
/* names_table.h - packs the keys of the map that names.c fills and attributes.c reads.
 */
#ifndef RLN_FORMAT_NAMES_TABLE_H
#define RLN_FORMAT_NAMES_TABLE_H

#include "format/names.h"

/* A key is {id:32, owner:28, table:4}. Each line has owner and id, and the value. */
enum rln__name_table {
    RLN__TABLE_PROCESS,  /* part, number -> index + 1 */
    RLN__TABLE_STRING,   /* process, id -> string number */
    RLN__TABLE_DOMAIN,   /* process, id -> string id + 1 */
    RLN__TABLE_ATTR,     /* process, id -> index of raw + 1 */
    RLN__TABLE_THREAD,   /* process, tid -> string number */
    RLN__TABLE_BY_NAME,  /* 0, string number -> domain + 1 */
    RLN__TABLE_RESOLVED, /* process, attributes id -> index + 1 */
    RLN__TABLE_CATEGORY, /* pair, category -> index of the category + 1 */
    RLN__TABLE_PAIR,     /* process, domain id -> a small number for the pair */
    RLN__TABLE_RENAMED,  /* 0, string number -> string number after renaming */
    RLN__TABLE_LOCATION, /* 0, string number of a message -> that of its location */
};

#define RLN__MAX_OWNER ((1u << 28) - 1)

static inline uint64_t rln__name_key(enum rln__name_table table, uint32_t owner,
                                     uint32_t id)
{
    return ((uint64_t)table << 60) | ((uint64_t)owner << 32) | id;
}

/* A longer chain of forks is a loop, caused by damage. */
#define RLN__MAX_ANCESTORS 1024

static inline void rln__split_types(struct rln__raw_attr *raw, uint32_t types)
{
    raw->color_type = (uint8_t)types;
    raw->payload_type = (uint8_t)(types >> 8);
    raw->message_type = (uint8_t)(types >> 16);
}

#endif
