/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spill.h"
#include "base/alloc.h"
#include "base/allowance.h"
#include "base/fail.h"
#include "base/whole_io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP_BYTES ((size_t)64 << 20)   /* by which the file grows */
#define ANYWAY_BYTES ((size_t)16 << 20) /* on the heap, however small the share is */

/* On the heap, of all arrays of the process. */
static size_t all_heap_bytes;

static void count_heap(struct rln__spill *s, size_t n_bytes)
{
    __atomic_add_fetch(&all_heap_bytes, n_bytes - s->heap_bytes, __ATOMIC_RELAXED);
    s->heap_bytes = n_bytes;
}

/* Whether an array may have so many bytes on the heap. */
static int has_share(const struct rln__spill *s, size_t n_bytes)
{
    const size_t others =
        __atomic_load_n(&all_heap_bytes, __ATOMIC_RELAXED) - s->heap_bytes;

    if (s->most_heap_bytes)
        return n_bytes <= s->most_heap_bytes;
    return n_bytes <= SIZE_MAX - others && (others + n_bytes <= ANYWAY_BYTES ||
                                            others + n_bytes <= rln__memory_share());
}

static rln_status refuse(int error, rln_error *err)
{
    if (error == ENOMEM)
        return rln__fail_nomem(err);
    return rln__fail(
        err, RLN_ERR_IO, 0,
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

/* 0: no memory. */
static int grow_heap(struct rln__spill *s, size_t n, size_t item_bytes)
{
    void *items = rln__resize(s->items, n, item_bytes);

    if (!items)
        return 0;
    s->items = items;
    s->capacity = n;
    count_heap(s, n * item_bytes);
    return 1;
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
    if (result && !s->mapped_bytes)
        (void)close(fd);
    if (result == ENOSYS &&
        !s->mapped_bytes && /* where none can be mapped: a browser */
        (grow_heap(s, n_bytes / item_bytes + s->capacity / 2, item_bytes) ||
         grow_heap(s, n_bytes / item_bytes, item_bytes)))
        return RLN_OK;
    if (result)
        return refuse(result == ENOSYS ? ENOMEM : result, err);
    if (!s->mapped_bytes && s->items) {
        memcpy(items, s->items, s->heap_bytes);
        rln__free(s->items);
        count_heap(s, 0);
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
    const size_t doubled = s->heap_bytes / item_bytes * 2;
    const size_t wanted = doubled > n ? doubled : n;

    if (n <= s->capacity && s->items)
        return RLN_OK;
    if (n > SIZE_MAX / 4 / item_bytes)
        return rln__fail_nomem(err);
    if (!s->mapped_bytes && has_share(s, wanted * item_bytes) &&
        grow_heap(s, wanted, item_bytes))
        return RLN_OK;
    return move_to_file(s, (n * item_bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES,
                        item_bytes, err);
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
        count_heap(s, 0);
    }
    memset(s, 0, sizeof(*s));
}
