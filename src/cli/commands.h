/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - every command's description, and the table of them all (main.c). */
#ifndef RLN_CLI_COMMANDS_H
#define RLN_CLI_COMMANDS_H

#include "cli/args.h"

/* Each lies in cmd_<name>.c, beside the function that runs it: argv[0] is the
 * command's name; what it returns is the exit status. */
int rln__cmd_profile(int argc, char **argv);
int rln__cmd_env(int argc, char **argv);
int rln__cmd_completions(int argc, char **argv);
int rln__cmd_print(int argc, char **argv);
int rln__cmd_info(int argc, char **argv);
int rln__cmd_stats(int argc, char **argv);

extern const struct rln__command rln__command_profile;
extern const struct rln__command rln__command_env;
extern const struct rln__command rln__command_completions;
extern const struct rln__command rln__command_print;
extern const struct rln__command rln__command_info;
extern const struct rln__command rln__command_stats;

/* In the order of the overview; ends with NULL. */
extern const struct rln__command *const rln__commands[];

#endif
