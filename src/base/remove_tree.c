/* SPDX-License-Identifier: Apache-2.0 */
#include "base/remove_tree.h"

#include <ftw.h>
#include <stdio.h>

static int remove_one(const char *path, const struct stat *st, int flag,
                      struct FTW *where)
{
    (void)st;
    (void)flag;
    (void)where;
    (void)remove(path);
    return 0;
}

void rln__remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
