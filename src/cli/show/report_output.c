/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/report_output.h"
#include "base/count.h"
#include "console/ends_with.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/show/table_style.h"
#include "console/die.h"
#include "console/misread.h"
#include "console/nearest.h"
#include "console/pager.h"

/* --- One report ------------------------------------------------------------------- */

static bool is_format(const char *word, size_t length)
{
    return rln__table_format(word, length) >= 0 || (length == 1 && *word == '.');
}

/* `list` is where the word is in the command line. */
static void check_format(const struct rln__args *args, const char *list,
                         const char *word)
{
    static const char *const formats[] = {"column", "table",    "csv",  "tsv",
                                          "json",   "markdown", "hdoc", "htable"};
    const size_t length = strcspn(word, ":");
    char text[32];
    const char *nearest;

    if (is_format(word, length))
        return;
    (void)snprintf(text, sizeof(text), "%.*s", (int)length, word);
    nearest = rln__nearest(text, formats, RLN_COUNT(formats));
    rln__complain(
        "cannot print report: format=\"%.*s\": not one of " RLN__TABLE_FORMATS,
        (int)length, word);
    if (nearest)
        rln__hint_instead(args, list, length, nearest, "");
    else
        rln__hint("`-f csv` is for spreadsheets, `-f hdoc` a page, `-f json` for "
                  "programs");
    exit(RLN__EXIT_USAGE);
}

/* "csv", "column:nohdr:.:30"; `*unit` is set by "csv:time=ms". */
static void choose_format(struct rln__report_output *o, const char *word,
                          const char **unit, size_t *unit_length)
{
    const size_t length = strcspn(word, ":");
    const int found = rln__table_format(word, length);
    const char *wrong = NULL;

    if (found >= 0)
        o->format = (enum rln__table_format)found;
    if (word[length])
        wrong = rln__table_style_read(&o->style, word + length + 1, unit, unit_length);
    if (!wrong)
        return;
    rln__complain("cannot print report: format=\"%s\": \"%.*s\" is not an argument",
                  word, (int)strcspn(wrong, ":"), wrong);
    rln__hint("`rangeline stats --help-formats` lists formats and arguments");
    exit(RLN__EXIT_USAGE);
}

static const struct rln__unit *find_unit(const char *name, size_t length)
{
    char text[32];
    const struct rln__unit *unit;

    (void)snprintf(text, sizeof(text), "%.*s", (int)(length < 31 ? length : 31), name);
    unit = rln__unit_find(text);
    if (unit)
        return unit;
    rln__complain("cannot print report: timeunit=\"%s\": not one of nsec, usec, msec, "
                  "seconds",
                  text);
    rln__hint("`--timeunit msec`, for one");
    exit(RLN__EXIT_USAGE);
}

/* `format` and `unit` may be NULL. */
static void choose_style(struct rln__report_output *o, const char *format,
                         const char *unit)
{
    size_t unit_length = unit ? strlen(unit) : 0;
    const bool is_plain = !format && !unit && !o->name;

    o->format = o->name ? RLN__FORMAT_CSV : RLN__FORMAT_COLUMN;
    if (format)
        choose_format(o, format, &unit, &unit_length);
    o->cell_format.unit = find_unit(unit ? unit : "ns", unit ? unit_length : 2);
    o->cell_format.has_unit = unit != NULL;
    o->cell_format.is_aligned = o->format <= RLN__FORMAT_TABLE;
    o->cell_format.is_human_readable = is_plain && rln__on_terminal();
    o->cell_format.is_ascii = rln__is_ascii_only();
    o->cell_format.has_color = o->cell_format.is_human_readable && rln__has_color();
}

/* --- Lists ------------------------------------------------------------------------ */

/* The words of all lists that an option was given, one after the other. */
static size_t read_words(const struct rln__args *args, unsigned option,
                         bool is_of_formats, char *words[RLN__MOST_REPORTS])
{
    const char *list;
    size_t at = 0, n = 0;

    while ((list = rln__args_next(args, option, &at))) {
        for (;; list++) {
            const size_t length = rln__list_word(list);

            if (n == RLN__MOST_REPORTS)
                rln__die(RLN__EXIT_USAGE, "cannot print reports: more than %d words",
                         RLN__MOST_REPORTS);
            words[n++] = rln__list_copy(list, length);
            if (is_of_formats)
                check_format(args, list, words[n - 1]);
            list += length;
            if (!*list)
                break;
        }
    }
    return n;
}

static const char *word_of(char *const *words, size_t n, size_t index)
{
    return n ? words[index < n ? index : n - 1] : NULL;
}

static const char *check_name(const char *name)
{
    if (name && (name[0] == '@' || !name[0]))
        rln__die(RLN__EXIT_USAGE,
                 "cannot write report: output=\"%s\": give a name or -", name);
    return name && strcmp(name, "-") == 0 ? NULL : name;
}

void rln__choose_outputs(struct rln__report_outputs *o, const struct rln__args *args,
                         unsigned format, const char *usual, unsigned timeunit,
                         unsigned output)
{
    char *formats[RLN__MOST_REPORTS];
    const size_t n_formats = read_words(args, format, true, formats);
    const char *unit = rln__args_text(args, timeunit);

    o->n_words = read_words(args, output, false, o->words);
    o->n = n_formats > o->n_words ? n_formats : o->n_words;
    o->n += o->n == 0;
    for (size_t i = 0; i < o->n; i++) {
        o->items[i].name = check_name(word_of(o->words, o->n_words, i));
        choose_style(&o->items[i], n_formats ? word_of(formats, n_formats, i) : usual,
                     unit);
    }
    for (size_t i = 0; i < n_formats; i++)
        free(formats[i]);
}

const struct rln__report_output *
rln__report_output_of(const struct rln__report_outputs *o, size_t report)
{
    return &o->items[report < o->n ? report : o->n - 1];
}

void rln__report_outputs_clear(struct rln__report_outputs *o)
{
    for (size_t i = 0; i < o->n_words; i++)
        free(o->words[i]);
    for (size_t i = 0; i < o->n; i++)
        rln__table_style_clear(&o->items[i].style);
    memset(o, 0, sizeof(*o));
}

/* --- Files ------------------------------------------------------------------------ */

/* "_pace_step": adds a name that is valid for files */
static void add_file_name(struct rln__buf *path, const struct rln__report_info *report,
                          const char *argument)
{
    rln__buf_format(path, "_%s", report->name);
    if (argument)
        rln__buf_char(path, '_');
    for (const char *c = argument ? argument : ""; *c; c++)
        rln__buf_char(path, *c == '/' || *c == ':' ? '-' : *c);
}

/* Of the name of a trace, of an export of Nsight, or of sums. */
static size_t extension_length(const char *name)
{
    static const char *const known[] = {".rln", ".sqlite", ".rlsum"};

    for (size_t i = 0; i < RLN_COUNT(known); i++) {
        if (rln__ends_with(name, known[i]))
            return strlen(known[i]);
    }
    return 0;
}

void rln__report_file_name(const struct rln__report_output *output, const char *trace,
                           const struct rln__report_info *report, const char *argument,
                           struct rln__buf *path)
{
    const char *base = output->name;
    size_t length = strlen(base);

    if (strcmp(base, ".") == 0) {
        base = trace;
        length = strlen(base);
        length -= extension_length(base);
    }
    rln__buf_add(path, base, length);
    add_file_name(path, report, argument);
    rln__buf_format(path, ".%s", rln__table_extension(output->format));
    rln__buf_char(path, '\0');
}
