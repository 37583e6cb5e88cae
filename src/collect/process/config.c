/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - reads all environment variables of the collector.
 *
 *   RANGELINE_OUTPUT   the trace: a path; %p is the process id, %h the host's name,
 *                      %q{VAR} a variable, %% a percent sign. Default rangeline-%p.rln
 *                      in the working directory.
 *   RANGELINE_RUN      the run's id, a uuid, from the launcher: join the trace with it
 *   RANGELINE_HELPER   0: never start the helper thread
 *   RANGELINE_SAMPLER  1: the process is none of the program's (format/layout.h)
 *   RANGELINE_PAYLOAD_BYTES  limit for an event's extended payloads
 *   RANGELINE_DOMAIN_INCLUDE, RANGELINE_DOMAIN_EXCLUDE
 *                      included or excluded domains; the first takes precedence
 *   RANGELINE_CAPTURE  ranges that open a window, MESSAGE@DOMAIN: range_pattern.h
 *   RANGELINE_CAPTURE_NTH
 *                      K or K..M: which occurrences, counted from 0
 *   RANGELINE_CAPTURE_END
 *                      stop, none, stop-shutdown, repeat[:N], repeat-shutdown:N
 *   RANGELINE_SNAPSHOT MESSAGE@DOMAIN: the end of such a range triggers a snapshot
 *   RANGELINE_CATEGORIES
 *                      recorded categories: categories.h
 *   RANGELINE_BUFFER   size of each process's ring buffer; only without a run id,
 *                      otherwise the launcher writes it to the trace
 *   RANGELINE_ON_OVERLOAD
 *                      drop or wait: overload.h
 *   RANGELINE_REPORT   where to report that the trace cannot be opened:
 *                      attach_failure.h
 *   RANGELINE_CLOCK    "system": CLOCK_MONOTONIC_RAW even if there is a counter
 */
#include "collect/process/config.h"

#include "format/trace_path.h"

extern char **environ;

const char *rln__config_after(const char *text, const char *prefix)
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
        const char *value = rln__config_after(*e, name);

        if (value && *value == '=')
            return value + 1;
    }
    return NULL;
}

/* --- the path --------------------------------------------------------------------- */

int rln__config_path_with(char to[RLN__MAX_PATH], const char *path, const char *suffix)
{
    struct rln__path p = {to, 0, RLN__MAX_PATH, 1};
    const size_t n = rln__path_stem(path);

    for (size_t i = 0; i < n; i++)
        rln__path_char(&p, path[i]);
    rln__path_add(&p, suffix);
    rln__path_add(&p, RLN__TRACE_SUFFIX);
    return p.is_whole;
}

/* With a run id, the launcher has already expanded the patterns in the file name. */
static int read_path(struct rln__config *out)
{
    struct rln__path_pattern pattern = {rln__config_variable("RANGELINE_OUTPUT"),
                                        (uint64_t)rln__sys_getpid(),
                                        rln__config_variable};
    struct rln__path path = {out->path, 0, sizeof out->path, 1};
    const char *at;
    long n_bytes;

    if (!pattern.text || !*pattern.text)
        pattern.text = "rangeline-%p.rln";
    if (*pattern.text != '/') {
        n_bytes = rln__sys_getcwd(out->path, sizeof out->path);
        if (n_bytes <= 0 || out->path[0] != '/')
            return 0;
        path.used = (size_t)n_bytes - 1;
        rln__path_char(&path, '/');
    }
    if (out->has_run_id) {
        rln__path_add(&path, pattern.text);
        return path.is_whole;
    }
    (void)rln__path_expand(&path, &pattern, &at); /* an error cannot be reported */
    if (!out->path[rln__path_stem(out->path)])
        rln__path_add(&path, RLN__TRACE_SUFFIX);
    return path.is_whole;
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

/* --- numbers ---------------------------------------------------------------------- */

/* Treats an invalid or too large number as not set, because it cannot report errors. */
static size_t read_number(const char *text, size_t otherwise, size_t most)
{
    size_t n = 0;

    if (!text || !*text)
        return otherwise;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || n > most)
            return otherwise;
        n = n * 10 + (size_t)(*text - '0');
    }
    return n <= most ? n : otherwise;
}

/* --- capture ranges --------------------------------------------------------------- */

static const char *read_u32(const char *text, uint32_t *out)
{
    uint64_t n = 0;

    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9' && n <= UINT32_MAX; text++)
        n = n * 10 + (uint64_t)(*text - '0');
    *out = (uint32_t)n;
    return n <= UINT32_MAX ? text : NULL;
}

/* K or K..M: sets the first occurrence and their number. */
static int read_nth(struct rln__config *out, const char *text)
{
    uint32_t last;

    text = text ? read_u32(text, &out->capture_first) : NULL;
    if (!text)
        return 0;
    out->n_windows = 1;
    if (!*text)
        return 1;
    if (text[0] != '.' || text[1] != '.' || !(text = read_u32(text + 2, &last)) ||
        *text || last < out->capture_first)
        return 0;
    out->n_windows = last - out->capture_first + 1;
    return 1;
}

static void read_end(struct rln__config *out, const char *text, int has_nth)
{
    const char *rest;
    uint32_t n = 0;

    out->capture_end = RLN__CAPTURE_STOPS;
    if (!text)
        return;
    if (rln__config_after(text, "none")) {
        out->capture_end = RLN__CAPTURE_GOES_ON;
    } else if ((rest = rln__config_after(text, "repeat")) != NULL) {
        if (rln__config_after(rest, "-shutdown")) {
            out->capture_end = RLN__CAPTURE_SHUTS_DOWN;
            rest = rln__config_after(rest, "-shutdown");
        }
        if (*rest == ':')
            read_u32(rest + 1, &n);
        /* The stricter limit applies. */
        if (!has_nth || (n && n < out->n_windows))
            out->n_windows = n;
    } else if (rln__config_after(text, "stop-shutdown")) {
        out->capture_end = RLN__CAPTURE_SHUTS_DOWN;
    }
}

/* Ignores invalid settings, because it cannot report errors. The launcher has checked
 * them before. */
static void read_capture(struct rln__config *out)
{
    const int has_nth = read_nth(out, rln__config_variable("RANGELINE_CAPTURE_NTH"));

    if (!has_nth) {
        out->capture_first = 0;
        out->n_windows = 1;
    }
    read_end(out, rln__config_variable("RANGELINE_CAPTURE_END"), has_nth);
    rln__range_pattern_read(&out->capture, rln__config_variable("RANGELINE_CAPTURE"));
    rln__range_pattern_read(&out->snapshot, rln__config_variable("RANGELINE_SNAPSHOT"));
}

/* --- lists ------------------------------------------------------------------------ */

/* Truncates a list that is too long at the end of a name. 0 if there is none. */
static int read_list(char *out, size_t size, const char *list)
{
    size_t n = 0, whole = 0;

    if (!list || !*list)
        return 0;
    for (; list[n] && n < size - 1; n++) {
        if (list[n] == ',')
            whole = n;
        out[n] = list[n];
    }
    out[list[n] ? whole : n] = 0;
    return 1;
}

static void read_domains(struct rln__config *out)
{
    if (read_list(out->domains, sizeof out->domains,
                  rln__config_variable("RANGELINE_DOMAIN_INCLUDE")))
        out->filters_domains = RLN__INCLUDES;
    else if (read_list(out->domains, sizeof out->domains,
                       rln__config_variable("RANGELINE_DOMAIN_EXCLUDE")))
        out->filters_domains = RLN__EXCLUDES;
}

static uint32_t read_overload(const char *text)
{
    if (text && rln__config_after(text, "drop"))
        return RLN__OVERLOAD_DROPS;
    return text && rln__config_after(text, "wait") ? RLN__OVERLOAD_WAITS
                                                   : RLN__OVERLOAD_MAKES;
}

int rln__config_read(struct rln__config *out)
{
    const char *helper = rln__config_variable("RANGELINE_HELPER");
    const char *clock = rln__config_variable("RANGELINE_CLOCK");
    const char *sampler = rln__config_variable("RANGELINE_SAMPLER");

    out->has_helper = !(helper && helper[0] == '0' && !helper[1]);
    out->is_sampler = sampler && sampler[0] == '1' && !sampler[1];
    out->clock_kind =
        clock && rln__config_after(clock, "system") ? RLN__CLOCK_MONOTONIC_RAW : 0;
    out->payload_bytes = read_number(rln__config_variable("RANGELINE_PAYLOAD_BYTES"),
                                     RLN__MAX_EVENT_BYTES, RLN__LARGEST_EVENT_BYTES);
    out->buffer_bytes =
        read_number(rln__config_variable("RANGELINE_BUFFER"), 0, (size_t)1 << 46);
    out->on_overload = read_overload(rln__config_variable("RANGELINE_ON_OVERLOAD"));
    read_domains(out);
    read_list(out->categories, sizeof out->categories,
              rln__config_variable("RANGELINE_CATEGORIES"));
    read_capture(out);
    return read_run_id(out) && read_path(out);
}
