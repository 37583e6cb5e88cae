/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* version.h - defines the version of Rangeline and the attributes of its functions. */
#ifndef RANGELINE_VERSION_H
#define RANGELINE_VERSION_H

#define RLN_VERSION_MAJOR 0
#define RLN_VERSION_MINOR 2
#define RLN_VERSION_PATCH 0

#if defined(__GNUC__)
#define RLN_API __attribute__((visibility("default")))
#define RLN_NODISCARD __attribute__((warn_unused_result))
#else
#define RLN_API
#define RLN_NODISCARD
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Gives the version of the library that the program runs with, as "0.2.0".
 *
 * It may be newer than the macros above, which the program was compiled with.
 *
 * Ownership: the text is static.
 * Threads:   any.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const char *rln_version(void);

#ifdef __cplusplus
}
#endif

#endif
