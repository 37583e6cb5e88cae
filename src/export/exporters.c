/* SPDX-License-Identifier: Apache-2.0 */
#include "export/exporters.h"

const struct rln__exporter *const rln__exporters[] = {
#define X(name) &rln__exporter_##name,
    RLN__EXPORTERS(X)
#undef X
        NULL,
};

const struct rln__exporter *rln__exporter_of(const char *type)
{
    for (size_t i = 0; rln__exporters[i]; i++)
        if (strcmp(rln__exporters[i]->type, type) == 0)
            return rln__exporters[i];
    return NULL;
}
