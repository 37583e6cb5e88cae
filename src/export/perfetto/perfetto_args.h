/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_args.h - attributes and payloads of a range, as Perfetto's debug
 * annotations.
 */
#ifndef RLN_EXPORT_PERFETTO_PERFETTO_ARGS_H
#define RLN_EXPORT_PERFETTO_PERFETTO_ARGS_H

#include "base/buf.h"
#include "rangeline/values.h"

/* Color and, unless it is the default one, domain. Appended to a TrackEvent, as all
 * these. */
void rln__perfetto_attributes(struct rln__buf *out, const rln_attributes *with);

/* NVTX's plain payload, if there is one. */
void rln__perfetto_payload(struct rln__buf *out, uint8_t type, uint64_t bits);

/* Each payload as a dictionary of its fields, by the name of its schema. */
void rln__perfetto_payloads(struct rln__buf *out, const rln_payload *payloads,
                            size_t n);

void rln__perfetto_text_arg(struct rln__buf *out, const char *name, rln_text text);
void rln__perfetto_uint_arg(struct rln__buf *out, const char *name, uint64_t value);

#endif
