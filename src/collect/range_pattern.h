/* SPDX-License-Identifier: Apache-2.0 */
/* range_pattern.h - MESSAGE[@DOMAIN]: which ranges are meant.
 *
 * As nsys has it: the last @ separates, others are left out; without one, the default
 * domain is meant. `*` stands for any text, and a backslash takes a character as it is.
 */
#ifndef RLN_COLLECT_RANGE_PATTERN_H
#define RLN_COLLECT_RANGE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

enum { RLN__MAX_PATTERN = 512 }; /* bytes of a message, or of a domain */

struct rln__range_pattern {
    uint32_t is_given;
    uint32_t has_domain; /* else the default domain */
    char message[RLN__MAX_PATTERN];
    char domain[RLN__MAX_PATTERN];
};

/* Reads what the environment says; NULL and what is too long is no pattern. */
void rln__range_pattern_read(struct rln__range_pattern *out, const char *text);

/* Whether a text is what the pattern, which ends before `end`, says. */
int rln__pattern_matches(const char *pattern, const char *end, const char *text,
                         size_t n_bytes);

/* Whether the domain of that name, NULL for the default one, or a range's message are
 * those of the pattern. */
int rln__range_pattern_has_domain(const struct rln__range_pattern *p, const char *name,
                                  size_t n_bytes);
int rln__range_pattern_has_message(const struct rln__range_pattern *p, const char *text,
                                   size_t n_bytes);

/* The same if upper and lower case are one. */
int rln__range_pattern_nearly_has_message(const struct rln__range_pattern *p,
                                          const char *text, size_t n_bytes);

#endif
