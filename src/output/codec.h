/* SPDX-License-Identifier: Apache-2.0 */
/* codec.h - compresses bytes: gzip for .gz, Zstandard for .zst. */
#ifndef RLN_OUTPUT_CODEC_H
#define RLN_OUTPUT_CODEC_H

#include "rangeline/error.h"

struct rln__codec;

/* `*out` is NULL, with RLN_OK, for a name without one of these extensions.
 * RLN_ERR_ARGUMENT if this build has no library for it. */
rln_status rln__codec_new(const char *path, struct rln__codec **out, rln_error *err);
void rln__codec_free(struct rln__codec *codec);

/* The extension for compression at the end of `path`; without one, the end of `path`.
 */
const char *rln__codec_extension(const char *path);

/* Begins to compress `bytes`, which are borrowed until rln__codec_next() returns 0.
 * `is_end`: they are the last ones of the file. */
void rln__codec_begin(struct rln__codec *codec, rln_text bytes, int is_end);
/* Returns compressed bytes in `*out`; 0 after the last ones, or after a failure. */
int rln__codec_next(struct rln__codec *codec, rln_text *out, rln_status *status,
                    rln_error *err);

/* Writes the `n` bytes that are compressed in `gzip` to `out`. RLN_ERR_ARGUMENT: this
 * build has no zlib. */
rln_status rln__codec_unpack(rln_text gzip, char *out, size_t n, rln_error *err);

#endif
