/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/interface_options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "console/die.h"
#include "record/start/collector_path.h"
#include "record/start/preload.h"

#define ITT_VARIABLE "INTEL_LIBITTNOTIFY64"

/* `calls` is a list: "true", "sync", "heap". */
static void add_itt(const char *calls, struct rln__variables *variables,
                    bool inherits_environment)
{
    const char *path = rln__itt_path();
    const char *other =
        rln__variables_find(variables, ITT_VARIABLE, inherits_environment);

    if (other && *other && strcmp(other, path) != 0)
        rln__note("--itt has no effect: %s is set to \"%s\", another tool's library",
                  ITT_VARIABLE, other);
    else
        rln__variables_add(variables, ITT_VARIABLE, path);
    if (strcmp(calls, "true") != 0)
        rln__variables_add(variables, "RANGELINE_ITT", calls);
}

/* Preloaded under AMD's names, they replace libraries that the program is linked with;
 * their folder has those that it loads itself. */
static void add_roctx(struct rln__variables *variables, bool inherits_environment)
{
    const char *path;

    for (size_t i = 0; (path = rln__roctx_path(i)); i++) {
        rln__preload(variables, path, inherits_environment);
        if (i == 0) {
            char folder[PATH_MAX + 64];

            (void)snprintf(folder, sizeof(folder), "%.*s",
                           (int)(strrchr(path, '/') - path), path);
            rln__search_first(variables, folder, inherits_environment);
        }
    }
    /* PETSc makes no calls without it. */
    rln__variables_add(variables, "ROCPROF_MARKER_API_TRACE", "1");
}

void rln__interface_variables(const struct rln__args *args, unsigned first,
                              struct rln__variables *variables,
                              bool inherits_environment)
{
    const char *itt = rln__args_text(args, first + RLN__INTERFACE_ITT);

    if (strcmp(itt, "false") != 0)
        add_itt(itt, variables, inherits_environment);
    if (rln__args_bool(args, first + RLN__INTERFACE_ROCTX))
        add_roctx(variables, inherits_environment);
}
