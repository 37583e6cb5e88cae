/* SPDX-License-Identifier: Apache-2.0 */
/* collector_path.h - where the injection library is. */
#ifndef RLN_RECORD_START_COLLECTOR_PATH_H
#define RLN_RECORD_START_COLLECTOR_PATH_H

/* The absolute path of librangeline-collect.so: $RANGELINE_COLLECTOR, else beside this
 * program, in a build tree or an installation. Dies if there is none. Static. */
const char *rln__collector_path(void);

/* The library beside it that replaces cudaProfilerStart; static, too. */
const char *rln__profiler_path(void);

#endif
