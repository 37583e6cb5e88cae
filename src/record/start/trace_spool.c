/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/trace_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/whole_io.h"
#include "console/die.h"
#include "format/trace_path.h"
#include "record/start/launch_signals.h"

#define STEP_BYTES (1u << 20)

void rln__trace_spool_open(struct rln__trace_spool *out, const char *folder)
{
    struct stat st;
    int error = 0;

    out->folder[0] = '\0';
    if (!folder)
        return;
    if (!realpath(folder, out->folder) || stat(out->folder, &st) < 0)
        error = errno;
    else if (!S_ISDIR(st.st_mode))
        error = ENOTDIR;
    if (!error)
        return;
    rln__complain("cannot record: --spool=\"%s\": %s", folder, strerror(error));
    rln__hint("use a folder on a fast disk or in memory, such as /dev/shm");
    exit(RLN__EXIT_USAGE);
}

/* --- The link --------------------------------------------------------------------- */

int rln__trace_spool_link(struct rln__trace_spool *out, const char *name,
                          const char *run)
{
    const char *base = rln__file_name(name);
    const int n =
        snprintf(out->path, sizeof(out->path), "%s/%.*s-%.8s" RLN__TRACE_SUFFIX,
                 out->folder, (int)rln__path_stem(base), base, run);

    if (n < 0 || (size_t)n >= sizeof(out->path))
        return -ENAMETOOLONG;
    if (symlink(out->path, name) < 0)
        return -errno;
    (void)open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return 0;
}

static bool is_linked(const struct rln__trace_spool *spool, const char *name)
{
    char target[PATH_MAX];
    const ssize_t n = readlink(name, target, sizeof(target));

    return n >= 0 && (size_t)n == strlen(spool->path) &&
           memcmp(target, spool->path, (size_t)n) == 0;
}

void rln__trace_spool_unlink(const struct rln__trace_spool *spool, const char *name)
{
    if (is_linked(spool, name))
        (void)unlink(name);
}

/* --- Moving ----------------------------------------------------------------------- */

static int copy_piece(int from, int to, char *buffer, off_t at, off_t end)
{
    while (at < end) {
        const size_t n = end - at < (off_t)STEP_BYTES ? (size_t)(end - at) : STEP_BYTES;
        size_t n_read;
        int result = rln__read_at(from, (uint64_t)at, buffer, n, &n_read);

        if (result == 0)
            result = rln__write_at(to, (uint64_t)at, buffer, n_read);
        if (rln__launch_is_interrupted())
            return -EINTR;
        if (result < 0 || n_read < n) /* it got shorter: it has no writer */
            return result;
        at += (off_t)n;
    }
    return 0;
}

/* Holes stay holes: unused parts of a trace need no room. */
static int copy_pieces(int from, int to, char *buffer)
{
    struct stat st;
    off_t at = 0;
    int result = fstat(from, &st) < 0 ? -errno : 0;

    while (result == 0 && at < st.st_size) {
        const off_t data = lseek(from, at, SEEK_DATA);
        off_t hole;

        if (data < 0 && errno == ENXIO)
            break;
        if (data < 0)
            return copy_piece(from, to, buffer, at, st.st_size);
        hole = lseek(from, data, SEEK_HOLE);
        at = hole < 0 ? st.st_size : hole;
        result = copy_piece(from, to, buffer, data, at);
    }
    if (result == 0 && ftruncate(to, st.st_size) < 0)
        result = -errno;
    /* The original is removed next. */
    return result == 0 && fsync(to) < 0 ? -errno : result;
}

static int copy_to(const char *from_path, const char *to_path)
{
    const int from = open(from_path, O_RDONLY | O_CLOEXEC);
    const int to =
        open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    char *buffer = malloc(STEP_BYTES);
    int result = from < 0 || to < 0 ? -errno : buffer ? 0 : -ENOMEM;

    if (result == 0)
        result = copy_pieces(from, to, buffer);
    if (to >= 0 && close(to) < 0 && result == 0)
        result = -errno;
    if (result < 0 && to >= 0)
        (void)unlink(to_path);
    if (from >= 0)
        (void)close(from);
    free(buffer);
    return result;
}

/* To another file system: under a temporary name until it is complete. */
static int copy_over(const struct rln__trace_spool *spool, const char *name)
{
    char *whole;
    int result;

    if (asprintf(&whole, "%s.%ld", name, (long)getpid()) < 0)
        return -ENOMEM;
    result = copy_to(spool->path, whole);
    if (result == 0 && rename(whole, name) < 0) {
        result = -errno;
        (void)unlink(whole);
    }
    if (result == 0)
        (void)unlink(spool->path);
    free(whole);
    return result;
}

int rln__trace_spool_move(const struct rln__trace_spool *spool, const char *name)
{
    if (!is_linked(spool, name))
        return -ESTALE;
    if (rename(spool->path, name) == 0)
        return 0;
    return errno == EXDEV ? copy_over(spool, name) : -errno;
}
