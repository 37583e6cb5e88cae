/* SPDX-License-Identifier: Apache-2.0 */
/* man.h - a command's table as a man page. */
#ifndef RLN_CLI_MAN_H
#define RLN_CLI_MAN_H

#include <stdio.h>

#include "console/args.h"

/* The page of `command`; NULL is rangeline(1), which lists the commands. */
void rln__man_print(const struct rln__command *command, FILE *out);

#endif
