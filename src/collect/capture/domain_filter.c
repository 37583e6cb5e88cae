/* SPDX-License-Identifier: Apache-2.0 */
/* domain_filter.c - decides which domains are excluded. The list has the syntax of
 * Nsight's options: names separated by commas, `default` for events without a domain,
 * and a backslash before literal characters.
 */
#include "collect/capture/domain_filter.h"

#include "collect/process/process.h"
#include "format/gpu_domain.h"

uint32_t rln__default_is_excluded;

/* Whether the first name of `list`, which ends before `*end`, is the domain's. */
static int is_named(const char *list, const char **end, const char *name,
                    size_t n_bytes)
{
    static const char word[] = "default";
    size_t n = 0;
    int is_same = 1, is_word = 1, is_escaped = 0;

    for (; *list && *list != ','; list++, n++) {
        if (*list == '\\' && list[1]) {
            list++;
            is_escaped = 1;
        }
        is_same &= name && n < n_bytes && name[n] == *list;
        is_word &= n < sizeof word - 1 && word[n] == *list;
    }
    *end = list;
    is_word &= n == sizeof word - 1 && !is_escaped;
    return name ? is_same && n == n_bytes && !is_word : is_word;
}

int rln__domain_is_excluded(const char *name, size_t n_bytes)
{
    const struct rln__config *config = &rln__collector.config;
    const char *at = config->domains, *end;

    if (!config->filters_domains)
        return 0;
    /* GPU work was asked for by name, with -t cuda. */
    if (config->filters_domains == RLN__INCLUDES &&
        is_named(RLN__GPU_DOMAIN, &end, name, n_bytes))
        return 0;
    for (;;) {
        if (is_named(at, &at, name, n_bytes))
            return config->filters_domains == RLN__EXCLUDES;
        if (*at++ != ',')
            return config->filters_domains == RLN__INCLUDES;
    }
}

/* Sets the thread up first: all new threads share one structure and would mix their
 * depths. */
RLN_COLD uint64_t rln__result_of_excluded_first(unsigned kind, uint32_t domain)
{
    const rln__sigmask mask = rln__block_signals();
    const int has_depths = rln__process_ready() && rln__thread_ready();

    rln__restore_signals(mask);
    if (has_depths)
        return rln__result_of_excluded(kind, domain);
    return kind == RLN__POP ? (uint64_t)-1 : 0;
}
