/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h - validates UTF-8, and escapes untrusted text for terminals and JSON. */
#ifndef RLN_BASE_UTF8_H
#define RLN_BASE_UTF8_H

#include "base/buf.h"

/* The number of bytes of the character at `bytes`; 0 if it is not valid UTF-8. Overlong
 * forms, surrogates and code points over U+10FFFF are invalid. `length` is at least 1.
 */
size_t rln__utf8_length(const char *bytes, size_t length);

/* Whether all of it is valid. */
int rln__utf8_is_valid(const char *bytes, size_t length);

/* Where to cut text that is longer than `most` bytes, so that no character is: `most`,
 * or up to three bytes before. */
size_t rln__utf8_cut(const char *bytes, size_t most);

/* Appends valid UTF-8. U+FFFD replaces bytes that are invalid: one for all that may begin
 * the same character, as in Python's "replace" and in browsers. */
void rln__buf_utf8(struct rln__buf *buf, const char *bytes, size_t length);

/* The same as a JSON string with its quotes, safe for a terminal. */
void rln__buf_json(struct rln__buf *buf, const char *bytes, size_t length);

/* The number of terminal columns of the valid character of `n_bytes`: 0 if it combines
 * with the one before, 2 if it is wide. */
size_t rln__utf8_columns(const char *bytes, size_t n_bytes);

/* Escapes one character for a terminal: control characters and invalid bytes become
 * \xNN, and characters that change the direction of a line \uNNNN. Returns the number
 * of bytes at `bytes` that `out` replaces, or that can be printed if `out` is "". */
#define RLN__ESCAPE_BYTES 8
size_t rln__printable(const char *bytes, size_t length, char out[RLN__ESCAPE_BYTES]);

/* Appends text that is safe for a terminal. Returns the number of columns. */
size_t rln__buf_printable(struct rln__buf *buf, const char *bytes, size_t length);

/* Appends at most `head` columns of the begin of printable text and `tail` of its end:
 * "a lo...name"; it has `n_columns`. Returns the columns that it takes: fewer if a
 * wide character did not fit. */
size_t rln__buf_cut(struct rln__buf *out, const struct rln__buf *text, size_t n_columns,
                    size_t head, size_t tail);

#endif
