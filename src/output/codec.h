/* SPDX-License-Identifier: Apache-2.0 */
/* codec.h - compresses what goes into a file: gzip for .gz, Zstandard for .zst. */
#ifndef RLN_OUTPUT_CODEC_H
#define RLN_OUTPUT_CODEC_H

#include "rangeline/error.h"

struct rln__codec;

/* NULL, and RLN_OK, for a name with neither extension. RLN_ERR_ARGUMENT if this build
 * has no library for it. */
rln_status rln__codec_new(const char *path, struct rln__codec **out, rln_error *err);
void rln__codec_free(struct rln__codec *codec);

/* The extension that means compression, at the end of `path`; or its end. */
const char *rln__codec_extension(const char *path);

/* Takes bytes, which stay where they are while rln__codec_next() hands out what becomes
 * of them. Returns 0 when all is out, or after a failure. */
void rln__codec_begin(struct rln__codec *codec, rln_text bytes, int is_end);
int rln__codec_next(struct rln__codec *codec, rln_text *out, rln_status *status,
                    rln_error *err);

#endif
