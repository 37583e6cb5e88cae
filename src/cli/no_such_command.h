/* SPDX-License-Identifier: Apache-2.0 */
/* no_such_command.h - what may be meant by a word that is no command. */
#ifndef RLN_CLI_NO_SUCH_COMMAND_H
#define RLN_CLI_NO_SUCH_COMMAND_H

/* Names the first of the words, up to NULL, and hints at a command: what that of another
 * tool is here, the nearest name, or the command for a trace or a program. Exits 2. */
_Noreturn void rln__refuse_command(char *const *words);

#endif
