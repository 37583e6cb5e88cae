/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/cuda_use.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* cuInit() opens it, and the driver keeps it open; OpenGL and nvidia-smi have others.
 */
static const char device[] = "/dev/nvidia-uvm";

/* Reading so many takes less than 10 ms. */
#define MOST_DESCRIPTORS 4096
#define MOST_PROCESSES 256

static bool has_open(pid_t pid)
{
    const struct dirent *entry;
    char path[64], target[sizeof(device)];
    bool is_open = false;
    DIR *folder;

    (void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    folder = opendir(path);
    for (int n = 0; folder && !is_open && n < MOST_DESCRIPTORS; n++) {
        entry = readdir(folder);
        if (!entry)
            break;
        is_open = readlinkat(dirfd(folder), entry->d_name, target, sizeof(target)) ==
                      sizeof(device) - 1 &&
                  memcmp(target, device, sizeof(device) - 1) == 0;
    }
    if (folder)
        (void)closedir(folder);
    return is_open;
}

/* Adds those that the main thread has forked. */
static int add_children(pid_t *pids, int n)
{
    const pid_t pid = pids[n - 1];
    char path[64];
    FILE *children;
    int child;

    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    children = fopen(path, "re");
    n--;
    while (children && n < MOST_PROCESSES && fscanf(children, "%d", &child) == 1)
        pids[n++] = (pid_t)child;
    if (children)
        (void)fclose(children);
    return n;
}

bool rln__uses_cuda(pid_t pid)
{
    pid_t pids[MOST_PROCESSES] = {pid};
    int n = 1;

    if (access(device, F_OK) < 0)
        return false;
    for (int n_seen = 0; n && n_seen < MOST_PROCESSES; n_seen++) {
        if (has_open(pids[n - 1]))
            return true;
        n = add_children(pids, n);
    }
    return false;
}
