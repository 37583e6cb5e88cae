/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_recipe.c - answers a question about a whole job as a folder that people open.
 *
 *     inputs --reduce--> sums --stats--> reports --recipes/NAME.py--> page, table, ...
 *
 * The package's program does that, with this command for the first two steps. Here are
 * the words of the command line, and which files they mean. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/count.h"
#include "base/shell_word.h"
#include "cli/commands.h"
#include "cli/commands/nsys_recipes.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_files.h"
#include "cli/inputs/reduce_shares.h"
#include "console/die.h"
#include "console/misread.h"
#include "console/nearest.h"
#include "record/start/python_program.h"

enum {
    OUTPUT,
    FORCE,
    FORMAT,
    INPUT,
    BEFORE,
    HELP_RECIPES,
    JOBS,
    DASK,
    STRICT,
    FOLD,
    RENAME,
    WHAT, /* and the rows behind it */
    DURATION = WHAT + RLN__FILTER_KINDS,
};

/* Each is a module of the package's folder recipes, with _ for -. */
static const struct recipe {
    const char *name;
    bool has_step; /* its first operand is the name of a range */
    const char *question;
} recipes[] = {
    {"rank_sum", false, "in which ranges do ranks spend different times?"},
    {"calls-differ", false, "in which ranges does the number of calls differ?"},
    {"straggler", true, "which rank do the others wait for, in steps called NAME?"},
    {"pace", true, "do steps called NAME become slower, or ranks drift apart?"},
    {"heatmap", true, "when are steps called NAME slow, and on which ranks?"},
    {"diff", false, "what became slower since the job of -b, rank by rank?"},
    {"gpu_util", false, "which GPUs have nothing to do?"},
    {"overlap", false, "how much communication does computation hide?"},
    {"nccl", false, "which collectives take the time, at which sizes?"},
};

static const char *recipe_at(size_t index)
{
    return index < RLN_COUNT(recipes) ? recipes[index].name : NULL;
}

static const struct rln__option options[] = {
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "FOLDER",
                .help = "make this folder, with index.html and the other files"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace FOLDER, if a recipe made all that is in it"},
    [FORMAT] = {.name = "format",
                .kind = RLN__ARG_CHOICE,
                .is_list = true,
                .choices = "table|html|parquet|notebook",
                .initial = "table,html,parquet,notebook",
                .help = "what to make: a table on standard output, which needs no "
                        "FOLDER; a page; all numbers as Parquet, which needs pyarrow; "
                        "a notebook that reads them"},
    [INPUT] = {.name = "input",
               .kind = RLN__ARG_TEXT,
               .is_repeatable = true,
               .value = "INPUT",
               .help = "add an input, as nsys does: FOLDER for the traces in it"},
    [BEFORE] = {.name = "before",
                .letter = 'b',
                .kind = RLN__ARG_TEXT,
                .is_repeatable = true,
                .value = "INPUT",
                .help = "diff: add an input to the side before"},
    [HELP_RECIPES] = {.name = "help-recipes", .help = "list all recipes"},
    [JOBS] = {.group = "Reading", RLN__JOBS_OPTION},
    [DASK] = {.name = "dask",
              .kind = RLN__ARG_TEXT,
              .value = "ADDRESS",
              .choices = "auto",
              .help = "read on the workers of a Dask cluster, which have this version "
                      "of rangeline and see the same files at the same paths. "
                      "ADDRESS: of its scheduler, or its scheduler file; auto: "
                      "DASK_SCHEDULER_ADDRESS"},
    [STRICT] = {.name = "strict",
                .help = "exit with 1, without output, if a trace is unreadable or "
                        "damaged"},
    RLN__RENAME_OPTIONS(FOLD),
    RLN__NAME_OPTIONS(WHAT),
    [DURATION] = RLN__DURATION_OPTION,
};

static const struct rln__example examples[] = {
    {"see which ranges are unbalanced", "rangeline recipe rank_sum -o out 'job/*.rln'"},
    {"see which rank the others wait for, of sums made in the job",
     "rangeline recipe straggler step -o out p*.rlsum"},
    {"compare two jobs",
     "rangeline recipe diff -o out -b 'before/*.rln' 'after/*.rln'"},
    {"read on a Dask cluster",
     "rangeline recipe pace step --dask tcp://scheduler:8786 -o out 'job/*.rln'"},
};

const struct rln__command rln__command_recipe = {
    .name = "recipe",
    .summary = "answer a question about a whole job as a page",
    .operands = "RECIPE [NAME] INPUT...",
    .first_at = recipe_at,
    .description =
        "Sums up traces as `rangeline reduce` does, one trace per processor at a time, "
        "and shows what the sums say. Recipes: rank_sum, calls-differ, straggler NAME, "
        "pace NAME, heatmap NAME, diff, gpu_util, overlap, nccl; --help-recipes lists "
        "the questions that they "
        "answer. NAME is the range that ranks repeat, NAME or DOMAIN:NAME.\n\nAn INPUT "
        "is a trace, a file that reduce wrote, a quoted pattern such as 'job/*.rln', "
        "or @LIST, a file with a name per line. Recipes with NAME need sums that were "
        "made with --steps NAME.\n\nFOLDER gets index.html, a page with the answer, a "
        "picture and the first rows; RECIPE.parquet with all numbers, times in "
        "nanoseconds; and RECIPE.ipynb, a notebook that reads them. The same traces "
        "give the same bytes, wherever they were summed up, except for the commands "
        "of the page, which name INPUTs as you did.\n\nNeeds Python; Parquet "
        "needs pyarrow, too, and --dask needs distributed.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_recipe,
};

/* --- The recipe and its inputs ---------------------------------------------------- */

static _Noreturn void refuse_usage(const char *what, const char *hint)
{
    rln__complain("cannot run recipe: %s", what);
    rln__hint("%s", hint);
    exit(RLN__EXIT_USAGE);
}

static int list_recipes(void)
{
    for (size_t i = 0; i < RLN_COUNT(recipes); i++)
        (void)printf("%-13s%-6s %s\n", recipes[i].name,
                     recipes[i].has_step ? "NAME" : "", recipes[i].question);
    return RLN__EXIT_OK;
}

static const struct recipe *recipe_called(const struct rln__args *args)
{
    const char *name = args->operands[0];
    const char *names[RLN_COUNT(recipes)], *near;

    for (size_t i = 0; i < RLN_COUNT(recipes); i++) {
        names[i] = recipes[i].name;
        if (strcmp(name, names[i]) == 0)
            return &recipes[i];
    }
    near = rln__nearest(name, names, RLN_COUNT(names));
    rln__complain("no such recipe: \"%s\"", name);
    if (rln__hint_nsys_recipe(name))
        exit(RLN__EXIT_USAGE);
    if (near)
        rln__hint_instead(args, name, strlen(name), near, "");
    else
        rln__hint("`rangeline recipe --help-recipes` lists them");
    exit(RLN__EXIT_USAGE);
}

static void check_options(const struct rln__args *args)
{
    const uint64_t n_jobs = rln__args_count(args, JOBS);
    const char *output = rln__args_text(args, OUTPUT);
    const char *formats = rln__args_text(args, FORMAT);

    if ((!output || !*output) && strcmp(formats, "table") != 0)
        refuse_usage("no folder for the output", "name it with -o, or print only the "
                                                 "table: --format table");
    if (strstr(formats, "notebook") && !strstr(formats, "parquet"))
        refuse_usage("a notebook reads Parquet", "--format parquet,notebook");
    if (rln__args_has(args, JOBS) && (n_jobs < 1 || n_jobs > RLN__MOST_SHARES)) {
        rln__complain("cannot run recipe: jobs=%" PRIu64 ": not 1 to %d", n_jobs,
                      RLN__MOST_SHARES);
        exit(RLN__EXIT_USAGE);
    }
}

/* What is asked of which files. */
struct order {
    const struct recipe *recipe;
    const char *step; /* borrowed, or NULL */
    struct rln__file_names before, inputs;
    struct rln__buf words[2]; /* of both, in commands to copy */
};

#define MOST_BYTES 4000 /* of the words of a side */

/* An empty path separates the sides. */
static void add_input(struct rln__file_names *names, const char *word,
                      struct rln__buf *words)
{
    if (!*word)
        refuse_usage("an INPUT is empty",
                     "omit it, or check the variable that names it");
    rln__file_names_add(names, word);
    rln__buf_char(words, ' ');
    rln__buf_shell_word(words, word, strlen(word));
}

/* As `nsys recipe --input`: of a folder, all traces. */
static void add_folder(struct rln__file_names *names, const char *word,
                       struct rln__buf *words)
{
    struct rln__buf pattern = {0};
    struct stat about;

    if (stat(word, &about) != 0 || !S_ISDIR(about.st_mode)) {
        add_input(names, word, words);
        return;
    }
    rln__buf_format(&pattern, "%s/*.rln", word);
    rln__buf_char(&pattern, '\0');
    if (pattern.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    add_input(names, pattern.bytes, words);
    rln__buf_clear(&pattern);
}

/* Of a pattern that a shell has replaced by names, the pattern. */
static void shorten_words(const struct rln__file_names *names, struct rln__buf *words)
{
    struct rln__buf shorter = {0};

    if (names->n)
        rln__file_names_words(names->items, &shorter);
    if (shorter.length < words->length) {
        rln__buf_clear(words);
        *words = shorter;
    } else {
        rln__buf_clear(&shorter);
    }
    if (words->length > MOST_BYTES) {
        rln__buf_clear(words);
        rln__buf_text(words, "INPUT...");
    }
    rln__buf_char(words, '\0');
    if (words->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
}

/* Without it, the first input would be taken for the name. */
static const char *read_step(const struct rln__args *args)
{
    if (args->n_operands < (rln__args_has(args, INPUT) ? 2 : 3) || !*args->operands[1])
        refuse_usage("NAME of a range and an INPUT are required",
                     "`rangeline recipe straggler step -o out 'job/*.rln'`");
    return args->operands[1];
}

static void read_order(const struct rln__args *args, struct order *out)
{
    size_t n = 1, at = 0;
    const char *word;

    if (!args->n_operands)
        refuse_usage("no recipe", "`rangeline recipe --help-recipes` lists them");
    out->recipe = recipe_called(args);
    if (out->recipe->has_step) {
        out->step = read_step(args);
        n++;
    }
    if (n == args->n_operands && !rln__args_has(args, INPUT))
        refuse_usage("no input", "`rangeline recipe rank_sum -o out 'job/*.rln'`");
    if (strcmp(out->recipe->name, "diff") == 0 && !rln__args_has(args, BEFORE))
        refuse_usage("no input on the side before",
                     "`rangeline recipe diff -o out -b 'before/*.rln' 'after/*.rln'`");
    if (strcmp(out->recipe->name, "diff") != 0 && rln__args_has(args, BEFORE))
        refuse_usage("only diff has a side before", "omit -b");
    check_options(args);
    while ((word = rln__args_next(args, BEFORE, &at)))
        add_input(&out->before, word, &out->words[0]);
    for (at = 0; (word = rln__args_next(args, INPUT, &at));)
        add_folder(&out->inputs, word, &out->words[1]);
    for (; n < args->n_operands; n++)
        add_input(&out->inputs, args->operands[n], &out->words[1]);
    shorten_words(&out->before, &out->words[0]);
    shorten_words(&out->inputs, &out->words[1]);
}

/* --- Handing it on ---------------------------------------------------------------- */

/* The program's standard input: the paths of each side, each ending with a zero byte,
 * the sides with an empty path between. */
static void hand_paths(const struct order *order)
{
    const struct rln__file_names *const sides[] = {&order->before, &order->inputs};
    FILE *list = tmpfile();

    for (size_t k = 0; list && k < RLN_COUNT(sides); k++) {
        if (k)
            (void)fputc('\0', list);
        for (size_t i = 0; i < sides[k]->n; i++)
            (void)fwrite(sides[k]->items[i], strlen(sides[k]->items[i]) + 1, 1, list);
    }
    if (!list || fflush(list) || lseek(fileno(list), 0, SEEK_SET) < 0 ||
        dup2(fileno(list), STDIN_FILENO) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot run recipe: %s", strerror(errno));
}

/* Options of `reduce` as words of a shell. */
static void write_reading(const struct rln__args *args, struct rln__buf *out)
{
    rln__filter_words(args, FOLD, DURATION + 1, out);
    rln__buf_char(out, '\0');
    if (out->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
}

static char *text(const char *value)
{
    return (char *)(value ? value : "");
}

static _Noreturn void become_python(const struct rln__args *args,
                                    const struct order *order)
{
    char *const script =
        rln__python_file("python3", "recipes/__main__.py", "run a recipe");
    char command[PATH_MAX] = "rangeline"; /* in PATH, if it does not know itself */
    const ssize_t n = readlink("/proc/self/exe", command, sizeof(command) - 1);
    struct rln__buf reading = {0};

    if (n > 0)
        command[n] = '\0';
    write_reading(args, &reading);
    hand_paths(order);
    (void)execvp("python3",
                 (char *[]){"python3", script, command, text(order->recipe->name),
                            text(order->step), text(rln__args_text(args, OUTPUT)),
                            rln__args_bool(args, FORCE) ? "replace" : "",
                            text(rln__args_text(args, FORMAT)),
                            text(rln__args_text(args, JOBS)),
                            rln__args_has(args, STRICT) ? "strict" : "",
                            text(rln__args_text(args, DASK)), reading.bytes,
                            order->words[0].bytes, order->words[1].bytes, NULL});
    rln__die(RLN__EXIT_FAILED, "cannot run recipe: program=python3: %s",
             strerror(errno));
}

int rln__cmd_recipe(int argc, char **argv)
{
    struct rln__args args;
    struct order order = {0};

    rln__args_parse(&rln__command_recipe, argc, argv, &args);
    if (rln__args_has(&args, HELP_RECIPES)) {
        rln__args_clear(&args);
        return list_recipes();
    }
    read_order(&args, &order);
    become_python(&args, &order);
}
