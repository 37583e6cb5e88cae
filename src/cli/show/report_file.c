/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/report_file.h"

#include "cli/inputs/input_traces.h"
#include "console/unfinished.h"
#include "output/output.h"

struct file {
    struct rln__output output;
    rln_status status; /* of writing */
    rln_error err;
};

static bool drain_to_file(void *to, struct rln__buf *out)
{
    struct file *file = to;

    (void)out; /* the output's */
    file->status = rln__output_flush(&file->output, &file->err);
    return !file->status;
}

void rln__report_write(const char *path, struct rln__table *table,
                       enum rln__table_format format, bool may_replace)
{
    struct file file = {.status = RLN_OK};

    rln__unfinished_begin(path);
    file.status = rln__output_open(&file.output, path, may_replace, RLN__OUTPUT_STREAM,
                                   &file.err);
    rln__unfinished_is(file.status ? NULL : file.output.part);
    rln__die_if(file.status, &file.err);
    table->drain = drain_to_file;
    table->drain_to = &file;
    rln__table_print(table, format, &file.output.buf);
    if (!file.status)
        file.status = rln__output_end(&file.output, &file.err);
    rln__unfinished_is(NULL);
    rln__output_clear(&file.output);
    rln__die_if(file.status, &file.err);
}
