/* SPDX-License-Identifier: Apache-2.0 */
/* query_saved.h - an index as bytes for a page, from which it answers all questions but
 * those for reports: timeline/lod_saved.h. */
#ifndef RLN_QUERY_QUERY_SAVED_H
#define RLN_QUERY_QUERY_SAVED_H

#include "query/query_parts.h"

/* Appends the index of `asked`, which is complete and of no use afterwards. Payloads
 * beyond 8 MiB are left out, and counted. */
rln_status rln__query_save(const struct rln__query_context *asked, struct rln__buf *out,
                           rln_error *err);

#endif
