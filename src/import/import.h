/* SPDX-License-Identifier: Apache-2.0 */
/* import.h - opens what is no trace as one. */
#ifndef RLN_IMPORT_IMPORT_H
#define RLN_IMPORT_IMPORT_H

#include "format/input.h"

/* Opens a trace, or a SQLite export of which a trace is made: its bytes then lie in a
 * file without a name. Which it is, is seen in the file. On failure nothing is owned.
 */
rln_status rln__import_open(struct rln__input *file, const char *path,
                            struct rln__damages *damages, rln_error *err);

#endif
