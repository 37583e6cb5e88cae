/* SPDX-License-Identifier: Apache-2.0 */
/* payload_names.h - names of values that are ids: enums, categories, scopes, registered
 * strings. */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_NAMES_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_NAMES_H

#include "trace/payload/payload_decode.h"

/* `out->bits` is the value; sets kind and text. Text that must be made is appended to
 * `d->text`, and `out` refers to it: rln__field_text(). */
void rln__name_enum(struct rln__decoder *d, const struct rln__schema *schema,
                    rln_field *out);
void rln__name_category(const struct rln__decoder *d, rln_field *out);
void rln__name_scope(struct rln__decoder *d, rln_field *out);
void rln__name_string(struct rln__decoder *d, rln_field *out);

/* Until the event is done, a text in `d->text` is stored as an offset, because the
 * buffer may still move. */
void rln__field_text(rln_field *out, size_t begin, size_t end);
void rln__fields_settle(struct rln__decoder *d);

/* Appends the path of a scope, from the root down. A pid or a tid of 0 is left out.
 * Returns 0 if the trace does not know the scope. */
int rln__buf_scope(struct rln__buf *buf, const struct rln__names *names,
                   uint32_t process, uint32_t domain_id, uint64_t scope, uint32_t pid,
                   uint32_t tid);

#endif
