/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/profile/after_run.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/commands/stats/stats_notes.h"
#include "console/die.h"
#include "rangeline/reader.h"
#include "ranges/events.h"
#include "record/finish/split_trace.h"
#include "record/start/gpu_options.h"
#include "trace/open/gpus.h"
#include "trace/open/load.h"
#include "trace/open/losses.h"

/* The status for waitpid(); 0 if there was no process. */
static int run(int (*command)(int argc, char **argv), int argc, char **argv)
{
    int status = 0;
    pid_t child;

    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* it ends with the launcher */
        exit(command(argc, argv));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Not a command that can be typed. */
static int split(int argc, char **argv)
{
    return rln__split_trace(argv[0], argc > 1);
}

void rln__after_split(const char *trace, bool may_replace)
{
    char *words[] = {(char *)(uintptr_t)trace, "-f", NULL};

    (void)run(split, may_replace ? 2 : 1, words);
}

static void say_no_gpu_work(void)
{
    rln__note("no kernel and no copy was recorded: the program used no GPU, or ended "
              "before its work was handed over");
    rln__gpu_explain_none();
}

/* Opening its events finds what was lost, without reading them. */
static int say_gpu_losses(int argc, char **argv)
{
    const char *path = argv[0];
    const struct rln__losses *losses;
    rln_reader *reader;
    rln_events *events;

    if (rln_reader_open(&path, 1, &reader, NULL))
        return RLN__EXIT_FAILED;
    if (!rln__events_open_all(reader, &events, NULL))
        rln_events_close(events);
    losses = rln__reader_get_losses(reader);
    if (argc == 1 || !rln__reader_has_gpu_work(reader)) /* else `stats` will say it */
        rln__note_gpu_losses(losses);
    if (losses->gpu_refusal.length)
        rln__note("%s GPU work was recorded: %.*s",
                  rln__reader_has_gpu_work(reader) ? "not all" : "no",
                  (int)losses->gpu_refusal.length, losses->gpu_refusal.bytes);
    else if (!rln__reader_has_gpu_work(reader) && !losses->n_gpu_lost)
        say_no_gpu_work();
    rln_reader_close(reader);
    return RLN__EXIT_OK;
}

void rln__after_gpu(const char *trace, bool has_stats)
{
    char *words[] = {(char *)(uintptr_t)trace, "stats", NULL};

    (void)run(say_gpu_losses, has_stats ? 2 : 1, words);
}

void rln__after_stats(const char *trace)
{
    char *words[] = {"stats", (char *)(uintptr_t)trace, NULL};

    (void)run(rln__cmd_stats, 2, words);
}

void rln__after_export(const char *trace, const char *type, bool may_replace,
                       bool is_quiet)
{
    char *words[] = {"export",
                     "-t",
                     (char *)(uintptr_t)type,
                     may_replace ? "--force-overwrite=true" : "--force-overwrite=false",
                     (char *)(uintptr_t)trace,
                     is_quiet ? "-q" : NULL,
                     NULL};

    (void)run(rln__cmd_export, is_quiet ? 6 : 5, words);
}

/* nsys documents the variables, but not what the names look like. */
static int call(int argc, char **argv)
{
    const char *name = strrchr(argv[2], '/');
    char session[256];

    (void)argc;
    (void)snprintf(session, sizeof(session), "profile-%d-%s", (int)getppid(),
                   name ? name + 1 : argv[2]);
    (void)setenv("NSYS_SESSION_NAME", session, 1);
    (void)setenv("NSYS_CALLBACK_NAME", "after-report-ready", 1);
    (void)setenv("NSYS_REPORT_PATH", argv[1], 1);
    (void)execl("/bin/sh", "sh", "-c", argv[0], (char *)NULL);
    return 127;
}

void rln__after_ready(const char *command, const char *trace, const char *program)
{
    char *words[] = {(char *)(uintptr_t)command, (char *)(uintptr_t)trace,
                     (char *)(uintptr_t)program, NULL};
    const int status = run(call, 3, words);

    if (WIFEXITED(status) && WEXITSTATUS(status))
        rln__note("the command of --after-report-ready ended with status %d",
                  WEXITSTATUS(status));
    else if (WIFSIGNALED(status))
        rln__note("the command of --after-report-ready was ended by signal %d",
                  WTERMSIG(status));
}
