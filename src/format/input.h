/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - bytes of a file that nobody promised anything about.
 *
 * Files are read with pread and never mapped: one that is cut while we read it is a
 * short read here, and would be a SIGBUS there. Damage is noted, not reported: what is
 * readable is worth more than a complaint.
 *
 * A trace whose chunks are used again while we read it (docs/FORMAT.md 10) is copied
 * first: what is read is then one moment of it.
 */
#ifndef RLN_FORMAT_INPUT_H
#define RLN_FORMAT_INPUT_H

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

struct rln__input {
    int fd;
    int live_fd;   /* of a trace that is written now, whose copy `fd` is; else -1 */
    char *path;    /* owned */
    uint64_t size; /* when we last looked */
    int is_import; /* `path` is a SQLite export, of which a trace was made */
    struct rln__damages *damages; /* borrowed */
};

/* A file that is not open yet. The two halves of rln__input_open(), for whoever has
 * another way to get at the bytes. */
rln_status rln__input_init(struct rln__input *file, const char *path,
                           struct rln__damages *damages, rln_error *err);

/* Opens a file and sees that it begins as a trace does. On failure nothing is owned. */
rln_status rln__input_open(struct rln__input *file, const char *path,
                           struct rln__damages *damages, rln_error *err);
void rln__input_close(struct rln__input *file);

/* Looks at the size again, which only ever grows here; or makes the copy anew. */
rln_status rln__input_refresh(struct rln__input *file, rln_error *err);

/* Reads as much as there is; what is missing becomes zeros. `*n_read` may be NULL. */
rln_status rln__input_read(const struct rln__input *file, uint64_t offset, void *bytes,
                           size_t n_bytes, size_t *n_read, rln_error *err);

/* The first byte at or behind `offset` that a hole does not cover. */
uint64_t rln__input_skip_hole(const struct rln__input *file, uint64_t offset);

/* Reading the same file twice, as several iterations do, notes damage once. */
void rln__note_damage(const struct rln__input *file, uint64_t offset,
                      const char *reason);

#endif
