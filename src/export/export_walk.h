/* SPDX-License-Identifier: Apache-2.0 */
/* export_walk.h - reads a trace once, in time order, and calls a format's operations.
 */
#ifndef RLN_EXPORT_EXPORT_WALK_H
#define RLN_EXPORT_EXPORT_WALK_H

#include "export/exporter.h"

/* Reads the traces and calls the format's operations. The output is open, and the
 * caller ends or drops it. */
rln_status rln__export_walk(struct rln__export *x, rln_error *err);

#endif
