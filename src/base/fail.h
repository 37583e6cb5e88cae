/* SPDX-License-Identifier: Apache-2.0 */
/* fail.h - fills an rln_error and passes its status on: `return rln__fail(...)`. */
#ifndef RLN_BASE_FAIL_H
#define RLN_BASE_FAIL_H

#include "base/count.h"
#include "rangeline/error.h"

/* Returns `code`. `err` may be NULL; `offset` is 0 if there is none. */
rln_status rln__fail(rln_error *err, rln_status code, uint64_t offset,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

rln_status rln__fail_nomem(rln_error *err);

#endif
