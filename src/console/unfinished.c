/* SPDX-License-Identifier: Apache-2.0 */
#include "console/unfinished.h"

#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *volatile unfinished;

static void on_end(int number)
{
    if (unfinished)
        (void)unlink(unfinished);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void mask(int how)
{
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        (void)sigaddset(&set, ends[i]);
    (void)sigprocmask(how, &set, NULL);
}

void rln__unfinished_begin(const char *path)
{
    struct stat st;

    if (!path || stat(path, &st) < 0 || !S_ISFIFO(st.st_mode))
        mask(SIG_BLOCK);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (signal(ends[i], on_end) == SIG_IGN) /* of nohup */
            (void)signal(ends[i], SIG_IGN);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

void rln__unfinished_is(const char *path)
{
    unfinished = path;
    mask(SIG_UNBLOCK);
}
