/* SPDX-License-Identifier: Apache-2.0 */
/* check_names.c - messages that are used very often, or hardly ever. */
#include "reports/check/check_names.h"
#include "base/alloc.h"
#include "ranges/function_domain.h"
#include "reports/check/check_findings.h"

#include <string.h>

struct rln__name_use {
    uint64_t n;
    uint32_t domain;
    uint8_t is_plain;
    rln_text domain_name, message;
};

int rln__name_uses_add(struct rln__name_uses *uses, const rln_attributes *with,
                       uint64_t n)
{
    const int is_plain = with->message_kind == RLN_MESSAGE_PLAIN;
    const struct rln__key key = {{(uint64_t)with->domain << 1 | (unsigned)is_plain,
                                  rln__key_of_text(with->message)}};
    const uint32_t number = rln__key_index_number(&uses->keys, &key);
    struct rln__name_use *use = rln__key_index_item(
        &uses->uses, &uses->n, &uses->capacity, number, sizeof(*use));

    if (!use)
        return -1;
    use->n += n;
    use->domain = with->domain;
    use->is_plain = (uint8_t)is_plain;
    use->domain_name = with->domain_name;
    use->message = with->message;
    return 0;
}

static rln_finding finding_of(const struct rln__name_use *use, rln_finding_kind kind,
                              uint64_t n)
{
    rln_finding f = rln__check_finding(kind);

    f.n = n;
    f.domain = use->domain;
    f.domain_name = use->domain_name;
    f.message = use->message;
    return f;
}

/* Names of one domain. */
struct crowd {
    uint64_t n_names, n_rare;
    const struct rln__name_use *example;
};

int rln__name_uses_find(struct rln__name_uses *uses, struct rln_check *check)
{
    const size_t n_domains = check->reader->names.n_domains;
    struct crowd *crowds = rln__alloc(n_domains + 1, sizeof(*crowds));
    int failed = !crowds;

    for (size_t i = 0; i < uses->n && !failed; i++) {
        const struct rln__name_use *use = &uses->uses[i];
        struct crowd *crowd = &crowds[use->domain < n_domains ? use->domain : 0];

        crowd->n_names++;
        if (use->n <= 2) {
            /* The example comes from the later half: an early name may occur just once,
             * too, without being made up at run time. */
            if ((crowd->n_rare & (crowd->n_rare + 1)) == 0)
                crowd->example = use;
            crowd->n_rare++;
        }
        if (use->is_plain && use->n >= RLN_CHECK_HOT) {
            const rln_finding f = finding_of(use, RLN_FINDING_HOT_STRING, use->n);

            failed = rln__check_add(check, &f);
        }
    }
    for (size_t i = 0; i < n_domains && !failed; i++) {
        rln_finding f;

        if (crowds[i].n_names < RLN_CHECK_MANY_NAMES ||
            crowds[i].n_rare * 2 < crowds[i].n_names ||
            rln__is_function_domain(crowds[i].example->domain_name))
            continue;
        f = finding_of(crowds[i].example, RLN_FINDING_MANY_NAMES, crowds[i].n_names);
        failed = rln__check_add(check, &f);
    }
    rln__free(crowds);
    return failed ? -1 : 0;
}

void rln__name_uses_clear(struct rln__name_uses *uses)
{
    rln__key_index_clear(&uses->keys);
    rln__free(uses->uses);
    memset(uses, 0, sizeof(*uses));
}
