/* SPDX-License-Identifier: Apache-2.0 */
/* report_file.h - writes a report to a file. */
#ifndef RLN_CLI_SHOW_REPORT_FILE_H
#define RLN_CLI_SHOW_REPORT_FILE_H

#include <stdbool.h>

#include "table/table.h"

/* All of it or none: a report that is half there would be skipped as one that exists.
 * Exits with a message if it cannot be written. */
void rln__report_write(const char *path, struct rln__table *table,
                       enum rln__table_format format, bool may_replace);

#endif
