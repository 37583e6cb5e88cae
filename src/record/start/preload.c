/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/die.h"
#include "record/start/collector_path.h"

static bool has_path(const char *list, const char *path)
{
    while (*list) {
        const size_t length = strcspn(list, " :");

        if (length == strlen(path) && strncmp(list, path, length) == 0)
            return true;
        list += length + (list[length] != '\0');
    }
    return false;
}

/* Puts a path in front of the list that a variable has, unless it is there. */
static void put_first(struct rln__variables *variables, const char *name,
                      const char *path, bool inherits_environment)
{
    const char *others = rln__variables_find(variables, name, inherits_environment);
    char *all;

    if (others && has_path(others, path)) {
        rln__variables_add(variables, name, others);
        return;
    }
    if (asprintf(&all, "%s%s%s", path, others && *others ? ":" : "",
                 others ? others : "") < 0)
        rln__die(RLN__EXIT_FAILED, "cannot preload library: out of memory");
    rln__variables_add(variables, name, all);
    free(all);
}

void rln__preload(struct rln__variables *variables, const char *path,
                  bool inherits_environment)
{
    if (path[strcspn(path, " :")])
        rln__die(RLN__EXIT_FAILED,
                 "cannot preload library: path=\"%s\": it contains a blank or colon",
                 path);
    put_first(variables, "LD_PRELOAD", path, inherits_environment);
}

void rln__preload_profiler(struct rln__variables *variables, bool inherits_environment)
{
    rln__preload(variables, rln__profiler_path(), inherits_environment);
}

void rln__search_first(struct rln__variables *variables, const char *folder,
                       bool inherits_environment)
{
    put_first(variables, "LD_LIBRARY_PATH", folder, inherits_environment);
}
