/* SPDX-License-Identifier: Apache-2.0 */
#include "export/export_file.h"

#include "base/alloc.h"
#include "export/export_walk.h"
#include "export/exporters.h"
#include "export/nsys/table_filter.h"
#include "output/codec.h"

#include <string.h>

static rln_status check_options(const struct rln__export *x, rln_error *err)
{
    const struct rln__format *format = &x->exporter->format;

    if (format->missing_library)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot export: type=%s: built without %s", format->name,
                         format->missing_library);
    if (!format->is_stream &&
        (strcmp(x->options.path, "-") == 0 || *rln__codec_extension(x->options.path)))
        return rln__fail(
            err, RLN_ERR_ARGUMENT, 0,
            "cannot export: type=%s, output=%s: the format cannot be streamed or "
            "compressed\nhint: give an uncompressed file with -o",
            format->name, x->options.path);
    /* A format of events cannot know as a range begins when it will end. */
    if (x->options.times && !format->has_rows)
        return rln__fail(
            err, RLN_ERR_ARGUMENT, 0,
            "cannot export: type=%s: --times requires type sqlite, jsonl, "
            "json, csv, chrome or arrow\nhint: use --filter-time START/END, "
            "which works for every format and keeps what overlaps it",
            format->name);
    return RLN_OK;
}

static rln_status read_options(struct rln__export *x, const rln_export_options *options,
                               rln_error *err)
{
    rln_status status = RLN_OK;

    if (options->size < sizeof(*options) || !options->format || !options->path)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot export: size=%zu, format=%s, path=%s", options->size,
                         options->format ? options->format : "NULL",
                         options->path ? options->path : "NULL");
    x->options = *options;
    x->exporter = rln__exporter_of(options->format);
    if (!x->exporter)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot export: type=%s: no such format", options->format);
    if (options->times)
        status = rln__time_ranges_add(&x->times, options->times, err);
    if (!status && options->tables)
        status = rln__table_filter_new(options->tables, &x->tables, err);
    return status ? status : check_options(x, err);
}

static rln_status open_output(struct rln__export *x, rln_error *err)
{
    const struct rln__format *format = &x->exporter->format;
    const enum rln__output_kind kind = format->is_folder   ? RLN__OUTPUT_FOLDER
                                       : format->is_stream ? RLN__OUTPUT_STREAM
                                                           : RLN__OUTPUT_FILE;

    return rln__output_open(&x->output, x->options.path,
                            rln__export_needs(x, RLN_EXPORT_REPLACE), kind, err);
}

rln_status rln__export_open(rln_reader *reader, const rln_export_options *options,
                            struct rln__export **out, rln_error *err)
{
    struct rln__export *x = rln__alloc(1, sizeof(*x)); /* owned until it is lent */
    rln_status status;

    *out = NULL;
    if (!x)
        return rln__fail_nomem(err);
    x->reader = reader;
    x->output.fd = -1;
    status = read_options(x, options, err);
    if (!status)
        status = open_output(x, err);
    /* The caller's texts end here. */
    x->options.format = x->options.path = x->options.tables = x->options.times = NULL;
    if (status)
        rln__export_close(x);
    else
        *out = x;
    return status;
}

const char *rln__export_temporary_path(const struct rln__export *x)
{
    return x->output.part;
}

rln_status rln__export_run(struct rln__export *x, rln_error *err)
{
    rln_status status;

    if (x->has_run)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot export: path=\"%s\": already run",
                         x->output.path ? x->output.path : "-");
    x->has_run = 1;
    status = rln__export_walk(x, err);
    return status ? status : rln__output_end(&x->output, err);
}

uint64_t rln__export_count(const struct rln__export *x)
{
    return x->n_opened;
}

void rln__export_close(struct rln__export *x)
{
    if (!x)
        return;
    rln__output_clear(&x->output);
    rln__table_filter_free(x->tables);
    rln__time_ranges_clear(&x->times);
    rln__free(x);
}

rln_status rln_export_trace(rln_reader *reader, const rln_export_options *options,
                            rln_error *err)
{
    struct rln__export *x;
    rln_status status = rln__export_open(reader, options, &x, err);

    if (!status)
        status = rln__export_run(x, err);
    rln__export_close(x);
    return status;
}
