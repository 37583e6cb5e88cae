/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/export_to.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/die.h"
#include "cli/progress.h"
#include "output/codec.h"

char *rln__export_name(const char *trace, const char *extension)
{
    const size_t length = strlen(trace);
    const size_t stem =
        length > 4 && strcmp(trace + length - 4, ".rln") == 0 ? length - 4 : length;
    char *name = malloc(stem + strlen(extension) + 1);

    if (!name)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    memcpy(name, trace, stem);
    strcpy(name + stem, extension);
    return name;
}

const struct rln__exporter *rln__export_format(const char *type)
{
    const struct rln__exporter *e = rln__exporter_of(type);

    if (e && e->lacks) {
        rln__complain("cannot export: type=%s: this build was made without %s", type,
                      e->lacks);
        if (strcmp(type, "sqlite") == 0)
            rln__hint("`rangeline export -t jsonl` has the same tables");
        exit(RLN__EXIT_FAILED);
    }
    return e;
}

/* What a format of events cannot know as a range begins. */
static void check_times(const struct rln__exporter *e,
                        const struct rln__export_options *options)
{
    if (!options->times || e->row)
        return;
    rln__complain("cannot export: type=%s: --times is for tables: sqlite, jsonl, csv, "
                  "chrome",
                  e->type);
    rln__hint("--filter-time START/END has what overlaps a time, in every format");
    exit(RLN__EXIT_USAGE);
}

static void check_name(const struct rln__exporter *e, const char *path)
{
    if (!e->is_text && (strcmp(path, "-") == 0 || *rln__codec_extension(path)))
        rln__die(RLN__EXIT_USAGE,
                 "cannot export: type=%s, output=%s: it is written out of order, so it "
                 "goes neither to standard output nor into a compressed file",
                 e->type, path);
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO) && e->is_binary)
        rln__die(RLN__EXIT_USAGE,
                 "cannot export: type=%s: it is not for terminals: give a file with -o",
                 e->type);
}

/* --- Signals -----------------------------------------------------------------------
 */

/* What is removed if we are told to end. */
static const char *volatile unfinished;

static void on_end(int number)
{
    if (unfinished)
        (void)unlink(unfinished);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Opens the output so that there is no moment in which it is there and nobody knows. */
static rln_status open_output(struct rln__output *output, const char *path,
                              const struct rln__exporter *e, bool may_replace,
                              rln_error *err)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const enum rln__output_kind kind = e->is_folder ? RLN__OUTPUT_FOLDER
                                       : e->is_text ? RLN__OUTPUT_STREAM
                                                    : RLN__OUTPUT_FILE;
    sigset_t set, before;
    rln_status status;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        (void)sigaddset(&set, ends[i]);
        if (signal(ends[i], on_end) == SIG_IGN) /* of nohup */
            (void)signal(ends[i], SIG_IGN);
    }
    /* A reader that goes, and a file that may not grow, are errors like others. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)sigprocmask(SIG_BLOCK, &set, &before);
    status = rln__output_open(output, path, may_replace, kind, err);
    unfinished = output->part;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

void rln__export_to(const struct rln__opened *opened, const struct rln__export_to *to,
                    struct rln__export_options *options)
{
    const struct rln__exporter *e = rln__export_format(to->type);
    struct rln__progress progress;
    struct rln__output output;
    rln_error err = {0};
    rln_status status;
    char *path =
        to->output ? strdup(to->output) : rln__export_name(opened->name, e->extension);

    if (!path)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    check_name(e, path);
    check_times(e, options);
    rln__opened_keep_from(opened, path);
    options->product = RLN_VERSION;
    options->input = opened->name;
    options->progress = rln__progress_show;
    options->context = &progress;
    rln__progress_begin(&progress, path, to->is_quiet);
    status = open_output(&output, path, e, to->may_replace, &err);
    if (!status)
        status = rln__export_run(e, opened->reader, options, &output, &err);
    if (!status)
        status = rln__output_end(&output, &err);
    unfinished = NULL;
    rln__progress_end(&progress);
    rln__output_clear(&output);
    rln__die_if(status, &err);
    if (!to->output && !to->is_quiet)
        (void)fprintf(stderr, "rangeline: wrote %s\n", path);
    free(path);
}
