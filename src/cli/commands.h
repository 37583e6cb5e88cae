/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - all commands, in the order of the overview: a line each, and a file
 * cmd_<name>.c. */
#ifndef RLN_CLI_COMMANDS_H
#define RLN_CLI_COMMANDS_H

#include "console/args.h"

#define RLN__COMMANDS(X)                                                               \
    X(profile) /* recording */                                                         \
    X(env)                                                                             \
    X(start)                                                                           \
    X(stop)                                                                            \
    X(status)                                                                          \
    X(top)                                                                             \
    X(snapshot)                                                                        \
    X(stats) /* reading */                                                             \
    X(view)                                                                            \
    X(print)                                                                           \
    X(info)                                                                            \
    X(analyze)                                                                         \
    X(diff)                                                                            \
    X(check)                                                                           \
    X(export) /* making files */                                                       \
    X(merge)                                                                           \
    X(reduce)                                                                          \
    X(recipe)                                                                          \
    X(completions)

/* Each has a description, and beside it the function that runs it: argv[0] is the
 * command's name, and the result is the exit status. */
#define X(name)                                                                        \
    int rln__cmd_##name(int argc, char **argv);                                        \
    extern const struct rln__command rln__command_##name;
RLN__COMMANDS(X)
#undef X

/* In that order (main.c); ends with NULL. */
extern const struct rln__command *const rln__commands[];

#endif
