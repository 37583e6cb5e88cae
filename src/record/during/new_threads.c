/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/new_threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* A program may create threads as fast as they are found. */
#define MOST_AT_ONCE 256

void rln__new_threads_note(struct rln__new_threads *threads,
                           const struct rln__new_thread *thread)
{
    struct rln__new_thread *item =
        rln__append(&threads->items, &threads->n, &threads->capacity, sizeof(*item));

    if (item) /* else its switches are not known */
        *item = *thread;
}

void rln__new_threads_clear(struct rln__new_threads *threads)
{
    rln__free(threads->items);
    rln__free(threads->pids);
    memset(threads, 0, sizeof(*threads));
}

static void note(struct rln__new_threads *threads, uint32_t pid, uint32_t tid)
{
    const struct rln__new_thread new = {pid, tid, false};

    rln__new_threads_note(threads, &new);
}

/* What a file of /proc has, with a 0 at its end; "" if it cannot be read. */
static const char *read_text(const char *path, char *text, size_t n_bytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, text, n_bytes - 1);

    if (fd >= 0)
        (void)close(fd);
    text[n < 0 ? 0 : n] = 0;
    return text;
}

/* --- What it has created ---------------------------------------------------------- */

/* The processes; a kernel without these lists finds none. */
static void note_children(struct rln__new_threads *threads, uint32_t pid, uint32_t tid)
{
    char path[64], text[4096], *next;
    const char *at;

    (void)snprintf(path, sizeof(path), "/proc/%u/task/%u/children", pid, tid);
    at = read_text(path, text, sizeof(text));
    for (;; at = next) {
        const unsigned long child = strtoul(at, &next, 10);

        if (next == at)
            return;
        note(threads, (uint32_t)child, (uint32_t)child);
    }
}

/* The threads of a process that are not recorded: mostly none, as their number shows. */
static void note_others(struct rln__new_threads *threads,
                        const struct rln__switch_sources *sources, uint32_t pid)
{
    const struct dirent *entry;
    struct stat folder;
    char path[32];
    DIR *tasks;

    (void)snprintf(path, sizeof(path), "/proc/%u/task", pid);
    if (stat(path, &folder) < 0 ||
        folder.st_nlink == rln__map_get(&sources->n_by_pid, pid) + 2)
        return;
    tasks = opendir(path);
    while (tasks && (entry = readdir(tasks))) {
        const uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);

        if (tid && !rln__map_get(&sources->by_tid, tid))
            note(threads, pid, tid);
    }
    if (tasks)
        (void)closedir(tasks);
}

/* --- What it does ----------------------------------------------------------------- */

/* 0: it has ended. */
static unsigned state_of(uint32_t pid, uint32_t tid)
{
    char path[64], text[512];
    const char *after_name;

    (void)snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", pid, tid);
    after_name = strrchr(read_text(path, text, sizeof(text)), ')');
    if (!after_name || strlen(after_name) < 3 || strchr("ZX", after_name[2]))
        return 0;
    return after_name[2] == 'R' ? RLN__SWITCH_RUNNABLE : RLN__SWITCH_BLOCKED;
}

/* --- All of them ------------------------------------------------------------------ */

/* True: it may have created more before it was recorded. One that cannot be has nothing
 * looked for: it would be found again for ever. */
static bool add(const struct rln__new_thread *new, struct rln__switch_sources *sources,
                void (*take)(void *context, const struct rln__ring_record *record),
                void *context)
{
    struct rln__ring_record record = {
        .pid = new->pid, .tid = new->tid, .processor = RLN__NO_PROCESSOR};

    if (new->is_recorded)
        return true;
    if (rln__switch_sources_add(sources, new->pid, new->tid) < 0)
        return false;
    record.time_ns = rln__ring_now();
    record.kind = state_of(new->pid, new->tid);
    if (record.kind)
        take(context, &record);
    return true;
}

static void note_process(struct rln__new_threads *threads, uint32_t pid)
{
    const bool is_noted = threads->n_pids && threads->pids[threads->n_pids - 1] == pid;
    uint32_t *at = is_noted ? NULL
                            : rln__append(&threads->pids, &threads->n_pids,
                                          &threads->pids_capacity, sizeof(*at));

    if (at)
        *at = pid;
}

/* Those that are known come first: most of what is missing is among them. */
void rln__new_threads_add(
    struct rln__new_threads *threads, struct rln__switch_sources *sources,
    void (*take)(void *context, const struct rln__ring_record *record), void *context)
{
    for (size_t i = 0; i < MOST_AT_ONCE && threads->n; i++) {
        const struct rln__new_thread new = threads->items[--threads->n];

        if (add(&new, sources, take, context)) {
            note_children(threads, new.pid, new.tid);
            note_process(threads, new.pid);
        }
        while (!threads->n && threads->n_pids)
            note_others(threads, sources, threads->pids[--threads->n_pids]);
    }
}
