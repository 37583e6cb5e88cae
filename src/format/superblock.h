/* SPDX-License-Identifier: Apache-2.0 */
/* superblock.h - making a trace file, joining one, and taking room in it.
 *
 * Shared by the launcher and the collector, so it follows the collector's rules: no
 * libc, no locks, no signals left behind. Failures are negative errno.
 */
#ifndef RLN_FORMAT_SUPERBLOCK_H
#define RLN_FORMAT_SUPERBLOCK_H

#include "format/layout.h"

/* An open trace file, with its superblock mapped. */
struct rln__file {
    int fd;            /* owned */
    uint64_t device;   /* what `fd` named when we opened it: a daemon may */
    uint64_t inode;    /* have closed it and reused the number. Kept when we close it */
    uint64_t trace_id; /* copies of what the superblock says: the program may */
    uint32_t clock_kind;           /* overwrite that */
    struct rln__superblock *super; /* owned mapping, shared with all processes */
    uint64_t room_bytes; /* of a block mapped right after it: rln__file_create() */
};

/* Why a file that exists cannot be joined. */
enum {
    RLN__JOIN_FOREIGN = -10001,  /* not a trace, or not of this run */
    RLN__JOIN_ELSEWHERE = -10002 /* this run, but made on another host or boot */
};

/* Makes a new trace at `path`; -EEXIST if it exists, or is a link. Only the owner may
 * read the file. A block of `room_bytes` is taken and mapped along, which costs much
 * less than asking for it later; out->room_bytes is 0 if there was no room. With
 * `buffer_bytes`, each process keeps its newest events in that much (FORMAT.md, 10). */
int rln__file_create(struct rln__file *out, const char *path, const uint8_t run_id[16],
                     enum rln__clock_kind clock, uint64_t room_bytes,
                     uint64_t buffer_bytes);

/* Opens the trace at `path`, if it belongs to the run `run_id` of this host. */
int rln__file_join(struct rln__file *out, const char *path, const uint8_t run_id[16]);

/* Moves the descriptor to a high number: programs use low ones, and daemons close
 * those. */
void rln__file_hold_high(struct rln__file *file);

/* Opens the trace at `path` again if it is the one that `file` still has mapped, after
 * someone else closed its descriptor. Several threads may do so at once. */
int rln__file_reopen(struct rln__file *file, const char *path);

/* Whether the descriptor still names the file that we opened. */
int rln__file_is_ours(const struct rln__file *file);

void rln__file_close(struct rln__file *file);

/* Takes a block of `n_bytes` (a multiple of RLN__BLOCK_ALIGN) and reserves its room on
 * disk, so that no later store into a mapping of it can fail. If the program has
 * overwritten `next_free`, it is set anew. Returns the block's offset, or
 * -ENOSPC when the disk is full or nearly so (-EFBIG, -EDQUOT, ...). The caller blocks
 * signals: a file-size limit makes the kernel send SIGXFSZ, which is swallowed here. */
int64_t rln__file_take(const struct rln__file *file, uint64_t n_bytes);

/* The index for a process that joins: no other one has it, even if a program has
 * overwritten the count of them. */
uint32_t rln__file_next_process(const struct rln__file *file);

/* Writes the header of the chunk at `memory`, which is mapped from the file and holds
 * zeros; the magic last, so that readers see all of it or nothing. */
void rln__chunk_begin(void *memory, const struct rln__chunk_header *header);

/* The header of a chunk that begins now. */
void rln__chunk_header_now(struct rln__chunk_header *out, const struct rln__file *file);

#endif
