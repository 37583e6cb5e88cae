/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - fork, exec and kill. Knows nothing of traces. */
#include "record/start/launch.h"
#include "console/ends_with.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console/find_program.h"
#include "record/start/child_pids.h"
#include "record/start/launch_signals.h"

/* --- The program ------------------------------------------------------------------ */

/* Explains why the program cannot be run; the exit status is that of shells. */
static enum rln__exit explain(const char *program, int error)
{
    const bool is_missing = error == ENOENT || error == ENOTDIR;
    const bool is_here = !strchr(program, '/') && access(program, F_OK) == 0;

    rln__complain("cannot run program: program=\"%s\": %s", program,
                  is_missing && !strchr(program, '/') ? "not found in PATH"
                                                      : strerror(error));
    if (rln__ends_with(program, ".py") && (!is_missing || is_here))
        rln__hint("`rangeline profile python3 %s`", program);
    else if (rln__ends_with(program, ".sh") && (!is_missing || is_here))
        rln__hint("`rangeline profile sh %s`", program);
    else if (is_here)
        rln__hint("run the one in this folder with `rangeline profile ./%s`", program);
    else if (error == EACCES)
        rln__hint("`chmod +x %s` if it is a program", program);
    else if (error == ENOENT && access(program, F_OK) == 0)
        rln__hint(
            "install its interpreter: the program exists, the interpreter does not");
    else if (error == ENOEXEC)
        rln__hint("it is built for another machine: `file %s`", program);
    return is_missing ? RLN__EXIT_NOT_FOUND : RLN__EXIT_NOT_EXECUTABLE;
}

void rln__launch_find(struct rln__launch *l)
{
    const int error = rln__find_program(l->argv[0], l->path);

    if (error)
        exit((int)explain(l->argv[0], error));
}

/* --- The child -------------------------------------------------------------------- */

static void set_variable(const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char *name = strndup(assignment, (size_t)(equals - assignment));

    if (!name || setenv(name, equals + 1, 1) < 0)
        _exit(RLN__EXIT_FAILED);
    free(name);
}

/* A text file without a #! line is a script for sh, as for shells and execvp(). Returns
 * if it is not one. */
static void exec_by_shell(const struct rln__launch *l)
{
    char begin[128];
    const int fd = open(l->path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, begin, sizeof(begin));
    size_t n_words = 0;
    char **words;

    if (n < 0 || memchr(begin, '\0', (size_t)n))
        return;
    while (l->argv[n_words])
        n_words++;
    words = calloc(n_words + 2, sizeof(*words));
    if (!words)
        return;
    words[0] = (char *)(uintptr_t) "sh";
    words[1] = (char *)(uintptr_t)l->path;
    memcpy(words + 2, l->argv + 1, (n_words - 1) * sizeof(*words));
    (void)execv("/bin/sh", words);
}

/* Waits for the output's path, then becomes the program. */
static _Noreturn void be_child(const struct rln__launch *l, int go_fd, int error_fd)
{
    char output[PATH_MAX];
    size_t n_read = 0;
    ssize_t n;
    int error;

    while ((n = read(go_fd, output + n_read, sizeof(output) - n_read)) > 0)
        n_read += (size_t)n;
    if (n_read == 0 || output[n_read - 1] != '\0')
        _exit(RLN__EXIT_FAILED); /* the launcher gave up and has printed why */
    if (!l->inherits_environment)
        (void)clearenv();
    for (size_t i = 0; i < l->n_assignments; i++)
        set_variable(l->assignments[i]);
    if (setenv("RANGELINE_OUTPUT", output, 1) < 0)
        _exit(RLN__EXIT_FAILED);
    (void)sigaction(SIGCHLD, &l->old_child_action, NULL);
    (void)sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
    (void)execv(l->path, l->argv);
    error = errno;
    if (error == ENOEXEC)
        exec_by_shell(l);
    (void)!write(error_fd, &error, sizeof(error));
    _exit(RLN__EXIT_NOT_EXECUTABLE);
}

void rln__launch_fork(struct rln__launch *l)
{
    int go[2];
    int error[2];
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigset_t handled;

    rln__launch_signals(&handled);
    (void)sigprocmask(SIG_BLOCK, &handled, &l->old_mask);
    /* Our parent may have ignored SIGCHLD; then children would vanish unseen. The
     * program gets it back as it was. */
    (void)sigaction(SIGCHLD, &by_default, &l->old_child_action);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (pipe2(go, O_CLOEXEC) < 0 || pipe2(error, O_CLOEXEC) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot run program: pipe: %s", strerror(errno));
    l->pid = fork();
    if (l->pid < 0)
        rln__die(RLN__EXIT_FAILED, "cannot run program: fork: %s", strerror(errno));
    if (l->pid == 0) {
        (void)close(go[1]);
        (void)close(error[0]);
        be_child(l, go[0], error[1]);
    }
    (void)close(go[0]);
    (void)close(error[1]);
    l->go_fd = go[1];
    l->error_fd = error[0];
}

enum rln__exit rln__launch_go(struct rln__launch *l, const char *output)
{
    const size_t n_bytes = strlen(output) + 1; /* a pipe takes a path at once */
    int error = 0;
    ssize_t n = write(l->go_fd, output, n_bytes);

    (void)close(l->go_fd);
    if (n != (ssize_t)n_bytes) {
        rln__complain("cannot run program: pipe: %s", strerror(errno));
        return RLN__EXIT_FAILED;
    }
    n = read(l->error_fd, &error, sizeof(error));
    (void)close(l->error_fd);
    if (n != (ssize_t)sizeof(error))
        return RLN__EXIT_OK; /* the program has taken over */
    (void)waitpid(l->pid, NULL, 0);
    return explain(l->argv[0], error);
}

/* Signals parents before their children: one that waits for them must not go on without
 * them. */
void rln__launch_kill(const struct rln__launch *l, int signal)
{
    struct rln__pids p = rln__pids_of_run(l->pid, SIZE_MAX);

    for (size_t i = 0; i < p.n; i++)
        (void)kill(p.items[i], signal);
    free(p.items);
}
