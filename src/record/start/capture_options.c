/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/capture_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/die.h"

#define MOST_PATTERN                                                                   \
    500u /* the collector keeps 510 bytes of a message and a domain                    \
          */

/* --- Numbers ---------------------------------------------------------------------- */

/* Reads a number below 2^32. Returns what follows it, or NULL. */
static const char *read_u32(const char *text, uint32_t *out)
{
    char *end;
    unsigned long long n;

    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    n = strtoull(text, &end, 10);
    *out = (uint32_t)n;
    return errno || n > UINT32_MAX ? NULL : end;
}

/* K or K..M */
static bool is_nth(const char *text)
{
    uint32_t first, last;

    text = read_u32(text, &first);
    if (!text)
        return false;
    if (!*text)
        return true;
    if (strncmp(text, "..", 2) != 0)
        return false;
    text = read_u32(text + 2, &last);
    return text && !*text && first <= last;
}

/* --- Modes ------------------------------------------------------------------------ */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* ":defer" and similar suffixes tell nsys when to write the report of a window. Here
 * all windows are in one trace, which is complete at any time. */
static bool is_report_mode(const char *text)
{
    return !strcmp(text, ":defer") || !strcmp(text, ":sync") || !strcmp(text, ":async");
}

/* How much of the mode is passed to the collector; 0 if it is invalid. */
static size_t mode_length(const char *text)
{
    const size_t word = strcspn(text, ":");
    const bool repeats = is_word(text, word, "repeat");
    const bool shuts_down = is_word(text, word, "repeat-shutdown");
    uint32_t n = 1;
    const char *rest = NULL;

    if (!repeats && !shuts_down)
        return !text[word] &&
                       (is_word(text, word, "none") || is_word(text, word, "stop") ||
                        is_word(text, word, "stop-shutdown"))
                   ? word
                   : 0;
    if (text[word])
        rest = read_u32(text + word + 1, &n);
    if (!rest)
        rest = shuts_down ? NULL : text + word;
    if (!rest || n == 0 || (*rest && !is_report_mode(rest)))
        return 0;
    return (size_t)(rest - text);
}

/* --- Ranges ----------------------------------------------------------------------- */

/* The last @ without a backslash before it, or NULL. */
static const char *find_at(const char *range)
{
    const char *at = NULL;

    for (; *range; range++) {
        if (*range == '@')
            at = range;
        if (*range == '\\' && range[1])
            range++;
    }
    return at;
}

/* Removes an @ that separates nothing, as nsys does. */
static char *copy_pattern(const char *from, size_t length)
{
    char *pattern = malloc(length + 1);
    char *to = pattern;

    if (!pattern)
        rln__die(RLN__EXIT_FAILED, "cannot read command line: out of memory");
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '@')
            continue;
        if (from[i] == '\\' && i + 1 < length)
            *to++ = from[i++];
        *to++ = from[i];
    }
    *to = '\0';
    return pattern;
}

void rln__capture_split(const char *range, char **message, char **domain)
{
    const char *at = find_at(range);

    *message = copy_pattern(range, at ? (size_t)(at - range) : strlen(range));
    *domain = at ? copy_pattern(at + 1, strlen(at + 1)) : NULL;
}

/* --- What makes no sense ---------------------------------------------------------- */

static _Noreturn void refuse(const char *name, const char *value, const char *why,
                             const char *hint)
{
    rln__complain("cannot record: --%s=\"%s\": %s", name, value, why);
    rln__hint("%s", hint);
    exit(RLN__EXIT_USAGE);
}

void rln__capture_check_range(const char *name, const char *value, const char *range)
{
    char *message, *domain;
    const char *why = NULL;

    rln__capture_split(range, &message, &domain);
    if (!*message)
        why = "the message is missing";
    else if (domain && !*domain)
        why = "the domain after @ is missing";
    else if (strlen(message) > MOST_PATTERN ||
             (domain && strlen(domain) > MOST_PATTERN))
        why = "longer than 500 bytes";
    free(message);
    free(domain);
    if (why)
        refuse(name, value, why,
               "use MESSAGE for the default domain, MESSAGE@DOMAIN, or MESSAGE@* for "
               "any domain; \\@ is an @ in the message");
}

/* Refuses rows that mean nothing without a trigger. */
static void refuse_stray(const struct rln__args *args, unsigned at)
{
    static const enum rln__capture_option rows[] = {RLN__CAPTURE_NVTX, RLN__CAPTURE_END,
                                                    RLN__CAPTURE_NTH};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const unsigned row = at + rows[i];

        if (rln__args_has(args, row))
            refuse(args->command->options[row].name, rln__args_text(args, row),
                   "requires --capture-range",
                   "add -c nvtx -p MESSAGE@DOMAIN, or omit it");
    }
}

/* Refuses a second, different range: it is unclear which one is meant. */
static void refuse_second(const struct rln__args *args, unsigned row)
{
    size_t at = 0;
    const char *first = rln__args_next(args, row, &at);
    const char *second = first ? rln__args_next(args, row, &at) : NULL;

    if (!second || strcmp(first, second) == 0)
        return;
    rln__complain("cannot record: --nvtx-capture=\"%s\": also given as \"%s\"", second,
                  first);
    rln__hint("use one pattern; * is any text, as in -p 'step*@*'");
    exit(RLN__EXIT_USAGE);
}

void rln__capture_parse(const struct rln__args *args, unsigned at,
                        struct rln__capture_choice *out)
{
    const char *trigger = rln__args_text(args, at + RLN__CAPTURE_RANGE);
    const char *range = rln__args_text(args, at + RLN__CAPTURE_NVTX);
    const char *end = rln__args_text(args, at + RLN__CAPTURE_END);
    const char *nth = rln__args_text(args, at + RLN__CAPTURE_NTH);

    *out = (struct rln__capture_choice){.trigger = RLN__TRIGGER_NONE};
    refuse_second(args, at + RLN__CAPTURE_NVTX);
    if (strcmp(trigger, "none") == 0) {
        if (!range || strcmp(range, "none") != 0)
            refuse_stray(args, at);
        return;
    }
    out->trigger = strcmp(trigger, "nvtx") == 0 ? RLN__TRIGGER_NVTX : RLN__TRIGGER_CUDA;
    if (out->trigger == RLN__TRIGGER_NVTX && !range)
        refuse("capture-range", trigger, "the range is missing",
               "name it, in any domain: `-c nvtx -p 'step@*'`");
    if (out->trigger == RLN__TRIGGER_CUDA && range && strcmp(range, "none") != 0)
        refuse("nvtx-capture", range, "requires -c nvtx",
               "omit it, or record with -c nvtx");
    if (out->trigger == RLN__TRIGGER_NVTX && strcmp(range, "none") == 0)
        refuse("nvtx-capture", range, "not a range",
               "for a range of this name, use -p '\\none'");
    if (out->trigger == RLN__TRIGGER_NVTX) {
        rln__capture_check_range("nvtx-capture", range, range);
        out->range = range;
    }
    if (!mode_length(end))
        refuse("capture-range-end", end, "not a mode",
               "use none, stop, stop-shutdown, repeat, repeat:N or repeat-shutdown:N, "
               "where N is at least 1");
    if (nth && !is_nth(nth))
        refuse("capture-nth", nth, "not K or K..M",
               "use --capture-nth 0 for the first, --capture-nth 2..4 for the third to "
               "the fifth");
    out->shuts_down = strstr(end, "-shutdown") != NULL;
}

void rln__capture_variables(const struct rln__args *args, unsigned at,
                            struct rln__variables *out)
{
    const char *range = rln__args_text(args, at + RLN__CAPTURE_NVTX);
    const char *end = rln__args_text(args, at + RLN__CAPTURE_END);
    const char *nth = rln__args_text(args, at + RLN__CAPTURE_NTH);
    const char *trigger = rln__args_text(args, at + RLN__CAPTURE_RANGE);
    char mode[64];

    if (strcmp(trigger, "none") == 0)
        return;
    if (strcmp(trigger, "nvtx") == 0)
        rln__variables_add(out, "RANGELINE_CAPTURE", range);
    (void)snprintf(mode, sizeof(mode), "%.*s", (int)mode_length(end), end);
    rln__variables_add(out, "RANGELINE_CAPTURE_END", mode);
    if (nth)
        rln__variables_add(out, "RANGELINE_CAPTURE_NTH", nth);
}
