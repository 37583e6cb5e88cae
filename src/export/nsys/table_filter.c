/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/table_filter.h"

#include <regex.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bounded_regex.h"
#include "base/fail.h"

struct rln__table_filter {
    size_t n;
    regex_t patterns[]; /* each compiled */
};

rln_status rln__table_filter_new(const char *patterns, struct rln__table_filter **out,
                                 rln_error *err)
{
    const size_t length = strlen(patterns);
    struct rln__table_filter *f =
        rln__alloc(1, sizeof(*f) + (length / 2 + 1) * sizeof(regex_t));
    char *words = rln__alloc(length + 1, 1);
    char *at = words, reason[RLN__REGEX_REASON_BYTES];

    *out = NULL;
    if (!f || !words) {
        rln__free(f);
        rln__free(words);
        return rln__fail_nomem(err);
    }
    memcpy(words, patterns, length);
    for (char *word; (word = strsep(&at, ",")) != NULL;) {
        if (!*word)
            continue;
        if (rln__regex_compile(&f->patterns[f->n], word, REG_ICASE | REG_NOSUB,
                               reason)) {
            const rln_status status = rln__fail(err, RLN_ERR_ARGUMENT, 0,
                                                "cannot select tables: pattern=\"%s\": "
                                                "not a basic regular expression: %s",
                                                word, reason);

            rln__free(words);
            rln__table_filter_free(f);
            return status;
        }
        f->n++;
    }
    rln__free(words);
    *out = f;
    return RLN_OK;
}

void rln__table_filter_free(struct rln__table_filter *f)
{
    for (size_t i = 0; f && i < f->n; i++)
        regfree(&f->patterns[i]);
    rln__free(f);
}

int rln__table_filter_has(const struct rln__table_filter *f, const char *name)
{
    const rln_text text = {name, strlen(name)};
    regmatch_t whole;

    for (size_t i = 0; f && i < f->n; i++)
        if (rln__regex_find(&f->patterns[i], text, 0, 1, &whole))
            return 1;
    return !f;
}
