/* SPDX-License-Identifier: Apache-2.0 */
/* time_span.h - reads times that users write: [START]/[END], each 1s2ms, 1.5s or 300.
 */
#ifndef RLN_BASE_TIME_SPAN_H
#define RLN_BASE_TIME_SPAN_H

#include <stdint.h>

/* Reads a span at the beginning of `text`. At least one bound must be given; a missing
 * one is the beginning or the end of time. Numbers without a unit are nanoseconds.
 * Returns what follows it, or NULL if there is none. */
const char *rln__time_span_read(const char *text, int64_t *start_ns, int64_t *end_ns);

/* The same for a single time, such as 2ms. */
const char *rln__time_read(const char *text, int64_t *ns);

#endif
