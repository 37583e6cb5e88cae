/* SPDX-License-Identifier: Apache-2.0 */
#include "format/process_title.h"

#define NAME_BYTES 15u /* of the kernel */
#define MOST_WORDS 4u  /* an interpreter, its options, a script */

/* The end of the argument that begins at `begin`. */
static size_t end_of(const char *text, size_t n_bytes, size_t begin)
{
    while (begin < n_bytes && text[begin])
        begin++;
    return begin;
}

/* Where the file name of a path begins; a login shell has a hyphen before it. A text
 * with a blank before the first slash is no path. */
static size_t base_of(const char *text, size_t begin, size_t end)
{
    size_t at = end;

    for (size_t i = begin; i < end && text[i] != '/'; i++)
        if (text[i] == ' ')
            return begin;
    while (at > begin && text[at - 1] != '/')
        at--;
    return at == begin && at < end && text[at] == '-' ? at + 1 : at;
}

/* Whether the kernel gives this name to a process of the file. */
static int is_name_of(const struct rln__process_words *w, const char *text,
                      size_t begin, size_t end)
{
    const size_t at = base_of(text, begin, end);
    const size_t n = end - at < NAME_BYTES ? end - at : NAME_BYTES;

    if (n != w->n_name)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (text[at + i] != w->name[i])
            return 0;
    return 1;
}

static int is_named_after_argument(const struct rln__process_words *w)
{
    size_t begin = 0;

    for (unsigned i = 0; i < MOST_WORDS && begin < w->n_arguments; i++) {
        const size_t end = end_of(w->arguments, w->n_arguments, begin);

        if (is_name_of(w, w->arguments, begin, end))
            return 1;
        begin = end + 1;
    }
    return 0;
}

/* Whether the first argument, which ends at `end`, is the executable's file. */
static int is_file_of(const struct rln__process_words *w, size_t end)
{
    const size_t file = base_of(w->executable, 0, w->n_executable);
    const size_t begin = base_of(w->arguments, 0, end);

    if (end - begin != w->n_executable - file)
        return 0;
    for (size_t i = begin; i < end; i++)
        if (w->arguments[i] != w->executable[file + i - begin])
            return 0;
    return 1;
}

size_t rln__arguments_length(const char *arguments, size_t n_bytes)
{
    size_t n = n_bytes;

    while (n && !arguments[n - 1])
        n--;
    return n_bytes - n > 2 ? n + (n > 0) : n_bytes;
}

/* A title is the first argument: what is left of the others is empty, or it is so long
 * that the kernel finds no end of the last. */
static int is_overwritten(const struct rln__process_words *w)
{
    const size_t end = end_of(w->arguments, w->n_arguments, 0);
    const size_t n = rln__arguments_length(w->arguments, w->n_arguments);

    if (is_file_of(w, end)) /* with empty arguments of its own */
        return 0;
    if (end == w->n_arguments)
        return w->n_arguments < RLN__TITLE_ARGUMENT_BYTES;
    return n < w->n_arguments && n == end + 1;
}

const char *rln__process_title(const struct rln__process_words *w, size_t *n_bytes)
{
    size_t end = end_of(w->arguments, w->n_arguments, 0);
    const int is_first = end && (is_overwritten(w) ||
                                 (is_name_of(w, w->executable, 0, w->n_executable) &&
                                  !is_named_after_argument(w)));
    size_t begin = 0;

    *n_bytes = 0;
    if (!is_first)
        return NULL;
    if (w->arguments[0] == '/') /* a path, of which the name is enough */
        begin = base_of(w->arguments, 0, end);
    while (end > begin && w->arguments[end - 1] == ' ') /* padding */
        end--;
    *n_bytes = end - begin;
    return *n_bytes ? w->arguments + begin : NULL;
}
