/* SPDX-License-Identifier: Apache-2.0 */
/* pythons.h - looks at the Pythons of a run while they run: whether one uses PyTorch,
 * for a hint, and which ones do not load what records functions (python_program.h).
 * One that ends within a second may be missed.
 */
#ifndef RLN_RECORD_DURING_PYTHONS_H
#define RLN_RECORD_DURING_PYTHONS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/start/child_pids.h"

#define RLN__MOST_DEAF 256
#define RLN__MOST_DEAF_PRINTED 3

/* Zeroed: nothing has been seen yet. */
struct rln__pythons {
    bool are_seen, have_torch;
    bool is_deaf;     /* the program is one that ignores the environment */
    unsigned n_looks; /* for PyTorch */
    /* Those that ignore the environment, and so what it has for them. */
    pid_t deaf[RLN__MOST_DEAF];
    size_t n_deaf;
    char commands[RLN__MOST_DEAF_PRINTED][256]; /* of the first of them */
};

/* Looks at the words that run the program: one that starts a Python names it, too
 * (`env python3`, `bash -c "python3 -V"`). */
void rln__pythons_begin(struct rln__pythons *pythons, pid_t program, char *const *words,
                        bool records_functions);

/* Call each second, with the processes of the run. Reads small files of /proc for each
 * Python: its words, its variables if `records_functions`, and a few times the list of
 * its mappings. */
void rln__pythons_poll(struct rln__pythons *pythons, const struct rln__pids *pids,
                       bool records_functions);

/* Prints which ones did not record their functions. */
void rln__pythons_print_deaf(const struct rln__pythons *pythons);

#endif
