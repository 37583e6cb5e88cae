/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/interface_options.h"

#include <string.h>

#include "console/die.h"
#include "record/start/collector_path.h"

#define ITT_VARIABLE "INTEL_LIBITTNOTIFY64"

void rln__interface_variables(const struct rln__args *args, unsigned first,
                              struct rln__variables *variables,
                              bool inherits_environment)
{
    const char *path, *other;

    if (!rln__args_bool(args, first + RLN__INTERFACE_ITT))
        return;
    path = rln__itt_path();
    other = rln__variables_find(variables, ITT_VARIABLE, inherits_environment);
    if (other && strcmp(other, path) != 0)
        rln__note("--itt has no effect: %s is set to \"%s\", another tool's library",
                  ITT_VARIABLE, other);
    else
        rln__variables_add(variables, ITT_VARIABLE, path);
}
