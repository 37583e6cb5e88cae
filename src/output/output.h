/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - writes a file that appears only when complete, or a stream: standard
 * output, a device, a named pipe.
 *
 *   .NAME.PID.part --write--> ... --end---> NAME
 *                                 '-clear-> removed
 *
 * The extension of the name selects compression.
 */
#ifndef RLN_OUTPUT_OUTPUT_H
#define RLN_OUTPUT_OUTPUT_H

#include "base/buf.h"
#include "rangeline/error.h"

#define RLN__OUTPUT_BYTES (256u << 10) /* per write */

struct rln__codec;

struct rln__output {
    char *path; /* owned: the final name; NULL for standard output */
    char *part; /* owned: the temporary name; NULL for a stream */
    int fd;     /* or -1 */
    int may_replace;
    int is_ended;             /* the file has its name */
    const char *extension;    /* borrowed: of a folder's files; NULL: it is OTF2's */
    struct rln__buf buf;      /* bytes that are not written yet */
    struct rln__codec *codec; /* owned, or NULL */
};

enum rln__output_kind {
    RLN__OUTPUT_STREAM, /* bytes, through `buf` */
    RLN__OUTPUT_FILE,   /* the format opens `part` itself: it is empty */
    RLN__OUTPUT_FOLDER, /* the format fills `part`, an empty folder */
};

/* Opens the temporary file for `path`, or standard output for "-". Fails for an
 * existing file without `may_replace`. A folder can only replace an archive of OTF2. A
 * device or a pipe is written to, never replaced. */
rln_status rln__output_open(struct rln__output *output, const char *path,
                            int may_replace, enum rln__output_kind kind,
                            rln_error *err);

/* The same for a folder of files with this extension, ".parquet", which can only
 * replace a folder without any other file. */
rln_status rln__output_open_folder(struct rln__output *output, const char *path,
                                   int may_replace, const char *extension,
                                   rln_error *err);

/* Writes `buf`. The second function writes only if `buf` is full; call it after each
 * object. */
rln_status rln__output_flush(struct rln__output *output, rln_error *err);
static inline rln_status rln__output_flush_full(struct rln__output *output,
                                                rln_error *err)
{
    return output->buf.length < RLN__OUTPUT_BYTES && !output->buf.has_failed
               ? RLN_OK
               : rln__output_flush(output, err);
}

/* Writes the rest and gives the file its name. */
rln_status rln__output_end(struct rln__output *output, rln_error *err);

/* Frees, and removes a file that has not been ended. A zeroed struct is accepted. */
void rln__output_clear(struct rln__output *output);

#endif
