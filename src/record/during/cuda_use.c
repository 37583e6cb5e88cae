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

bool rln__uses_cuda(const struct rln__pids *pids)
{
    bool is_open = false;

    if (access(device, F_OK) < 0)
        return false;
    for (size_t i = 0; i < pids->n && !is_open; i++)
        is_open = has_open(pids->items[i]);
    return is_open;
}
