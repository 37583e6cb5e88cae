/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/gpu_sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "base/monotonic.h"
#include "record/start/child_pids.h"

#define PATIENCE_MS 2000 /* a driver may hang */

/* --- The start -------------------------------------------------------------------- */

/* Of the program's variables, those that join the trace: filters are for its events. */
static const char *const passed[] = {"NVTX_INJECTION64_PATH", "RANGELINE_RUN",
                                     "RANGELINE_BUFFER"};

extern char **environ;

static bool is_replaced(const char *assignment)
{
    return strncmp(assignment, "RANGELINE_", 10) == 0 ||
           strncmp(assignment, "NVTX_INJECTION64_PATH=", 22) == 0 ||
           strncmp(assignment, "LD_PRELOAD=", 11) == 0;
}

/* Our environment, with the trace; owned, as the first `*n_own` of its entries. */
static char **environment(const struct rln__gpu_sampler_request *r, size_t *n_own)
{
    size_t n = 0, n_ours = 0;
    char **all;

    while (environ[n_ours])
        n_ours++;
    all = calloc(n_ours + RLN_COUNT(passed) + 3, sizeof(*all));
    if (!all)
        return NULL;
    if (asprintf(&all[n], "RANGELINE_OUTPUT=%s", r->trace) >= 0)
        n++;
    if (asprintf(&all[n], "RANGELINE_SAMPLER=1") >= 0)
        n++;
    for (size_t i = 0; i < RLN_COUNT(passed); i++) {
        const char *value = rln__variables_find(r->variables, passed[i], false);

        if (value && asprintf(&all[n], "%s=%s", passed[i], value) >= 0)
            n++;
    }
    *n_own = n;
    for (size_t i = 0; i < n_ours; i++)
        if (!is_replaced(environ[i]))
            all[n++] = environ[i];
    all[n] = NULL;
    return all;
}

/* With standard input and output from the pipes, without standard error. 0 or an errno. */
static int spawn(struct rln__gpu_sampler *s, const struct rln__gpu_sampler_request *r,
                 int in_fd, int out_fd, char **variables)
{
    char *argv[] = {strdup(r->path), strdup("10"), strdup(r->gpus), NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error;

    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawn_file_actions_adddup2(&files, in_fd, STDIN_FILENO);
    (void)posix_spawn_file_actions_adddup2(&files, out_fd, STDOUT_FILENO);
    (void)posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY,
                                           0);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID |
                                                    POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
    error = argv[0] && argv[1] && argv[2]
                ? posix_spawn(&s->pid, r->path, &files, &attributes, argv, variables)
                : ENOMEM;
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    for (size_t i = 0; i < RLN_COUNT(argv); i++)
        free(argv[i]);
    return error;
}

int rln__gpu_sampler_begin(struct rln__gpu_sampler *s,
                           const struct rln__gpu_sampler_request *request)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    size_t n_own = 0;
    char **variables = environment(request, &n_own);
    int error = variables ? 0 : ENOMEM;

    if (!error && (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0))
        error = errno;
    if (!error)
        error = spawn(s, request, in[0], out[1], variables);
    for (size_t i = 0; i < n_own; i++)
        free(variables[i]);
    free(variables);
    if (in[0] >= 0)
        (void)close(in[0]);
    if (out[1] >= 0)
        (void)close(out[1]);
    s->stop_fd = in[1];
    s->reasons_fd = out[0];
    if (!error && rln__pids_leave_out(s->pid))
        return 0;
    if (!error) { /* the program does not wait for a driver */
        (void)kill(s->pid, SIGKILL);
        (void)waitpid(s->pid, NULL, 0);
        error = ENOSYS;
    }
    if (in[1] >= 0)
        (void)close(in[1]);
    if (out[0] >= 0)
        (void)close(out[0]);
    s->pid = 0;
    return -error;
}

/* --- The end ---------------------------------------------------------------------- */

/* Reads until it has ended, or until then. */
static void read_reasons(int fd, char *why, size_t n_bytes, int64_t until_ms)
{
    struct pollfd out = {.fd = fd, .events = POLLIN};
    size_t n = 0;

    for (;;) {
        const int64_t left_ms = until_ms - rln__monotonic_ms();
        char rest[256];
        char *to = n + 1 < n_bytes ? why + n : rest;
        const size_t room = n + 1 < n_bytes ? n_bytes - 1 - n : sizeof(rest);
        ssize_t n_read;

        if (left_ms <= 0)
            break;
        if (poll(&out, 1, (int)left_ms) <= 0)
            continue;
        n_read = read(fd, to, room);
        if (n_read <= 0)
            break;
        n += to == rest ? 0 : (size_t)n_read;
    }
    if (n_bytes)
        why[n] = '\0';
}

void rln__gpu_sampler_end(struct rln__gpu_sampler *s, char *why, size_t n_bytes)
{
    const int64_t until_ms = rln__monotonic_ms() + PATIENCE_MS;

    if (n_bytes)
        *why = '\0';
    if (!s->pid)
        return;
    (void)close(s->stop_fd);
    read_reasons(s->reasons_fd, why, n_bytes, until_ms);
    (void)close(s->reasons_fd);
    /* It may have been waited for already: then the pid is none of ours. */
    while (waitpid(s->pid, NULL, WNOHANG) == 0) {
        if (rln__monotonic_ms() >= until_ms) {
            (void)kill(s->pid, SIGKILL);
            (void)waitpid(s->pid, NULL, 0);
            break;
        }
        (void)usleep(1000);
    }
    (void)rln__pids_leave_out(0);
    s->pid = 0;
}
