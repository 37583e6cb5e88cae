/* SPDX-License-Identifier: Apache-2.0 */
/* help.h - what a command's table says, as help text. */
#ifndef RLN_CLI_HELP_H
#define RLN_CLI_HELP_H

#include <stdio.h>

#include "cli/args.h"

void rln__help_print(const struct rln__command *command, FILE *out);

#endif
