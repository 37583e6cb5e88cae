/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/export/export_to.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console/die.h"
#include "console/progress.h"
#include "console/stdout_error.h"
#include "console/unfinished.h"
#include "console/written.h"
#include "export/export_file.h"
#include "export/exporter.h"
#include "export/exporters.h"
#include "trace/open/load.h"

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

const struct rln__format *rln__export_format(const char *name)
{
    const struct rln__format *format = rln__format_find(name);

    if (format && format->missing_library) {
        rln__complain("cannot export: type=%s: built without %s", name,
                      format->missing_library);
        if (strcmp(name, "sqlite") == 0)
            rln__hint("`rangeline export -t jsonl` has the same tables");
        exit(RLN__EXIT_FAILED);
    }
    return format;
}

static struct rln__export *open_output(rln_reader *reader,
                                       const rln_export_options *options)
{
    struct rln__export *output;
    rln_error err = {0};
    rln_status status;

    rln__unfinished_begin(options->path);
    status = rln__export_open(reader, options, &output, &err);
    rln__unfinished_is(status ? NULL : rln__export_temporary_path(output));
    if (status == RLN_ERR_ARGUMENT)
        rln__die(RLN__EXIT_USAGE, "%s", err.message);
    rln__die_if(status, &err);
    return output;
}

uint64_t rln__export_to(const struct rln__input_traces *inputs,
                        const struct rln__export_to *to)
{
    const struct rln__format *format = rln__export_format(to->options.format);
    rln_export_options options = to->options;
    struct rln__progress progress;
    struct rln__export *output;
    rln_error err = {0};
    rln_status status;
    uint64_t n_opened;
    char *path = options.path ? strdup(options.path)
                              : rln__export_name(inputs->name, format->extension);

    if (!path)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    if (format->is_binary && strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
        rln__die(RLN__EXIT_USAGE,
                 "cannot export: type=%s: not text; give a file with -o", format->name);
    rln__input_traces_refuse_output(inputs, path);
    options.path = path;
    options.progress = rln__progress_show;
    options.context = &progress;
    rln__progress_begin(&progress, path, to->is_quiet);
    output = open_output(inputs->reader, &options);
    status = rln__export_run(output, &err);
    n_opened = rln__export_count(output);
    rln__unfinished_is(NULL);
    rln__progress_end(&progress);
    rln__export_close(output);
    if (strcmp(path, "-") != 0 || rln__has_reader()) /* as `print | head` ends */
        rln__die_if(status, &err);
    if (!to->is_quiet)
        rln__written_note(path);
    free(path);
    return n_opened;
}
