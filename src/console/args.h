/* SPDX-License-Identifier: Apache-2.0 */
/* args.h - one table per command defines its command line.
 *
 *   struct rln__command                 rln__args_parse()      the user's words
 *   {name, summary, examples,     --->  rln__help_print()      --help
 *    options[] {name, letter,           rln__man_print()       man page
 *               kind, help...}}         rln__completions_print()  bash, zsh, fish
 *
 * A command keeps its table in its own file and names the rows by an enum:
 *
 *     enum { OUTPUT, QUIET };
 *     static const struct rln__option options[] = {
 *         [OUTPUT] = {.name = "output", .letter = 'o', .kind = RLN__ARG_TEXT, ...},
 *         [QUIET] = {.name = "quiet", .letter = 'q', .help = "print errors only"},
 *     };
 *     const struct rln__command rln__command_print = {
 *         .name = "print", .run = rln__cmd_print, RLN__OPTIONS(options), ...};
 *
 *     int rln__cmd_print(int argc, char **argv)
 *     {
 *         struct rln__args args;
 *
 *         rln__args_parse(&rln__command_print, argc, argv, &args);
 *         if (rln__args_bool(&args, QUIET)) ...
 *         rln__args_clear(&args);
 *     }
 *
 * Every command also has -h and --help, which are in no table.
 */
#ifndef RLN_CONSOLE_ARGS_H
#define RLN_CONSOLE_ARGS_H

#include "console/option.h"

#include <stdint.h>

struct rln__example {
    const char *what; /* one line: what this does */
    const char *line; /* what to type */
};

/* What the manual explains besides options, such as a report. */
struct rln__topic {
    const char *name, *summary;
    const char *text; /* or NULL */
};

struct rln__command {
    const char *name;
    const char *summary;  /* one line, as a verb: "record a program" */
    const char *operands; /* "[FILE...]", or NULL for none */
    const char *choices;  /* "bash|zsh|fish": the operands to complete, or NULL */
    /* Words for the first operand, which files follow, from 0 to NULL; or NULL. */
    const char *(*first_at)(size_t index);
    const char *operands_help;   /* what they may be: the first paragraph; or NULL */
    const char *description;     /* paragraphs, separated by one empty line */
    const char *ignored_because; /* why options that are ignored have no effect */
    /* The hint if an option is none of these, such as one of Nsight's; or NULL. */
    const char *(*way_out)(const char *name);
    const struct rln__example *examples;
    size_t n_examples;
    struct {
        const char *heading; /* "REPORTS", or NULL for none */
        bool (*at)(size_t index, struct rln__topic *out); /* false: no more */
    } topics;
    const struct rln__option *options;
    size_t n_options;
    bool stops_at_operand; /* words after the first operand belong to it */
    int (*run)(int argc, char **argv);
};

#define RLN__OPTIONS(table)                                                            \
    .options = (table), .n_options = sizeof(table) / sizeof((table)[0])
#define RLN__EXAMPLES(table)                                                           \
    .examples = (table), .n_examples = sizeof(table) / sizeof((table)[0])

struct rln__given {
    unsigned option;   /* row of the command's table */
    const char *value; /* borrowed from argv or `texts`; static "true" for a flag */
};

struct rln__args {
    const struct rln__command *command;
    char **argv; /* borrowed: the command line, after the command's name */
    int argc;
    struct rln__given *given; /* owned; in the order of the command line */
    size_t n_given;
    char **operands; /* owned, its words borrowed from argv; ends with NULL */
    size_t n_operands;
    char **texts; /* owned; of files, whose words are values, too */
    size_t n_texts;
};

/* Reads the words after argv[0], which is the command's name. Help is printed and exits
 * 0; an error names the word, suggests the nearest option and exits 2. */
void rln__args_parse(const struct rln__command *command, int argc, char **argv,
                     struct rln__args *out);
void rln__args_clear(struct rln__args *args);

/* For commands without operands: exits 2 if there is one. */
void rln__args_refuse_operands(const struct rln__args *args);

bool rln__args_has(const struct rln__args *args, unsigned option);
/* The last value, else the initial one, else NULL. Borrowed from argv or static. */
const char *rln__args_text(const struct rln__args *args, unsigned option);
bool rln__args_bool(const struct rln__args *args, unsigned option);
/* Also of seconds, in nanoseconds, and of bytes. 0 if not given. */
uint64_t rln__args_count(const struct rln__args *args, unsigned option);
/* The values of a repeatable option one by one; begin with *at = 0, NULL ends. */
const char *rln__args_next(const struct rln__args *args, unsigned option, size_t *at);

/* All of them as one list, with commas between. Owned by the caller; NULL if there is
 * none. */
char *rln__args_joined(const struct rln__args *args, unsigned option);

/* A word of the operands, which are lists with commas; {0} before the first. */
struct rln__operand_word {
    const char *at; /* not terminated */
    size_t length, operand;
};

/* Goes to the next word; false: there is none. Empty ones are skipped. */
bool rln__args_next_word(const struct rln__args *args, struct rln__operand_word *word);

#endif
