/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.c - writes several traces as one: two traces in a row are a trace of both
 * (docs/reference/FORMAT.md 2), so they are copied as they are.
 */
#include "rewrite/rewrite.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/fail.h"
#include "base/whole_io.h"
#include "trace/open/load.h"

static rln_status fail_write(int error, uint64_t at, rln_error *err)
{
    return rln__fail(err, RLN_ERR_IO, at, "cannot write trace: offset=%llu: %s",
                     (unsigned long long)at, strerror(error));
}

/* Appends a file at `*at`, holes as holes, and moves `*at` to where the next may
 * begin. */
static rln_status append(const struct rln__input *file, int to, uint64_t *at,
                         rln_error *err)
{
    uint64_t block[RLN__BLOCK_ALIGN / sizeof(uint64_t)];
    size_t n = sizeof(block);

    const uint64_t begin = *at;

    for (uint64_t from = 0; n == sizeof(block); from += n) {
        rln_status status;
        int result;

        from = rln__input_skip_hole(file, from) / sizeof(block) * sizeof(block);
        *at = begin + from;
        status = rln__input_read(file, from, block, sizeof(block), &n, err);
        if (status)
            return status;
        memset((char *)block + n, 0, sizeof(block) - n);
        result = n ? rln__write_sparse(to, *at, block, sizeof(block)) : 0;
        if (result < 0)
            return fail_write(-result, *at, err);
        *at += n;
    }
    *at = (*at + RLN__BLOCK_ALIGN - 1) / RLN__BLOCK_ALIGN * RLN__BLOCK_ALIGN;
    return RLN_OK;
}

/* The correction for a part's time of day. */
static int64_t correction(const rln_reader *reader, size_t part)
{
    const struct rln__shift *shift = &reader->shifts[part];
    const struct rln__clock_tuple *created =
        &reader->layout.parts[part].super.created[0];
    const int64_t offset_ns = reader->clock_fits[part].offset_ns - shift->by_ns;

    return rln__shift_at(shift, (int64_t)(created->monotonic_ns + (uint64_t)offset_ns));
}

/* Corrects the copy of a file, which begins at `begin`. */
static rln_status correct_clocks(const rln_reader *reader,
                                 const struct rln__input *file, int to, uint64_t begin,
                                 rln_error *err)
{
    for (size_t i = 0; i < reader->layout.n_parts; i++) {
        const struct rln__part *part = &reader->layout.parts[i];
        const int64_t by_ns = part->file == file ? correction(reader, i) : 0;
        const uint64_t at =
            begin + part->offset + offsetof(struct rln__superblock, created);
        struct rln__clock_tuple created[RLN_COUNT(part->super.created)];
        int result;

        if (by_ns == 0)
            continue;
        memcpy(created, part->super.created, sizeof(created));
        for (size_t k = 0; k < RLN_COUNT(created); k++)
            created[k].realtime_ns += (uint64_t)by_ns;
        result = rln__write_at(to, at, created, sizeof(created));
        if (result < 0)
            return fail_write(-result, at, err);
    }
    return RLN_OK;
}

rln_status rln__reader_merge(const rln_reader *reader, int fd,
                             struct rln__merge_result *out, rln_error *err)
{
    uint64_t at = 0;

    for (size_t i = 0; i < reader->n_files; i++) {
        const struct rln__input *file = reader->files[i];
        const uint64_t begin = at;
        rln_status status = append(file, fd, &at, err);

        if (!status)
            status = correct_clocks(reader, file, fd, begin, err);
        if (status)
            return status;
    }
    if (ftruncate(fd, (off_t)at) < 0)
        return fail_write(errno, at, err);
    *out = (struct rln__merge_result){.n_bytes = at, .n_parts = reader->layout.n_parts};
    return RLN_OK;
}
