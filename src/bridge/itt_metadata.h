/* SPDX-License-Identifier: Apache-2.0 */
/* itt_metadata.h - values with a key that a program adds to its tasks: payloads of the
 * ends of these, or of marks. Signatures are ITT's. */
#ifndef RLN_BRIDGE_ITT_METADATA_H
#define RLN_BRIDGE_ITT_METADATA_H

#include <stddef.h>

#include "bridge/itt_layout.h"

typedef const struct rln__itt_domain *rln__itt_any_domain;

/* Sizes of ITT's types of numbers, in bytes; 0: not a type. */
size_t rln__itt_type_size(int type);
/* The same as a type of NVTX. */
uint64_t rln__itt_nvtx_type(int type);

/* An id of zeros is the current task. */
void rln__itt_metadata_add(rln__itt_any_domain domain, struct rln__itt_id id,
                           struct rln__itt_string *key, int type, size_t count,
                           const void *data);
/* A `length` of all ones: up to the 0. */
void rln__itt_metadata_str_add(rln__itt_any_domain domain, struct rln__itt_id id,
                               struct rln__itt_string *key, const char *text,
                               size_t length);
void rln__itt_metadata_add_with_scope(rln__itt_any_domain domain, int scope,
                                      struct rln__itt_string *key, int type,
                                      size_t count, const void *data);
void rln__itt_metadata_str_add_with_scope(rln__itt_any_domain domain, int scope,
                                          struct rln__itt_string *key, const char *text,
                                          size_t length);
void rln__itt_formatted_metadata_add(rln__itt_any_domain domain,
                                     struct rln__itt_string *format, ...);
void rln__itt_formatted_metadata_add_overlapped(rln__itt_any_domain domain,
                                                struct rln__itt_id id,
                                                struct rln__itt_string *format, ...);

#endif
