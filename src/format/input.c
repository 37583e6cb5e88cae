/* SPDX-License-Identifier: Apache-2.0 */
#include "format/input.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/lease.h"
#include "base/whole_io.h"
#include "format/copy.h"
#include "format/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether it is not one of those that were counted before. */
static int is_another(struct rln__damages *damages, const struct rln__damage *damage)
{
    const uint64_t key =
        rln__mix(damage->offset ^ rln__mix((uintptr_t)damage->path ^
                                           rln__mix((uintptr_t)damage->reason)));

    return damages->others.n < RLN__MAX_COUNTED_DAMAGES &&
           !rln__map_get(&damages->others, key) &&
           rln__map_put(&damages->others, key, 1) == 0;
}

void rln__note_damage(const struct rln__input *file, uint64_t offset,
                      const char *reason)
{
    struct rln__damages *damages = file->damages;
    const size_t n = damages->n_found < RLN__MAX_DAMAGES ? (size_t)damages->n_found
                                                         : RLN__MAX_DAMAGES;

    for (size_t i = 0; i < n; i++) {
        const struct rln__damage *known = &damages->items[i];

        if (known->offset == offset && known->path == file->path &&
            known->reason == reason)
            return;
    }
    if (n < RLN__MAX_DAMAGES)
        damages->items[n] = (struct rln__damage){file->path, offset, reason};
    else if (!is_another(damages, &(struct rln__damage){file->path, offset, reason}))
        return;
    damages->n_found++;
}

void rln__damages_clear(struct rln__damages *damages)
{
    rln__map_clear(&damages->others);
    damages->n_found = 0;
}

/* --- Descriptors ------------------------------------------------------------------ */

/* Does not block on a named pipe. */
static int open_path(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* The file's descriptor, opened if the file rests; or -errno. For release_fd(). */
static int acquire_fd(const struct rln__input *file)
{
    struct stat st;
    int fd;

    if (!file->rests)
        return file->fd;
    fd = open_path(file->path);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) || st.st_dev != file->device || st.st_ino != file->number) {
        (void)close(fd);
        return -ESTALE;
    }
    return fd;
}

static void release_fd(const struct rln__input *file, int fd)
{
    if (file->rests && fd >= 0)
        (void)close(fd);
}

void rln__input_rest(struct rln__input *file)
{
    struct stat st;

    if (file->rests || file->live_fd >= 0 || file->is_import || fstat(file->fd, &st))
        return;
    file->device = st.st_dev;
    file->number = st.st_ino;
    file->rests = 1;
    (void)close(file->fd);
    file->fd = -1;
}

rln_status rln__input_read(const struct rln__input *file, uint64_t offset, void *bytes,
                           size_t n_bytes, size_t *n_read, rln_error *err)
{
    const int fd = acquire_fd(file);
    size_t done = 0;
    const int result = fd < 0 ? fd : rln__read_at(fd, offset, bytes, n_bytes, &done);

    release_fd(file, fd);
    if (result < 0)
        return rln__fail(err, RLN_ERR_IO, offset + done,
                         "cannot read trace: path=\"%.200s\", offset=%llu: %s",
                         file->path, (unsigned long long)offset + done,
                         strerror(-result));
    if (n_read)
        *n_read = done;
    return RLN_OK;
}

rln_status rln__input_identity(const struct rln__input *file, uint64_t offset,
                               struct rln__superblock *out, int *is_damaged,
                               rln_error *err)
{
    const int fd = acquire_fd(file);
    const int result = fd < 0 ? fd : rln__identity_read(fd, offset, out, is_damaged);

    release_fd(file, fd);
    return result == 0
               ? RLN_OK
               : rln__fail(err, RLN_ERR_IO, offset,
                           "cannot read trace: path=\"%.200s\", offset=%llu: %s",
                           file->path, (unsigned long long)offset, strerror(-result));
}

uint64_t rln__input_skip_hole(const struct rln__input *file, uint64_t offset)
{
    const int fd = acquire_fd(file);
    const uint64_t next = fd < 0 ? offset : rln__next_data(fd, offset, file->size);

    release_fd(file, fd);
    return next;
}

/* --- A copy of a trace that is still written -------------------------------------- */

static int needs_copy(int fd)
{
    struct rln__superblock super;
    int is_damaged;

    return rln__identity_read(fd, 0, &super, &is_damaged) == 0 &&
           rln__identity_is_sound(&super) && super.ring.buffer_bytes &&
           super.finished == RLN__GOES_ON && rln__is_open_for_writing(fd) != 0;
}

static rln_status refuse_copy(const struct rln__input *file, int error, rln_error *err)
{
    return rln__fail(
        err, error == ENOMEM ? RLN_ERR_NOMEM : RLN_ERR_IO, 0,
        "cannot read trace: path=\"%.200s\": being recorded, and cannot be copied to "
        "memory: %s\nhint: `rangeline snapshot` copies it to a disk",
        file->path, strerror(error));
}

/* The copy is in memory: the ring buffers limit its size. */
static rln_status copy_live(struct rln__input *file, rln_error *err)
{
    const int live_fd = file->live_fd >= 0 ? file->live_fd : file->fd;
    const int fd = memfd_create("rangeline", MFD_CLOEXEC);
    struct rln__copied copied;
    int result;

    if (fd < 0)
        return refuse_copy(file, errno, err);
    result = rln__copy_trace(live_fd, fd, &copied);
    if (result < 0) {
        (void)close(fd);
        return refuse_copy(file, -result, err);
    }
    if (file->live_fd >= 0)
        (void)close(file->fd);
    file->live_fd = live_fd;
    file->fd = fd;
    file->size = 0;
    return RLN_OK;
}

static rln_status refresh(struct rln__input *file, rln_error *err)
{
    struct stat st;

    if (file->live_fd >= 0 || needs_copy(file->fd)) {
        const rln_status status = copy_live(file, err);

        if (status)
            return status;
    }
    if (fstat(file->fd, &st))
        return rln__fail(err, RLN_ERR_IO, 0, "cannot read trace: path=\"%.200s\": %s",
                         file->path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return rln__fail(err, RLN_ERR_FORMAT, 0,
                         "cannot read trace: path=\"%.200s\": not a regular file",
                         file->path);
    if ((uint64_t)st.st_size > file->size)
        file->size = (uint64_t)st.st_size;
    return RLN_OK;
}

rln_status rln__input_refresh(struct rln__input *file, rln_error *err)
{
    const int rested = file->rests, fd = acquire_fd(file);
    rln_status status;

    if (fd < 0)
        return rln__fail(err, RLN_ERR_IO, 0, "cannot read trace: path=\"%.200s\": %s",
                         file->path, strerror(-fd));
    file->fd = fd;
    file->rests = 0;
    status = refresh(file, err);
    if (rested)
        rln__input_rest(file);
    return status;
}

static rln_status refuse(const struct rln__input *file, rln_error *err, const char *why)
{
    return rln__fail(err, RLN_ERR_FORMAT, 0, "not a trace: path=\"%.200s\", %s",
                     file->path, why);
}

static rln_status check_beginning(const struct rln__input *file, rln_error *err)
{
    struct rln__superblock super;
    rln_status status;
    int is_damaged;

    if (file->size == 0)
        return refuse(file, err,
                      "size=0\nhint: record again: the program may have been killed "
                      "before its first event");
    status = rln__input_identity(file, 0, &super, &is_damaged, err);
    if (status)
        return status;
    if (memcmp(super.magic, RLN__MAGIC, sizeof(super.magic)) != 0)
        return rln__fail(err, RLN_ERR_FORMAT, 0, "not a trace: path=\"%.200s\"",
                         file->path);
    if (file->size < RLN__SUPERBLOCK_BYTES)
        return rln__fail(err, RLN_ERR_FORMAT, 0,
                         "not a whole trace: path=\"%.200s\", size=%llu: less than a "
                         "superblock (65536)",
                         file->path, (unsigned long long)file->size);
    if (super.major != RLN__MAJOR)
        return rln__fail(err, RLN_ERR_VERSION, 8,
                         "trace needs %s reader: path=\"%.200s\", format=%u.%u, "
                         "supported=%d.x",
                         super.major > RLN__MAJOR ? "a newer" : "another", file->path,
                         super.major, super.minor, RLN__MAJOR);
    if (super.superblock_bytes != RLN__SUPERBLOCK_BYTES || super.trace_id == 0)
        return refuse(file, err, "its superblock is damaged");
    return RLN_OK;
}

rln_status rln__input_init(struct rln__input *file, const char *path,
                           struct rln__damages *damages, rln_error *err)
{
    memset(file, 0, sizeof(*file));
    file->damages = damages;
    file->fd = file->live_fd = -1;
    file->path = rln__alloc(strlen(path) + 1, 1);
    if (!file->path)
        return rln__fail_nomem(err);
    strcpy(file->path, path);
    return RLN_OK;
}

rln_status rln__input_open(struct rln__input *file, const char *path,
                           struct rln__damages *damages, rln_error *err)
{
    rln_status status = rln__input_init(file, path, damages, err);

    if (status)
        return status;
    file->fd = open_path(path);
    if (file->fd < 0) {
        status = rln__fail(err, RLN_ERR_IO, 0, "cannot open trace: path=\"%.200s\": %s",
                           path, strerror(errno));
        goto fail;
    }
    status = rln__input_refresh(file, err);
    if (!status)
        status = check_beginning(file, err);
    if (status)
        goto fail;
    return RLN_OK;

fail:
    rln__input_close(file);
    return status;
}

void rln__input_close(struct rln__input *file)
{
    if (file->fd >= 0)
        (void)close(file->fd);
    if (file->live_fd >= 0)
        (void)close(file->live_fd);
    file->fd = file->live_fd = -1;
    rln__free(file->path);
    file->path = NULL;
    for (size_t i = 0; i < RLN__N_GPU_KINDS; i++) {
        rln__free(file->gpu_refusals[i]);
        file->gpu_refusals[i] = NULL;
    }
}
