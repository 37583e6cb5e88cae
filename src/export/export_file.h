/* SPDX-License-Identifier: Apache-2.0 */
/* export_file.h - runs one export, from options to the file. */
#ifndef RLN_EXPORT_EXPORT_FILE_H
#define RLN_EXPORT_EXPORT_FILE_H

#include "export/exporter.h"

/* Opens an export of the events that match the reader's filter and window.
 *
 * The output is written to rln__export_temporary_path() and renamed once it is
 * complete. A device or a pipe is written to directly. The caller closes `*out` before
 * the reader; `options` are not kept, except their `context`. RLN_ERR_ARGUMENT for
 * options that are invalid or that this build does not support; RLN_ERR_IO also if the
 * file exists and RLN_EXPORT_REPLACE is not set. */
rln_status rln__export_open(rln_reader *reader, const rln_export_options *options,
                            struct rln__export **out, rln_error *err);

/* The path of the file until it is complete, for signal handlers that remove an
 * incomplete file. NULL if there is no temporary file: standard output, a device, a
 * pipe. */
const char *rln__export_temporary_path(const struct rln__export *output);

/* Reads the traces, writes the file, and gives it its name. Call it once. On failure an
 * existing file at the path is unchanged. */
rln_status rln__export_run(struct rln__export *output, rln_error *err);

/* How many ranges, marks and samples were written. */
uint64_t rln__export_count(const struct rln__export *output);

/* Removes an incomplete file; NULL is accepted. */
void rln__export_close(struct rln__export *output);

#endif
