/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h - text from strangers, made fit to print. */
#ifndef RLN_BASE_UTF8_H
#define RLN_BASE_UTF8_H

#include "base/buf.h"

/* How many bytes the character at `bytes` has; 0 if it is not valid UTF-8. Overlong
 * forms, surrogates and what lies over U+10FFFF are not. `length` is at least 1. */
size_t rln__utf8_length(const char *bytes, size_t length);

/* Whether all of it is valid. */
int rln__utf8_is_valid(const char *bytes, size_t length);

/* Appends valid UTF-8: a byte that is not becomes U+FFFD. */
void rln__buf_utf8(struct rln__buf *buf, const char *bytes, size_t length);

/* Appends a JSON string with its quotes. A byte that is not UTF-8 becomes \udc80 to
 * \udcff, as Python's "surrogateescape" has it, so that nothing is lost. */
void rln__buf_json(struct rln__buf *buf, const char *bytes, size_t length);

/* How many columns of a terminal the valid character of `n_bytes` takes: none if it
 * goes on top of the one before, two if it is wide. */
size_t rln__utf8_columns(const char *bytes, size_t n_bytes);

/* Appends what a terminal may be sent: control characters and bytes that are not UTF-8
 * become \xNN, and characters that turn the direction of a line \uNNNN. Returns how
 * many columns it takes. */
size_t rln__buf_printable(struct rln__buf *buf, const char *bytes, size_t length);

#endif
