/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/cuda_use.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/start/child_pids.h"

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

bool rln__uses_cuda(pid_t pid)
{
    struct rln__pids pids = {NULL, 0, 0};
    bool is_open = false;

    if (access(device, F_OK) < 0)
        return false;
    rln__pids_add(&pids, pid);
    for (size_t i = 0; i < pids.n && i < MOST_PROCESSES && !is_open; i++) {
        is_open = has_open(pids.items[i]);
        rln__pids_add_children(&pids, pids.items[i]);
    }
    free(pids.items);
    return is_open;
}
