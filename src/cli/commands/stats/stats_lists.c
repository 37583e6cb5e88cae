/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/stats/stats_lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "cli/show/report_choice.h"
#include "console/die.h"
#include "console/help.h"

enum { NAMES = 23 }; /* width of their column */

static void list_report(const struct rln__report_info *report)
{
    (void)printf("%-*s%s\n", NAMES, report->name, report->help);
}

static void explain_report(const struct rln__report_info *report)
{
    list_report(report);
    if (report->details)
        rln__help_print_wrapped(stdout, report->details, 0, NAMES);
}

bool rln__stats_report_at(size_t index, struct rln__topic *out)
{
    const struct rln__report_info *report = rln__report_about_at(index);

    if (report)
        *out = (struct rln__topic){report->name, report->help, report->details};
    return report;
}

/* ALL, as in nsys. */
static bool is_all(const struct rln__operand_word *word)
{
    return word->length == 3 && strncasecmp(word->at, "all", 3) == 0;
}

/* Names may have arguments: "pace:step". */
int rln__stats_list_reports(const struct rln__args *args)
{
    struct rln__operand_word word = {0};
    const struct rln__report_info *report;

    for (size_t i = 0; (report = rln__report_about_at(i)) && !args->n_operands; i++)
        list_report(report);
    while (rln__args_next_word(args, &word)) {
        const char *colon = memchr(word.at, ':', word.length);

        for (size_t i = 0; is_all(&word) && (report = rln__report_about_at(i)); i++)
            explain_report(report);
        if (!is_all(&word))
            explain_report(rln__report_called(
                args, word.at, colon ? (size_t)(colon - word.at) : word.length));
    }
    return RLN__EXIT_OK;
}

static void list_format(const char *const *line)
{
    (void)printf("%-20s %s\n", line[0], line[1]);
}

static _Noreturn void refuse_format(const struct rln__operand_word *word)
{
    rln__complain("cannot explain format: name=\"%.*s\": no such format",
                  (int)word->length, word->at);
    rln__hint("`rangeline stats --help-formats` lists them");
    exit(RLN__EXIT_USAGE);
}

static bool is_named(const char *line, const struct rln__operand_word *word)
{
    return is_all(word) ||
           (strncmp(line, word->at, word->length) == 0 && !line[word->length]);
}

int rln__stats_list_formats(const struct rln__args *args)
{
    static const char *const lines[][2] = {
        {"column", "aligned with blanks, human-readable"},
        {"table", "the same with ruled lines"},
        {"csv", "plain numbers, separated by commas"},
        {"tsv", "the same, separated by tabs"},
        {"json", "an array of objects; for several reports an object of arrays"},
        {"markdown", "a table for a pull request"},
        {"hdoc", "an HTML page"},
        {"htable", "only the HTML table"},
        {":nohdr", "no header"},
        {":nofmt", "no thousands separators"},
        {":nolimit", "no effect: widths are never limited"},
        {":time=UNIT", "nsec, usec, msec, seconds, or a prefix of one"},
        {":WIDTH", "column, table: width of a column; 0 hides it, . fits it"},
        {":esc", "tsv: \\t for a tab, not a blank"},
        {":title=TEXT", "hdoc: title"},
        {":css=FILE", "hdoc: style sheet"},
    };

    struct rln__operand_word word = {0};

    for (size_t i = 0; i < RLN_COUNT(lines) && !args->n_operands; i++)
        list_format(lines[i]);
    while (rln__args_next_word(args, &word)) {
        bool is_known = false;

        for (size_t i = 0; i < RLN_COUNT(lines); i++) {
            if (!is_named(lines[i][0], &word))
                continue;
            list_format(lines[i]);
            is_known = true;
        }
        if (!is_known)
            refuse_format(&word);
    }
    return RLN__EXIT_OK;
}
