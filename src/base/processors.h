/* SPDX-License-Identifier: Apache-2.0 */
/* processors.h - how many processors this process can use at once: those it may run on,
 * but no more than its container may use time of. */
#ifndef RLN_BASE_PROCESSORS_H
#define RLN_BASE_PROCESSORS_H

#include "base/control_groups.h"

/* 1 or more. */
unsigned rln__processors(void);

/* Of so many, those that control groups leave. */
unsigned rln__processors_of(unsigned n, const struct rln__control_groups *groups);

#endif
