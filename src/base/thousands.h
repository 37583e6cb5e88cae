/* SPDX-License-Identifier: Apache-2.0 */
/* thousands.h - separates the thousands of a number: "-1,234,567.8". */
#ifndef RLN_BASE_THOUSANDS_H
#define RLN_BASE_THOUSANDS_H

#include "base/buf.h"

/* Of a number that is already text: of the digits before a point. */
void rln__buf_thousands(struct rln__buf *buf, const char *number, size_t length);

/* "1,234,567". */
void rln__buf_count(struct rln__buf *buf, uint64_t value);

/* "1 event", "1,234 events". */
void rln__buf_counted(struct rln__buf *buf, uint64_t value, const char *one,
                      const char *many);

#endif
