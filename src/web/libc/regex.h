/* SPDX-License-Identifier: Apache-2.0 */
/* regex.h - a page takes no patterns: compiling one fails, and libc's 30 KB for it are
 * left out. */
#ifndef RLN_WEB_LIBC_REGEX_H
#define RLN_WEB_LIBC_REGEX_H

#include <stddef.h>

#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1
#define REG_ESPACE 12

typedef ptrdiff_t regoff_t;
typedef struct {
    size_t re_nsub;
} regex_t;
typedef struct {
    regoff_t rm_so, rm_eo;
} regmatch_t;

static inline int regcomp(regex_t *regex, const char *pattern, int flags)
{
    (void)pattern;
    (void)flags;
    regex->re_nsub = 0;
    return REG_ESPACE;
}

static inline int regexec(const regex_t *regex, const char *text, size_t n,
                          regmatch_t *groups, int flags)
{
    (void)regex;
    (void)text;
    (void)n;
    (void)groups;
    (void)flags;
    return REG_NOMATCH;
}

static inline size_t regerror(int wrong, const regex_t *regex, char *text, size_t n)
{
    static const char reason[] = "a page takes no patterns";

    (void)wrong;
    (void)regex;
    for (size_t i = 0; i < n && i < sizeof(reason); i++)
        text[i] = reason[i];
    return sizeof(reason);
}

static inline void regfree(regex_t *regex)
{
    (void)regex;
}

#endif
