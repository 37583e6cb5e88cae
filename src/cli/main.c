/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the table of commands, and the help that lists them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/man.h"
#include "cli/no_such_command.h"
#include "console/die.h"
#include "console/help.h"
#include "console/stdout_error.h"
#include "record/start/collector_path.h"

const struct rln__command *const rln__commands[] = {
#define X(name) &rln__command_##name,
    RLN__COMMANDS(X) NULL,
#undef X
};

static const struct rln__command *find_command(const char *name)
{
    for (size_t i = 0; rln__commands[i]; i++)
        if (strcmp(rln__commands[i]->name, name) == 0)
            return rln__commands[i];
    return NULL;
}

static void print_overview(void)
{
    (void)puts("rangeline - record what NVTX-annotated programs do, and see where the "
               "time went\n\nRecord a program and see its summary:\n\n"
               "  rangeline profile -o run ./program\n"
               "  rangeline stats run.rln\n\nCommands:");
    for (size_t i = 0; rln__commands[i]; i++)
        (void)printf("  %-12s %s\n", rln__commands[i]->name, rln__commands[i]->summary);
    (void)puts("\n`rangeline help COMMAND` prints its options, `rangeline --version` "
               "the version,\n`rangeline --include-dir` the folder of the headers, "
               "`--cmake-dir` that for\nCMAKE_PREFIX_PATH, `--nvtxw-library` the path "
               "for NVTXW3_LIBRARY.");
}

/* If a standard descriptor were closed, the next file would get its number, and our
 * output would go into the trace. Opened in the wrong direction, it fails as if it were
 * closed; the program that we start finds it closed. */
static void occupy_closed_descriptors(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", modes[fd] | O_CLOEXEC); /* gets the lowest, fd */
}

/* The path that this option prints, or NULL. */
static const char *installed_path(const char *option)
{
    if (!strcmp(option, "--cmake-dir"))
        return rln__cmake_path();
    if (!strcmp(option, "--include-dir"))
        return rln__include_path();
    if (!strcmp(option, "--nvtxw-library"))
        return rln__writer_path();
    return NULL;
}

int main(int argc, char **argv)
{
    const struct rln__command *command;
    const char *installed;
    int status;
    const char *name = argc > 1 ? argv[1] : "help";
    const bool is_help =
        !strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h");

    occupy_closed_descriptors();
    rln__begin_output();
    if (!strcmp(name, "--version") || !strcmp(name, "-V") || !strcmp(name, "-v")) {
        (void)puts("rangeline " RLN_VERSION);
        return rln__end_output();
    }
    installed = installed_path(name);
    if (installed) {
        (void)puts(installed);
        return rln__end_output();
    }
    if (is_help && argc < 3) {
        print_overview();
        return rln__end_output();
    }
    if (!strcmp(name, "--man")) { /* for the build; not in the overview */
        rln__man_print(argc > 2 ? find_command(argv[2]) : NULL, stdout);
        return rln__end_output();
    }
    if (is_help)
        name = argv[2];
    command = find_command(name);
    if (!command)
        rln__refuse_command(argv + (is_help ? 2 : 1));
    if (is_help) {
        rln__help_print(command, stdout);
        return rln__end_output();
    }
    status = command->run(argc - 1, argv + 1);
    return status == RLN__EXIT_OK ? rln__end_output() : status;
}
