/* SPDX-License-Identifier: Apache-2.0 */
#include "output/output.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/remove_tree.h"
#include "base/shell_word.h"
#include "base/whole_io.h"
#include "output/codec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A longer command would not fit into the message whole. */
#define MOST_HINTED 150

static const char *name_of(const struct rln__output *o)
{
    return o->path ? o->path : "-";
}

static rln_status refuse(const struct rln__output *o, rln_error *err)
{
    const int why = errno;
    const char *slash = o->path ? strrchr(o->path, '/') : NULL;
    char folder[PATH_MAX];
    struct rln__buf word = {0};
    rln_status status;

    (void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - o->path) : 0,
                   name_of(o));
    if (why == ENOENT && *folder && strlen(folder) < MOST_HINTED &&
        access(folder, F_OK) < 0) {
        rln__buf_shell_word(&word, folder, strlen(folder));
        status = rln__fail(err, RLN_ERR_IO, 0,
                           "cannot write file: path=\"%s\": %s\nhint: `mkdir -p %.*s`",
                           name_of(o), strerror(why), (int)word.length,
                           word.bytes ? word.bytes : "");
        rln__buf_clear(&word);
        return status;
    }
    return rln__fail(err, RLN_ERR_IO, 0, "cannot write file: path=\"%s\": %s",
                     name_of(o), strerror(why));
}

static rln_status refuse_existing(const struct rln__output *o, rln_error *err)
{
    return rln__fail(err, RLN_ERR_IO, 0,
                     "cannot write file: path=\"%s\": File exists\n"
                     "hint: choose another name, or replace it with -f",
                     name_of(o));
}

/* Whether all files have that extension. An empty folder is one, too. */
static int has_only(const char *path, const char *extension)
{
    const size_t tail = strlen(extension);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    int has_others = !folder;

    while (folder && !has_others && (entry = readdir(folder))) {
        const size_t length = strlen(entry->d_name);

        has_others =
            strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (length <= tail || strcmp(entry->d_name + length - tail, extension) != 0);
    }
    if (folder)
        (void)closedir(folder);
    return !has_others;
}

/* Refuses a folder that no such export has made: -f for it is probably a mistake. */
static rln_status check_folder(const struct rln__output *o, rln_error *err)
{
    char anchor[PATH_MAX];

    (void)snprintf(anchor, sizeof(anchor), "%s/traces.otf2", o->path);
    if (o->extension ? has_only(o->path, o->extension) : access(anchor, F_OK) == 0)
        return RLN_OK;
    return rln__fail(
        err, RLN_ERR_IO, 0,
        "cannot write folder: path=\"%s\": %s%s\nhint: choose another name", o->path,
        o->extension ? "it has files other than *" : "it is no archive of OTF2",
        o->extension ? o->extension : "");
}

/* DIR/.NAME.PID.part: in the same folder, so that it can be renamed. */
static int make_names(struct rln__output *o, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    const size_t length = strlen(path);

    o->path = rln__alloc(length + 1, 1);
    o->part = rln__alloc(length + 32, 1);
    if (!o->path || !o->part)
        return -1;
    memcpy(o->path, path, length);
    (void)snprintf(o->part, length + 32, "%.*s.%s.%ld.part", (int)folder, path,
                   path + folder, (long)getpid());
    return 0;
}

/* Opens a device or a pipe, which is written to directly and never replaced. */
static rln_status open_stream(struct rln__output *o, mode_t mode,
                              enum rln__output_kind kind, rln_error *err)
{
    rln__free(o->part);
    o->part = NULL;
    if (kind != RLN__OUTPUT_STREAM || !(S_ISCHR(mode) || S_ISFIFO(mode)))
        return rln__fail(err, RLN_ERR_IO, 0,
                         "cannot write file: path=\"%s\": not a regular file",
                         name_of(o));
    o->fd = open(o->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return o->fd < 0 ? refuse(o, err) : RLN_OK;
}

static rln_status open_part(struct rln__output *o, enum rln__output_kind kind,
                            rln_error *err)
{
    rln__remove_tree(o->part); /* from a killed process with the same pid */
    if (kind == RLN__OUTPUT_FOLDER)
        return mkdir(o->part, 0777) ? refuse(o, err) : RLN_OK;
    o->fd = open(o->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (o->fd < 0)
        return refuse(o, err);
    if (kind == RLN__OUTPUT_FILE) {
        (void)close(o->fd);
        o->fd = -1;
    }
    return RLN_OK;
}

static rln_status open_name(struct rln__output *o, enum rln__output_kind kind,
                            rln_error *err)
{
    struct stat st;

    if (stat(o->path, &st) == 0 &&
        S_ISDIR(st.st_mode) != (kind == RLN__OUTPUT_FOLDER) &&
        (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTDIR;
        return refuse(o, err);
    }
    if (stat(o->path, &st) == 0 && S_ISDIR(st.st_mode)) {
        const rln_status status = o->may_replace ? check_folder(o, err) : RLN_OK;

        if (status)
            return status;
    } else if (stat(o->path, &st) == 0 && !S_ISREG(st.st_mode)) {
        return open_stream(o, st.st_mode, kind, err);
    }
    if (!o->may_replace && lstat(o->path, &st) == 0)
        return refuse_existing(o, err);
    return open_part(o, kind, err);
}

static rln_status open_as(struct rln__output *o, const char *path, int may_replace,
                          enum rln__output_kind kind, const char *extension,
                          rln_error *err)
{
    char target[PATH_MAX];
    rln_status status;

    memset(o, 0, sizeof(*o));
    o->fd = -1;
    o->may_replace = may_replace;
    o->extension = extension;
    if (strcmp(path, "-") == 0) {
        o->fd = STDOUT_FILENO;
        return RLN_OK;
    }
    status = rln__codec_new(path, &o->codec, err);
    if (status)
        return status;
    /* Replaces the target of a link; the link stays. */
    if (make_names(o, may_replace && realpath(path, target) ? target : path)) {
        rln__free(o->path); /* no file to remove yet */
        rln__free(o->part);
        o->path = o->part = NULL;
        return rln__fail_nomem(err);
    }
    return open_name(o, kind, err);
}

rln_status rln__output_open(struct rln__output *o, const char *path, int may_replace,
                            enum rln__output_kind kind, rln_error *err)
{
    return open_as(o, path, may_replace, kind, NULL, err);
}

rln_status rln__output_open_folder(struct rln__output *o, const char *path,
                                   int may_replace, const char *extension,
                                   rln_error *err)
{
    return open_as(o, path, may_replace, RLN__OUTPUT_FOLDER, extension, err);
}

static rln_status write_all(struct rln__output *o, const char *bytes, size_t length,
                            rln_error *err)
{
    while (length) {
        const ssize_t n = write(o->fd, bytes, length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return refuse(o, err);
        bytes += n;
        length -= (size_t)n;
    }
    return RLN_OK;
}

static rln_status flush(struct rln__output *o, int is_end, rln_error *err)
{
    rln_text bytes = {o->buf.bytes, o->buf.length};
    rln_status status = RLN_OK;

    if (o->buf.has_failed)
        return rln__fail_nomem(err);
    o->buf.length = 0;
    if (!o->codec)
        return write_all(o, bytes.bytes, bytes.length, err);
    rln__codec_begin(o->codec, bytes, is_end);
    while (!status && rln__codec_next(o->codec, &bytes, &status, err))
        status = write_all(o, bytes.bytes, bytes.length, err);
    return status;
}

rln_status rln__output_flush(struct rln__output *o, rln_error *err)
{
    return flush(o, 0, err);
}

/* Moves the existing folder away, and removes it when the new one has its name. */
static rln_status replace_folder(struct rln__output *o, rln_error *err)
{
    struct rln__buf old = {0};
    rln_status status = check_folder(o, err);

    rln__buf_format(&old, "%s.old", o->part);
    if (!status && old.has_failed)
        status = rln__fail_nomem(err);
    else if (!status && rename(o->path, old.bytes))
        status = refuse(o, err);
    else if (!status && rename(o->part, o->path)) {
        status = refuse(o, err);
        (void)rename(old.bytes, o->path);
    } else if (!status)
        rln__remove_tree(old.bytes);
    rln__buf_clear(&old);
    return status;
}

static rln_status give_name(struct rln__output *o, rln_error *err)
{
    struct stat st;
    int result;

    if (o->may_replace && lstat(o->path, &st) == 0 && S_ISDIR(st.st_mode))
        return replace_folder(o, err);
    result = rln__give_name(o->part, o->path, o->may_replace);
    if (result == -EEXIST && !o->may_replace)
        return refuse_existing(o, err);
    errno = -result;
    return result < 0 ? refuse(o, err) : RLN_OK;
}

rln_status rln__output_end(struct rln__output *o, rln_error *err)
{
    rln_status status = RLN_OK;

    if (o->fd >= 0)
        status = flush(o, 1, err);
    if (status || !o->path)
        return status;
    if (o->fd >= 0 && close(o->fd)) { /* reports a full network disk */
        o->fd = -1;
        return refuse(o, err);
    }
    o->fd = -1;
    status = o->part ? give_name(o, err) : RLN_OK;
    o->is_ended = !status;
    return status;
}

void rln__output_clear(struct rln__output *o)
{
    if (o->path && o->fd >= 0)
        (void)close(o->fd);
    if (o->part && !o->is_ended)
        rln__remove_tree(o->part);
    rln__free(o->path);
    rln__free(o->part);
    rln__buf_clear(&o->buf);
    rln__codec_free(o->codec);
    memset(o, 0, sizeof(*o));
    o->fd = -1;
}
