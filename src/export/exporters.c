/* SPDX-License-Identifier: Apache-2.0 */
#include "export/exporters.h"
#include "output/codec.h"

#include <string.h>

static const struct rln__exporter *const exporters[] = {
#define X(name) &rln__exporter_##name,
    RLN__EXPORTERS(X)
#undef X
};

#define N_EXPORTERS (sizeof(exporters) / sizeof(exporters[0]))

const struct rln__exporter *rln__exporter_of(const char *name)
{
    for (size_t i = 0; i < N_EXPORTERS; i++)
        if (strcmp(exporters[i]->format.name, name) == 0)
            return exporters[i];
    return NULL;
}

const struct rln__format *rln__format_at(size_t index)
{
    return index < N_EXPORTERS ? &exporters[index]->format : NULL;
}

const struct rln__format *rln__format_find(const char *name)
{
    const struct rln__exporter *exporter = rln__exporter_of(name);

    return exporter ? &exporter->format : NULL;
}

const struct rln__format *rln__format_of_path(const char *path)
{
    const size_t length = (size_t)(rln__codec_extension(path) - path);
    const struct rln__format *found = NULL;
    size_t longest = 0; /* .speedscope.json, not .json */

    for (size_t i = 0; i < N_EXPORTERS; i++) {
        const struct rln__format *format = &exporters[i]->format;
        const size_t n = strlen(format->extension);

        if (n > longest && length >= n &&
            memcmp(path + length - n, format->extension, n) == 0) {
            found = format;
            longest = n;
        }
    }
    return found;
}
