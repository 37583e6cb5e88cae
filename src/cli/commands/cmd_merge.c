/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_merge.c - makes one trace of several. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/human_units.h"
#include "cli/commands.h"
#include "cli/inputs/input_traces.h"
#include "console/die.h"
#include "console/hint_line.h"
#include "console/unfinished.h"
#include "output/output.h"
#include "rewrite/rewrite.h"
#include "trace/open/losses.h"

enum { OUTPUT, FORCE, ALIGN };

static const struct rln__option options[] = {
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "FILE",
                .help = "write this trace; .rln is added if it has no extension"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace an existing file"},
    [ALIGN] = RLN__ALIGN_OPTION,
};

static const struct rln__example examples[] = {
    {"merge the ranks of a run, to send them to a colleague",
     "rangeline merge -o run.rln rank*.rln"},
};

const struct rln__command rln__command_merge = {
    .name = "merge",
    .summary = "merge traces into one",
    .operands = "FILE...",
    .operands_help = RLN__FILES_HELP,
    .description =
        "Concatenates traces into one file; rejects duplicates. All commands read "
        "several traces as one, so merge is needed only to store or send one file. "
        "Traces keep their own clocks, which are compared by time of day; --align "
        "corrects each trace's offset, but not its clock's rate.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_merge,
};

static void refuse_duplicates(rln_reader *reader)
{
    const struct rln__duplicate *duplicate;
    rln_error err = {0};
    const rln_status status = rln__reader_find_duplicate(reader, &duplicate, &err);

    rln__die_if(status, &err);
    if (status == RLN_END)
        return;
    rln__complain("cannot merge: path=\"%s\": it is %s \"%s\"", duplicate->path,
                  duplicate->what, duplicate->of);
    rln__hint("give each trace once");
    exit(RLN__EXIT_FAILED);
}

/* Nothing is left of an output that cannot be ended. */
static struct rln__merge_result write_all(const rln_reader *reader, const char *name,
                                          bool may_replace)
{
    struct rln__output output;
    struct rln__merge_result written = {0};
    rln_error err = {0};
    rln_status status;
    int fd;

    rln__unfinished_begin(name);
    status = rln__output_open(&output, name, may_replace, RLN__OUTPUT_FILE, &err);
    rln__unfinished_is(status ? NULL : output.part);
    rln__die_if(status, &err);
    fd = open(output.part, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || fchmod(fd, 0600) < 0) /* as traces are */
        status = rln__fail(&err, RLN_ERR_IO, 0, "%s", strerror(errno));
    else
        status = rln__reader_merge(reader, fd, &written, &err);
    if (fd >= 0 && close(fd) < 0 && !status)
        status = rln__fail(&err, RLN_ERR_IO, 0, "%s", strerror(errno));
    if (!status)
        status = rln__output_end(&output, &err);
    rln__unfinished_is(NULL);
    rln__output_clear(&output);
    if (status)
        rln__die(RLN__EXIT_FAILED, "cannot merge: path=\"%s\": %s", name, err.message);
    return written;
}

static char *output_name(const struct rln__args *args)
{
    const char *given = rln__args_text(args, OUTPUT);
    const char *slash = given ? strrchr(given, '/') : NULL;
    const bool has_extension = given && strchr(slash ? slash : given, '.');
    char *name;

    if (!given || !*given || args->n_operands == 0) {
        rln__complain("cannot merge: no %s", given ? "trace" : "output");
        rln__hint_line("", "merge -o all.rln", args->operands, "rank0.rln rank1.rln",
                       "");
        exit(RLN__EXIT_USAGE);
    }
    if (strcmp(given, "-") == 0) {
        rln__complain("cannot merge: output=-: not to standard output; give a file");
        exit(RLN__EXIT_USAGE);
    }
    if (asprintf(&name, "%s%s", given, has_extension ? "" : ".rln") < 0)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    return name;
}

int rln__cmd_merge(int argc, char **argv)
{
    struct rln__args args;
    struct rln__input_traces inputs;
    struct rln__buf size = {0};
    struct rln__merge_result written;
    size_t n_files = 0;
    char *name; /* owned */

    rln__args_parse(&rln__command_merge, argc, argv, &args);
    name = output_name(&args);
    rln__input_traces_open(&inputs, args.operands, args.n_operands);
    refuse_duplicates(inputs.reader);
    rln__input_traces_refuse_output(&inputs, name);
    rln__input_traces_align(&inputs, &args, ALIGN);
    written = write_all(inputs.reader, name, rln__args_bool(&args, FORCE));
    rln__buf_size(&size, written.n_bytes);
    while (inputs.paths[n_files])
        n_files++;
    rln__complain("%s: %.*s, %" PRIu64 " part%s of %zu file%s", name, (int)size.length,
                  size.bytes, written.n_parts, written.n_parts == 1 ? "" : "s", n_files,
                  n_files == 1 ? "" : "s");
    rln__input_traces_note_losses(&inputs, 0);
    rln__buf_clear(&size);
    free(name);
    rln__input_traces_close(&inputs);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
