/* SPDX-License-Identifier: Apache-2.0 */
/* exporters.h - every format; each lies in the file of its name. */
#ifndef RLN_EXPORT_EXPORTERS_H
#define RLN_EXPORT_EXPORTERS_H

#include "export/exporter.h"

extern const struct rln__exporter rln__exporter_sqlite;
extern const struct rln__exporter rln__exporter_jsonl;
extern const struct rln__exporter rln__exporter_csv;
extern const struct rln__exporter rln__exporter_perfetto;
extern const struct rln__exporter rln__exporter_chrome;
extern const struct rln__exporter rln__exporter_folded;
extern const struct rln__exporter rln__exporter_speedscope;
extern const struct rln__exporter rln__exporter_nvtxt;
extern const struct rln__exporter rln__exporter_otf2;

#endif
