/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - reads the collector's configuration from the environment. */
#ifndef RLN_COLLECT_PROCESS_CONFIG_H
#define RLN_COLLECT_PROCESS_CONFIG_H

#include "collect/collector.h"

/* Reads the environment. 0 if no file name can be formed (no working directory, a name
 * that is too long, an invalid run id). */
int rln__config_read(struct rln__config *out);

/* The value of an environment variable, or NULL. Avoids libc's getenv(), which the
 * program may replace. */
const char *rln__config_variable(const char *name);

/* The rest of `text` after `prefix`; NULL if it does not begin with `prefix`. */
const char *rln__config_after(const char *text, const char *prefix);

/* Writes `path` to `to` with `suffix` inserted before its ".rln"; 0 if the result is
 * too long. */
int rln__config_path_with(char to[RLN__MAX_PATH], const char *path, const char *suffix);

#endif
