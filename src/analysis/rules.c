/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/rules.h"

#include <string.h>

const struct rln__rule *const rln__rules[RLN__N_RULES] = {
#define X(name) &rln__rule_##name,
    RLN__RULES(X)
#undef X
};

size_t rln__rule_index(const char *id, size_t length)
{
    size_t i = 0;

    while (i < RLN__N_RULES && (strlen(rln__rules[i]->id) != length ||
                                memcmp(rln__rules[i]->id, id, length) != 0))
        i++;
    return i;
}

bool rln__rule_has_gain(const struct rln__rule *rule)
{
    return rln__threshold_index(rule, "warning") != SIZE_MAX;
}

size_t rln__threshold_index(const struct rln__rule *rule, const char *name)
{
    for (size_t i = 0; i < RLN__MOST_THRESHOLDS && rule->thresholds[i].name; i++)
        if (strcmp(rule->thresholds[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}
