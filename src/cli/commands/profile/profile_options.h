/* SPDX-License-Identifier: Apache-2.0 */
/* profile_options.h - rows of the option table of `rangeline profile`. */
#ifndef RLN_CLI_COMMANDS_PROFILE_OPTIONS_H
#define RLN_CLI_COMMANDS_PROFILE_OPTIONS_H

#include "record/start/capture_options.h"
#include "record/start/gpu_options.h"
#include "record/start/interface_options.h"
#include "record/start/record_options.h"

enum rln__profile_option {
    RLN__PROFILE_OUTPUT,
    RLN__PROFILE_FORCE_OVERWRITE,
    RLN__PROFILE_SPOOL,
    RLN__PROFILE_SPLIT,
    RLN__PROFILE_STATS,
    RLN__PROFILE_EXPORT,
    RLN__PROFILE_AFTER_READY,
    RLN__PROFILE_RECORD,
    RLN__PROFILE_CAPTURE = RLN__PROFILE_RECORD + RLN__N_RECORD_OPTIONS,
    RLN__PROFILE_START_LATER = RLN__PROFILE_CAPTURE + RLN__N_CAPTURE_OPTIONS,
    RLN__PROFILE_DELAY,
    RLN__PROFILE_DURATION,
    RLN__PROFILE_MAX_SIZE,
    RLN__PROFILE_SNAPSHOT_ON,
    RLN__PROFILE_KILL,
    RLN__PROFILE_ENV_VAR,
    RLN__PROFILE_INHERIT_ENVIRONMENT,
    RLN__PROFILE_WAIT,
    RLN__PROFILE_AS,
    RLN__PROFILE_COMMAND_FILE,
    RLN__PROFILE_PYTHON,
    RLN__PROFILE_NVTX,
    RLN__PROFILE_PYTORCH,
    RLN__PROFILE_GPU,
    RLN__PROFILE_INTERFACES = RLN__PROFILE_GPU + RLN__N_GPU_OPTIONS,
    RLN__PROFILE_IGNORED =
        RLN__PROFILE_INTERFACES + RLN__N_INTERFACE_OPTIONS, /* and the rows after it */
};

#endif
