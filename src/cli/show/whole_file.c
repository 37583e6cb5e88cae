/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/whole_file.h"

#include "cli/inputs/input_traces.h"
#include "console/unfinished.h"
#include "output/output.h"

void rln__whole_file_write(const char *path, const void *bytes, size_t n,
                           bool may_replace)
{
    struct rln__output output;
    rln_error err = {0};
    rln_status status;

    rln__unfinished_begin(path);
    status = rln__output_open(&output, path, may_replace, RLN__OUTPUT_STREAM, &err);
    rln__unfinished_is(status ? NULL : output.part);
    rln__die_if(status, &err);
    rln__buf_add(&output.buf, bytes, n);
    status = rln__output_end(&output, &err);
    rln__unfinished_is(NULL);
    rln__output_clear(&output);
    rln__die_if(status, &err);
}
