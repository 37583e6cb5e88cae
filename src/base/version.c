/* SPDX-License-Identifier: Apache-2.0 */
/* version.c - the version of the library that a program runs with. */
#include "rangeline/version.h"

#define TEXT(number) #number
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *rln_version(void)
{
    return VERSION(RLN_VERSION_MAJOR, RLN_VERSION_MINOR, RLN_VERSION_PATCH);
}
