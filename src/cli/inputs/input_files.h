/* SPDX-License-Identifier: Apache-2.0 */
/* input_files.h - the files that a command is given: names, patterns that the shell did
 * not expand, lists; all, or the share of one task of many. */
#ifndef RLN_CLI_INPUTS_INPUT_FILES_H
#define RLN_CLI_INPUTS_INPUT_FILES_H

#include <stddef.h>

#include "base/buf.h"

/* The line of a list that names a file; without `list`, a word of the command line. */
struct rln__file_origin {
    const char *list; /* borrowed from the word */
    size_t line;
};

struct rln__file_names {
    char **items;                     /* owned, as each is; ends with NULL */
    struct rln__file_origin *origins; /* owned; of each */
    size_t n, capacity;
};

/* Adds the files of a word: a pattern's in the order of their names, those of a list
 * (@FILE, a name per line) in its order. Exits 1 with a message if there are none. */
void rln__file_names_add(struct rln__file_names *names, const char *word);

void rln__file_names_add_all(struct rln__file_names *names, char *const *words,
                             size_t n_words);

/* Keeps the share of task I of N: "I/N", or "auto" for what the job's launcher has put
 * into the environment. Exits 2 with a message if that is none. */
void rln__file_names_slice(struct rln__file_names *names, const char *slice);

/* Appends names, which end with NULL, as words of a shell, each after a space: all, or
 * instead of more than three the pattern that finds just them. */
void rln__file_names_words(char *const *names, struct rln__buf *out);

/* Appends "a.rln", "a.rln and b.rln" or "a.rln and 3 more". */
void rln__file_names_summary(char *const *names, struct rln__buf *out);

/* Empties it; the caller owns the items. */
char **rln__file_names_take(struct rln__file_names *names);

void rln__file_names_clear(struct rln__file_names *names);

#endif
