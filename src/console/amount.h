/* SPDX-License-Identifier: Apache-2.0 */
/* amount.h - numbers with a unit, as typed. */
#ifndef RLN_CONSOLE_AMOUNT_H
#define RLN_CONSOLE_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

/* "2", "0.25", "1e-3": seconds, up to a century; with units, "500ms", "1m30s". */
bool rln__amount_seconds(const char *text, uint64_t *ns);

/* "500K", "64MiB", "1.5g": bytes; the units are powers of 1024. A number without one is
 * none: people who type 16 mean as many MiB, and scripts bytes. */
bool rln__amount_bytes(const char *text, uint64_t *bytes);

#endif
