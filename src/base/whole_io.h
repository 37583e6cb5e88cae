/* SPDX-License-Identifier: Apache-2.0 */
/* whole_io.h - reads and writes of a file that come to an end, whatever interrupts. */
#ifndef RLN_BASE_WHOLE_IO_H
#define RLN_BASE_WHOLE_IO_H

#include <stddef.h>
#include <stdint.h>

/* Reads as much as there is; what is missing are zeros. 0, or -errno. *n_read, if
 * given, is how much there was, also before an error. */
int rln__read_at(int fd, uint64_t at, void *to, size_t n_bytes, size_t *n_read);

/* 0, or -errno. */
int rln__write_at(int fd, uint64_t at, const void *from, size_t n_bytes);

/* The same without pages of zeros: they stay holes, and need no room. `n_bytes` are
 * whole words. */
int rln__write_sparse(int fd, uint64_t at, const uint64_t *words, size_t n_bytes);

/* Gives a file that is whole its name, on the same file system. Where nothing may be
 * replaced, the name must be free at that moment, not only before. 0, or -errno. */
int rln__give_name(const char *part, const char *name, int may_replace);

/* A file without a name, in TMPDIR: it is gone when it is closed. -errno if there is
 * none. */
int rln__unnamed_file(void);

#endif
