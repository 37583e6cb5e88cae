/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_open.c - reads a file of reduced traces from the disk. */
#include "reduce/reduced_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/whole_io.h"
#include "reduce/reduced.h"

/* The bytes of a file, owned by the caller. */
static rln_status read_file(const char *path, unsigned char **out, size_t *n,
                            rln_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    int failed;

    *out = NULL;
    if (fd < 0 || fstat(fd, &st) < 0) {
        failed = errno;
    } else if (!S_ISREG(st.st_mode)) {
        failed = EINVAL;
    } else {
        *out = rln__alloc((size_t)st.st_size + 1, 1);
        failed = *out ? -rln__read_at(fd, 0, *out, (size_t)st.st_size, n) : ENOMEM;
    }
    if (fd >= 0)
        (void)close(fd);
    if (!failed)
        return RLN_OK;
    rln__free(*out);
    *out = NULL;
    return failed == ENOMEM
               ? rln__fail_nomem(err)
               : rln__fail(err, RLN_ERR_IO, 0, "cannot read sums: path=\"%.200s\": %s",
                           path, strerror(failed));
}

rln_status rln__reduced_open(const char *path, struct rln__reduced **out,
                             rln_error *err)
{
    unsigned char *bytes;
    size_t n;
    rln_status status = read_file(path, &bytes, &n, err);

    *out = NULL;
    if (status)
        return status;
    status = rln__reduced_read(bytes, n, path, out, err);
    rln__free(bytes);
    return status;
}

int rln__reduced_is(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char bytes[RLN__REDUCED_MAGIC_BYTES];
    size_t n = 0;
    int is_file = 0;
    struct stat st;

    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        is_file = rln__read_at(fd, 0, bytes, sizeof(bytes), &n) == 0;
    (void)close(fd);
    return is_file && rln__reduced_has_magic(bytes, n);
}
