/* SPDX-License-Identifier: Apache-2.0 */
/* attach_failure.h - reports to the launcher that this process is not recorded in the
 * run's trace: format/attach_report.h. */
#ifndef RLN_COLLECT_PROCESS_ATTACH_FAILURE_H
#define RLN_COLLECT_PROCESS_ATTACH_FAILURE_H

#include "collect/collector.h"
#include "format/attach_report.h"

/* `error` is a result of opening the trace, negative; `path` the file in which the
 * process is recorded instead, or NULL. Does nothing without a launcher. */
void rln__attach_failure(const struct rln__config *config, enum rln__attach_step step,
                         int error, const char *path);

#endif
