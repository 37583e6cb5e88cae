/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - what the environment asks of the collector. */
#ifndef RLN_COLLECT_CONFIG_H
#define RLN_COLLECT_CONFIG_H

#include "collect/collector.h"

/* Reads the environment. 0 if there is no way to name a file (no working directory, a
 * name that is too long, a run id that is none). */
int rln__config_read(struct rln__config *out);

/* capture.c: what of it is about capture ranges. */
void rln__capture_read(struct rln__config *out);

/* The value of an environment variable, or NULL. Not libc's: that may be replaced. */
const char *rln__config_variable(const char *name);

/* What follows `prefix` in `text`, or NULL. */
const char *rln__config_after(const char *text, const char *prefix);

/* `path` with `suffix` put before its ".rln"; 0 if that is too long. */
int rln__config_path_with(char to[RLN__MAX_PATH], const char *path, const char *suffix);

#endif
