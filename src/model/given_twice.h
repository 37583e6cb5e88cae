/* SPDX-License-Identifier: Apache-2.0 */
/* given_twice.h - what is given twice: readers count it twice, and say so. */
#ifndef RLN_MODEL_GIVEN_TWICE_H
#define RLN_MODEL_GIVEN_TWICE_H

#include "rangeline/reader.h"

/* The file `path` has `what` of the file `of`. */
struct rln__given_twice {
    const char *path, *of; /* borrowed from the reader */
    const char *what;      /* static: "the same trace as", "a window of" */
};

/* The first part that is the same trace as one before it, or else the first that is a
 * window of another (`profile --split`). RLN_END if there is none. */
rln_status rln__find_given_twice(const rln_reader *reader, struct rln__given_twice *out,
                                 rln_error *err);

#endif
