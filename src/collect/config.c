/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - every environment variable that the collector reads, in one table.
 *
 *   RANGELINE_OUTPUT   the trace: a path; %p is the process id, %h the host's name,
 *                      %q{VAR} a variable, %% a percent sign. Default rangeline-%p.rln
 *                      in the working directory.
 *   RANGELINE_RUN      the run's id, a uuid, from the launcher: join the trace with it
 *   RANGELINE_HELPER   0: never start the helper thread
 *   RANGELINE_CLOCK    "system": CLOCK_MONOTONIC_RAW even where there is a counter
 */
#include "collect/config.h"

extern char **environ;

/* --- text without libc ------------------------------------------------------------ */

struct text {
    char *to;
    size_t used;
    size_t room; /* the terminator included */
    int is_whole;
};

static void append_char(struct text *t, char c)
{
    if (t->used + 1 < t->room)
        t->to[t->used++] = c;
    else
        t->is_whole = 0;
    t->to[t->used] = 0;
}

static void append(struct text *t, const char *from)
{
    while (*from)
        append_char(t, *from++);
}

size_t rln__config_decimal(char to[24], uint64_t n)
{
    char digits[24];
    size_t n_digits = 0;

    do
        digits[n_digits++] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    for (size_t i = 0; i < n_digits; i++)
        to[i] = digits[n_digits - 1 - i];
    to[n_digits] = 0;
    return n_digits;
}

/* What follows `prefix` in `text`, or NULL. */
static const char *after(const char *text, const char *prefix)
{
    while (*prefix) {
        if (*text++ != *prefix++)
            return NULL;
    }
    return text;
}

const char *rln__config_variable(const char *name)
{
    for (char **e = environ; e && *e; e++) {
        const char *value = after(*e, name);

        if (value && *value == '=')
            return value + 1;
    }
    return NULL;
}

/* --- the path --------------------------------------------------------------------- */

static const char *append_variable(struct text *t, const char *pattern)
{
    char name[128];
    size_t n = 0;
    const char *value;

    while (pattern[n] && pattern[n] != '}' && n + 1 < sizeof name) {
        name[n] = pattern[n];
        n++;
    }
    name[n] = 0;
    if (pattern[n] != '}')
        return pattern; /* no end: taken as it stands */
    value = rln__config_variable(name);
    append(t, value ? value : "");
    return pattern + n + 1;
}

static void append_pattern(struct text *t, const char *pattern)
{
    struct utsname host;
    char decimal[24];

    while (*pattern) {
        const char c = *pattern++;

        if (c != '%' || !*pattern) {
            append_char(t, c);
        } else if (*pattern == 'p') {
            pattern++;
            rln__config_decimal(decimal, rln__sys_getpid());
            append(t, decimal);
        } else if (*pattern == 'h') {
            pattern++;
            append(t, rln__sys_uname(&host) == 0 ? host.nodename : "");
        } else if (pattern[0] == 'q' && pattern[1] == '{') {
            pattern = append_variable(t, pattern + 2);
        } else {
            append_char(t, *pattern++);
        }
    }
}

static int ends_with_rln(const char *path, size_t n)
{
    return n >= 4 && path[n - 4] == '.' && path[n - 3] == 'r' && path[n - 2] == 'l' &&
           path[n - 1] == 'n';
}

int rln__config_path_with(char to[RLN__MAX_PATH], const char *path, const char *suffix)
{
    struct text t = {to, 0, RLN__MAX_PATH, 1};
    size_t n = 0;

    while (path[n])
        n++;
    if (ends_with_rln(path, n))
        n -= 4;
    for (size_t i = 0; i < n; i++)
        append_char(&t, path[i]);
    append(&t, suffix);
    append(&t, ".rln");
    return t.is_whole;
}

/* With a run id the launcher has named the file already, patterns and all. */
static int read_path(struct rln__config *out)
{
    const char *pattern = rln__config_variable("RANGELINE_OUTPUT");
    struct text t = {out->path, 0, sizeof out->path, 1};
    long n_bytes;

    if (!pattern || !*pattern)
        pattern = "rangeline-%p.rln";
    if (*pattern != '/') {
        n_bytes = rln__sys_getcwd(out->path, sizeof out->path);
        if (n_bytes <= 0 || out->path[0] != '/')
            return 0;
        t.used = (size_t)n_bytes - 1;
        append_char(&t, '/');
    }
    if (out->has_run_id) {
        append(&t, pattern);
        return t.is_whole;
    }
    append_pattern(&t, pattern);
    if (!ends_with_rln(out->path, t.used))
        append(&t, ".rln");
    return t.is_whole;
}

/* --- the run ---------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int read_run_id(struct rln__config *out)
{
    const char *text = rln__config_variable("RANGELINE_RUN");
    size_t n_digits = 0;

    if (!text || !*text)
        return 1;
    for (; *text; text++) {
        const int digit = hex_digit(*text);

        if (*text == '-')
            continue;
        if (digit < 0 || n_digits == 32)
            return 0;
        out->run_id[n_digits / 2] = (uint8_t)((out->run_id[n_digits / 2] << 4) | digit);
        n_digits++;
    }
    out->has_run_id = 1;
    return n_digits == 32;
}

int rln__config_read(struct rln__config *out)
{
    const char *helper = rln__config_variable("RANGELINE_HELPER");
    const char *clock = rln__config_variable("RANGELINE_CLOCK");

    out->has_helper = !(helper && helper[0] == '0' && !helper[1]);
    out->clock_kind = clock && after(clock, "system") ? RLN__CLOCK_MONOTONIC_RAW : 0;
    return read_run_id(out) && read_path(out);
}
