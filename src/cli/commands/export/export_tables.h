/* SPDX-License-Identifier: Apache-2.0 */
/* export_tables.h - the exports that Python's pyarrow writes. */
#ifndef RLN_CLI_COMMANDS_EXPORT_TABLES_H
#define RLN_CLI_COMMANDS_EXPORT_TABLES_H

#include "cli/commands/export/export_to.h"

/* Those with Nsight's tables. */
#define RLN__TABLE_TYPES "arrowdir|parquetdir"

/* nsys's names of types that have another one here. */
#define RLN__NSYS_TYPES "jsonlines"

/* All that `export -t` takes, one by one: the library's formats, then these; NULL at
 * the end. */
const char *rln__export_type_at(size_t index);

/* The type that is meant by the first `length` bytes of a word; static. NULL if there
 * is none. */
const char *rln__export_type_called(const char *word, size_t length);

/* The hint for a type of nsys's that is none here, or NULL. */
const char *rln__export_way_out(const char *word);

bool rln__is_table_type(const char *type);

/* The type by a file's name: csv of "run.csv.gz". NULL if the name has none. */
const char *rln__export_type_of(const char *output);

/* What an export of any type is called that is given no name. Owned by the caller.
 * Exits 1 with a message if this build cannot write it. */
char *rln__export_usual_name(const char *trace, const char *type);

/* As rln__export_to(), for one of these. For parquet, which the package's _parquet.py
 * writes, `filters` are the command's as words of a shell, and the count is not
 * known: 1. Others are an export in Arrow's streams, which _arrow_files.py splits. */
uint64_t rln__export_tables(const struct rln__input_traces *inputs,
                            const struct rln__export_to *to, const char *filters);

#endif
