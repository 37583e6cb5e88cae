/* SPDX-License-Identifier: Apache-2.0 */
/* range_pattern.h - matches ranges by a pattern MESSAGE[@DOMAIN].
 *
 * As in nsys, the last @ separates message and domain, and earlier ones are removed;
 * without an @, the pattern is for the default domain. Both parts are patterns of
 * base/wildcard.h.
 */
#ifndef RLN_COLLECT_CAPTURE_RANGE_PATTERN_H
#define RLN_COLLECT_CAPTURE_RANGE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

enum { RLN__MAX_PATTERN = 512 }; /* bytes of a message, or of a domain */

struct rln__range_pattern {
    uint32_t is_given;
    uint32_t has_domain; /* else the default domain */
    char message[RLN__MAX_PATTERN];
    char domain[RLN__MAX_PATTERN];
};

/* Reads a pattern from the environment. Without a pattern, or if it is too long,
 * `is_given` stays 0. */
void rln__range_pattern_read(struct rln__range_pattern *out, const char *text);

/* Whether the domain of that name (NULL: the default domain), or a range's message,
 * matches the pattern. */
int rln__range_pattern_has_domain(const struct rln__range_pattern *p, const char *name,
                                  size_t n_bytes);
int rln__range_pattern_has_message(const struct rln__range_pattern *p, const char *text,
                                   size_t n_bytes);

/* The same, ignoring case. */
int rln__range_pattern_nearly_has_message(const struct rln__range_pattern *p,
                                          const char *text, size_t n_bytes);

#endif
