/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* error.h - defines status codes, error details and the text type of this library.
 *
 * A function that can fail returns an rln_status. A function that takes an rln_error
 * fills it only when it fails; NULL is always allowed.
 */
#ifndef RANGELINE_ERROR_H
#define RANGELINE_ERROR_H

#include "version.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. Values are never renumbered. */
typedef enum rln_status {
    RLN_OK = 0,
    RLN_END = 1,             /**< The iteration is complete; not an error. */
    RLN_ERR_IO = 2,          /**< A system call failed; the message has the reason. */
    RLN_ERR_FORMAT = 3,      /**< Not a trace, or too short to be one. */
    RLN_ERR_VERSION = 4,     /**< A trace of a newer major version. */
    RLN_ERR_NOMEM = 5,       /**< Out of memory. */
    RLN_ERR_ARGUMENT = 6,    /**< The caller passed an invalid argument. */
    RLN_ERR_NO_COLLECTOR = 7 /**< No collector records this program. */
} rln_status;

/** Details of a failure. Its size is part of the ABI and does not change. */
typedef struct rln_error {
    rln_status code;
    uint64_t offset;   /**< In the file, in bytes; 0 if there is none. */
    char message[496]; /**< One line, or two with a hint. Ends with a zero byte. */
} rln_error;

/** Text as a trace holds it: UTF-8 if the program passed UTF-8, else any bytes. It is
 * not zero-terminated. Absent text is {NULL, 0}; empty text is not NULL. */
typedef struct rln_text {
    const char *bytes;
    size_t length;
} rln_text;

#ifdef __cplusplus
}
#endif

#endif
