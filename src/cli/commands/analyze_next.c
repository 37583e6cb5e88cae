/* SPDX-License-Identifier: Apache-2.0 */
/* What to do with a finding: the command that says more, and where to look. */
#include "cli/commands/analyze_findings.h"

#include <ctype.h>
#include <string.h>

/* Around a range, on each side, as a share of it. */
#define MARGIN 4

static void add_escaped(struct rln__buf *out, rln_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char c = (unsigned char)text.bytes[i];

        if (isalnum(c) || strchr("-_.~:/", c))
            rln__buf_char(out, (char)c);
        else
            rln__buf_format(out, "%%%02X", c);
    }
}

void rln__range_address(const rln_nesting_row *row, struct rln__buf *out)
{
    const int64_t margin = (row->end_ns - row->start_ns) / MARGIN + 1;

    rln__buf_text(out, "t=");
    rln__buf_i64(out, row->start_ns - margin);
    rln__buf_char(out, ',');
    rln__buf_i64(out, row->end_ns + margin);
    if (row->message.length) {
        rln__buf_text(out, "&find=");
        add_escaped(out, row->message);
    }
}

/* A word of a shell. */
static void add_word(struct rln__buf *out, const char *text, size_t length)
{
    bool is_plain = length > 0;

    for (size_t i = 0; i < length; i++)
        is_plain &= text[i] && (isalnum((unsigned char)text[i]) ||
                                strchr("-_./:,@%+=", text[i]) != NULL);
    if (is_plain) {
        rln__buf_add(out, text, length);
        return;
    }
    rln__buf_char(out, '\'');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            rln__buf_text(out, "'\\''");
        else
            rln__buf_char(out, text[i]);
    }
    rln__buf_char(out, '\'');
}

/* As reports name a range: DOMAIN:NAME or :NAME, where a backslash escapes a comma. */
static void add_name(struct rln__buf *out, rln_text name)
{
    for (size_t i = 0; i < name.length; i++) {
        if (name.bytes[i] == ',')
            rln__buf_char(out, '\\');
        rln__buf_char(out, name.bytes[i]);
    }
}

static void add_report(struct rln__buf *out, const char *report, size_t length,
                       const struct rln__finding *f)
{
    struct rln__buf word = {0};

    rln__buf_add(&word, report, length);
    if (!f->is_default_domain)
        add_name(&word, f->domain_name);
    rln__buf_char(&word, ':');
    add_name(&word, f->message);
    add_word(out, word.bytes, word.length);
    out->has_failed |= word.has_failed;
    rln__buf_clear(&word);
}

void rln__finding_next(const struct rln__analyze_job *job, const struct rln__finding *f,
                       struct rln__buf *out)
{
    const char *next = f->rule->next;

    while (*next) {
        const size_t length = strcspn(next, " ");
        const char *range = strstr(next, "{range}");

        if (strncmp(next, "{traces}", 8) == 0) {
            if (job->analysis.run.is_folded &&
                f->message.bytes == job->analysis.run.message.bytes)
                rln__buf_text(out, "--fold-numbers ");
            for (size_t i = 0; job->paths[i]; i++) {
                rln__buf_text(out, i ? " " : "");
                add_word(out, job->paths[i], strlen(job->paths[i]));
            }
        } else if (range && range < next + length) {
            add_report(out, next, (size_t)(range - next), f);
        } else {
            rln__buf_add(out, next, length);
        }
        next += length;
        if (*next) {
            rln__buf_char(out, ' ');
            next++;
        }
    }
}
