/* SPDX-License-Identifier: Apache-2.0 */
/* safe_read.h - reads memory of the program that may be unmapped.
 *
 * Programs sometimes pass wrong pointers or sizes: a size that is too large, a pointer
 * into a schema of another version. So the kernel copies such memory for us and stops
 * where it ends; if it may not copy, it checks which pages are mapped. Cold: one system
 * call each, except for pages that have been read before (seen_pages.h).
 */
#ifndef RLN_COLLECT_EVENT_SAFE_READ_H
#define RLN_COLLECT_EVENT_SAFE_READ_H

#include <stddef.h>
#include <stdint.h>

/* Copies up to `n_bytes`; returns how many were readable. */
size_t rln__safe_read(void *to, const void *from, size_t n_bytes);

/* The same for memory that events point to again and again: a page that was read once
 * is assumed to stay. */
size_t rln__safe_read_often(void *to, const void *from, size_t n_bytes);

/* Stores a value at an address that the program passed; 0 if it is unmapped. */
int rln__poke(uint64_t *to, uint64_t value);

/* The length of a text, in units of `unit_bytes` (1, 2 or 4) before the first zero
 * unit; `most` if none of the first `most` is zero, or if the memory ends before. */
size_t rln__safe_read_length(const void *text, size_t unit_bytes, size_t most);

/* The string id of a registration's name; 0 if it is NULL or unmapped. */
unsigned rln__safe_read_string_id(const char *text);

/* Copies a structure that begins with its size, a size_t, up to that size; the rest of
 * `to` is not changed. 0 if any of it is unmapped. */
int rln__safe_read_sized(void *to, size_t n_bytes, const void *from);

/* Copies a whole structure; false if any of it is unmapped. */
#define rln__safe_read_all(to, from)                                                   \
    (rln__safe_read((to), (from), sizeof *(to)) == sizeof *(to))

#endif
