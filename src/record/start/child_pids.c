/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/child_pids.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void add(struct rln__pids *p, pid_t pid)
{
    pid_t *items = p->items;

    if (p->n == p->capacity) {
        items = realloc(items, (p->capacity * 2 + 16) * sizeof(*items));
        if (!items)
            return; /* this one is left out */
        p->items = items;
        p->capacity = p->capacity * 2 + 16;
    }
    items[p->n++] = pid;
}

/* The kernel lists the children of a thread; those of a process are those of its
 * threads. */
static void add_children(struct rln__pids *p, pid_t pid, pid_t but)
{
    char path[64];
    const struct dirent *task;
    DIR *tasks;

    (void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks && (task = readdir(tasks))) {
        FILE *list;
        int child;

        (void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/children", (int)pid,
                       task->d_name);
        list = fopen(path, "re");
        while (list && fscanf(list, "%d", &child) == 1)
            if (child != but)
                add(p, child);
        if (list)
            (void)fclose(list);
    }
    if (tasks)
        (void)closedir(tasks);
}

struct rln__pids rln__pids_of_run(pid_t program, size_t most)
{
    struct rln__pids p = {NULL, 0, 0};

    add(&p, program); /* there may be no lists */
    add_children(&p, getpid(), program);
    for (size_t i = 0; i < p.n && i < most; i++)
        add_children(&p, p.items[i], program);
    p.n = p.n < most ? p.n : most;
    return p;
}
