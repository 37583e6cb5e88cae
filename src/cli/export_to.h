/* SPDX-License-Identifier: Apache-2.0 */
/* export_to.h - one export: where it goes, and what is said about it. */
#ifndef RLN_CLI_EXPORT_TO_H
#define RLN_CLI_EXPORT_TO_H

#include "cli/opened.h"
#include "export/exporter.h"
#include "export/nsys_tables.h"

struct rln__export_to {
    const char *type;
    const char *output; /* NULL: the trace's name with the format's extension */
    bool may_replace;
    bool is_quiet;
};

/* Exits 1 with a message if it cannot be done; then there is no file. `options` gets
 * what it does not have yet: product, input, progress. */
void rln__export_to(const struct rln__opened *opened, const struct rln__export_to *to,
                    struct rln__export_options *options);

/* The format of this name; NULL: Python writes it. Exits 1 with a message if this build
 * was made without what it needs. */
const struct rln__exporter *rln__export_format(const char *type);

/* run.rln -> run.sqlite, in the folder of the trace. Owned by the caller. */
char *rln__export_name(const char *trace, const char *extension);

#endif
