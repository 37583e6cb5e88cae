/* SPDX-License-Identifier: Apache-2.0 */
/* trace_path.h - expands the pattern of -o into the path of a trace.
 *
 *     %h  the host    %p  the process id    %q{VAR}  a variable's value    %%  a %
 *
 * The command rejects a faulty pattern; the collector, which cannot report errors, uses
 * the faulty part literally. Calls no libc: see base/sys.h.
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
    int is_whole; /* 0: the text was truncated */
};

/* The first fault in a pattern. */
enum rln__path_fault {
    RLN__PATH_OK,
    RLN__PATH_NO_SUCH_LETTER, /* % and another letter: copied literally */
    RLN__PATH_NO_VARIABLE,    /* %q without {VAR}: copied literally */
    RLN__PATH_UNSET_VARIABLE, /* expands to nothing */
};

struct rln__path_pattern {
    const char *text;
    uint64_t pid;
    const char *(*variable)(const char *name); /* its value, or NULL */
};

void rln__path_char(struct rln__path *path, char c);
void rln__path_add(struct rln__path *path, const char *text);

/* Appends the whole expansion, even with faults, and no .rln. `*at` points to the first
 * fault in the pattern, or to its end. */
enum rln__path_fault rln__path_expand(struct rln__path *path,
                                      const struct rln__path_pattern *pattern,
                                      const char **at);

/* The length of `path` up to its .rln, or its whole length if it has none. */
size_t rln__path_stem(const char *path);

/* Writes the number in decimal, terminated; returns how many digits it has. */
size_t rln__path_decimal(char to[24], uint64_t n);

#endif
