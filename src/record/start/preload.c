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

void rln__preload_profiler(struct rln__variables *variables, bool inherits_environment)
{
    const char *path = rln__profiler_path();
    const char *others =
        rln__variables_find(variables, "LD_PRELOAD", inherits_environment);
    char *all;

    if (path[strcspn(path, " :")])
        rln__die(RLN__EXIT_FAILED,
                 "cannot preload library: path=\"%s\": it contains a blank or colon",
                 path);
    if (others && has_path(others, path)) {
        rln__variables_add(variables, "LD_PRELOAD", others);
        return;
    }
    if (asprintf(&all, "%s%s%s", path, others && *others ? ":" : "",
                 others ? others : "") < 0)
        rln__die(RLN__EXIT_FAILED, "cannot preload library: out of memory");
    rln__variables_add(variables, "LD_PRELOAD", all);
    free(all);
}
