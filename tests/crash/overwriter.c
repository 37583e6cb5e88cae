/* SPDX-License-Identifier: Apache-2.0 */
/* overwriter.c - makes marks, overwrites a word of the trace's superblock, as a stray
 * pointer would, and makes more marks.
 *   overwriter WORD VALUE MARKS
 */
#include <nvtx3/nvToolsExt.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void mark(const char *name, long n)
{
    for (long i = 0; i < n; i++)
        nvtxMarkA(name);
}

/* Where the beginning of the trace is mapped. */
static uint64_t *find_superblock(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    uint64_t *found = NULL;
    char line[4096];

    while (maps && !found && fgets(line, sizeof(line), maps)) {
        uintptr_t begin;

        if (strstr(line, " rw-s 00000000 ") && strstr(line, ".rln") &&
            sscanf(line, "%" SCNxPTR, &begin) == 1)
            found = (uint64_t *)begin;
    }
    if (maps)
        fclose(maps);
    return found;
}

static void *mark_in_thread(void *n)
{
    mark("thread", *(long *)n);
    return NULL;
}

int main(int argc, char **argv)
{
    long n = argc == 4 ? atol(argv[3]) : 0;
    pthread_t thread;
    uint64_t *super;

    if (argc != 4)
        return 2;
    mark("before", 1000);
    super = find_superblock();
    if (!super)
        return 3;
    __atomic_store_n(&super[atol(argv[1])], strtoull(argv[2], NULL, 0),
                     __ATOMIC_RELAXED);
    mark("after", n);
    if (pthread_create(&thread, NULL, mark_in_thread, &n))
        return 4;
    pthread_join(thread, NULL);
    return 0;
}
