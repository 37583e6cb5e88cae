/* SPDX-License-Identifier: Apache-2.0 */
/* whole_io.h - reads and writes files completely, despite interruptions. */
#ifndef RLN_BASE_WHOLE_IO_H
#define RLN_BASE_WHOLE_IO_H

#include <stddef.h>
#include <stdint.h>

/* Reads as much as there is, and zeros the rest. 0, or -errno. `*n_read`, if given, is
 * set to the bytes read, also on an error. */
int rln__read_at(int fd, uint64_t at, void *to, size_t n_bytes, size_t *n_read);

/* 0, or -errno. */
int rln__write_at(int fd, uint64_t at, const void *from, size_t n_bytes);

/* The same, but pages of zeros stay holes and take no room. `n_bytes` is a multiple of
 * the word size. */
int rln__write_sparse(int fd, uint64_t at, const uint64_t *words, size_t n_bytes);

/* The first byte at or after `at` that lies in no hole, or `end` if there is none
 * before it. Where the file system cannot tell, `at`. */
uint64_t rln__next_data(int fd, uint64_t at, uint64_t end);

/* Renames a complete file, on the same file system. Without `may_replace`, fails with
 * -EEXIST if `name` exists, without a race. 0, or -errno. */
int rln__give_name(const char *part, const char *name, int may_replace);

/* Opens a file without a name in TMPDIR: it disappears when it is closed. -errno on
 * failure. */
int rln__unnamed_file(void);
/* The same in the folder of another file. */
int rln__unnamed_file_beside(const char *path);

#endif
