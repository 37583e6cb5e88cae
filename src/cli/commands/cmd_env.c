/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_env.c - prints the variables with which any program of a shell records itself. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "cli/commands.h"
#include "console/die.h"
#include "record/start/capture_options.h"
#include "record/start/collector_path.h"
#include "record/start/gpu_options.h"
#include "record/start/interface_options.h"
#include "record/start/preload.h"
#include "record/start/record_options.h"

enum {
    SHELL,
    OUTPUT,
    GPU,
    INTERFACES = GPU + RLN__N_GPU_OPTIONS,
    RECORD = INTERFACES + RLN__N_INTERFACE_OPTIONS,
    CAPTURE = RECORD + RLN__N_RECORD_OPTIONS,
};

static const struct rln__option options[] = {
    [SHELL] = {.name = "shell",
               .kind = RLN__ARG_CHOICE,
               .choices = "sh|fish|csh",
               .initial = "sh",
               .help = "write for this shell; sh is also bash, zsh and dash"},
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "NAME",
                .help = "write traces to NAME; default: each process writes "
                        "rangeline-<pid>.rln in its working directory"},
    RLN__GPU_OPTIONS(GPU),
    RLN__INTERFACE_OPTIONS(INTERFACES),
    RLN__RECORD_OPTIONS(RECORD),
    RLN__CAPTURE_OPTIONS(CAPTURE, "none|nvtx", NULL),
};

static const struct rln__example examples[] = {
    {"record every annotated program started in this shell",
     "eval \"$(rangeline env)\""},
    {"do the same in fish", "rangeline env --shell fish | source"},
    {"record only while one range is open",
     "eval \"$(rangeline env -c nvtx -p 'serve@http')\""},
    {"keep a ring buffer in each process of a service",
     "eval \"$(rangeline env --buffer 16M -o '/var/tmp/server-%p')\""},
    {"stop recording", "unset $(env | grep -Eo '^(RANGELINE|NVTX_INJ|CUDA_INJ)[^=]*')"},
};

const struct rln__command rln__command_env = {
    .name = "env",
    .summary = "print variables that make programs record themselves",
    .description = "For programs that `rangeline profile` cannot start: services, "
                   "batch jobs, programs under a debugger. Each program started with "
                   "these variables records its own NVTX events.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .way_out = rln__gpu_way_out,
    .run = rln__cmd_env,
};

/* In quotes that the shell takes literally; a quote in the text is put outside. */
static void print_quoted(const char *text, const char *shell)
{
    const bool is_fish = strcmp(shell, "fish") == 0;
    const bool is_csh = strcmp(shell, "csh") == 0;

    (void)putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' && is_fish)
            (void)fputs("\\'", stdout);
        else if (*text == '\'')
            (void)fputs("'\\''", stdout);
        else if (*text == '\\' && is_fish)
            (void)fputs("\\\\", stdout);
        else if (*text == '!' && is_csh)
            (void)fputs("\\!", stdout); /* history, even in quotes */
        else
            (void)putchar(*text);
    }
    (void)putchar('\'');
}

static void print_variable(const char *name, const char *value, const char *shell)
{
    if (strcmp(shell, "fish") == 0)
        (void)printf("set -gx %s ", name);
    else if (strcmp(shell, "csh") == 0)
        (void)printf("setenv %s ", name);
    else
        (void)printf("export %s=", name);
    print_quoted(value, shell);
    (void)puts(";");
}

static void print_unset(const char *name, const char *shell)
{
    if (strcmp(shell, "fish") == 0)
        (void)printf("set -e %s;\n", name);
    else if (strcmp(shell, "csh") == 0)
        (void)printf("unsetenv %s;\n", name);
    else
        (void)printf("unset %s;\n", name);
}

/* An earlier command may have set them in this shell. */
static void unset_gpu_variables(const struct rln__variables *variables,
                                const char *shell)
{
    const char *name;

    for (size_t i = 0; (name = rln__gpu_variable(i)); i++) {
        if (!rln__variables_find(variables, name, false))
            print_unset(name, shell);
    }
}

/* No launcher makes the trace and writes the size into it. */
static void add_buffer(struct rln__variables *variables, uint64_t n_bytes)
{
    char text[24];

    (void)snprintf(text, sizeof(text), "%" PRIu64, n_bytes);
    if (n_bytes)
        rln__variables_add(variables, "RANGELINE_BUFFER", text);
}

/* The collector cannot report errors: the program would run and leave no trace. */
static void warn_if_unwritable(const char *output)
{
    const size_t n = (size_t)(rln__file_name(output) - output);
    char folder[PATH_MAX];

    (void)snprintf(folder, sizeof(folder), "%.*s", (int)(n > 1 ? n - 1 : n), output);
    if (n >= sizeof(folder) || strchr(folder, '%'))
        return;
    if (access(n ? folder : ".", W_OK | X_OK) < 0)
        rln__note("programs that start here record nothing: folder=\"%s\": %s",
                  n ? folder : ".", strerror(errno));
}

int rln__cmd_env(int argc, char **argv)
{
    struct rln__args args;
    struct rln__record_choice choice;
    struct rln__capture_choice capture;
    struct rln__variables variables = {0};
    const char *shell;
    bool records_gpu;

    rln__args_parse(&rln__command_env, argc, argv, &args);
    rln__args_refuse_operands(&args);
    rln__record_parse(&args, RECORD, &choice);
    rln__capture_parse(&args, CAPTURE, &capture);
    if (capture.shuts_down)
        rln__die(RLN__EXIT_USAGE,
                 "cannot record: --capture-range-end=\"%s\": only `rangeline profile` "
                 "can end a run",
                 rln__args_text(&args, CAPTURE + RLN__CAPTURE_END));
    rln__record_variables(&choice, &args, RECORD, &variables);
    add_buffer(&variables, choice.buffer_bytes);
    rln__capture_variables(&args, CAPTURE, &variables);
    records_gpu =
        rln__gpu_variables(&args, GPU, &variables, true, choice.buffer_bytes > 0).gpu;
    if (records_gpu)
        rln__preload_profiler(&variables, true);
    rln__interface_variables(&args, INTERFACES, &variables, true);
    shell = rln__args_text(&args, SHELL);
    print_variable("NVTX_INJECTION64_PATH", rln__collector_path(), shell);
    if (rln__args_has(&args, OUTPUT))
        print_variable("RANGELINE_OUTPUT", rln__args_text(&args, OUTPUT), shell);
    if (records_gpu)
        unset_gpu_variables(&variables, shell);
    for (size_t i = 0; i < variables.n_assignments; i++) {
        char *equals = strchr(variables.assignments[i], '=');

        *equals = '\0';
        print_variable(variables.assignments[i], equals + 1, shell);
    }
    warn_if_unwritable(rln__args_has(&args, OUTPUT) ? rln__args_text(&args, OUTPUT)
                                                    : "");
    rln__variables_clear(&variables);
    rln__record_clear(&choice);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
