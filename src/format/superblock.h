/* SPDX-License-Identifier: Apache-2.0 */
/* superblock.h - creates and joins trace files, and reserves blocks in them.
 *
 * The launcher and the collector share this code, so it follows the collector's rules:
 * no libc, no locks, no pending signals. Failures are negative errno.
 */
#ifndef RLN_FORMAT_SUPERBLOCK_H
#define RLN_FORMAT_SUPERBLOCK_H

#include "format/layout.h"

/* An open trace file, with its superblock mapped. */
struct rln__file {
    int fd; /* owned */
    /* The file of `fd` when we opened it; a daemon may close the descriptor and reuse
     * its number. Valid also after rln__file_close(). */
    uint64_t device;
    uint64_t inode;
    /* Copies from the superblock, which the program may overwrite. */
    uint64_t trace_id;
    uint32_t clock_kind;
    struct rln__superblock *super; /* owned mapping, shared with all processes */
    uint64_t room_bytes; /* of a block mapped right after it: rln__file_create() */
};

/* Why a file that exists cannot be joined. */
enum {
    RLN__JOIN_FOREIGN = -10001,  /* not a trace, or another run's */
    RLN__JOIN_ELSEWHERE = -10002 /* this run's, but of another host or boot */
};

/* Creates a trace at `path`; -EEXIST if it exists, or is a link. Only the owner may
 * read the file. A block of `room_bytes` is reserved and mapped together with the
 * superblock, which costs much less than reserving it later; out->room_bytes is 0 if
 * the disk is too full. `buffer_bytes` is the size of each process's ring buffer
 * (FORMAT.md, 10), or 0. */
int rln__file_create(struct rln__file *out, const char *path, const uint8_t run_id[16],
                     enum rln__clock_kind clock, uint64_t room_bytes,
                     uint64_t buffer_bytes);

/* Opens the trace at `path` if it belongs to the run `run_id` on this host. */
int rln__file_join(struct rln__file *out, const char *path, const uint8_t run_id[16]);

/* Moves the descriptor to a high number: programs use low ones, and daemons close
 * those. */
void rln__file_hold_high(struct rln__file *file);

/* Opens the trace at `path` again, after the program closed its descriptor, if it is
 * the one that `file` still has mapped. Several threads may do so at the same time. */
int rln__file_reopen(struct rln__file *file, const char *path);

/* Whether the descriptor still names the file that we opened. */
int rln__file_is_ours(const struct rln__file *file);

void rln__file_close(struct rln__file *file);

/* Reserves a block of `n_bytes` (a multiple of RLN__BLOCK_ALIGN) and allocates its disk
 * space, so that no later store into a mapping of it can fail. If the program has
 * overwritten `next_free`, this corrects it. Returns the block's offset, or -ENOSPC
 * when the disk or memory is full or nearly full (-EFBIG, -EDQUOT, ...). The caller
 * blocks signals: at a file-size limit the kernel sends SIGXFSZ, which is consumed
 * here. */
int64_t rln__file_take(const struct rln__file *file, uint64_t n_bytes);

/* The index for a process that joins; unique even if a program has overwritten the
 * count of indices. */
uint32_t rln__file_next_process(const struct rln__file *file);

/* The place of a chunk of that many words: places grow, and no two chunks share one.
 * `before` is the one that the caller got last: if the program has overwritten the word
 * in the superblock, places continue far after it. */
uint64_t rln__file_next_place(const struct rln__file *file, uint64_t n_words,
                              uint64_t before);

/* Writes the header of the chunk at `memory`, which is mapped from the file and zeroed.
 * The magic comes last, so that readers see the complete header or none. */
void rln__chunk_begin(void *memory, const struct rln__chunk_header *header);

/* The header of a chunk that begins now. */
void rln__chunk_header_now(struct rln__chunk_header *out, const struct rln__file *file);

#endif
