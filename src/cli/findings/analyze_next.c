/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/findings/analyze_next.h"

#include <string.h>

#include "analysis/finding_words.h"
#include "base/shell_word.h"
#include "cli/show/report_choice.h"

/* As reports name a range: DOMAIN:NAME or :NAME. */
static void add_report(struct rln__buf *out, const char *report, size_t length,
                       const struct rln__finding *f)
{
    struct rln__buf word = {0};

    rln__buf_add(&word, report, length);
    if (!f->is_default_domain)
        rln__list_put(&word, f->domain_name.bytes, f->domain_name.length);
    rln__buf_char(&word, ':');
    rln__list_put(&word, f->message.bytes, f->message.length);
    rln__buf_shell_word(out, word.bytes, word.length);
    out->has_failed |= word.has_failed;
    rln__buf_clear(&word);
}

/* Whether the finding is about a step whose calls have several names. */
static bool is_folded(const struct rln__run *run, const struct rln__finding *f)
{
    return run->is_folded && f->message.bytes == run->message.bytes;
}

void rln__finding_next(const struct rln__analyze_job *job, const struct rln__finding *f,
                       struct rln__buf *out)
{
    const char *next = f->rule->next;

    while (*next) {
        const size_t length = strcspn(next, " ");
        const char *range = strstr(next, "{range}");

        if (strncmp(next, "{traces}", 8) == 0) {
            rln__buf_text(out,
                          is_folded(&job->analysis.run, f) ? " --fold-numbers" : "");
            rln__buf_add(out, job->inputs.bytes, job->inputs.length);
        } else {
            rln__buf_text(out, next == f->rule->next ? "" : " ");
            if (range && range < next + length)
                add_report(out, next, (size_t)(range - next), f);
            else
                rln__buf_add(out, next, length);
        }
        next += length + (next[length] == ' ');
    }
}

void rln__finding_view(const struct rln__analyze_job *job,
                       const struct rln__nesting_row *row, struct rln__buf *out)
{
    rln__buf_text(out, "rangeline view --address '#");
    rln__finding_put_address(row, out);
    rln__buf_char(out, '\'');
    rln__buf_add(out, job->inputs.bytes, job->inputs.length);
}
