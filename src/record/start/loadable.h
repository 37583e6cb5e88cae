/* SPDX-License-Identifier: Apache-2.0 */
/* loadable.h - whether a program can load the collector at all. */
#ifndef RLN_RECORD_START_LOADABLE_H
#define RLN_RECORD_START_LOADABLE_H

/* Explains, with a way out, why the program at `path` cannot load the collector:
 * 32-bit, static, set-uid, or linked with musl. Returns 0 if there is no such reason; a
 * script is judged by its interpreter. */
int rln__loadable_explain(const char *path);

#endif
