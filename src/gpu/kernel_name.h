/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_name.h - the forms of a kernel's name:
 *
 *     mangled     _Z4stepIfEvPT_i
 *     demangled   void step<float>(float*, int)
 *     short       step
 */
#ifndef RLN_GPU_KERNEL_NAME_H
#define RLN_GPU_KERNEL_NAME_H

#include <stddef.h>

/* Demangles with the C++ library that the program has loaded. NULL if it has none, or
 * the name is not a mangled one; else a text for free(). */
char *rln__kernel_demangle(const char *mangled);

/* Finds the short form in a demangled name: without type, namespaces, template
 * arguments and parameters. Returns where it begins; `*length` is its length. */
const char *rln__kernel_short(const char *name, size_t *length);

#endif
