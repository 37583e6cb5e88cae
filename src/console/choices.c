/* SPDX-License-Identifier: Apache-2.0 */
#include "console/choices.h"

#include <stdio.h>
#include <string.h>

bool rln__is_choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = choices; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || !at[length]))
            return length > 0;
    }
    return false;
}

static bool is_choice_of(const struct rln__option *o, const char *word)
{
    if (rln__is_choice(o->choices, word))
        return true;
    for (size_t i = 0; o->word_at && o->word_at(i); i++)
        if (strcmp(o->word_at(i), word) == 0)
            return true;
    return false;
}

/* The length of the first word of a list, which takes the whole value if it is none. */
static size_t word_length(const struct rln__option *o, const char *value)
{
    return o->is_list ? strcspn(value, ",") : strlen(value);
}

const char *rln__wrong_word(const struct rln__option *o, const char *value,
                            char word[RLN__MOST_WORD + 1])
{
    for (;;) {
        const size_t length = word_length(o, value);

        (void)snprintf(word, RLN__MOST_WORD + 1, "%.*s", (int)length, value);
        if (length > RLN__MOST_WORD || !is_choice_of(o, word))
            return word;
        if (!value[length])
            return NULL;
        value += length + 1;
    }
}

bool rln__is_bool(const char *word)
{
    return strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
}

bool rln__is_digits(const char *word)
{
    return *word && !word[strspn(word, "0123456789")];
}
