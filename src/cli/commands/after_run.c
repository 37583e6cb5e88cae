/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/after_run.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "record/finish/split_trace.h"

static void run(int (*command)(int argc, char **argv), int argc, char **argv)
{
    pid_t child;

    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* it ends with the launcher */
        exit(command(argc, argv));
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Not a command that can be typed. */
static int split(int argc, char **argv)
{
    return rln__split_trace(argv[0], argc > 1);
}

void rln__after_split(const char *trace, bool may_replace)
{
    char *words[] = {(char *)(uintptr_t)trace, "-f", NULL};

    run(split, may_replace ? 2 : 1, words);
}

void rln__after_stats(const char *trace)
{
    char *words[] = {"stats", (char *)(uintptr_t)trace, NULL};

    run(rln__cmd_stats, 2, words);
}

void rln__after_export(const char *trace, const char *type, bool may_replace)
{
    char *words[] = {"export",
                     "-t",
                     (char *)(uintptr_t)type,
                     may_replace ? "--force-overwrite=true" : "--force-overwrite=false",
                     (char *)(uintptr_t)trace,
                     NULL};

    run(rln__cmd_export, 5, words);
}
