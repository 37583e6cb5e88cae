/* SPDX-License-Identifier: Apache-2.0 */
/* launch.h - runs a program as if the launcher were not there.
 *
 *   rln__launch_find()    finds the program, before anything is created
 *   rln__launch_fork()    the child exists (so its pid can name the trace) and waits
 *   rln__launch_go()      the child becomes the program
 *   rln__launch_wait()    (launch_signals.h) until it and its descendants have ended
 *
 * The child stays in our process group, so a terminal sends it Ctrl-C and Ctrl-Z
 * itself, and reading from the terminal works; only signals sent to just the launcher
 * are passed on.
 */
#ifndef RLN_RECORD_START_LAUNCH_H
#define RLN_RECORD_START_LAUNCH_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "console/die.h"

struct rln__launch {
    /* Filled in by the caller. */
    char **argv;               /* the program and its arguments; ends with NULL */
    bool inherits_environment; /* else it gets only the assignments */
    char **assignments;        /* "A=B", in order; borrowed */
    size_t n_assignments;
    bool waits_for_all;          /* for descendants, too */
    void (*each_second)(void *); /* called while the program runs */
    void *each_second_context;
    /* The same, or NULL: returns after how many ms to call it again. */
    long (*attend)(void *);
    void *attend_context;
    /* A child, the program or one that it left behind, was ended by a signal; or the
     * launcher got one of `own_signals`, which are not passed on. Or NULL. */
    void (*on_death)(void *, pid_t pid, int signal);
    void (*on_own_signal)(void *, int signal);
    void *on_context;
    sigset_t own_signals;

    /* Private. */
    char path[PATH_MAX];
    pid_t pid;
    int go_fd;    /* the child waits on it for its environment */
    int error_fd; /* the child reports here why it could not become the program */
    sigset_t old_mask;
    struct sigaction old_child_action; /* of SIGCHLD */
};

struct rln__launch_end {
    int exit_code;  /* the program's, or 128 + the signal that ended it */
    int signal;     /* that ended it, or 0 */
    bool all_ended; /* no descendant runs any more */
};

/* Finds the program in PATH as a shell would; exits 127 or 126 if it cannot be run. */
void rln__launch_find(struct rln__launch *l);

/* Blocks signals and forks the child. Dies on failure; if the caller exits before
 * rln__launch_go(), the child ends silently. */
void rln__launch_fork(struct rln__launch *l);

/* Lets the child become the program, with the variable RANGELINE_OUTPUT set to
 * `output`. RLN__EXIT_OK, or the exit code, after the reason was printed. */
enum rln__exit rln__launch_go(struct rln__launch *l, const char *output);

/* Sends a signal to the program and to all that it started and that are still our
 * descendants. */
void rln__launch_kill(const struct rln__launch *l, int signal);

#endif
