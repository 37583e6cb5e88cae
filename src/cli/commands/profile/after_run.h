/* SPDX-License-Identifier: Apache-2.0 */
/* after_run.h - commands that `profile` runs on its trace when the program has ended.
 *
 * Each runs in its own process: whatever happens to it, the exit status is the
 * program's.
 */
#ifndef RLN_CLI_COMMANDS_AFTER_RUN_H
#define RLN_CLI_COMMANDS_AFTER_RUN_H

#include <stdbool.h>

void rln__after_split(const char *trace, bool may_replace);
/* Says what GPU work was lost, or why there is none. With `has_stats`, statistics
 * follow, which say the former. */
void rln__after_gpu(const char *trace, bool has_stats);
void rln__after_stats(const char *trace);
void rln__after_export(const char *trace, const char *type, bool may_replace,
                       bool is_quiet);
/* Runs a command of the shell, with the variables that nsys sets for it. */
void rln__after_ready(const char *command, const char *trace, const char *program);

#endif
