/* SPDX-License-Identifier: Apache-2.0 */
/* exporters.h - every format, in the order of --help: a line each. Each is in the file
 * of its name. */
#ifndef RLN_EXPORT_EXPORTERS_H
#define RLN_EXPORT_EXPORTERS_H

#include "export/exporter.h"

#define RLN__EXPORTERS(X)                                                              \
    X(sqlite)                                                                          \
    X(perfetto)                                                                        \
    X(chrome)                                                                          \
    X(jsonl)                                                                           \
    X(json)                                                                            \
    X(csv)                                                                             \
    X(folded)                                                                          \
    X(speedscope)                                                                      \
    X(nvtxt)                                                                           \
    X(otf2)                                                                            \
    X(arrow)

#define X(name) extern const struct rln__exporter rln__exporter_##name;
RLN__EXPORTERS(X)
#undef X

/* NULL if there is none of that name. */
const struct rln__exporter *rln__exporter_of(const char *name);

/* Gives a format by its index. NULL if `index` is not below the number of formats. */
const struct rln__format *rln__format_at(size_t index);

/* Finds a format by its name. NULL if there is none. */
const struct rln__format *rln__format_find(const char *name);

/* Finds a format by the extension of a path; `.gz` and `.zst` after it are ignored.
 * NULL if there is none. */
const struct rln__format *rln__format_of_path(const char *path);

#endif
