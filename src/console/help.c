/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - `rangeline COMMAND --help`, from the command's table: as wide as the terminal,
 * but not so wide that its lines are hard to follow; 80 columns elsewhere. */
#include "console/help.h"

#include <string.h>

#include "base/count.h"
#include "console/pager.h"

#define USUAL_WIDTH 80u
#define LEAST_WIDTH 60u
#define MOST_WIDTH 120u
#define HELP_COLUMN 28 /* where an option's help begins */

static size_t width(void)
{
    const size_t columns = rln__screen_columns();

    if (!columns)
        return USUAL_WIDTH;
    return columns < LEAST_WIDTH  ? LEAST_WIDTH
           : columns > MOST_WIDTH ? MOST_WIDTH
                                  : columns;
}

void rln__help_print_wrapped(FILE *out, const char *text, size_t at, size_t indent)
{
    const size_t most = width();

    while (*text) {
        size_t n = strcspn(text, " \n");

        if (strncmp(text + n, " %", 2) == 0) /* a number and its unit */
            n += 1 + strcspn(text + n + 1, " \n");
        if (at > indent && at + 1 + n > most) {
            (void)fputc('\n', out);
            at = 0;
        }
        if (at < indent) {
            (void)fprintf(out, "%*s", (int)(indent - at), "");
            at = indent;
        } else if (at > indent) {
            (void)fputc(' ', out);
            at++;
        }
        (void)fwrite(text, 1, n, out);
        at += n;
        text += n;
        if (strncmp(text, "\n\n", 2) == 0) {
            (void)fputs("\n\n", out);
            at = 0;
        }
        text += strspn(text, " \n");
    }
    (void)fputc('\n', out);
}

static void print_option(FILE *out, const struct rln__option *o)
{
    char left[128];
    const char *value = rln__value_name(o), *initial = o->initial ? o->initial : "";
    char help[1024];
    int n;

    n = snprintf(left, sizeof(left), o->letter ? "  -%c, " : "      ", o->letter);
    n += snprintf(left + n, sizeof(left) - (size_t)n, "--%s", o->name);
    if (o->kind == RLN__ARG_BOOL)
        n += snprintf(left + n, sizeof(left) - (size_t)n, "[=true|false]");
    else if (value)
        n += snprintf(left + n, sizeof(left) - (size_t)n, " %s", value);
    (void)snprintf(help, sizeof(help), "%s%s%s%s%s", o->help,
                   o->is_repeatable ? " (repeatable)" : "",
                   *initial ? " (default: " : "", initial, *initial ? ")" : "");
    (void)fputs(left, out);
    if (n > HELP_COLUMN - 2) {
        (void)fputc('\n', out);
        n = 0;
    }
    rln__help_print_wrapped(out, help, (size_t)n, HELP_COLUMN);
}

/* Nsight's options without effect here share one line. */
static void print_ignored(FILE *out, const struct rln__command *command)
{
    char names[4096] = "";
    size_t n = 0;

    for (size_t i = 0; i < command->n_options; i++) {
        const struct rln__option *o = &command->options[i];

        if (o->is_ignored && n < sizeof(names))
            n += (size_t)snprintf(names + n, sizeof(names) - n, "%s--%s", n ? ", " : "",
                                  o->name);
    }
    if (!n)
        return;
    (void)fputs("\nAccepted from Nsight Systems command lines, without effect:\n", out);
    rln__help_print_wrapped(out, names, 0, 2);
}

void rln__help_print(const struct rln__command *command, FILE *out)
{
    const char *const paragraphs[] = {command->operands_help, command->description};

    (void)fprintf(out, "rangeline %s - %s\n\n", command->name, command->summary);
    (void)fprintf(out, "usage: rangeline %s [options]%s%s\n", command->name,
                  command->operands ? " " : "",
                  command->operands ? command->operands : "");
    for (size_t i = 0; i < RLN_COUNT(paragraphs); i++) {
        if (!paragraphs[i])
            continue;
        (void)fputc('\n', out);
        rln__help_print_wrapped(out, paragraphs[i], 0, 0);
    }
    for (size_t i = 0; i < command->n_options; i++) {
        const struct rln__option *o = &command->options[i];

        if (!rln__option_is_announced(o))
            continue;
        if (o->group || i == 0)
            (void)fprintf(out, "\n%s:\n", o->group ? o->group : "Options");
        print_option(out, o);
    }
    (void)fprintf(out, "%s  -h, --help%*sshow this text\n",
                  command->n_options ? "" : "\nOptions:\n", HELP_COLUMN - 12, "");
    if (command->n_examples)
        (void)fputs("\nExamples:\n", out);
    for (size_t i = 0; i < command->n_examples; i++)
        (void)fprintf(out, "%s  # %s\n  %s\n", i ? "\n" : "", command->examples[i].what,
                      command->examples[i].line);
    print_ignored(out, command);
}
