/* SPDX-License-Identifier: Apache-2.0 */
/* disk_space.h - the disk space of a trace: recording stops before the disk is full, and
 * what it writes to is allocated first. */
#ifndef RLN_FORMAT_DISK_SPACE_H
#define RLN_FORMAT_DISK_SPACE_H

#include <stdint.h>

/* Whether `n_bytes` more in the file system of `fd` would leave too little of it free. */
int rln__disk_is_nearly_full(int fd, uint64_t n_bytes);

/* Allocates a part of a file, so that a full disk is an error here and never a SIGBUS
 * where the part is mapped. 0, or -errno. */
int rln__disk_reserve(int fd, uint64_t at, uint64_t n_bytes);

#endif
