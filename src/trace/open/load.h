/* SPDX-License-Identifier: Apache-2.0 */
/* load.h - opens traces, and says how they are read from then on. */
#ifndef RLN_TRACE_OPEN_LOAD_H
#define RLN_TRACE_OPEN_LOAD_H

#include "trace/open/opened.h"

/* The current time: 1, or 0 if the first part is not of this machine's current boot;
 * then `*t_ns` is unchanged. */
int rln__reader_now(const rln_reader *reader, int64_t *t_ns);

/* The first part of the same boot, which has the same clock. */
uint32_t rln__clock_part(const struct rln__layout *layout, uint32_t part);

/* Moves the clocks of parts, from their unaligned times; NULL: undoes that. Deselects
 * the window. On failure the reader is unusable. */
rln_status rln__reader_shift(rln_reader *reader, const struct rln__shift *shifts,
                             rln_error *err);

/* Gives the path of an opened file; files are in the order in which they were opened.
 * NULL if there is none. */
const char *rln__reader_path(const rln_reader *reader, size_t index);

/* Finds the new chunks of traces that are still written to.
 *
 * Open iterations do not see them; open another one. If the run has a ring buffer
 * (rln_part_info.buffer_bytes), close all iterations first: the reader then moves to a
 * newer state of the run. */
rln_status rln__reader_refresh(rln_reader *reader, rln_error *err);

/* Renames messages in everything that is read from now on, for example to merge names
 * that differ only in numbers.
 *
 * A rule is `numbers`, which replaces each number with # ("step 12" becomes "step
 * #"), or s/PATTERN/TEXT/ as in sed, with an extended regular expression, any character
 * instead of the slashes, & and \1 to \9 in the text, and the flags g (all matches in a
 * name) and i (any case). Each rule applies to the result of the previous ones. Names
 * of domains, categories and threads, and fields of payloads, are not renamed. Call
 * once, before anything is made of the reader. RLN_ERR_ARGUMENT: an invalid rule, or
 * the reader has rules already; nothing changes. RLN_ERR_NOMEM: the reader can only be
 * closed. */
rln_status rln__reader_rename(rln_reader *reader, const char *const *rules,
                              size_t n_rules, rln_error *err);

/* Sets how many processors reading may use: 1 or more, or 0 (the initial state) for as
 * many as this process may use, if the traces are large. Results are the same. */
void rln__reader_set_jobs(rln_reader *reader, unsigned n_jobs);

/* Sets a callback for long work that reads the trace, such as rln_check_new() and
 * reports. `share` is the fraction of the trace that the work has read, from 0 to 1;
 * work that reads the trace several times begins again at 0 each time. NULL for
 * `progress` (the initial state): no callback.
 *
 * The function is called often and must be quick; it must not use the reader. */
void rln__reader_set_progress(rln_reader *reader,
                              void (*progress)(void *context, double share),
                              void *context);

#endif
