/* SPDX-License-Identifier: Apache-2.0 */
#include "console/message.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/shell_word.h"

#define SPEC_BYTES 16 /* of a conversion, such as "%zu" */

_Static_assert(sizeof(long) == sizeof(size_t), "l and z are read alike");

struct message {
    char *out;
    size_t size, length;
};

struct arguments {
    va_list list; /* in a struct: a parameter may be an array */
};

__attribute__((format(printf, 2, 3))) static void add(struct message *m,
                                                      const char *spec, ...)
{
    const size_t left = m->size - m->length;
    va_list list;
    int n;

    va_start(list, spec);
    n = vsnprintf(m->out + m->length, left, spec, list);
    va_end(list);
    if (n > 0)
        m->length += (size_t)n < left ? (size_t)n : left - 1;
}

static void add_word(struct message *m, const char *text)
{
    struct rln__buf word = {0};

    rln__buf_shell_word(&word, text, strlen(text));
    if (word.has_failed)
        add(m, "...");
    else
        add(m, "%.*s", (int)word.length, word.bytes);
    rln__buf_clear(&word);
}

static void add_text(struct message *m, const char *spec, struct arguments *a)
{
    int precision;

    if (!strchr(spec, '*')) {
        add(m, spec, va_arg(a->list, const char *));
        return;
    }
    precision = va_arg(a->list, int);
    add(m, spec, precision, va_arg(a->list, const char *));
}

static void add_value(struct message *m, const char *spec, struct arguments *a)
{
    const char letter = spec[strlen(spec) - 1];

    if (letter == '%')
        add(m, "%%");
    else if (letter == 's')
        add_text(m, spec, a);
    else if (letter == 'f' || letter == 'g')
        add(m, spec, va_arg(a->list, double));
    else if (strpbrk(spec, "lz"))
        add(m, spec, va_arg(a->list, long));
    else
        add(m, spec, va_arg(a->list, int));
}

void rln__format_message(char *out, size_t size, const char *format, va_list list)
{
    struct message m = {out, size, 0};
    struct arguments a;
    bool is_typed = false;
    char spec[SPEC_BYTES];

    va_copy(a.list, list);
    for (size_t n; *format; format += n) {
        n = strcspn(format, "%`");
        if (n) {
            add(&m, "%.*s", (int)n, format);
            continue;
        }
        n = *format == '`' ? 1 : 2 + strcspn(format + 1, "%diuxcsfg");
        (void)snprintf(spec, sizeof(spec), "%.*s", (int)n, format);
        if (*format == '`') {
            is_typed = !is_typed;
            add(&m, "`");
        } else if (is_typed && strcmp(spec, "%s") == 0) {
            add_word(&m, va_arg(a.list, const char *));
        } else {
            add_value(&m, spec, &a);
        }
    }
    va_end(a.list);
}
