/* SPDX-License-Identifier: Apache-2.0 */
/* die.h - all that the command prints on standard error, and the only way it exits
 * early.
 *
 *     rangeline: cannot create trace: path="run.rln": File exists
 *     hint: choose another name with -o, or overwrite it with -f
 *
 * Formats are those of message.h: %s between backquotes is a word of a shell.
 */
#ifndef RLN_CONSOLE_DIE_H
#define RLN_CONSOLE_DIE_H

enum rln__exit {
    RLN__EXIT_OK = 0,
    RLN__EXIT_FAILED = 1, /* the command failed */
    RLN__EXIT_USAGE = 2,  /* the command line makes no sense */
    RLN__EXIT_NOT_EXECUTABLE = 126,
    RLN__EXIT_NOT_FOUND = 127,
};

/* "rangeline: " and the message: "cannot <do what>: <field>=<value>: <reason>". */
__attribute__((format(printf, 1, 2))) void rln__complain(const char *format, ...);

/* "note: " and a remark that is not an error. */
__attribute__((format(printf, 1, 2))) void rln__note(const char *format, ...);

/* "hint: " and the way out, with the command to type. */
__attribute__((format(printf, 1, 2))) void rln__hint(const char *format, ...);

/* Complains and exits. With a hint: rln__complain(), rln__hint(), exit(). */
__attribute__((format(printf, 2, 3))) _Noreturn void rln__die(enum rln__exit status,
                                                              const char *format, ...);

#endif
