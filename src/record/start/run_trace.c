/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/run_trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/count.h"
#include "base/file_name.h"
#include "base/whole_io.h"
#include "console/die.h"
#include "format/job_variables.h"
#include "format/trace_path.h"
#include "record/start/found_run.h"
#include "record/start/output_name.h"

/* --- Refusals --------------------------------------------------------------------- */

/* Each rank of a job runs this command, and a name is for only one of them. */
static void hint_other_name(const char *output)
{
    static const char *const variables[] = {RLN__RANK_VARIABLES};
    const size_t length = strlen(output);
    const bool has_suffix = length > 4 && strcmp(output + length - 4, ".rln") == 0;
    char name[PATH_MAX + 64];

    for (size_t i = 0; i < RLN_COUNT(variables); i++) {
        if (!getenv(variables[i]) || strstr(output, variables[i]))
            continue;
        (void)snprintf(name, sizeof(name), "%.*s-%%q{%s}",
                       (int)(length - (has_suffix ? 4 : 0)), output, variables[i]);
        rln__hint("give each rank its own name: `-o %s`", name);
        return;
    }
    rln__hint("choose another name with -o, or replace it with -f");
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static _Noreturn void refuse(const char *path, const char *output, int error)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    (void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 0,
                   path);
    if (error == EEXIST && is_folder(path)) /* -f does not replace it */
        error = EISDIR;
    rln__complain("cannot create trace: path=\"%s\": %s", path, strerror(error));
    if (error == EISDIR)
        rln__hint("choose another name with -o");
    else if (error == EEXIST)
        hint_other_name(output);
    else if (error == ENOENT && slash && access(folder, F_OK) < 0)
        rln__hint("`mkdir -p %s`", folder);
    else if (error == ENOSPC)
        rln__hint("recording leaves 2 %% of a disk free, at least 256 MiB, but at "
                  "most an eighth of it: free some, or choose another folder with -o");
    else if (error == ENAMETOOLONG)
        rln__hint("use a shorter name with -o");
    else if (error == EFBIG)
        rln__hint("raise the shell's file size limit: `ulimit -f`");
    else
        rln__hint("choose another folder with -o");
    exit(RLN__EXIT_USAGE); /* 1 could be the program's own status */
}

void rln__run_trace_refuse(const struct rln__run_trace *t, const char *output,
                           int error)
{
    refuse(t->spool.folder[0] ? t->spool.path : t->path, output, error);
}

static _Noreturn void refuse_blocked(const char *blocker, const char *option,
                                     const char *output)
{
    rln__complain("cannot record: %s=\"%s\": %s", option, blocker, strerror(EEXIST));
    hint_other_name(output);
    exit(RLN__EXIT_USAGE);
}

/* Refuses to replace `path` while a run writes to the trace `recorded`, which is that
 * file or about to replace it: the events of one of the two runs would be lost. */
static void check_not_recorded(const char *path, const char *recorded)
{
    const pid_t writer = rln__run_writer(recorded);
    char process[64] = "a process";

    if (!writer)
        return;
    if (writer > 0)
        (void)snprintf(process, sizeof(process), "process %d", (int)writer);
    if (strcmp(path, recorded) == 0)
        rln__complain("cannot replace trace: path=\"%s\": %s is recording it", path,
                      process);
    else
        rln__complain("cannot replace trace: path=\"%s\": %s is recording %s, which "
                      "will replace it",
                      path, process, recorded);
    rln__hint("wait until that run has ended, or choose another name with -o");
    exit(RLN__EXIT_USAGE);
}

static void check_replaceable(const char *path)
{
    if (is_folder(path)) {
        rln__complain("cannot replace trace: path=\"%s\": %s", path, strerror(EISDIR));
        rln__hint("choose another name with -o");
        exit(RLN__EXIT_USAGE);
    }
    check_not_recorded(path, path);
}

#define MOST_STEM ((size_t)NAME_MAX - sizeof(".new-1000" RLN__TRACE_SUFFIX))

/* --- Creating --------------------------------------------------------------------- */

/* Creates the file `t->path`, or in the spool folder with a link to it. Negative errno:
 * -EEXIST if the name is taken. */
static int create_file(struct rln__run_trace *t, const struct rln__run_trace_request *r)
{
    const enum rln__clock_kind clock = rln__clock_choose();
    const char *recorded_as = t->path;
    int result;

    if (t->spool.folder[0]) {
        result = rln__trace_spool_link(&t->spool, t->path, r->run_id_text);
        if (result < 0)
            return result;
        recorded_as = t->spool.path;
    }
    result =
        rln__file_create(&t->file, recorded_as, r->run_id, clock, 0, r->buffer_bytes);
    if (result < 0 && t->spool.folder[0])
        rln__trace_spool_unlink(&t->spool, t->path);
    return result;
}

/* Creates the file beside the older trace that it will replace. A file of that name,
 * left by a killed launcher, stays, too. */
static int create_beside(struct rln__run_trace *t,
                         const struct rln__run_trace_request *r)
{
    const size_t n_folder = (size_t)(rln__file_name(t->final_path) - t->final_path);
    size_t n_stem = rln__path_stem(t->final_path);
    int result = -EEXIST;

    if (n_stem - n_folder > MOST_STEM) /* the longer name must be possible, too */
        n_stem = n_folder + MOST_STEM;
    check_replaceable(t->final_path);
    for (unsigned n = 1; result == -EEXIST; n++) {
        char number[16] = "";

        if (n > 1)
            (void)snprintf(number, sizeof(number), "-%u", n);
        free(t->path);
        if (asprintf(&t->path, "%.*s.new%s" RLN__TRACE_SUFFIX, (int)n_stem,
                     t->final_path, number) < 0)
            rln__die(RLN__EXIT_USAGE, "cannot name trace: out of memory");
        result = create_file(t, r);
        if (result == -EEXIST)
            check_not_recorded(t->final_path, t->path);
    }
    return result;
}

static int create_under(struct rln__run_trace *t,
                        const struct rln__run_trace_request *r, const char *name)
{
    const bool may_replace = r->overwrites && !rln__output_has_number(r->pattern);
    struct stat st;
    int result;

    free(t->path);
    free(t->final_path);
    t->path = strdup(name);
    t->final_path = strdup(name);
    if (!t->path || !t->final_path)
        rln__die(RLN__EXIT_USAGE, "cannot name trace: out of memory");
    result =
        may_replace && lstat(name, &st) == 0 ? create_beside(t, r) : create_file(t, r);
    if (result == -EEXIST && may_replace) /* it has appeared just now */
        result = create_beside(t, r);
    return result;
}

void rln__run_trace_create(struct rln__run_trace *t,
                           const struct rln__run_trace_request *r)
{
    const bool has_number = rln__output_has_number(r->pattern);
    int result = -EEXIST;

    for (unsigned number = 1; result == -EEXIST; number++) {
        char *name = rln__output_numbered(r->pattern, number);
        const char *option = NULL;
        char *blocker = r->find_blocker(r->context, name, &option);

        if (blocker && !has_number)
            refuse_blocked(blocker, option, r->output);
        if (!blocker)
            result = create_under(t, r, name);
        free(blocker);
        free(name);
        if (!has_number)
            break;
    }
    if (result == 0 && !realpath(t->path, t->full_path))
        result = -errno;
    if (result < 0)
        rln__run_trace_refuse(t, r->output, -result);
}

/* --- The end ---------------------------------------------------------------------- */

bool rln__run_trace_is_ours(const struct rln__run_trace *t)
{
    struct stat st;

    return lstat(t->full_path, &st) == 0 && st.st_dev == t->file.device &&
           st.st_ino == t->file.inode;
}

static bool replaces(const struct rln__run_trace *t)
{
    return strcmp(t->path, t->final_path) != 0;
}

void rln__run_trace_remove(const struct rln__run_trace *t)
{
    (void)unlink(t->full_path);
    if (t->spool.folder[0])
        rln__trace_spool_unlink(&t->spool, t->path);
    if (replaces(t))
        rln__complain("%s is unchanged", t->final_path);
}

static void set_path(struct rln__run_trace *t, const char *path)
{
    char *copy = strdup(path);

    if (copy) {
        free(t->path);
        t->path = copy;
    }
    if (!realpath(t->path, t->full_path))
        rln__complain("cannot find trace: path=\"%s\": %s", t->path, strerror(errno));
}

/* Moves the trace out of the spool folder. False, with a message, if it stays there. */
static bool leave_spool(struct rln__run_trace *t)
{
    const int result = rln__trace_spool_move(&t->spool, t->path);

    if (result == 0) {
        set_path(t, t->path);
        return true;
    }
    if (result == -ESTALE)
        rln__complain(
            "cannot move trace: path=\"%s\": the name was taken during recording",
            t->path);
    else
        rln__complain("cannot move trace: path=\"%s\": %s", t->path, strerror(-result));
    rln__hint("it stays in %s", t->spool.path);
    if (result == -ESTALE)
        set_path(t, t->spool.path);
    return false;
}

static void replace_older(struct rln__run_trace *t)
{
    const pid_t writer = rln__run_writer(t->final_path);
    const int result = writer ? -EBUSY : rln__give_name(t->full_path, t->final_path, 1);

    if (result == 0) {
        set_path(t, t->final_path);
        return;
    }
    rln__complain("cannot replace trace: path=\"%s\": %s", t->final_path,
                  writer ? "another run is recording it" : strerror(-result));
    rln__hint("the new trace stays in %s", t->path);
}

void rln__run_trace_settle(struct rln__run_trace *t, bool all_ended)
{
    if (!all_ended) {
        if (t->spool.folder[0])
            rln__hint("it stays in %s", t->spool.path);
        if (replaces(t))
            rln__hint("%s is still the older trace; after these processes have ended: "
                      "`mv %s %s`",
                      t->final_path, t->spool.folder[0] ? t->spool.path : t->path,
                      t->final_path);
        return;
    }
    if ((!t->spool.folder[0] || leave_spool(t)) && replaces(t))
        replace_older(t);
}

void rln__run_trace_clear(struct rln__run_trace *t)
{
    free(t->path);
    free(t->final_path);
}
