/* SPDX-License-Identifier: Apache-2.0 */
/* stats_options.h - rows of the option table of `rangeline stats`. */
#ifndef RLN_CLI_COMMANDS_STATS_OPTIONS_H
#define RLN_CLI_COMMANDS_STATS_OPTIONS_H

#include "cli/inputs/filter_options.h"

enum rln__stats_option {
    RLN__STATS_REPORT,
    RLN__STATS_FORMAT,
    RLN__STATS_CSV,
    RLN__STATS_JSON,
    RLN__STATS_TIMEUNIT,
    RLN__STATS_OUTPUT,
    RLN__STATS_FORCE,
    RLN__STATS_QUIET,
    RLN__STATS_HELP_REPORTS,
    RLN__STATS_HELP_FORMATS,
    RLN__STATS_SQLITE,
    RLN__STATS_FORCE_EXPORT,
    RLN__STATS_STRICT,
    RLN__STATS_FILTERS, /* and the rows behind it */
    RLN__STATS_DEPTH = RLN__STATS_FILTERS + RLN__N_FILTER_OPTIONS,
    RLN__STATS_SHARE,
    RLN__STATS_UNDER,
    RLN__STATS_SORT,
    RLN__STATS_ROWS,
    RLN__STATS_JOBS,
};

#endif
