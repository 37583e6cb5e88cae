/* SPDX-License-Identifier: Apache-2.0 */
/* time_span.h - times as people write them: [START]/[END], each 1s2ms, 1.5s or 300. */
#ifndef RLN_BASE_TIME_SPAN_H
#define RLN_BASE_TIME_SPAN_H

#include <stdint.h>

/* Reads a span at the front of `text`; at least one of its bounds is there, and one
 * that is not is the end of time. Numbers without a unit are nanoseconds. Returns what
 * is behind it, or NULL if there is none. */
const char *rln__time_span_read(const char *text, int64_t *start_ns, int64_t *end_ns);

/* A time alone, such as 2ms; the same way. */
const char *rln__time_read(const char *text, int64_t *ns);

#endif
