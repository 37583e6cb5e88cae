/* SPDX-License-Identifier: Apache-2.0 */
/* attach_reports.h - what processes report that could not open the run's trace. */
#ifndef RLN_RECORD_START_ATTACH_REPORTS_H
#define RLN_RECORD_START_ATTACH_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/start/variables.h"

struct rln__attach_reports;

/* Creates the segment for reports of the run, and the variable that leads there. NULL
 * if the kernel has no System V segments: then no process can report. It vanishes with
 * this process. */
struct rln__attach_reports *rln__attach_reports_open(const uint8_t run_id[16],
                                                     struct rln__variables *variables);

/* Prints them, equal ones once, each with the way out. `trace` is the run's. Returns
 * how many processes were not recorded in the trace. NULL is accepted. */
size_t rln__attach_reports_print(const struct rln__attach_reports *reports,
                                 const char *trace);

/* Whether a process reported why its functions are missing. */
bool rln__attach_reports_lack_functions(const struct rln__attach_reports *reports);

/* Whether no Python of the run imported torch under the hook of --pytorch. False if
 * that is unknown: without a segment for reports. */
bool rln__attach_reports_lack_torch(const struct rln__attach_reports *reports);

#endif
