/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_about.h - tables about the run and the objects registered in it. */
#ifndef RLN_EXPORT_NSYS_NSYS_ABOUT_H
#define RLN_EXPORT_NSYS_NSYS_ABOUT_H

#include "export/nsys/nsys.h"

/* Tables that are known in the end, after these names. */
rln_status rln__nsys_end(struct rln__nsys *n, rln_error *err);

#endif
