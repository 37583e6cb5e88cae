/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/found_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lease.h"
#include "console/die.h"
#include "console/same_file.h"
#include "format/windows.h"
#include "record/start/guarded_mapping.h"

/* --- By pid ----------------------------------------------------------------------- */

static bool is_trace(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char magic[8];
    const bool is = fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
                    memcmp(magic, RLN__MAGIC, sizeof(magic)) == 0;

    if (fd >= 0)
        (void)close(fd);
    return is;
}

/* The path in a line of /proc/PID/maps, from its first slash on, or NULL. Only a
 * writable shared mapping can be a trace's. */
static char *mapped_path(char *line)
{
    char *path = strchr(line, '/');

    if (!path || !strstr(line, " rw-s "))
        return NULL;
    path[strcspn(path, "\n")] = '\0';
    return path;
}

/* A trace that was removed while it is written is known only by its inode number. */
static bool is_removed(const char *line, const char *path, const struct stat *sought)
{
    const char *mark = strstr(path, " (deleted)");
    unsigned long long inode = 0;

    return mark && !mark[strlen(" (deleted)")] &&
           sscanf(line, "%*s %*s %*s %*s %llu", &inode) == 1 && inode == sought->st_ino;
}

/* Finds the file `sought`, or any trace if that is NULL, among the writable shared
 * mappings of a process. 0, ENOENT if it is not there, or another errno. */
static int find_in_maps(const char *pid, const struct stat *sought, char out[PATH_MAX])
{
    char name[64];
    char *line = NULL;
    size_t capacity = 0;
    int result = ENOENT;
    FILE *maps;

    (void)snprintf(name, sizeof(name), "/proc/%.20s/maps", pid);
    maps = fopen(name, "re");
    if (!maps)
        return errno == ENOENT ? ESRCH : errno;
    while (result && getline(&line, &capacity, maps) > 0) {
        const char *path = mapped_path(line);

        if (path &&
            (sought ? rln__leads_to(path, sought) || is_removed(line, path, sought)
                    : is_trace(path))) {
            (void)snprintf(out, PATH_MAX, "%s", path);
            result = 0;
        }
    }
    free(line);
    (void)fclose(maps);
    return result;
}

/* The value of a variable in a block of assignments, each of which ends with a zero
 * byte. */
static const char *find_variable(const char *block, size_t n_bytes, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = block; at < block + n_bytes; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
    return NULL;
}

/* Reads the variables that the launcher set for the process, which may have made no
 * NVTX call yet. */
static bool find_in_environment(const char *pid, char out[PATH_MAX])
{
    char name[64];
    char *block = NULL;
    size_t capacity = 0;
    ssize_t n;
    const char *path;
    bool is_found;
    FILE *environment;

    (void)snprintf(name, sizeof(name), "/proc/%.20s/environ", pid);
    environment = fopen(name, "re");
    if (!environment)
        return false;
    n = getdelim(&block, &capacity, EOF, environment);
    (void)fclose(environment);
    path = n > 0 && find_variable(block, (size_t)n, "RANGELINE_RUN")
               ? find_variable(block, (size_t)n, "RANGELINE_OUTPUT")
               : NULL;
    is_found = path && path[0] == '/' && is_trace(path);
    if (is_found)
        (void)snprintf(out, PATH_MAX, "%s", path);
    free(block);
    return is_found;
}

/* By its status: the folder of a process that must not be traced is root's. */
static bool is_of_another_user(const char *pid)
{
    char name[64], line[256];
    unsigned uid = geteuid();
    FILE *in;

    (void)snprintf(name, sizeof(name), "/proc/%.20s/status", pid);
    in = fopen(name, "re");
    while (in && fgets(line, sizeof(line), in) && sscanf(line, "Uid: %u", &uid) != 1) {
    }
    if (in)
        (void)fclose(in);
    return uid != geteuid();
}

/* The process exists, but we cannot see its files. */
static _Noreturn void refuse_unreadable(const char *pid, int error)
{
    rln__complain("cannot find run: pid=%s: %s%s", pid, strerror(error),
                  is_of_another_user(pid) ? ": it belongs to another user" : "");
    rln__hint("give the trace's name");
    exit(RLN__EXIT_FAILED);
}

static void find_by_pid(const char *pid, char out[PATH_MAX])
{
    const int error = find_in_maps(pid, NULL, out);

    if (!error || (error == ENOENT && find_in_environment(pid, out)))
        return;
    if (error == ESRCH)
        rln__die(RLN__EXIT_FAILED, "cannot find run: pid=%s: no such process", pid);
    if (error != ENOENT)
        refuse_unreadable(pid, error);
    rln__complain("cannot find run: pid=%s: the process is not recorded", pid);
    rln__hint("start it with `rangeline profile`, or give the trace's name");
    exit(RLN__EXIT_FAILED);
}

/* --- Under --spool ---------------------------------------------------------------- */

static bool leads_there(const char *link, const char *path)
{
    char target[PATH_MAX];
    const ssize_t n = readlink(link, target, sizeof(target));

    return n >= 0 && (size_t)n == strlen(path) && memcmp(target, path, (size_t)n) == 0;
}

/* Finds the link to `path` that the process has open, as a launcher does. */
static bool find_link(const char *pid, const char *path, char out[PATH_MAX])
{
    char folder[64], fd[PATH_MAX];
    const struct dirent *entry;
    bool is_found = false;
    DIR *fds;

    (void)snprintf(folder, sizeof(folder), "/proc/%.20s/fd", pid);
    fds = opendir(folder);
    while (fds && !is_found && (entry = readdir(fds))) {
        ssize_t n;

        (void)snprintf(fd, sizeof(fd), "%s/%s", folder, entry->d_name);
        n = readlink(fd, out, PATH_MAX - 1);
        out[n > 0 ? n : 0] = '\0';
        is_found = n > 0 && out[0] == '/' && leads_there(out, path);
    }
    if (fds)
        (void)closedir(fds);
    return is_found;
}

/* Where the trace will be moved, or where it is if that is unknown. */
static void find_name(const char *path, char out[PATH_MAX])
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    bool is_found = false;

    while (processes && !is_found && (entry = readdir(processes)))
        is_found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
                   find_link(entry->d_name, path, out);
    if (processes)
        (void)closedir(processes);
    if (!is_found)
        (void)snprintf(out, PATH_MAX, "%s", path);
}

/* --- By trace --------------------------------------------------------------------- */

static _Noreturn void refuse_file(const char *path, const char *why)
{
    rln__complain("cannot find run: path=\"%s\": %s", path, why);
    exit(RLN__EXIT_FAILED);
}

static void map_superblock(struct rln__found_run *t, bool to_change)
{
    const int fd =
        open(t->path, (to_change ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        refuse_file(t->path, strerror(errno));
    if (!is_trace(t->path) || (uint64_t)st.st_size < RLN__SUPERBLOCK_BYTES)
        refuse_file(t->path, "not a trace");
    t->super = mmap(NULL, RLN__SUPERBLOCK_BYTES,
                    to_change ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
    if (t->super == MAP_FAILED)
        refuse_file(t->path, strerror(errno));
    rln__mapping_guard(t->super, RLN__SUPERBLOCK_BYTES);
    t->file = st;
    (void)close(fd);
    if (t->super->major != RLN__MAJOR ||
        (t->super->minor < 1 && to_change && !t->super->finished))
        refuse_file(t->path, "recorded by another version of Rangeline");
}

static bool is_pid(const char *text)
{
    return *text && !text[strspn(text, "0123456789")] && access(text, F_OK) < 0;
}

void rln__found_run_open(struct rln__found_run *out, const struct rln__args *args,
                         bool to_change)
{
    if (args->n_operands != 1) {
        rln__complain("cannot find run: %s", args->n_operands
                                                 ? "more than one operand"
                                                 : "no process or trace given");
        rln__hint("`rangeline %s PID` or `rangeline %s FILE`", args->command->name,
                  args->command->name);
        exit(RLN__EXIT_USAGE);
    }
    if (is_pid(args->operands[0])) {
        find_by_pid(args->operands[0], out->path);
        find_name(out->path, out->name);
    } else {
        (void)snprintf(out->path, sizeof(out->path), "%s", args->operands[0]);
        (void)snprintf(out->name, sizeof(out->name), "%s", args->operands[0]);
    }
    map_superblock(out, to_change);
    if (to_change && out->super->finished)
        refuse_file(out->path, "the run has ended");
}

void rln__found_run_close(struct rln__found_run *run)
{
    rln__mapping_forget(run->super);
    (void)munmap(run->super, RLN__SUPERBLOCK_BYTES);
    if (rln__mapping_is_lost())
        refuse_file(run->path, "it is being truncated");
}

/* --- Who runs --------------------------------------------------------------------- */

/* The first process but this one that has the file mapped for writing; 0: none.
 * `*hidden`: there were processes whose mappings may not be read. */
static pid_t find_writer(const struct stat *file, bool *hidden)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    char path[PATH_MAX];
    pid_t writer = 0;

    *hidden = !processes;
    while (processes && !writer && (entry = readdir(processes))) {
        int error;

        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
            strtol(entry->d_name, NULL, 10) == (long)getpid())
            continue;
        error = find_in_maps(entry->d_name, file, path);
        if (error == 0)
            writer = (pid_t)strtol(entry->d_name, NULL, 10);
        else if (error == EACCES)
            *hidden = true;
    }
    if (processes)
        (void)closedir(processes);
    return writer;
}

bool rln__found_run_has_process(const struct rln__found_run *run)
{
    const bool is_ours = geteuid() == 0 || run->file.st_uid == geteuid();
    bool hidden;
    const pid_t writer = find_writer(&run->file, &hidden);

    return writer || (hidden && (!is_ours || access("/proc/self", F_OK) < 0));
}

/* 1, 0, or -1 if that cannot be known. */
static int is_open_for_writing(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int is_open = fd < 0 ? -1 : rln__is_open_for_writing(fd);

    if (fd >= 0)
        (void)close(fd);
    return is_open;
}

pid_t rln__run_writer(const char *path)
{
    struct stat file;
    bool hidden;
    pid_t writer;
    int is_open;

    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode))
        return 0;
    writer = find_writer(&file, &hidden);
    if (writer)
        return writer;
    is_open = is_open_for_writing(path);
    /* A process of another user may be recording it. */
    return is_open == 1 || (is_open < 0 && hidden && file.st_uid != geteuid()) ? -1 : 0;
}

/* --- What becomes of it ----------------------------------------------------------- */

bool rln__run_state(const struct rln__superblock *super, char *out, size_t size)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } reasons[] = {
        {RLN__GATE_OVER, "has ended"},
        {RLN__GATE_COMMAND, "waits for `rangeline start`"},
        {RLN__GATE_PROGRAM, "was stopped by the program"},
        {RLN__GATE_DELAY, "waits for its delay"},
        {RLN__GATE_CAPTURE, "waits for a capture range"},
        {RLN__GATE_CUDA, "waits for cudaProfilerStart"},
    };
    const uint32_t gate = rln__gate_of(super);
    const bool is_over = gate & RLN__GATE_OVER;
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]) && n < size; i++) {
        if (!(gate & reasons[i].bit) || (i > 0 && is_over))
            continue;
        n +=
            (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", reasons[i].text);
    }
    return !(gate & RLN__GATE_CLOSED);
}
