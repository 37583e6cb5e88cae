/* SPDX-License-Identifier: Apache-2.0 */
/* function_domain.h - the domain in which functions are named by a profiler, not by
 * their authors: by NVIDIA's nvtx.Profile, ours, and `rangeline profile --python`. */
#ifndef RLN_RANGES_FUNCTION_DOMAIN_H
#define RLN_RANGES_FUNCTION_DOMAIN_H

#include <string.h>

#include "rangeline/error.h"

static inline int rln__is_function_domain(rln_text domain)
{
    static const char name[] = "nvtx.py";

    return domain.length == sizeof(name) - 1 &&
           !memcmp(domain.bytes, name, sizeof(name) - 1);
}

#endif
