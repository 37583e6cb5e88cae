/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/stats_lists.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "cli/show/report_choice.h"
#include "console/die.h"
#include "console/help.h"

enum { NAMES = 23 }; /* width of their column */

static void list_report(const rln_report_info *report)
{
    (void)printf("%-*s%s\n", NAMES, report->name, report->help);
}

static void explain_report(const rln_report_info *report)
{
    list_report(report);
    if (report->details)
        rln__help_print_wrapped(stdout, report->details, 0, NAMES);
}

bool rln__stats_report_at(size_t index, struct rln__topic *out)
{
    const rln_report_info *report = rln_report_about_at(index);

    if (report)
        *out = (struct rln__topic){report->name, report->help, report->details};
    return report;
}

int rln__stats_list_reports(const struct rln__args *args)
{
    for (size_t i = 0; i < args->n_operands; i++)
        explain_report(
            rln__report_called(args->operands[i], strlen(args->operands[i])));
    for (size_t i = 0; rln_report_about_at(i) && !args->n_operands; i++)
        list_report(rln_report_about_at(i));
    return RLN__EXIT_OK;
}

int rln__stats_list_formats(void)
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

    for (size_t i = 0; i < RLN_COUNT(lines); i++)
        (void)printf("%-20s %s\n", lines[i][0], lines[i][1]);
    return RLN__EXIT_OK;
}
