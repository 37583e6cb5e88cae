/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_switches.h - context switches as rows of Nsight's table SCHED_EVENTS. */
#ifndef RLN_EXPORT_NSYS_NSYS_SWITCHES_H
#define RLN_EXPORT_NSYS_NSYS_SWITCHES_H

#include "export/nsys/nsys.h"

/* In no order. */
rln_status rln__nsys_switches(struct rln__nsys *n, rln_error *err);

#endif
