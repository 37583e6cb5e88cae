/* SPDX-License-Identifier: Apache-2.0 */
#include "console/misread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/count.h"
#include "base/shell_word.h"
#include "console/amount.h"
#include "console/choices.h"
#include "console/die.h"
#include "console/nearest.h"

#define MOST_OPTIONS 160 /* of a command; further ones are not suggested */
#define LONGEST_LINE 160 /* of a hint; in a longer one the change is hard to find */

/* --- The command line that was meant ---------------------------------------------- */

_Noreturn void rln__refuse_usage(const struct rln__command *command)
{
    rln__hint("`rangeline %s --help` lists the options", command->name);
    exit(RLN__EXIT_USAGE);
}

/* A value that is none may be the operand that should follow it. */
static bool is_operand(const struct rln__misread *at, const char *value)
{
    return at->to == at->argc && at->command->operands && value &&
           access(value, F_OK) == 0;
}

static void put_word(struct rln__buf *out, const char *word)
{
    rln__buf_shell_word(out, word, strlen(word));
}

/* Makes a line with `instead` for the words; false if there is none to show. */
static bool make_line(const struct rln__misread *at, const char *instead,
                      const char *value, struct rln__buf *out)
{
    rln__buf_format(out, "rangeline %s", at->command->name);
    for (int i = 1; at->argv && i < at->argc; i++) {
        rln__buf_char(out, ' ');
        if (i == at->from)
            put_word(out, instead);
        else
            put_word(out, at->argv[i]);
        i = i == at->from ? at->to - 1 : i;
    }
    if (is_operand(at, value)) {
        rln__buf_char(out, ' ');
        put_word(out, value);
    }
    return at->argv && out->length <= LONGEST_LINE && !out->has_failed;
}

/* `value` is the wrong one; NULL: the option itself is wrong. */
static _Noreturn void suggest(const struct rln__misread *at, const char *lead,
                              const char *instead, const char *value)
{
    struct rln__buf line = {0};

    if (make_line(at, instead, value, &line))
        rln__hint("%s `%.*s`?", lead, (int)line.length, line.bytes);
    else
        rln__hint("%s `%s`? `rangeline %s --help` lists the options", lead, instead,
                  at->command->name);
    rln__buf_clear(&line);
    exit(RLN__EXIT_USAGE);
}

static _Noreturn void suggest_value(const struct rln__misread *at,
                                    const struct rln__option *o, const char *good,
                                    const char *bad)
{
    char instead[256];

    (void)snprintf(instead, sizeof(instead), "--%s=%s", o->name, good);
    suggest(at, "did you mean", instead, bad);
}

/* The word of the command line in which `wrong` lies; argc: none. */
static int word_with(const struct rln__args *args, const char *wrong)
{
    for (int i = 1; i < args->argc; i++)
        if (wrong >= args->argv[i] && wrong <= args->argv[i] + strlen(args->argv[i]))
            return i;
    return args->argc;
}

void rln__hint_instead(const struct rln__args *args, const char *wrong, size_t length,
                       const char *good, const char *after)
{
    struct rln__misread at = {args->command, args->argv, args->argc, 0, 0};
    struct rln__buf word = {0}, line = {0};

    at.from = word_with(args, wrong);
    at.to = at.from + 1;
    if (at.from < at.argc)
        rln__buf_format(&word, "%.*s%s%s", (int)(wrong - at.argv[at.from]),
                        at.argv[at.from], good, wrong + length);
    if (word.length && make_line(&at, word.bytes, NULL, &line))
        rln__hint("did you mean `%.*s`?%s", (int)line.length, line.bytes, after);
    else
        rln__hint("did you mean `%s`?%s", good, after);
    rln__buf_clear(&word);
    rln__buf_clear(&line);
}

/* --- Options ---------------------------------------------------------------------- */

/* Words of other tools, and what they mean in commands that have it. */
static const char *option_of_other_tools(const struct rln__command *command,
                                         const char *name)
{
    static const char *const theirs[][2] = {
        {"top", "rows"},     {"limit", "rows"},     {"head", "rows"},
        {"lines", "rows"},   {"count", "rows"},     {"number", "rows"},
        {"out", "output"},   {"outfile", "output"}, {"force", "force-overwrite"},
        {"silent", "quiet"},
    };

    for (size_t i = 0; i < RLN_COUNT(theirs); i++)
        for (size_t k = 0; k < command->n_options; k++)
            if (strcmp(theirs[i][0], name) == 0 &&
                strcmp(command->options[k].name, theirs[i][1]) == 0)
                return theirs[i][1];
    return NULL;
}

static const struct rln__option *nearest_option(const struct rln__command *command,
                                                const char *name)
{
    const char *names[MOST_OPTIONS];
    const char *nearest = option_of_other_tools(command, name);
    size_t n_names = 0;

    for (size_t i = 0; i < command->n_options && n_names < MOST_OPTIONS; i++)
        names[n_names++] = command->options[i].name;
    if (!nearest)
        nearest = rln__nearest(name, names, n_names);
    for (size_t i = 0; nearest && i < command->n_options; i++)
        if (strcmp(command->options[i].name, nearest) == 0)
            return &command->options[i];
    return NULL;
}

static bool takes_value(const struct rln__option *o)
{
    return o->kind != RLN__ARG_FLAG || o->has_operands;
}

_Noreturn void rln__refuse_option(const struct rln__misread *at, const char *word)
{
    const struct rln__command *command = at->command;
    const bool is_long = strncmp(word, "--", 2) == 0;
    const struct rln__option *nearest;
    const char *way_out;
    char name[RLN__MOST_WORD + 1], instead[256];

    (void)snprintf(name, sizeof(name), "%.*s",
                   is_long ? (int)strcspn(word + 2, "=") : 1, word + (is_long ? 2 : 1));
    nearest = is_long ? nearest_option(command, name) : NULL;
    way_out = command->way_out ? command->way_out(name) : NULL;
    rln__complain(
        "cannot read command line: option=\"%s\": `rangeline %s` has no such option",
        word, command->name);
    if (way_out) {
        rln__hint("%s", way_out);
        exit(RLN__EXIT_USAGE);
    }
    if (command->operands && access(word, F_OK) == 0) { /* a file that begins with - */
        (void)snprintf(instead, sizeof(instead), "./%s", word);
        suggest(at, "did you mean", instead, NULL);
    }
    if (!nearest)
        rln__refuse_usage(command);
    (void)snprintf(instead, sizeof(instead), "--%s%s", nearest->name,
                   strchr(word, '=') && takes_value(nearest) ? strchr(word, '=') : "");
    suggest(at, "did you mean", instead, NULL);
}

/* --- Values ----------------------------------------------------------------------- */

static bool is_number(const struct rln__option *o, const char *value)
{
    uint64_t number;
    char *end;

    if (o->kind == RLN__ARG_SECONDS)
        return rln__amount_seconds(value, &number);
    if (o->kind == RLN__ARG_BYTES)
        return rln__amount_bytes(value, &number);
    if (o->kind != RLN__ARG_COUNT)
        return true;
    errno = 0;
    (void)strtoull(value, &end, 10);
    return !errno && !*end && *value >= '0' && *value <= '9';
}

/* Of a count that is no number. */
static void refuse_large(const struct rln__option *o, const char *value)
{
    if (o->kind != RLN__ARG_COUNT || !rln__is_digits(value))
        return;
    rln__complain("cannot read command line: --%s=\"%s\": too large", o->name, value);
    rln__hint("use %s", o->range ? o->range : "0 to 18446744073709551615");
    exit(RLN__EXIT_USAGE);
}

/* A value of the kind; of a size, the one that its digits may mean. */
static const char *example_of(const struct rln__option *o, const char *value,
                              char out[64])
{
    if (o->kind == RLN__ARG_BYTES && rln__is_digits(value) && strlen(value) < 32)
        (void)snprintf(out, 64, "%sM", value);
    else
        (void)snprintf(out, 64, "%s",
                       o->kind == RLN__ARG_BYTES     ? "16M"
                       : o->kind == RLN__ARG_SECONDS ? "2s"
                       : o->example                  ? o->example
                                                     : "10");
    return out;
}

static _Noreturn void refuse_number(const struct rln__misread *at,
                                    const struct rln__option *o, const char *value)
{
    char example[64];

    refuse_large(o, value);
    rln__complain("cannot read command line: --%s=\"%s\": not %s", o->name, value,
                  o->kind == RLN__ARG_SECONDS
                      ? "a time, such as 2 (seconds), 0.5 or 500ms"
                  : o->kind == RLN__ARG_BYTES ? "a size with its unit: K, M, G or T"
                                              : "a whole number");
    suggest_value(at, o, example_of(o, value, example), value);
}

static const char *word_of_list(const char *list, const char *word)
{
    for (;;) {
        const size_t length = strcspn(list, ",");

        if (length == strlen(word) && strncmp(list, word, length) == 0)
            return list;
        if (!list[length])
            return NULL;
        list += length + 1;
    }
}

/* `wrong` is the word of the value that is none of the choices. */
static _Noreturn void refuse_choice(const struct rln__misread *at,
                                    const struct rln__option *o, const char *value,
                                    const char *wrong)
{
    const char *words[64], *nearest = NULL, *part;
    char list[256];
    const char *way_out = o->way_out ? o->way_out(wrong) : NULL;
    struct rln__buf choices = {0};
    char *rest = NULL;
    size_t n_words = 0;

    rln__buf_format(&choices, "%s", o->choices ? o->choices : "");
    for (size_t i = 0; o->word_at && o->word_at(i); i++)
        rln__buf_format(&choices, "%s%s", choices.length ? "|" : "", o->word_at(i));
    if (choices.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__complain("cannot read command line: --%s=\"%s\": not one of %s", o->name,
                  value, choices.bytes);
    for (char *word = strtok_r(choices.bytes, "|", &rest); word && n_words < 64;
         word = strtok_r(NULL, "|", &rest))
        words[n_words++] = word;
    nearest = rln__nearest(wrong, words, n_words);
    if (way_out) {
        rln__hint("%s", way_out);
        exit(RLN__EXIT_USAGE);
    }
    if (!nearest)
        rln__refuse_usage(at->command);
    part = o->is_list ? word_of_list(value, wrong) : NULL;
    if (part)
        (void)snprintf(list, sizeof(list), "%.*s%s%s", (int)(part - value), value,
                       nearest, part + strlen(wrong));
    suggest_value(at, o, part ? list : nearest, NULL);
}

/* "false" of "No" and "flase"; NULL: the word is near neither. */
static const char *bool_meant(const char *value)
{
    static const char *const words[] = {
        "true",  "yes", "on",  "y", "t", "1", "always", /* then those that mean false */
        "false", "no",  "off", "n", "f", "0", "never",
    };
    const size_t n_words = RLN_COUNT(words);
    const char *nearest = rln__nearest(value, words, n_words);

    for (size_t i = 0; nearest && i < n_words; i++)
        if (nearest == words[i])
            return i < n_words / 2 ? "true" : "false";
    return NULL;
}

static _Noreturn void refuse_bool(const struct rln__misread *at,
                                  const struct rln__option *o, const char *value)
{
    const char *meant = bool_meant(value);

    rln__complain("cannot read command line: --%s=\"%s\": not true or false", o->name,
                  value);
    if (meant)
        suggest_value(at, o, meant, NULL);
    rln__hint("`--%s=true` or `--%s=false`", o->name, o->name);
    exit(RLN__EXIT_USAGE);
}

void rln__check_value(const struct rln__misread *at, const struct rln__option *o,
                      const char *value)
{
    char word[RLN__MOST_WORD + 1];

    if (o->is_ignored && o->kind != RLN__ARG_BOOL)
        return;
    if (o->kind == RLN__ARG_BOOL && !rln__is_bool(value))
        refuse_bool(at, o, value);
    if (o->kind == RLN__ARG_CHOICE && rln__wrong_word(o, value, word))
        refuse_choice(at, o, value, word);
    if (!is_number(o, value))
        refuse_number(at, o, value);
}

_Noreturn void rln__refuse_any_value(const struct rln__misread *at,
                                     const struct rln__option *o, const char *word)
{
    char instead[256];

    rln__complain("cannot read command line: option=\"%s\": --%s takes no value", word,
                  o->name);
    (void)snprintf(instead, sizeof(instead), "--%s", o->name);
    suggest(at, "did you mean", instead, NULL);
}

_Noreturn void rln__refuse_no_value(const struct rln__misread *at,
                                    const struct rln__option *o)
{
    rln__complain("cannot read command line: --%s: value is missing", o->name);
    rln__refuse_usage(at->command);
}

_Noreturn void rln__refuse_digits(const struct rln__option *o, const char *next)
{
    rln__complain("cannot read command line: --%s=\"%s\": not true or false", o->name,
                  next);
    rln__hint("put `--%s=true` if %s is no value of it", o->name, next);
    exit(RLN__EXIT_USAGE);
}
