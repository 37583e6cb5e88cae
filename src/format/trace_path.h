/* SPDX-License-Identifier: Apache-2.0 */
/* trace_path.h - the path of a trace, from the pattern that names it.
 *
 *     %h  the host    %p  the process id    %q{VAR}  a variable's value    %%  a %
 *
 * For the command, which refuses a faulty pattern, and for the collector, which cannot
 * tell anyone and uses it as it is. Calls no libc: see base/sys.h.
 */
#ifndef RLN_FORMAT_TRACE_PATH_H
#define RLN_FORMAT_TRACE_PATH_H

#include <stddef.h>
#include <stdint.h>

#define RLN__TRACE_SUFFIX ".rln"

struct rln__path {
    char *text; /* borrowed; always terminated */
    size_t used;
    size_t room;  /* the terminator included; at least 1 */
    int is_whole; /* 0: something did not fit */
};

/* The first fault in a pattern. */
enum rln__path_fault {
    RLN__PATH_OK,
    RLN__PATH_NO_SUCH_LETTER, /* % and another letter: left as it is */
    RLN__PATH_NO_VARIABLE,    /* %q without {VAR}: left as it is */
    RLN__PATH_UNSET_VARIABLE, /* it expands to nothing */
};

struct rln__path_pattern {
    const char *text;
    uint64_t pid;
    const char *(*variable)(const char *name); /* its value, or NULL */
};

void rln__path_char(struct rln__path *path, char c);
void rln__path_add(struct rln__path *path, const char *text);

/* Appends the whole expansion, even with faults; .rln is not added. `*at` is where the
 * fault begins in the pattern, or the pattern's end. */
enum rln__path_fault rln__path_expand(struct rln__path *path,
                                      const struct rln__path_pattern *pattern,
                                      const char **at);

/* The length of `path` up to its .rln, or its whole length if it has none. */
size_t rln__path_stem(const char *path);

/* Writes the number in decimal, terminated; returns how many digits it has. */
size_t rln__path_decimal(char to[24], uint64_t n);

#endif
