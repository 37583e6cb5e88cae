/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_file.c - how SQLite reads the file of a page: it has a file system of its own,
 * in which nothing can be written, locked or deleted, and no file has companions. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_io.h"

/* Bytes 18 and 19 of a database: 1, it has a rollback journal; 2, a write-ahead log. */
#define VERSIONS_AT 18
#define ROLLBACK_JOURNAL 1

struct file {
    sqlite3_file base;
    int fd;
};

static int fd_of(const sqlite3_file *file)
{
    return ((const struct file *)(const void *)file)->fd;
}

static int close_file(sqlite3_file *file)
{
    (void)close(fd_of(file));
    return SQLITE_OK;
}

/* The log is another file, which a page has not, and all that was moved out of it can be
 * read without one. */
static void hide_log(uint8_t *bytes, int64_t n_bytes, int64_t at)
{
    for (int64_t i = VERSIONS_AT; i < VERSIONS_AT + 2; i++) {
        if (i >= at && i - at < n_bytes && bytes[i - at] == 2)
            bytes[i - at] = ROLLBACK_JOURNAL;
    }
}

static int read_file(sqlite3_file *file, void *to, int n_bytes, sqlite3_int64 at)
{
    size_t n_read;

    if (rln__read_at(fd_of(file), (uint64_t)at, to, (size_t)n_bytes, &n_read))
        return SQLITE_IOERR_READ;
    hide_log(to, n_bytes, at);
    return n_read < (size_t)n_bytes ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int get_size(sqlite3_file *file, sqlite3_int64 *size)
{
    struct stat st;

    if (fstat(fd_of(file), &st))
        return SQLITE_IOERR_FSTAT;
    *size = st.st_size;
    return SQLITE_OK;
}

static int refuse_write(sqlite3_file *file, const void *from, int n_bytes,
                        sqlite3_int64 at)
{
    (void)file;
    (void)from;
    (void)n_bytes;
    (void)at;
    return SQLITE_READONLY;
}

static int refuse_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    (void)file;
    (void)size;
    return SQLITE_READONLY;
}

/* A lock, or that what was written is on the disk. */
static int grant(sqlite3_file *file, int kind)
{
    (void)file;
    (void)kind;
    return SQLITE_OK;
}

static int check_lock(sqlite3_file *file, int *is_locked)
{
    (void)file;
    *is_locked = 0;
    return SQLITE_OK;
}

static int control(sqlite3_file *file, int what, void *argument)
{
    (void)file;
    (void)what;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int sector_bytes(sqlite3_file *file)
{
    (void)file;
    return 0; /* the usual */
}

static int characteristics(sqlite3_file *file)
{
    (void)file;
    return SQLITE_IOCAP_IMMUTABLE;
}

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                     int *out_flags)
{
    static const sqlite3_io_methods methods = {.iVersion = 1,
                                               .xClose = close_file,
                                               .xRead = read_file,
                                               .xWrite = refuse_write,
                                               .xTruncate = refuse_truncate,
                                               .xSync = grant,
                                               .xFileSize = get_size,
                                               .xLock = grant,
                                               .xUnlock = grant,
                                               .xCheckReservedLock = check_lock,
                                               .xFileControl = control,
                                               .xSectorSize = sector_bytes,
                                               .xDeviceCharacteristics =
                                                   characteristics};
    const int fd = path && flags & SQLITE_OPEN_MAIN_DB ? open(path, O_RDONLY) : -1;

    (void)vfs;
    *(struct file *)(void *)file =
        (struct file){.base.pMethods = fd < 0 ? NULL : &methods, .fd = fd};
    if (out_flags)
        *out_flags = SQLITE_OPEN_READONLY;
    return fd < 0 ? SQLITE_CANTOPEN : SQLITE_OK;
}

static int delete_nothing(sqlite3_vfs *vfs, const char *path, int is_synced)
{
    (void)vfs;
    (void)path;
    (void)is_synced;
    return SQLITE_IOERR_DELETE;
}

/* It asks for companions. */
static int find(sqlite3_vfs *vfs, const char *path, int what, int *is_there)
{
    (void)vfs;
    (void)path;
    (void)what;
    *is_there = 0;
    return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *path, int n_bytes, char *out)
{
    const size_t n = strlen(path) + 1;

    (void)vfs;
    if (n > (size_t)n_bytes)
        return SQLITE_CANTOPEN;
    memcpy(out, path, n);
    return SQLITE_OK;
}

/* For names of temporary files, of which there are none. */
static int randomness(sqlite3_vfs *vfs, int n_bytes, char *out)
{
    (void)vfs;
    memset(out, 0, (size_t)n_bytes);
    return n_bytes;
}

static int sleep_not(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    (void)us;
    return 0;
}

/* No question is about the present. */
static int get_time(sqlite3_vfs *vfs, double *days)
{
    (void)vfs;
    *days = 0;
    return SQLITE_OK;
}

static int last_error(sqlite3_vfs *vfs, int n_bytes, char *out)
{
    (void)vfs;
    (void)n_bytes;
    (void)out;
    return errno;
}

int sqlite3_os_init(void)
{
    static sqlite3_vfs vfs = {.iVersion = 1,
                              .szOsFile = sizeof(struct file),
                              .mxPathname = 4096,
                              .zName = "page",
                              .xOpen = open_file,
                              .xDelete = delete_nothing,
                              .xAccess = find,
                              .xFullPathname = full_path,
                              .xRandomness = randomness,
                              .xSleep = sleep_not,
                              .xCurrentTime = get_time,
                              .xGetLastError = last_error};

    return sqlite3_vfs_register(&vfs, 1);
}

int sqlite3_os_end(void)
{
    return SQLITE_OK;
}
