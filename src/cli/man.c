/* SPDX-License-Identifier: Apache-2.0 */
/* man.c - man pages from the commands' tables; the build runs `rangeline --man NAME`.
 */
#include "cli/man.h"

#include <ctype.h>

#include "cli/commands.h"
#include "console/help.h"

#define FULL_COLUMN 56 /* the next blank ends the source line */

/* Prints a character so that roff takes it literally. */
static void print_char(char c, bool is_line_start, FILE *out)
{
    switch (c) {
    case '\\':
        (void)fputs("\\e", out);
        break;
    case '-':
        (void)fputs("\\-", out);
        break;
    case '\'':
        (void)fputs("\\(aq", out);
        break;
    case '`':
        (void)fputs("\\(ga", out);
        break;
    case '.':
        (void)fputs(is_line_start ? "\\&." : ".", out);
        break;
    default:
        (void)fputc(c, out);
        break;
    }
}

static void print_text(const char *text, FILE *out)
{
    for (const char *at = text; *at; at++)
        print_char(*at, at == text, out);
}

/* Text that roff breaks as it likes. An empty line begins a paragraph. */
static void print_filled(const char *text, FILE *out)
{
    size_t column = 0;

    for (; *text; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            (void)fputs("\n.PP\n", out);
            text++;
            column = 0;
        } else if (*text == ' ' && column >= FULL_COLUMN) {
            (void)fputc('\n', out);
            column = 0;
        } else {
            print_char(*text, column++ == 0, out);
        }
    }
}

static void print_line(const char *before, const char *text, FILE *out)
{
    (void)fputs(before, out);
    print_text(text, out);
    (void)fputc('\n', out);
}

static void print_head(const char *name, const char *summary, FILE *out)
{
    (void)fputs(".TH ", out);
    for (const char *at = name; *at; at++)
        (void)fputc(toupper((unsigned char)*at), out);
    (void)fputs(" 1 \"" RLN_DATE "\" \"rangeline " RLN_VERSION "\"\n.SH NAME\n", out);
    print_text(name, out);
    print_line(" \\- ", summary, out);
    (void)fputs(".SH SYNOPSIS\n", out);
}

static void print_option(const struct rln__option *o, FILE *out)
{
    (void)fputs(".TP\n", out);
    if (o->letter)
        (void)fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    (void)fputs("\\fB", out);
    print_text("--", out);
    print_text(o->name, out);
    (void)fputs("\\fR", out);
    if (o->kind == RLN__ARG_BOOL)
        (void)fputs("[=\\fItrue\\fR|\\fIfalse\\fR]", out);
    else if (rln__value_name(o))
        (void)fprintf(out, " \\fI%s\\fR", rln__value_name(o));
    (void)fputc('\n', out);
    print_filled(o->help, out);
    if (o->is_repeatable)
        (void)fputs("\n(repeatable)", out);
    if (o->initial) {
        (void)fputs("\n(default: ", out);
        print_text(o->initial, out);
        (void)fputs(")", out);
    }
    (void)fputc('\n', out);
}

static void print_options(const struct rln__command *command, FILE *out)
{
    bool is_any_ignored = false;

    if (command->n_options)
        (void)fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < command->n_options; i++) {
        const struct rln__option *o = &command->options[i];

        is_any_ignored |= o->is_ignored;
        if (!rln__option_is_announced(o))
            continue;
        if (o->group)
            (void)fprintf(out, ".SS %s\n", o->group);
        print_option(o, out);
    }
    if (!is_any_ignored)
        return;
    (void)fputs(".SS Accepted from Nsight Systems command lines\nThese have no effect; "
                "the command prints one note about them:\n",
                out);
    for (size_t i = 0; i < command->n_options; i++)
        if (command->options[i].is_ignored)
            print_line("\\-\\-", command->options[i].name, out);
}

static void print_topics(const struct rln__command *command, FILE *out)
{
    struct rln__topic topic;

    if (command->topics.heading)
        (void)fprintf(out, ".SH %s\n", command->topics.heading);
    for (size_t i = 0; command->topics.at && command->topics.at(i, &topic); i++) {
        print_line(".TP\n.B ", topic.name, out);
        print_filled(topic.summary, out);
        if (topic.text) {
            (void)fputs("\n.br\n", out);
            print_filled(topic.text, out);
        }
        (void)fputc('\n', out);
    }
}

static void print_overview(FILE *out)
{
    print_head("rangeline", "record NVTX-annotated programs and see where time went",
               out);
    (void)fputs(".B rangeline\n.I command\n[\\fIoption\\fR...]\n.SH DESCRIPTION\n"
                "Each command has a page of its own.\n",
                out);
    for (size_t i = 0; rln__commands[i]; i++) {
        print_line(".TP\n.BR rangeline\\-", rln__commands[i]->name, out);
        print_text(rln__commands[i]->summary, out);
        (void)fputc('\n', out);
    }
}

void rln__man_print(const struct rln__command *command, FILE *out)
{
    char name[64];

    if (!command) {
        print_overview(out);
        return;
    }
    (void)snprintf(name, sizeof(name), "rangeline-%s", command->name);
    print_head(name, command->summary, out);
    (void)fprintf(out, ".B rangeline %s\n[\\fIoption\\fR...]\n", command->name);
    if (command->operands)
        print_line("", command->operands, out);
    if (command->operands_help || command->description)
        (void)fputs(".SH DESCRIPTION\n", out);
    if (command->operands_help)
        print_filled(command->operands_help, out);
    if (command->operands_help && command->description)
        (void)fputs("\n.PP\n", out);
    if (command->description)
        print_filled(command->description, out);
    if (command->operands_help || command->description)
        (void)fputc('\n', out);
    print_options(command, out);
    print_topics(command, out);
    if (command->n_examples)
        (void)fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < command->n_examples; i++) {
        print_line(i ? ".PP\n" : "", command->examples[i].what, out);
        print_line(".PP\n.nf\n.RS 4\n", command->examples[i].line, out);
        (void)fputs(".RE\n.fi\n", out);
    }
    (void)fputs(".SH SEE ALSO\n.BR rangeline (1)\n", out);
}
