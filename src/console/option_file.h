/* SPDX-License-Identifier: Apache-2.0 */
/* option_file.h - the words of a file, as a shell would give them to a command: blanks
 * and lines separate them, except within '...' and "...". Nothing else is special. */
#ifndef RLN_CONSOLE_OPTION_FILE_H
#define RLN_CONSOLE_OPTION_FILE_H

struct rln__option_file {
    char *text;   /* owned; the words lie in it */
    char **words; /* owned; from 1 on, as in argv; 0 is the path */
    int n_words;  /* including the path */
};

/* Dies if the file cannot be read, or a quote is not closed. */
void rln__option_file_read(const char *path, struct rln__option_file *out);

#endif
