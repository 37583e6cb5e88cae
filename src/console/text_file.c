/* SPDX-License-Identifier: Apache-2.0 */
#include "console/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "console/die.h"

static _Noreturn void die(const char *path, const char *what, const char *why)
{
    rln__die(RLN__EXIT_FAILED, "cannot read %s=\"%s\": %s", what, path, why);
}

void rln__text_file_read(const char *path, const char *what, struct rln__buf *out)
{
    static const size_t most = (size_t)RLN__TEXT_FILE_MOST_MIB << 20;
    FILE *file = fopen(path, "re");
    char part[4096];
    size_t n;

    if (!file)
        die(path, what, strerror(errno));
    while (out->length <= most && (n = fread(part, 1, sizeof(part), file)) > 0)
        rln__buf_add(out, part, n);
    if (ferror(file))
        die(path, what, strerror(errno));
    (void)fclose(file);
    if (out->length > most) {
        rln__complain("cannot read %s=\"%s\": it is larger than %d MiB", what, path,
                      RLN__TEXT_FILE_MOST_MIB);
        rln__hint("name a file of text, not one of data or a device");
        exit(RLN__EXIT_FAILED);
    }
    rln__buf_char(out, '\0');
    if (out->has_failed)
        die(path, what, "out of memory");
    out->length--;
}
