/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/child_pids.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The launcher's own child, which records beside the program; 0: none. */
static pid_t left_out;

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
            if (child != but && child != left_out)
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

bool rln__pids_leave_out(pid_t helper)
{
    struct rln__pids p = {NULL, 0, 0};
    bool is_listed = !helper;

    left_out = 0;
    if (helper)
        add_children(&p, getpid(), 0);
    for (size_t i = 0; i < p.n; i++)
        is_listed |= p.items[i] == helper;
    free(p.items);
    left_out = is_listed ? helper : 0;
    return is_listed;
}

bool rln__pid_is_left_out(pid_t pid)
{
    return pid && pid == left_out;
}

bool rln__pids_any_child_of_run(void)
{
    struct rln__pids p = {NULL, 0, 0};
    bool any;

    if (!left_out)
        return true;
    add_children(&p, getpid(), 0);
    any = p.n > 0;
    free(p.items);
    return any;
}
