/* SPDX-License-Identifier: Apache-2.0 */
/* peek.h - reads memory of the program that may not be there.
 *
 * What a call points to is the program's word, and some words are wrong: a size that is
 * too large, a pointer into a schema of another version. The kernel copies such memory
 * for us and stops where it ends; where it may not, it says which pages are there.
 * Cold: a system call each, but for what lies where others have been (seen_pages.h).
 */
#ifndef RLN_COLLECT_PEEK_H
#define RLN_COLLECT_PEEK_H

#include <stddef.h>
#include <stdint.h>

/* Copies up to `n_bytes`; returns how many there were. */
size_t rln__peek(void *to, const void *from, size_t n_bytes);

/* The same of what events point to, again and again: a page that was read once is taken
 * to be there. */
size_t rln__peek_often(void *to, const void *from, size_t n_bytes);

/* Stores a value where the program says that it has room; 0 if it has none. */
int rln__poke(uint64_t *to, uint64_t value);

/* The length of a text, in units of `unit_bytes` (1, 2 or 4) before the first that is
 * zero; `most` if there is none before that many, or before the memory ends. */
size_t rln__peek_length(const void *text, size_t unit_bytes, size_t most);

/* The string id of a name of a registration, 0 if it is NULL or not there. */
unsigned rln__peek_string(const char *text);

/* Copies a structure that begins with its size, a size_t: as much of it as the program
 * vouches for; the rest stays as it is. 0 if that is not there. */
int rln__peek_sized(void *to, size_t n_bytes, const void *from);

/* Copies a whole structure, or says that it is not there. */
#define rln__peek_all(to, from) (rln__peek((to), (from), sizeof *(to)) == sizeof *(to))

#endif
