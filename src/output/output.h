/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - a file that is there whole or not at all, or a stream: standard output, a
 * device, a named pipe.
 *
 *   .NAME.PID.part --write--> ... --end--> NAME
 *                                 '-drop-> nothing
 *
 * What is written may be compressed on its way, by the name's extension.
 */
#ifndef RLN_OUTPUT_OUTPUT_H
#define RLN_OUTPUT_OUTPUT_H

#include "base/buf.h"
#include "rangeline/error.h"

#define RLN__OUTPUT_BYTES (256u << 10) /* are written at once */

struct rln__codec;

struct rln__output {
    char *path; /* owned: the name in the end; NULL for standard output */
    char *part; /* owned: its name until then; NULL for a stream */
    int fd;     /* -1 while none is open */
    int may_replace;
    int is_ended;             /* the file has its name */
    struct rln__buf buf;      /* what is not written yet */
    struct rln__codec *codec; /* owned, or NULL */
};

enum rln__output_kind {
    RLN__OUTPUT_STREAM, /* bytes, through `buf` */
    RLN__OUTPUT_FILE,   /* the format opens `part` itself: it is empty */
    RLN__OUTPUT_FOLDER, /* the format fills `part`, an empty folder */
};

/* Opens the file beside `path`, or standard output for "-". An existing one is refused
 * unless it may be replaced; a folder only by a folder of its kind: with a traces.otf2.
 * A device or a pipe is written to, never replaced. */
rln_status rln__output_open(struct rln__output *output, const char *path,
                            int may_replace, enum rln__output_kind kind,
                            rln_error *err);

/* Writes what is in `buf` if it is enough. To be called after each object. */
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

/* Frees; removes what was not ended. A zeroed struct is accepted. */
void rln__output_clear(struct rln__output *output);

#endif
