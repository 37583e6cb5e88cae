/* SPDX-License-Identifier: Apache-2.0 */
/* trim.c - turns the zeros at the ends of chunks into holes.
 *
 *   |header words words 0 0 0 0|header words 0 0|0 0 0 0 0 0 0 0 0|
 *                      ^~~~~~~~              ^~~~^~~~~~~~~~~~~~~~~   holes, 4 KiB each
 *
 * A chunk's header is only used to find the chunk's end: with a wrong size, a hole may
 * be missed, but a byte that is not zero is never lost. The last record may itself end
 * with zeros, so the file is truncated after that record.
 */
#include "format/trim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_io.h"
#include "format/layout.h"

#define PAGE_BYTES 4096u
#define STEP_BYTES 65536u

struct trimmer {
    int fd;
    int (*is_stopped)(void);
    uint64_t file_bytes;
    uint64_t used_end; /* after the last byte that is not zero */
    uint64_t last_at;  /* the region that contains that byte */
    uint64_t last_bytes;
    uint64_t punched_bytes;
    bool has_holes; /* false after the file system rejected a hole */
    uint64_t step[STEP_BYTES / 8];
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* `*end` is after the last word in [from, to) that is not zero; `from` if all are zero.
 */
static int find_end(struct trimmer *t, uint64_t from, uint64_t to, uint64_t *end)
{
    while (to > from) {
        const uint64_t at = to - from > STEP_BYTES ? to - STEP_BYTES : from;
        const int result = rln__read_at(t->fd, at, t->step, (size_t)(to - at), NULL);

        if (result < 0)
            return result;
        for (size_t i = (size_t)(round_up(to - at, 8) / 8); i > 0; i--) {
            if (t->step[i - 1]) {
                *end = at + i * 8;
                return 0;
            }
        }
        to = at;
    }
    *end = from;
    return 0;
}

/* The bytes until the next offset where a chunk may begin. */
static int region_bytes(struct trimmer *t, uint64_t at, uint64_t *out)
{
    struct rln__chunk_header header;
    const int result = rln__read_at(t->fd, at, t->step, sizeof(header), NULL);

    memcpy(&header, t->step, sizeof(header));
    *out = RLN__CHUNK_ALIGN;
    if (rln__is_chunk(&header))
        *out = header.size_bytes;
    if (*out > t->file_bytes - at)
        *out = t->file_bytes - at;
    return result;
}

static int punch(struct trimmer *t, uint64_t from, uint64_t to)
{
    int result;

    if (to <= from || !t->has_holes)
        return 0;
    do
        result = fallocate(t->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                           (off_t)from, (off_t)(to - from));
    while (result < 0 && errno == EINTR);
    if (result == 0) {
        t->punched_bytes += to - from;
        return 0;
    }
    t->has_holes = false;
    return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -errno;
}

/* Punches the unused end of each region; adjacent holes become one. The time depends on
 * the data in the file, not on its size: a program that overwrites the superblock can
 * make a nearly empty file of terabytes. */
static int punch_all(struct trimmer *t)
{
    uint64_t hole = 0; /* begin of the hole that ends at `at` */
    uint64_t at = 0;
    uint64_t n_bytes;
    uint64_t end = 0;
    int result;

    for (; at < t->file_bytes; at += n_bytes) {
        at = rln__next_data(t->fd, at, t->file_bytes) / RLN__CHUNK_ALIGN *
             RLN__CHUNK_ALIGN;
        if (t->is_stopped && t->is_stopped())
            return -EINTR;
        result = region_bytes(t, at, &n_bytes);
        if (result == 0)
            result = find_end(t, at, at + n_bytes, &end);
        if (result < 0)
            return result;
        if (end == at)
            continue; /* only zeros: the hole extends */
        result = punch(t, hole, at);
        if (result < 0)
            return result;
        hole = round_up(end, PAGE_BYTES);
        t->used_end = end;
        t->last_at = at;
        t->last_bytes = n_bytes;
    }
    return punch(t, hole, t->file_bytes);
}

/* Moves `used_end` to the end of the record that contains it. In a region without
 * records, it may move within the region, which is harmless. */
static int include_last_record(struct trimmer *t)
{
    const uint64_t limit = t->last_at + t->last_bytes;
    uint64_t at = t->last_at + RLN__CHUNK_HEADER_BYTES;
    uint64_t step_at = at, step_end = at;

    while (at < t->used_end) {
        uint64_t n_words;

        if (at >= step_end) {
            const uint64_t n_bytes = limit - at < STEP_BYTES ? limit - at : STEP_BYTES;
            const int result = rln__read_at(t->fd, at, t->step, n_bytes, NULL);

            if (result < 0)
                return result;
            step_at = at;
            step_end = at + n_bytes;
        }
        n_words = rln__record_words(t->step[(at - step_at) / 8]);
        at += n_words && n_words <= (limit - at) / 8 ? n_words * 8 : 8;
    }
    if (at > t->used_end)
        t->used_end = at;
    return 0;
}

int rln__trim(int fd, int (*is_stopped)(void), struct rln__trim *out)
{
    struct trimmer t = {.fd = fd, .is_stopped = is_stopped, .has_holes = true};
    struct stat st;
    uint64_t new_end;
    int result;

    *out = (struct rln__trim){0};
    if (fstat(fd, &st) < 0)
        return -errno;
    t.file_bytes = (uint64_t)st.st_size;
    result = punch_all(&t);
    if (result == 0)
        result = include_last_record(&t);
    if (result < 0)
        return result;
    new_end = round_up(t.used_end, RLN__BLOCK_ALIGN);
    if (new_end < t.file_bytes) {
        if (ftruncate(fd, (off_t)new_end) < 0)
            return -errno;
        t.file_bytes = new_end;
    }
    out->file_bytes = t.file_bytes;
    out->punched_bytes = t.punched_bytes;
    return 0;
}
