/* SPDX-License-Identifier: Apache-2.0 */
/* interface_options.h - the options that also record what programs annotate through
 * interfaces other than NVTX. */
#ifndef RLN_RECORD_START_INTERFACE_OPTIONS_H
#define RLN_RECORD_START_INTERFACE_OPTIONS_H

#include "console/args.h"
#include "record/start/variables.h"

enum { RLN__INTERFACE_ITT, RLN__INTERFACE_ROCTX, RLN__N_INTERFACE_OPTIONS };

/* Rows of an option table, from `first` on. */
#define RLN__INTERFACE_OPTIONS(first)                                                  \
    [(first) +                                                                         \
        RLN__INTERFACE_ITT] =                                                          \
        {.group = "Other interfaces",                                                  \
         .name = "itt",                                                                \
         .kind = RLN__ARG_CHOICE,                                                      \
         .choices = "true|false|sync|heap",                                            \
         .is_list = true,                                                              \
         .value = "MORE[,MORE]",                                                       \
         .bare = "true",                                                               \
         .initial = "false",                                                           \
         .help = "also record tasks, regions, frames, events, metadata and counters "  \
                 "of Intel's ITT API, as PyTorch for CPUs, OpenVINO and OpenMP call "  \
                 "it; sync: its locks, too; heap: its allocations, too"},              \
        [(first) + RLN__INTERFACE_ROCTX] = {                                           \
            .name = "roctx",                                                           \
            .kind = RLN__ARG_BOOL,                                                     \
            .initial = "false",                                                        \
            .help = "also record ranges and marks of AMD's ROCTX, by libraries that "  \
                    "stand in for AMD's"}

/* Adds the variables of the program. One that is set already, for another tool, stays.
 */
void rln__interface_variables(const struct rln__args *args, unsigned first,
                              struct rln__variables *variables,
                              bool inherits_environment);

#endif
