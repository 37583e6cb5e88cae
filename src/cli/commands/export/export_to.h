/* SPDX-License-Identifier: Apache-2.0 */
/* export_to.h - runs one export, and prints its result. */
#ifndef RLN_CLI_COMMANDS_EXPORT_TO_H
#define RLN_CLI_COMMANDS_EXPORT_TO_H

#include "cli/inputs/input_traces.h"
#include "rangeline/export.h"

struct rln__export_to {
    rln_export_options
        options; /* `path` NULL: the trace's name with the format's extension */
    bool is_quiet;
};

/* Exits with a message if it cannot be done; then there is no file. Returns how many
 * ranges, marks and samples were written. */
uint64_t rln__export_to(const struct rln__input_traces *inputs,
                        const struct rln__export_to *to);

/* The format of this name; NULL: Python writes it. Exits 1 with a message if this build
 * lacks a library for it. */
const struct rln__format *rln__export_format(const char *name);

/* run.rln -> run.sqlite, in the folder of the trace. Owned by the caller. */
char *rln__export_name(const char *trace, const char *extension);

#endif
