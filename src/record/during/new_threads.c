/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/new_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* A program may create threads as fast as they are found. */
#define MOST_AT_ONCE 256
/* What a thread was found to do is not known of a time so long before. */
#define MOST_STATE_NS 100000

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
    const struct rln__new_thread new = {.pid = pid, .tid = tid, .was_found = true};

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
    unsigned child;
    char path[64];
    FILE *list;

    (void)snprintf(path, sizeof(path), "/proc/%u/task/%u/children", pid, tid);
    list = fopen(path, "re");
    while (list && fscanf(list, "%u", &child) == 1)
        note(threads, child, child);
    if (list)
        (void)fclose(list);
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

/* 0 or -errno. */
static int add(const struct rln__new_thread *new, struct rln__switch_sources *sources,
               void (*take)(void *context, const struct rln__ring_record *record),
               void *context)
{
    struct rln__ring_record record = {
        .pid = new->pid, .tid = new->tid, .processor = RLN__NO_PROCESSOR};
    int result;

    if (new->is_recorded)
        return 0;
    result = rln__switch_sources_add(sources, new->pid, new->tid);
    if (result || sources->way == RLN__CLOCKS_BY_THREAD)
        return result;
    record.time_ns = rln__ring_now();
    record.kind = state_of(new->pid, new->tid);
    if (record.kind && rln__ring_now() - record.time_ns < MOST_STATE_NS)
        take(context, &record);
    return 0;
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

static bool is_want_of_room(int result)
{
    return result == -ENOMEM || result == -EPERM || result == -EMFILE ||
           result == -ENFILE;
}

/* What a thread may have created before it was recorded. One that a search has found and
 * that cannot be recorded has nothing looked for: it would be found again for ever. */
static void note_created(struct rln__new_threads *threads,
                         const struct rln__new_thread *by, int result,
                         bool is_searched_again)
{
    const uint32_t own = (uint32_t)getpid();

    if (is_want_of_room(result) && (!by->was_found || is_searched_again) &&
        ++threads->n_refused > threads->n_without_room)
        threads->n_without_room = threads->n_refused;
    if (result == -ESRCH && !by->was_found)
        note_children(threads, own, own); /* of one that has ended, they are ours */
    else if (result)
        return;
    note_children(threads, by->pid, by->tid);
    note_process(threads, by->pid);
}

/* Those that are known come first: most of what is missing is among them. */
void rln__new_threads_add(
    struct rln__new_threads *threads, struct rln__switch_sources *sources,
    void (*take)(void *context, const struct rln__ring_record *record), void *context)
{
    const size_t most = sources->way == RLN__CLOCKS_BY_THREAD ? SIZE_MAX : MOST_AT_ONCE;

    for (size_t i = 0; i < most && threads->n; i++) {
        const struct rln__new_thread new = threads->items[--threads->n];

        note_created(threads, &new, add(&new, sources, take, context),
                     sources->way == RLN__CLOCKS_BY_THREAD);
        while (!threads->n && threads->n_pids)
            note_others(threads, sources, threads->pids[--threads->n_pids]);
    }
}

void rln__new_threads_search(struct rln__new_threads *threads,
                             const struct rln__switch_sources *sources,
                             bool also_processes)
{
    const struct rln__map *pids = &sources->n_by_pid;

    threads->n = threads->n_pids = threads->n_refused = 0;
    for (size_t i = 0; pids->slots && i <= pids->mask; i++)
        if (pids->slots[i].value)
            note_others(threads, sources, (uint32_t)pids->slots[i].key);
    for (size_t i = 0; also_processes && i < sources->n; i++)
        note_children(threads, sources->all[i]->pid, sources->all[i]->tid);
    if (also_processes)
        note_children(threads, (uint32_t)getpid(), (uint32_t)getpid());
}
