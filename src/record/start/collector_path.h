/* SPDX-License-Identifier: Apache-2.0 */
/* collector_path.h - where the injection library and what is installed with it are. */
#ifndef RLN_RECORD_START_COLLECTOR_PATH_H
#define RLN_RECORD_START_COLLECTOR_PATH_H

#include <stddef.h>

/* The absolute path of librangeline-collect.so: $RANGELINE_COLLECTOR, else below
 * the prefix of this program, in a build tree or an installation. Dies if there is
 * none. Static. */
const char *rln__collector_path(void);

/* The libraries beside it: one replaces cudaProfilerStart, one records waits for
 * Python's GIL, one calls of MPI, one GPU work, one calls of ITT, several those of ROCTX, NULL after the
 * last of these; one is a backend of NVTXW. They die if there is none, too. Static: until
 * the next call of one. */
const char *rln__profiler_path(void);
const char *rln__gil_path(void);
const char *rln__mpi_path(void);
const char *rln__gpu_recorder_path(void);
const char *rln__gpu_metrics_path(void); /* a program */
const char *rln__itt_path(void);
const char *rln__roctx_path(size_t index);
const char *rln__writer_path(void);

/* The folder of the installed CMake packages, rangeline and nvtx3, for
 * CMAKE_PREFIX_PATH. Dies if there is none. Static. */
const char *rln__cmake_path(void);

/* The folder of the headers, nvtx3 and rangeline: of an installation, or of the source
 * of a build tree. Dies if there is none. Static. */
const char *rln__include_path(void);

#endif
