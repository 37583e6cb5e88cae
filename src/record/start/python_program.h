/* SPDX-License-Identifier: Apache-2.0 */
/* python_program.h - prepares the environment of Python programs, for
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

/* Makes every Python of the run load hook/sitecustomize.py of our package at startup:
 * what it does there, other variables say. Dies naming `what` it is needed for if the
 * package is not there. `words` run the program. */
void rln__python_hook(struct rln__variables *variables, bool inherits_environment,
                      const char *what, char *const *words);

/* What else the hook reads: which functions to annotate, and lists of patterns. */
#define RLN__PYTHON_RANGES_VARIABLE "RANGELINE_PYTHON_RANGES"
#define RLN__PYTHON_INCLUDE_VARIABLE "RANGELINE_PYTHON_INCLUDE"
#define RLN__PYTHON_EXCLUDE_VARIABLE "RANGELINE_PYTHON_EXCLUDE"

/* A list of patterns in which relative paths are absolute: workers may run elsewhere.
 * Owned by the caller. */
char *rln__python_patterns(const char *list);

/* Whether a program is an interpreter of Python, by its name; or a script that is for
 * one, or names one in its first 64 KiB. */
bool rln__is_python(const char *program);
bool rln__mentions_python(const char *path);

/* The words that run a program: those given, or `python3` before a script's. Ends with
 * NULL; lives as long as the process. */
char **rln__python_words(char **words);

#endif
