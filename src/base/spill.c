/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spill.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/whole_io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_HEAP_BYTES ((size_t)16 << 20)
#define STEP_BYTES ((size_t)64 << 20) /* by which the file grows */

static rln_status refuse(int error, rln_error *err)
{
    return rln__fail(
        err, error == ENOMEM ? RLN_ERR_NOMEM : RLN_ERR_IO, 0,
        "cannot write temporary file: %s\nhint: set TMPDIR to a folder with more space",
        strerror(error));
}

/* The disk is reserved before it is mapped: full, it is an error and no SIGBUS. */
static int map(int fd, size_t n_bytes, struct rln__spill *s, void **out)
{
    int result = posix_fallocate(fd, 0, (off_t)n_bytes);

    if (result)
        return result;
    *out = s->mapped_bytes
               ? mremap(s->items, s->mapped_bytes, n_bytes, MREMAP_MAYMOVE)
               : mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return *out == MAP_FAILED ? errno : 0;
}

static rln_status move_to_file(struct rln__spill *s, size_t n_bytes, size_t item_bytes,
                               rln_error *err)
{
    const int fd = s->mapped_bytes ? s->fd : rln__unnamed_file();
    void *items;
    int result;

    if (fd < 0)
        return refuse(-fd, err);
    result = map(fd, n_bytes, s, &items);
    if (result) {
        if (!s->mapped_bytes)
            (void)close(fd);
        return refuse(result, err);
    }
    if (!s->mapped_bytes && s->items) {
        memcpy(items, s->items, s->capacity * item_bytes);
        rln__free(s->items);
    }
    s->items = items;
    s->fd = fd;
    s->mapped_bytes = n_bytes;
    s->capacity = n_bytes / item_bytes;
    return RLN_OK;
}

rln_status rln__spill_room(struct rln__spill *s, size_t n, size_t item_bytes,
                           rln_error *err)
{
    size_t n_bytes;
    void *moved;

    if (n <= s->capacity && s->items)
        return RLN_OK;
    if (n > SIZE_MAX / 2 / item_bytes)
        return rln__fail_nomem(err);
    n_bytes = (n * item_bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    if (s->mapped_bytes || n * item_bytes > MOST_HEAP_BYTES)
        return move_to_file(s, n_bytes, item_bytes, err);
    moved = rln__grow(s->items, &s->capacity, n, item_bytes);
    if (!moved)
        return rln__fail_nomem(err);
    s->items = moved;
    return RLN_OK;
}

void rln__spill_rest(struct rln__spill *s)
{
    __atomic_store_n(&s->n_accesses, 0, __ATOMIC_RELAXED);
    if (s->mapped_bytes)
        (void)madvise(s->items, s->mapped_bytes, MADV_DONTNEED);
}

void rln__spill_clear(struct rln__spill *s)
{
    if (s->mapped_bytes) {
        (void)munmap(s->items, s->mapped_bytes);
        (void)close(s->fd);
    } else {
        rln__free(s->items);
    }
    memset(s, 0, sizeof(*s));
}
