/* SPDX-License-Identifier: Apache-2.0 */
/* python_program.h - starts a Python program differently than it was typed, for
 * `profile --nvtx=rangeline`, `--pytorch` and `--python=functions`. */
#ifndef RLN_RECORD_START_PYTHON_PROGRAM_H
#define RLN_RECORD_START_PYTHON_PROGRAM_H

#include <stdbool.h>

#include "record/start/variables.h"

/* The path of a file of the package `rangeline`: beside this command, or where the
 * interpreter `python` has it. Owned by the caller; dies naming `what` it is needed
 * for. */
char *rln__python_file(const char *python, const char *file, const char *what);

/* Puts our package first where the program looks for `nvtx`: before the PYTHONPATH of
 * the variables, or else the inherited one. `words` run the program. Dies if the
 * package is not there. */
void rln__python_stand_in(struct rln__variables *variables, bool inherits_environment,
                          char *const *words);

/* Makes Python wait for PyTorch, and hook into it with a mode of
 * rangeline.torch._attach. Dies if the package is not there. */
void rln__python_hook_torch(struct rln__variables *variables, bool inherits_environment,
                            const char *mode, char *const *words);

/* The words that run a Python program with its functions annotated:
 *
 *     train.py --epochs 3             python3 FUNCTIONS train.py --epochs 3
 *     python3.12 -u -m train          python3.12 -u FUNCTIONS -m train
 *     pytest -x  (#!/venv/bin/python) /venv/bin/python FUNCTIONS /venv/bin/pytest -x
 *
 * Ends with NULL; its new words live as long as the process. Dies if it is no Python
 * program, or the package is not there. */
char **rln__python_annotated(char **words);

#endif
