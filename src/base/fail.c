/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

rln_status rln__fail(rln_error *err, rln_status code, uint64_t offset,
                     const char *format, ...)
{
    va_list args;

    if (!err)
        return code;
    err->code = code;
    err->offset = offset;
    va_start(args, format);
    (void)vsnprintf(err->message, sizeof(err->message), format, args);
    va_end(args);
    return code;
}

rln_status rln__fail_nomem(rln_error *err)
{
    return rln__fail(err, RLN_ERR_NOMEM, 0, "out of memory");
}
