/* SPDX-License-Identifier: Apache-2.0 */
#include "console/written.h"

#include <string.h>
#include <sys/stat.h>

#include "base/human_units.h"
#include "console/die.h"

void rln__written_note(const char *path)
{
    struct rln__buf size = {0};
    struct stat st;

    if (strcmp(path, "-") == 0)
        return;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        rln__buf_text(&size, ", ");
        rln__buf_size(&size, (uint64_t)st.st_size);
    }
    rln__complain("wrote %s%.*s", path, (int)size.length,
                  size.length ? size.bytes : "");
    rln__buf_clear(&size);
}
