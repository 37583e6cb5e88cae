/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/child_pids.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

void rln__pids_add(struct rln__pids *p, pid_t pid)
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

void rln__pids_add_children(struct rln__pids *p, pid_t pid)
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
            rln__pids_add(p, child);
        if (list)
            (void)fclose(list);
    }
    if (tasks)
        (void)closedir(tasks);
}
