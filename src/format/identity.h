/* SPDX-License-Identifier: Apache-2.0 */
/* identity.h - what a superblock says, checked against the chunk behind it.
 *
 * The superblock is mapped into the programs that are recorded, and a stray store may
 * overwrite any word of it. Every chunk repeats the trace's id and has a clock tuple of
 * its own, so the first chunk shows what is wrong.
 */
#ifndef RLN_FORMAT_IDENTITY_H
#define RLN_FORMAT_IDENTITY_H

#include "format/layout.h"

/* Reads the superblock at `offset` and corrects what the first chunk contradicts:
 * `*is_damaged` says whether something was corrected. Without such a chunk `out` is as
 * it is in the file. 0 or -errno. */
int rln__identity_read(int fd, uint64_t offset, struct rln__superblock *out,
                       int *is_damaged);

/* Whether the bytes can be those of a trace's superblock, of any version. */
int rln__identity_is_sound(const struct rln__superblock *super);

#endif
