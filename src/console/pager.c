/* SPDX-License-Identifier: Apache-2.0 */
#include "console/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "console/find_program.h"
#include "console/line.h"

static bool is_allowed;
static pid_t pager; /* 0: none */

bool rln__on_terminal(void)
{
    return pager || isatty(STDOUT_FILENO);
}

bool rln__has_color(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return rln__on_terminal() && !(no_color && *no_color) &&
           !(term && strcmp(term, "dumb") == 0);
}

bool rln__is_ascii_only(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < RLN_COUNT(variables); i++) {
        const char *value = getenv(variables[i]);

        if (value && *value)
            return strcmp(value, "C") == 0 || strcmp(value, "POSIX") == 0;
    }
    return false;
}

size_t rln__screen_columns(void)
{
    const int screen = isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDIN_FILENO; /* pager */
    struct winsize size;

    return rln__on_terminal() && ioctl(screen, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                       : 0;
}

void rln__pager_allow(void)
{
    is_allowed = true;
}

/* NULL: the user turned it off, or none exists. */
static const char *find_pager(void)
{
    const char *command = getenv("RANGELINE_PAGER");
    char path[PATH_MAX];

    if (!command)
        command = getenv("PAGER");
    if (!command)
        return rln__find_program("less", path) == 0 ? "less" : NULL;
    return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

/* A terminal of unknown size is useless to a pager. */
bool rln__is_screen(void)
{
    const char *term = getenv("TERM");
    struct winsize size;

    return isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) && term &&
           strcmp(term, "dumb") != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
           size.ws_row > 0 && size.ws_col > 0;
}

static _Noreturn void run(const char *command, const int pipe_ends[2])
{
    (void)dup2(pipe_ends[0], STDIN_FILENO);
    (void)close(pipe_ends[0]);
    (void)close(pipe_ends[1]);
    (void)setenv("LESS", "FRX", 0); /* as git does */
    (void)setenv("LV", "-c", 0);
    (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* The pager is at the end when all writers of its input have closed it. */
static void end(void)
{
    int status;

    (void)rln__flush_output();
    (void)fflush(stderr);
    (void)close(STDOUT_FILENO);
    (void)close(STDERR_FILENO);
    (void)waitpid(pager, &status, 0);
}

void rln__pager_begin(void)
{
    const char *command = is_allowed && !pager ? find_pager() : NULL;
    int ends[2];

    is_allowed = false;
    if (!command || !rln__is_screen() || pipe2(ends, O_CLOEXEC) < 0)
        return;
    (void)rln__flush_output();
    pager = fork();
    if (pager == 0)
        run(command, ends);
    (void)close(ends[0]);
    if (pager < 0) {
        pager = 0;
        (void)close(ends[1]);
        return;
    }
    (void)dup2(ends[1], STDOUT_FILENO);
    if (isatty(STDERR_FILENO)) /* else notes would overwrite the pager's screen */
        (void)dup2(ends[1], STDERR_FILENO);
    (void)close(ends[1]);
    (void)signal(SIGPIPE, SIG_IGN); /* the reader has seen enough */
    (void)signal(SIGINT, SIG_IGN);  /* for the pager only */
    (void)atexit(end);
}
