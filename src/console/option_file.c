/* SPDX-License-Identifier: Apache-2.0 */
#include "console/option_file.h"

#include <stdlib.h>
#include <string.h>

#include "console/die.h"
#include "console/text_file.h"

#define WHAT "options: file"

/* Ends the word at `*at` with a 0, without its quotes, and moves to what follows. */
static void take_word(const char *path, char **at)
{
    char *from = *at, *to = *at;
    char quote = 0;

    for (; *from && (quote || !strchr(" \t\r\n", *from)); from++) {
        if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? 0 : *from;
        else
            *to++ = *from;
    }
    if (quote)
        rln__die(RLN__EXIT_USAGE, "cannot read " WHAT "=\"%s\": a quote is not closed",
                 path);
    *at = from + (*from != 0);
    *to = 0;
}

void rln__option_file_read(const char *path, struct rln__option_file *out)
{
    struct rln__buf text = {0};
    char *at;

    rln__text_file_read(path, WHAT, &text);
    at = text.bytes;
    *out = (struct rln__option_file){.text = text.bytes};
    out->words = calloc(strlen(at) / 2 + 3, sizeof(*out->words));
    if (!out->words)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    out->words[out->n_words++] = (char *)(uintptr_t)path;
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        out->words[out->n_words++] = at;
        take_word(path, &at);
    }
}
