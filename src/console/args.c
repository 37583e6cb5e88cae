/* SPDX-License-Identifier: Apache-2.0 */
/* args.c - reads a command line with the command's table.
 *
 *     --name=value  --name value  -n value  -nvalue  -n=value  -abc (flags)  --
 *
 * argv is not permuted: options are listed in order, operands separately.
 */
#include "console/args.h"
#include "base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/amount.h"
#include "console/choices.h"
#include "console/die.h"
#include "console/help.h"
#include "console/misread.h"
#include "console/option_file.h"
#include "console/stdout_error.h"

struct cursor {
    struct rln__args *args;
    char **argv;
    int argc;
    int at;   /* the word that is read next */
    int from; /* the word of the option that is read */
    bool is_first_letter, is_of_file;
};

/* --- Reading ---------------------------------------------------------------------- */

/* The words of the option that is read. They can be replaced by its long name, unless
 * other letters stand in the same word. */
static struct rln__misread words_of(const struct cursor *c)
{
    const char *word = c->argv[c->from];
    const bool is_alone = word[1] == '-' || !word[1] || !word[2] || c->is_first_letter;

    return (struct rln__misread){c->args->command,
                                 is_alone && !c->is_of_file ? c->argv : NULL, c->argc,
                                 c->from, c->at};
}

static void give(struct cursor *c, const struct rln__option *o, const char *value)
{
    struct rln__args *args = c->args;
    const struct rln__misread words = words_of(c);

    rln__check_value(&words, o, value);
    args->given[args->n_given].option = (unsigned)(o - args->command->options);
    args->given[args->n_given].value = value;
    args->n_given++;
}

/* The value of an option without a value of its own. */
static const char *value_from_next_word(struct cursor *c, const struct rln__option *o)
{
    const char *next = c->at < c->argc ? c->argv[c->at] : NULL;
    const struct rln__misread words = words_of(c);
    char word[RLN__MOST_WORD + 1];

    if (o->kind == RLN__ARG_FLAG)
        return "true";
    if (o->kind == RLN__ARG_BOOL && next && rln__is_digits(next))
        rln__refuse_digits(o,
                           next); /* no program is named by a number, but values are */
    if (o->kind == RLN__ARG_BOOL && (!next || !rln__is_bool(next)))
        return "true";
    if (o->bare && (!next || rln__wrong_word(o, next, word)))
        return o->bare;
    if (!next)
        rln__refuse_no_value(&words, o);
    c->at++;
    return next;
}

static _Noreturn void help_exit(const struct rln__command *command)
{
    rln__help_print(command, stdout);
    exit(rln__end_output());
}

static _Noreturn void refuse_unknown(const struct cursor *c, const char *word)
{
    const struct rln__misread words = words_of(c);

    rln__refuse_option(&words, word);
}

static void read_long(struct cursor *c, char *word)
{
    const struct rln__command *command = c->args->command;
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");

    if (strcmp(name, "help") == 0)
        help_exit(command);
    for (size_t i = 0; i < command->n_options; i++) {
        const struct rln__option *o = &command->options[i];

        if (strncmp(o->name, name, length) != 0 || o->name[length])
            continue;
        if (!name[length]) {
            give(c, o, value_from_next_word(c, o));
            return;
        }
        if (o->has_operands) {
            give(c, o, "true");
            if (name[length + 1])
                c->args->operands[c->args->n_operands++] = word + 2 + length + 1;
            return;
        }
        if (o->kind == RLN__ARG_FLAG) {
            const struct rln__misread words = words_of(c);

            rln__refuse_any_value(&words, o, word);
        }
        give(c, o, name + length + 1);
        return;
    }
    refuse_unknown(c, word);
}

static const struct rln__option *find_letter(const struct rln__command *command,
                                             char letter)
{
    for (size_t i = 0; i < command->n_options; i++)
        if (letter && command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

/* -n value, -nvalue, -n=value, -ab */
static void read_letters(struct cursor *c, const char *word)
{
    for (const char *at = word + 1; *at; at++) {
        const struct rln__option *o = find_letter(c->args->command, *at);
        const char *rest = at + 1 + (at[1] == '=');

        c->is_first_letter = at == word + 1;
        if (!o && *at == 'h')
            help_exit(c->args->command);
        if (!o)
            refuse_unknown(c, word);
        if (o->kind == RLN__ARG_FLAG || (o->kind == RLN__ARG_BOOL && *rest &&
                                         at[1] != '=' && !rln__is_bool(rest))) {
            give(c, o, "true");
            continue; /* the next letter is an option, too */
        }
        give(c, o, *rest ? rest : value_from_next_word(c, o));
        return;
    }
}

/* One line for all of Nsight's options that were given and have no effect here, and one
 * for each that has a reason of its own. */
static void note_ignored(const struct rln__args *args)
{
    char names[2048] = "";
    size_t n = 0;
    size_t n_named = 0;

    for (size_t i = 0; i < args->command->n_options; i++) {
        const struct rln__option *o = &args->command->options[i];

        if (!o->is_ignored || !rln__args_has(args, (unsigned)i) || n >= sizeof(names))
            continue;
        if (o->ignored_because) {
            rln__complain("note: --%s has no effect: %s", o->name, o->ignored_because);
            continue;
        }
        n += (size_t)snprintf(names + n, sizeof(names) - n, "%s--%s", n ? ", " : "",
                              o->name);
        n_named++;
    }
    if (n_named)
        rln__complain("note: %s %s no effect: %s", names, n_named == 1 ? "has" : "have",
                      args->command->ignored_because);
}

static void read_words(const struct rln__command *command, int argc, char **argv,
                       bool is_of_file, struct rln__args *out)
{
    struct cursor c = {
        .args = out, .argv = argv, .argc = argc, .at = 1, .is_of_file = is_of_file};
    bool only_operands = false;

    /* A word like -abc holds several options. */
    size_t n_most = 1;

    for (int i = 1; i < argc; i++)
        n_most += strlen(argv[i]) + 1;
    *out = (struct rln__args){.command = command, .argv = argv, .argc = argc};
    out->given = calloc(n_most, sizeof(*out->given));
    out->operands = calloc((size_t)argc + 1, sizeof(*out->operands));
    if (!out->given || !out->operands)
        rln__die(RLN__EXIT_FAILED, "cannot read command line: out of memory");

    while (c.at < argc) {
        char *word = argv[c.from = c.at++];

        if (only_operands || word[0] != '-' || !word[1]) {
            out->operands[out->n_operands++] = word;
            only_operands |= command->stops_at_operand;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (word[1] == '-') {
            read_long(&c, word);
        } else {
            read_letters(&c, word);
        }
    }
}

/* --- Files of options ------------------------------------------------------------- */

/* What is in a file comes before what is in `args`. */
static void put_before(struct rln__args *args, struct rln__args *of_file, char *text)
{
    const size_t n = of_file->n_given;
    struct rln__given *given =
        realloc(args->given, (n + args->n_given + 1) * sizeof(*given));
    char **texts = realloc(args->texts, (args->n_texts + 1) * sizeof(*texts));

    if (!given || !texts)
        rln__die(RLN__EXIT_FAILED, "cannot read options: out of memory");
    memmove(given + n, given, args->n_given * sizeof(*given));
    memcpy(given, of_file->given, n * sizeof(*given));
    args->given = given;
    args->n_given += n;
    args->texts = texts;
    texts[args->n_texts++] = text;
}

static void read_option_file(struct rln__args *args, unsigned option, const char *path)
{
    struct rln__option_file file;
    struct rln__args inner;
    const char *wrong;

    rln__option_file_read(path, &file);
    read_words(args->command, file.n_words, file.words, true, &inner);
    wrong = inner.n_operands ? inner.operands[0] : rln__args_text(&inner, option);
    if (wrong)
        rln__die(RLN__EXIT_USAGE,
                 "cannot read options: file=\"%s\", word=\"%s\": a file can have "
                 "options only, and name no other file",
                 path, wrong);
    put_before(args, &inner, file.text);
    rln__args_clear(&inner);
    free(file.words);
}

/* The last file comes first, so that their order stays. */
static void read_option_files(struct rln__args *args)
{
    const struct rln__command *command = args->command;

    for (size_t i = args->n_given; i > 0; i--) {
        const size_t from_end = args->n_given - i;
        const struct rln__given g = args->given[i - 1];

        if (!command->options[g.option].is_file)
            continue;
        read_option_file(args, g.option, g.value);
        i = args->n_given - from_end; /* it has moved */
    }
}

void rln__args_parse(const struct rln__command *command, int argc, char **argv,
                     struct rln__args *out)
{
    read_words(command, argc, argv, false, out);
    read_option_files(out);
    note_ignored(out);
}

void rln__args_clear(struct rln__args *args)
{
    for (size_t i = 0; i < args->n_texts; i++)
        free(args->texts[i]);
    free(args->texts);
    free(args->given);
    free(args->operands);
    *args = (struct rln__args){0};
}

void rln__args_refuse_operands(const struct rln__args *args)
{
    if (args->n_operands == 0)
        return;
    rln__complain(
        "cannot read command line: word=\"%s\": `rangeline %s` takes only options",
        args->operands[0], args->command->name);
    rln__refuse_usage(args->command);
}

/* --- Asking ----------------------------------------------------------------------- */

bool rln__args_has(const struct rln__args *args, unsigned option)
{
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].option == option)
            return true;
    return false;
}

const char *rln__args_text(const struct rln__args *args, unsigned option)
{
    for (size_t i = args->n_given; i > 0; i--)
        if (args->given[i - 1].option == option)
            return args->given[i - 1].value;
    return args->command->options[option].initial;
}

bool rln__args_bool(const struct rln__args *args, unsigned option)
{
    const char *text = rln__args_text(args, option);

    return text && strcmp(text, "true") == 0;
}

uint64_t rln__args_count(const struct rln__args *args, unsigned option)
{
    const enum rln__arg_kind kind = args->command->options[option].kind;
    const char *text = rln__args_text(args, option);
    uint64_t number = 0;

    if (!text)
        return 0;
    if (kind == RLN__ARG_COUNT)
        return strtoull(text, NULL, 10);
    if (kind == RLN__ARG_SECONDS)
        (void)rln__amount_seconds(text, &number);
    else
        (void)rln__amount_bytes(text, &number);
    return number;
}

const char *rln__args_next(const struct rln__args *args, unsigned option, size_t *at)
{
    while (*at < args->n_given) {
        const struct rln__given *g = &args->given[(*at)++];

        if (g->option == option)
            return g->value;
    }
    return NULL;
}

char *rln__args_joined(const struct rln__args *args, unsigned option)
{
    struct rln__buf list = {0};
    const char *value;
    size_t at = 0;

    while ((value = rln__args_next(args, option, &at))) {
        if (list.length)
            list.bytes[list.length - 1] = ','; /* replaces the NUL */
        rln__buf_add(&list, value, strlen(value) + 1);
    }
    if (list.has_failed)
        rln__die(RLN__EXIT_FAILED, "cannot read command line: out of memory");
    return list.bytes;
}

bool rln__args_next_word(const struct rln__args *args, struct rln__operand_word *word)
{
    do {
        if (word->at)
            word->at += word->length + (word->at[word->length] == ',');
        if (!word->at || !*word->at) {
            if (word->operand == args->n_operands)
                return false;
            word->at = args->operands[word->operand++];
        }
        word->length = strcspn(word->at, ",");
    } while (!word->length);
    return true;
}
