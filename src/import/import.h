/* SPDX-License-Identifier: Apache-2.0 */
/* import.h - opens traces, and SQLite exports as traces. */
#ifndef RLN_IMPORT_IMPORT_H
#define RLN_IMPORT_IMPORT_H

#include "format/input.h"

/* Opens a trace, or converts a SQLite export into one, in a file without a name. The
 * file's contents determine its kind. On failure nothing is owned. */
rln_status rln__import_open(struct rln__input *file, const char *path,
                            struct rln__damages *damages, rln_error *err);

#endif
