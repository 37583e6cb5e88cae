/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_options.h - the options that make CUDA's driver load the library that records GPU
 * work; their first, -t, can preload the one for Python's GIL, too. */
#ifndef RLN_RECORD_START_GPU_OPTIONS_H
#define RLN_RECORD_START_GPU_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "console/args.h"
#include "record/start/trace_words.h"
#include "record/start/variables.h"

enum {
    RLN__GPU_TRACE,
    RLN__GPU_CUPTI,
    RLN__GPU_CUDA_API,
    RLN__GPU_GRAPH_TRACE,
    RLN__GPU_FLUSH_INTERVAL,
    RLN__GPU_CUDA_OWN,
    RLN__GPU_METRICS,
    RLN__GPU_METRICS_OLD,
    RLN__GPU_PLUGINS,
    RLN__N_GPU_OPTIONS
};

/* Rows of an option table, from `first` on. */
#define RLN__GPU_OPTIONS(first)                                                        \
    [(first) +                                                                         \
        RLN__GPU_TRACE] =                                                              \
        {.group = "GPU work",                                                          \
         .name = "trace",                                                              \
         .letter = 't',                                                                \
         .kind = RLN__ARG_TEXT,                                                        \
         .value = "LIST",                                                              \
         .help = "cuda, cuda-sw or cuda-hw: also record GPU work, through NVIDIA's "   \
                 "CUPTI; mpi: calls of MPI, of Open MPI's and MPICH's kind; "          \
                 "python-gil: waits of threads for Python's GIL; nvtx is always "      \
                 "recorded, and nsys's other names have no effect"},                   \
        [(first) + RLN__GPU_CUPTI] =                                                   \
            {.name = "cupti",                                                          \
             .kind = RLN__ARG_TEXT,                                                    \
             .value = "FILE",                                                          \
             .help = "the CUPTI library, if the program has not loaded one; default: " \
                     "that of its CUDA, else the newest"},                             \
        [(first) + RLN__GPU_CUDA_API] =                                                \
            {.name = "cuda-api",                                                       \
             .kind = RLN__ARG_CHOICE,                                                  \
             .choices = "launch|all|none",                                             \
             .initial = "launch",                                                      \
             .help = "record the calls of CUDA that launch, copy or set, all calls, "  \
                     "or none; without calls, ranges have no GPU work"},               \
        [(first) + RLN__GPU_GRAPH_TRACE] =                                             \
            {.name = "cuda-graph-trace",                                               \
             .kind = RLN__ARG_TEXT,                                                    \
             .choices = "node|graph",                                                  \
             .value = "MODE",                                                          \
             .initial = "node",                                                        \
             .help = "node: record each kernel and copy of a CUDA graph; graph: "      \
                     "record its launch as a whole, which costs less. nsys's "         \
                     "suffixes, as :host-only, have no effect"},                       \
        [(first) + RLN__GPU_FLUSH_INTERVAL] =                                          \
            {.name = "cuda-flush-interval",                                            \
             .kind = RLN__ARG_COUNT,                                                   \
             .value = "MS",                                                            \
             .initial = "1000",                                                        \
             .range = "10 to 3600000 milliseconds",                                    \
             .help = "write GPU work every MS milliseconds, 10 to 3600000; a program " \
                     "that is killed loses what is not yet written"},                  \
        [(first) + RLN__GPU_CUDA_OWN] =                                                \
            {.name = "cuda-own",                                                       \
             .kind = RLN__ARG_BOOL,                                                    \
             .is_unannounced = true,                                                   \
             .initial = "false",                                                       \
             .help = "also record when and where the nodes of CUDA graphs are "        \
                     "created"},                                                       \
        [(first) + RLN__GPU_METRICS] =                                                 \
            {.name = "gpu-metrics-devices",                                            \
             .kind = RLN__ARG_TEXT,                                                    \
             .value = "LIST",                                                          \
             .choices = "cuda-visible|all|none",                                       \
             .help = "record the energy, power, utilization, memory, clocks and "      \
                     "temperature of GPUs, ten times a second, without a privilege: "  \
                     "those that the program may use (cuda-visible; default with "     \
                     "-t cuda), all, none, or numbers of nvidia-smi: "                 \
                     "`stats -r gpu_energy`"},                                         \
        [(first) + RLN__GPU_METRICS_OLD] =                                             \
            {.name = "gpu-metrics-device",                                             \
             .kind = RLN__ARG_TEXT,                                                    \
             .is_unannounced = true,                                                   \
             .value = "LIST",                                                          \
             .help = "--gpu-metrics-devices, as older releases of nsys call it"},      \
        [(first) + RLN__GPU_PLUGINS] = {                                               \
            .name = "enable",                                                          \
            .kind = RLN__ARG_TEXT,                                                     \
            .is_repeatable = true,                                                     \
            .is_unannounced = true,                                                    \
            .value = "PLUGIN",                                                         \
            .help = "nsys's nvml_metrics: --gpu-metrics-devices=all; others of its "   \
                    "plugins have no effect"}

/* Adds the variables of the program. Returns what will be recorded. Dies with exit 2 if
 * a name in the list is not one of nsys's, if there is no such CUPTI, if the interval is
 * out of bounds, or if only the newest events are kept.
 */
struct rln__traced rln__gpu_variables(const struct rln__args *args, unsigned first,
                                      struct rln__variables *variables,
                                      bool inherits_environment, bool keeps_newest);

/* The GPUs whose metrics are to be recorded: "all", or numbers and UUIDs with commas
 * between; NULL: of none. Dies with exit 2 if the option is neither. */
const char *rln__gpu_metrics_choice(const struct rln__args *args, unsigned first,
                                    const struct rln__variables *variables,
                                    bool inherits_environment, bool records_gpu);

/* The GPUs as they were requested, also by nsys's plugin; NULL: they were not. */
const char *rln__gpu_metrics_request(const struct rln__args *args, unsigned first);

/* The variables of the options, one after the other; NULL after the last. */
const char *rln__gpu_variable(size_t index);

/* The hint about an option of nsys's about CUDA; NULL: it is none. */
const char *rln__gpu_way_out(const char *name);

/* Hints at it if this machine has no GPU that CUDA could use. */
void rln__gpu_explain_none(void);

#endif
