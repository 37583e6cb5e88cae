/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - reads the bytes of an untrusted trace file.
 *
 * Files are read with pread and never mapped: a file that is truncated while we read it
 * gives a short read, where a mapping would raise SIGBUS. Damage is noted and does not
 * fail a read, so that the rest stays readable.
 *
 * If there are many traces, most rest: they have no descriptor, and each read opens the
 * file.
 *
 * A run with ring buffers overwrites chunks while we read (docs/reference/FORMAT.md
 * 10); its trace is copied first, so that we read a consistent state.
 */
#ifndef RLN_FORMAT_INPUT_H
#define RLN_FORMAT_INPUT_H

#include "base/hash.h"
#include "format/gpu_schemas.h"
#include "format/layout.h"
#include "rangeline/error.h"

#define RLN__MAX_DAMAGES 100
#define RLN__MAX_COUNTED_DAMAGES (1u << 20) /* besides: 16 MiB and more */

struct rln__damage {
    const char *path; /* borrowed from the file */
    uint64_t offset;
    const char *reason; /* static */
};

struct rln__damages {
    struct rln__damage items[RLN__MAX_DAMAGES]; /* the first ones */
    struct rln__map others; /* owned: which they are, so that each is counted once */
    uint64_t n_found;       /* at least */
};

struct rln__input {
    int fd;        /* -1: it rests */
    int live_fd;   /* of a trace that is still written; `fd` is a copy of it; else -1 */
    char *path;    /* owned */
    uint64_t size; /* at the last refresh */
    int is_import; /* `path` is a SQLite export, and `fd` a trace made from it */
    /* Of each kind of GPU work: why the export's table could not be read. */
    char *gpu_refusals[RLN__N_GPU_KINDS]; /* owned; NULL: it could be */
    struct rln__damages *damages;         /* borrowed */
    /* If it rests: its identity, because `path` may name another file later. */
    int rests;
    uint64_t device, number;
};

/* Initializes a file without opening it, for callers that set `fd` themselves and then
 * call rln__input_refresh(). */
rln_status rln__input_init(struct rln__input *file, const char *path,
                           struct rln__damages *damages, rln_error *err);

/* Opens a file and checks its superblock. On failure nothing is owned. */
rln_status rln__input_open(struct rln__input *file, const char *path,
                           struct rln__damages *damages, rln_error *err);
void rln__input_close(struct rln__input *file);

/* Closes the descriptor, if the file can be opened again for each read. */
void rln__input_rest(struct rln__input *file);

/* Updates the size, which never shrinks here, or makes a new copy. */
rln_status rln__input_refresh(struct rln__input *file, rln_error *err);

/* Reads as many bytes as the file has, and fills the rest with zeros. `n_read` may be
 * NULL. */
rln_status rln__input_read(const struct rln__input *file, uint64_t offset, void *bytes,
                           size_t n_bytes, size_t *n_read, rln_error *err);

/* Reads the superblock at `offset`: identity.h. */
rln_status rln__input_identity(const struct rln__input *file, uint64_t offset,
                               struct rln__superblock *out, int *is_damaged,
                               rln_error *err);

/* The first byte at or after `offset` that is not in a hole. */
uint64_t rln__input_skip_hole(const struct rln__input *file, uint64_t offset);

void rln__damages_clear(struct rln__damages *damages);

/* Notes damage once, even if several iterations read the same file. */
void rln__note_damage(const struct rln__input *file, uint64_t offset,
                      const char *reason);

#endif
