/* SPDX-License-Identifier: Apache-2.0 */
#include "console/option_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "console/die.h"

static _Noreturn void die(enum rln__exit status, const char *path, const char *why)
{
    rln__die(status, "cannot read options: file=\"%s\": %s", path, why);
}

/* The whole file and a 0, owned by the caller. */
static char *read_text(const char *path)
{
    struct rln__buf buf = {0};
    FILE *file = fopen(path, "re");
    char part[4096];
    size_t n;

    if (!file)
        die(RLN__EXIT_FAILED, path, strerror(errno));
    while ((n = fread(part, 1, sizeof(part), file)) > 0)
        rln__buf_add(&buf, part, n);
    if (ferror(file))
        die(RLN__EXIT_FAILED, path, strerror(errno));
    (void)fclose(file);
    rln__buf_add(&buf, "", 1);
    if (buf.has_failed)
        die(RLN__EXIT_FAILED, path, "out of memory");
    return buf.bytes;
}

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
        die(RLN__EXIT_USAGE, path, "a quote is not closed");
    *at = from + (*from != 0);
    *to = 0;
}

void rln__option_file_read(const char *path, struct rln__option_file *out)
{
    char *text = read_text(path), *at = text;

    *out = (struct rln__option_file){.text = text};
    out->words = calloc(strlen(text) / 2 + 3, sizeof(*out->words));
    if (!out->words)
        die(RLN__EXIT_FAILED, path, "out of memory");
    out->words[out->n_words++] = (char *)(uintptr_t)path;
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        out->words[out->n_words++] = at;
        take_word(path, &at);
    }
}
