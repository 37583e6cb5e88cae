/* SPDX-License-Identifier: Apache-2.0 */
/* trace_file.h - bytes of a file that nobody promised anything about.
 *
 * Files are read with pread and never mapped: one that is cut while we read it is a
 * short read here, and would be a SIGBUS there. Damage is noted, not reported: what is
 * readable is worth more than a complaint.
 */
#ifndef RLN_FORMAT_TRACE_FILE_H
#define RLN_FORMAT_TRACE_FILE_H

#include "rangeline/error.h"

#define RLN__MAX_DAMAGES 100

struct rln__damage {
    const char *path; /* borrowed from the file */
    uint64_t offset;
    const char *reason; /* static */
};

struct rln__damages {
    struct rln__damage items[RLN__MAX_DAMAGES]; /* the first ones */
    uint64_t n_found;
};

struct rln__file {
    int fd;
    char *path;                   /* owned */
    uint64_t size;                /* when we last looked */
    struct rln__damages *damages; /* borrowed */
};

/* Opens a file and sees that it begins as a trace does. On failure nothing is owned. */
rln_status rln__file_open(struct rln__file *file, const char *path,
                          struct rln__damages *damages, rln_error *err);
void rln__file_close(struct rln__file *file);

/* Looks at the size again; it only ever grows here. */
rln_status rln__file_refresh(struct rln__file *file, rln_error *err);

/* Reads as much as there is; what is missing becomes zeros. `*n_read` may be NULL. */
rln_status rln__file_read(const struct rln__file *file, uint64_t offset, void *bytes,
                          size_t n_bytes, size_t *n_read, rln_error *err);

/* The first byte at or behind `offset` that a hole does not cover. */
uint64_t rln__file_skip_hole(const struct rln__file *file, uint64_t offset);

/* Reading the same file twice, as several iterations do, notes damage once. */
void rln__note_damage(const struct rln__file *file, uint64_t offset,
                      const char *reason);

#endif
