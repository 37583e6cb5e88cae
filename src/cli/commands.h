/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - every command's description, and the table of all commands (main.c). */
#ifndef RLN_CLI_COMMANDS_H
#define RLN_CLI_COMMANDS_H

#include "console/args.h"

/* Each is in cmd_<name>.c, beside the function that runs it: argv[0] is the command's
 * name, and the result is the exit status. */
int rln__cmd_profile(int argc, char **argv);
int rln__cmd_env(int argc, char **argv);
int rln__cmd_start(int argc, char **argv);
int rln__cmd_stop(int argc, char **argv);
int rln__cmd_status(int argc, char **argv);
int rln__cmd_top(int argc, char **argv);
int rln__cmd_snapshot(int argc, char **argv);
int rln__cmd_completions(int argc, char **argv);
int rln__cmd_print(int argc, char **argv);
int rln__cmd_info(int argc, char **argv);
int rln__cmd_stats(int argc, char **argv);
int rln__cmd_view(int argc, char **argv);
int rln__cmd_analyze(int argc, char **argv);
int rln__cmd_check(int argc, char **argv);
int rln__cmd_diff(int argc, char **argv);
int rln__cmd_merge(int argc, char **argv);
int rln__cmd_reduce(int argc, char **argv);
int rln__cmd_recipe(int argc, char **argv);
int rln__cmd_export(int argc, char **argv);

extern const struct rln__command rln__command_profile;
extern const struct rln__command rln__command_env;
extern const struct rln__command rln__command_start;
extern const struct rln__command rln__command_stop;
extern const struct rln__command rln__command_status;
extern const struct rln__command rln__command_top;
extern const struct rln__command rln__command_snapshot;
extern const struct rln__command rln__command_completions;
extern const struct rln__command rln__command_print;
extern const struct rln__command rln__command_info;
extern const struct rln__command rln__command_stats;
extern const struct rln__command rln__command_view;
extern const struct rln__command rln__command_analyze;
extern const struct rln__command rln__command_check;
extern const struct rln__command rln__command_diff;
extern const struct rln__command rln__command_merge;
extern const struct rln__command rln__command_reduce;
extern const struct rln__command rln__command_recipe;
extern const struct rln__command rln__command_export;

/* In the order of the overview; ends with NULL. */
extern const struct rln__command *const rln__commands[];

#endif
