/* SPDX-License-Identifier: Apache-2.0 */
/* version.c - the version of the library that a program runs with. */
#include "rangeline/version.h"

const char *rln_version(void)
{
    return "0.2.0";
}
