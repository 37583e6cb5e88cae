/* SPDX-License-Identifier: Apache-2.0 */
/* exporters.c - the table of formats, in the order of --help. */
#include "export/exporters.h"

const struct rln__exporter *const rln__exporters[] = {
    &rln__exporter_sqlite,     &rln__exporter_perfetto,
    &rln__exporter_chrome,     &rln__exporter_jsonl,
    &rln__exporter_csv,        &rln__exporter_folded,
    &rln__exporter_speedscope, &rln__exporter_nvtxt,
    &rln__exporter_otf2,       NULL,
};

const struct rln__exporter *rln__exporter_of(const char *type)
{
    for (size_t i = 0; rln__exporters[i]; i++)
        if (strcmp(rln__exporters[i]->type, type) == 0)
            return rln__exporters[i];
    return NULL;
}
