/* SPDX-License-Identifier: Apache-2.0 */
/* identity.h - reads a superblock and corrects it by the first chunk after it.
 *
 * The superblock is mapped into the recorded programs, and a stray store may overwrite
 * any word of it. Every chunk repeats the trace's id and has a clock tuple of its own,
 * so the first chunk reveals overwritten words.
 */
#ifndef RLN_FORMAT_IDENTITY_H
#define RLN_FORMAT_IDENTITY_H

#include "format/layout.h"

/* Reads the superblock at `offset` and corrects fields that the first chunk
 * contradicts;
 * `*is_damaged` tells whether there were any. Without a first chunk, nothing is
 * corrected. 0 or -errno. */
int rln__identity_read(int fd, uint64_t offset, struct rln__superblock *out,
                       int *is_damaged);

/* Whether the bytes can be those of a trace's superblock, of any version. */
int rln__identity_is_sound(const struct rln__superblock *super);

#endif
