/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_merge.c - makes one trace of several: a trace behind another is a trace of both
 * (docs/FORMAT.md 2), so they are copied as they are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/whole_io.h"
#include "cli/commands.h"
#include "cli/die.h"
#include "cli/humane.h"
#include "cli/opened.h"
#include "export/output.h"
#include "format/layout.h"
#include "model/load.h"
#include "rangeline/losses.h"

enum { OUTPUT, FORCE, ALIGN };

static const struct rln__option options[] = {
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "FILE",
                .help = "the trace to write; .rln is added if it has no extension"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace a file of that name"},
    [ALIGN] = RLN__ALIGN_OPTION,
};

static const struct rln__example examples[] = {
    {"the ranks of a run, to send them to a colleague",
     "rangeline merge -o run.rln rank*.rln"},
};

const struct rln__command rln__command_merge = {
    .name = "merge",
    .summary = "make one trace of several",
    .operands = "FILE...",
    .description =
        "All commands read several traces as one, so this is for files: it is `cat`, "
        "with a look at what it is given. Traces keep their own clocks, which are "
        "compared by the time of day; --align corrects that of each, but for how fast "
        "clocks go. A trace that is given twice is refused.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_merge,
};

/* Nothing is left of an output that was begun. */
static _Noreturn void refuse(struct rln__output *output, const char *path,
                             const char *reason)
{
    rln__output_clear(output);
    rln__die(RLN__EXIT_FAILED, "cannot merge: path=\"%s\": %s", path, reason);
}

static void refuse_twins(rln_reader *reader)
{
    const rln_twin *twin;
    rln_error err = {0};
    const rln_status status = rln_reader_find_twin(reader, &twin, &err);

    rln__die_if(status, &err);
    if (status == RLN_END)
        return;
    rln__complain("cannot merge: path=\"%s\": it is %s \"%s\"", twin->path, twin->what,
                  twin->of);
    rln__hint("give each trace once");
    exit(RLN__EXIT_FAILED);
}

static bool is_empty(const char *block, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (block[i])
            return false;
    return true;
}

/* Appends a file at `at`, holes as holes. Returns where the next one may begin. */
static off_t append(struct rln__output *output, int to, off_t at,
                    const struct rln__input *file)
{
    static char block[RLN__BLOCK_ALIGN];
    rln_error err = {0};
    size_t n = sizeof(block);
    int result;

    for (uint64_t from = 0; n == sizeof(block); from += n) {
        if (rln__input_read(file, from, block, sizeof(block), &n, &err)) {
            rln__output_clear(output);
            rln__die(RLN__EXIT_FAILED, "%s", err.message);
        }
        result = is_empty(block, n) ? 0 : rln__write_at(to, (uint64_t)at, block, n);
        if (result < 0)
            refuse(output, file->path, strerror(-result));
        at += (off_t)n;
    }
    return (at + RLN__BLOCK_ALIGN - 1) / RLN__BLOCK_ALIGN * RLN__BLOCK_ALIGN;
}

/* By how much a part's time of day is to be corrected. */
static int64_t correction(const rln_reader *reader, size_t part)
{
    const struct rln__shift *shift = &reader->shifts[part];
    const struct rln__clock_tuple *created =
        &reader->layout.parts[part].super.created[0];
    const int64_t offset_ns = reader->timelines[part].offset_ns - shift->by_ns;

    return rln__shift_at(shift, (int64_t)(created->monotonic_ns + (uint64_t)offset_ns));
}

/* In the copy of a file, which begins at `begin`. */
static void correct_clocks(struct rln__output *output, int to, off_t begin,
                           const rln_reader *reader, const struct rln__input *file)
{
    for (size_t i = 0; i < reader->layout.n_parts; i++) {
        const struct rln__part *part = &reader->layout.parts[i];
        const int64_t by_ns = part->file == file ? correction(reader, i) : 0;
        struct rln__clock_tuple created[RLN_COUNT(part->super.created)];
        int result;

        if (by_ns == 0)
            continue;
        memcpy(created, part->super.created, sizeof(created));
        for (size_t k = 0; k < RLN_COUNT(created); k++)
            created[k].realtime_ns += (uint64_t)by_ns;
        result = rln__write_at(to,
                               (uint64_t)begin + part->offset +
                                   offsetof(struct rln__superblock, created),
                               created, sizeof(created));
        if (result < 0)
            refuse(output, file->path, strerror(-result));
    }
}

static char *output_name(const struct rln__args *args)
{
    const char *given = rln__args_text(args, OUTPUT);
    const char *slash = given ? strrchr(given, '/') : NULL;
    const bool has_extension = given && strchr(slash ? slash : given, '.');
    char *name;

    if (!given || !*given || args->n_operands == 0) {
        rln__complain("cannot merge: there is no %s", given ? "trace" : "output");
        rln__hint("`rangeline merge -o run.rln rank0.rln rank1.rln`");
        exit(RLN__EXIT_USAGE);
    }
    if (asprintf(&name, "%s%s", given, has_extension ? "" : ".rln") < 0)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    return name;
}

int rln__cmd_merge(int argc, char **argv)
{
    struct rln__args args;
    struct rln__opened opened;
    struct rln__output output;
    struct rln__buf said = {0};
    rln_error err = {0};
    char *name; /* owned */
    off_t at = 0;
    int fd;

    rln__args_parse(&rln__command_merge, argc, argv, &args);
    name = output_name(&args);
    rln__opened_open(&opened, &args);
    refuse_twins(opened.reader);
    rln__opened_keep_from(&opened, name);
    rln__opened_align(&opened, &args, ALIGN);
    rln__die_if(rln__output_open(&output, name, rln__args_bool(&args, FORCE),
                                 RLN__OUTPUT_FILE, &err),
                &err);
    fd = open(output.part, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || fchmod(fd, 0600) < 0) /* as traces are */
        refuse(&output, name, strerror(errno));
    for (size_t i = 0; i < opened.reader->n_files; i++) {
        const off_t begin = at;

        at = append(&output, fd, at, opened.reader->files[i]);
        correct_clocks(&output, fd, begin, opened.reader, opened.reader->files[i]);
    }
    if (ftruncate(fd, at) < 0 || close(fd) < 0)
        refuse(&output, name, strerror(errno));
    rln__die_if(rln__output_end(&output, &err), &err);
    rln__output_clear(&output);
    rln__buf_size(&said, (uint64_t)at);
    rln__complain("%s: %.*s, %zu parts of %zu files", name, (int)said.length,
                  said.bytes, opened.reader->layout.n_parts, args.n_operands);
    rln__opened_note_losses(&opened, 0);
    rln__buf_clear(&said);
    free(name);
    rln__opened_close(&opened);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
