/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/table_style.h"

#include <stdlib.h>
#include <string.h>

#include "console/die.h"

#define MOST_COLUMNS 10000 /* of a terminal */

static bool is(const char *word, size_t length, const char *what)
{
    return strlen(what) == length && memcmp(word, what, length) == 0;
}

/* "30", "0", or "." for what fits. */
static bool read_width(const char *word, size_t length, size_t *out)
{
    size_t n = 0;

    *out = RLN__AUTO_WIDTH;
    if (is(word, length, "."))
        return true;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || n > MOST_COLUMNS)
            return false;
        n = n * 10 + (size_t)(word[i] - '0');
    }
    *out = n;
    return length > 0 && n <= MOST_COLUMNS;
}

/* "title=Steps": reads what follows, if the word begins with `key`. */
static bool read_text(const char *word, size_t length, const char *key, char **out)
{
    const size_t n = strlen(key);

    if (length < n || memcmp(word, key, n) != 0)
        return false;
    free(*out);
    *out = strndup(word + n, length - n);
    if (!*out)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    return true;
}

/* Units of values that no report has: sizes, and throughput. */
static bool is_of_nothing(const char *word, size_t length)
{
    static const char *const keys[] = {"mem=", "thru=", "bytes="};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (length > strlen(keys[i]) && memcmp(word, keys[i], strlen(keys[i])) == 0)
            return true;
    }
    return false;
}

static bool read_word(struct rln__table_style *s, const char *word, size_t length)
{
    size_t width;

    if (is(word, length, "nohdr")) {
        s->has_no_header = true;
    } else if (is(word, length, "nofmt")) {
        s->is_ungrouped = true;
    } else if (is(word, length, "esc")) {
        s->escapes = true;
    } else if (is(word, length, "nolimit") || is_of_nothing(word, length)) {
        return true; /* no effect here */
    } else if (read_text(word, length, "title=", &s->title) ||
               read_text(word, length, "css=", &s->css)) {
        return true;
    } else if (read_width(word, length, &width) && s->n_widths < RLN__MOST_WIDTHS) {
        s->widths[s->n_widths++] = width;
    } else {
        return false;
    }
    return true;
}

void rln__table_style_clear(struct rln__table_style *s)
{
    free(s->title);
    free(s->css);
    memset(s, 0, sizeof(*s));
}

const char *rln__table_style_read(struct rln__table_style *s, const char *words,
                                  const char **unit, size_t *unit_length)
{
    static const char time[] = "time=";

    for (;;) {
        const size_t length = strcspn(words, ":");

        if (strncmp(words, time, sizeof(time) - 1) == 0) {
            *unit = words + sizeof(time) - 1;
            *unit_length = length - (sizeof(time) - 1);
        } else if (!read_word(s, words, length)) {
            return words;
        }
        if (!words[length])
            return NULL;
        words += length + 1;
    }
}
