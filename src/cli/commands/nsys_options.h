/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_options.h - the options of `nsys profile` that rangeline does not have.
 *
 *   records other data            -> a row of our option table, accepted with one note
 *   decides which NVTX events     -> refused with the way out: nsys_options.c
 *   exist, or when
 *
 * nsys takes `--option=value` and `--option value`, so the table says of each whether
 * the next word is its value. Of those that are true or false it is only if it is one
 * of these two.
 */
#ifndef RLN_CLI_COMMANDS_NSYS_OPTIONS_H
#define RLN_CLI_COMMANDS_NSYS_OPTIONS_H

#include "console/args.h"

#define RLN__NSYS_VALUE(long_name, short_name)                                         \
    {                                                                                  \
        .name = (long_name), .letter = (short_name), .kind = RLN__ARG_TEXT,            \
        .is_ignored = true, .value = "VALUE", .help = "no effect"                      \
    }
#define RLN__NSYS_BOOL(long_name, short_name)                                          \
    {                                                                                  \
        .name = (long_name), .letter = (short_name), .kind = RLN__ARG_BOOL,            \
        .is_ignored = true, .help = "no effect"                                        \
    }

/* clang-format off */
#define RLN__NSYS_OPTIONS                                                              \
    RLN__NSYS_VALUE("sample", 's'),                                                    \
    RLN__NSYS_VALUE("backtrace", 'b'),                                                 \
    RLN__NSYS_BOOL("show-output", 'w'),                                                \
    RLN__NSYS_BOOL("stop-on-exit", 'x'),                                               \
    RLN__NSYS_VALUE("accelerator-trace", 0),                                           \
    RLN__NSYS_BOOL("clock-frequency-changes", 0),                                      \
    RLN__NSYS_VALUE("cpu-cluster-events", 0),                                          \
    RLN__NSYS_VALUE("cpu-core-events", 0),                                             \
    RLN__NSYS_VALUE("cpu-core-metrics", 0),                                            \
    RLN__NSYS_VALUE("cpu-metrics", 0),                                                 \
    RLN__NSYS_VALUE("cpu-socket-events", 0),                                           \
    RLN__NSYS_VALUE("cpu-socket-metrics", 0),                                          \
    RLN__NSYS_VALUE("cuda-event-trace", 0),                                            \
    RLN__NSYS_BOOL("cuda-memory-usage", 0),                                            \
    RLN__NSYS_VALUE("cuda-trace-scope", 0),                                            \
    RLN__NSYS_BOOL("cuda-um-cpu-page-faults", 0),                                      \
    RLN__NSYS_BOOL("cuda-um-gpu-page-faults", 0),                                      \
    RLN__NSYS_VALUE("cudabacktrace", 0),                                               \
    RLN__NSYS_VALUE("debug-symbols", 0),                                               \
    RLN__NSYS_BOOL("discard-environment", 0),                                          \
    RLN__NSYS_VALUE("dts-api-port", 0),                                                \
    RLN__NSYS_VALUE("event-sample", 0),                                                \
    RLN__NSYS_VALUE("event-sampling-frequency", 0),                                    \
    RLN__NSYS_VALUE("event-sampling-interval", 0),                                     \
    RLN__NSYS_VALUE("event-sampling-multiplex-interval", 0),                           \
    RLN__NSYS_BOOL("flush-on-cudaprofilerstop", 0),                                    \
    RLN__NSYS_VALUE("ftrace", 0),                                                      \
    RLN__NSYS_BOOL("ftrace-keep-user-config", 0),                                      \
    RLN__NSYS_VALUE("gds-libs-path", 0),                                               \
    RLN__NSYS_VALUE("gds-metrics", 0),                                                 \
    RLN__NSYS_VALUE("gpu-metrics-frequency", 0),                                       \
    RLN__NSYS_VALUE("gpu-metrics-set", 0),                                             \
    RLN__NSYS_VALUE("gpu-video-device", 0),                                            \
    RLN__NSYS_BOOL("gpuctxsw", 0),                                                     \
    RLN__NSYS_VALUE("ib-net-info-devices", 0),                                         \
    RLN__NSYS_VALUE("ib-net-info-files", 0),                                           \
    RLN__NSYS_VALUE("ib-net-info-output", 0),                                          \
    RLN__NSYS_VALUE("ib-switch-congestion-devices", 0),                                \
    RLN__NSYS_VALUE("ib-switch-congestion-device", 0),                                 \
    RLN__NSYS_VALUE("ib-switch-congestion-nic-device", 0),                             \
    RLN__NSYS_VALUE("ib-switch-congestion-percent", 0),                                \
    RLN__NSYS_VALUE("ib-switch-congestion-threshold-high", 0),                         \
    RLN__NSYS_VALUE("ib-switch-metrics-devices", 0),                                   \
    RLN__NSYS_VALUE("ib-switch-metrics-device", 0),                                    \
    RLN__NSYS_VALUE("ib-switch-metrics-nic-device", 0),                                \
    RLN__NSYS_VALUE("mpi-impl", 0),                                                    \
    RLN__NSYS_VALUE("nccl-trace", 0),                                                  \
    RLN__NSYS_VALUE("nic-metrics", 0),                                                 \
    RLN__NSYS_BOOL("opengl-gpu-workload", 0),                                          \
    RLN__NSYS_VALUE("os-events", 0),                                                   \
    RLN__NSYS_VALUE("osrt-backtrace-depth", 0),                                        \
    RLN__NSYS_VALUE("osrt-backtrace-stack-size", 0),                                   \
    RLN__NSYS_VALUE("osrt-backtrace-threshold", 0),                                    \
    RLN__NSYS_BOOL("osrt-file-access", 0),                                             \
    RLN__NSYS_VALUE("osrt-threshold", 0),                                              \
    RLN__NSYS_VALUE("process-scope", 0),                                               \
    RLN__NSYS_VALUE("python-backtrace", 0),                                            \
    RLN__NSYS_BOOL("python-sampling", 0),                                              \
    RLN__NSYS_VALUE("python-sampling-frequency", 0),                                   \
    RLN__NSYS_BOOL("resolve-symbols", 0),                                              \
    RLN__NSYS_VALUE("samples-per-backtrace", 0),                                       \
    RLN__NSYS_VALUE("sampling-frequency", 0),                                          \
    RLN__NSYS_VALUE("sampling-period", 0),                                             \
    RLN__NSYS_VALUE("sampling-trigger", 0),                                            \
    RLN__NSYS_BOOL("show-source-info", 0),                                             \
    RLN__NSYS_VALUE("storage-metrics", 0),                                             \
    RLN__NSYS_VALUE("syscall", 0),                                                     \
    RLN__NSYS_BOOL("trace-fork-before-exec", 0),                                       \
    RLN__NSYS_VALUE("vulkan-gpu-workload", 0),                                         \
    {                                                                                  \
        .name = "session-new", .kind = RLN__ARG_TEXT, .is_ignored = true,              \
        .value = "NAME", .help = "no effect",                                          \
        .ignored_because = "a run is known by its pid or its trace, as in "            \
                           "`rangeline stop PID`"                                      \
    }
/* clang-format on */

/* The hint for an option of `nsys profile` that is refused; NULL: it is none. */
const char *rln__nsys_way_out(const char *name);

/* The same for those of `nsys start`, `stop` and `status`. */
const char *rln__nsys_session_way_out(const char *name);

/* The same for a trigger of --capture-range. */
const char *rln__nsys_trigger_way_out(const char *word);

#endif
