/* SPDX-License-Identifier: Apache-2.0 */
/* save_index.c TRACE INDEX [MOST] - saves the index of a trace as a page has it, with at
 * most so many buckets. A trace that cannot be read has none: status 1. */
#include <stdio.h>
#include <stdlib.h>

#include "query/query_saved.h"
#include "rangeline/reader.h"
#include "timeline/lod_build.h"

static rln_status save(rln_reader *reader, const char *title, size_t most,
                       struct rln__buf *out, rln_error *err)
{
    const struct rln__question question = {.n_traces = 1};
    struct rln__lod lod;
    const struct rln__query_context asked = {
        .question = &question, .lod = &lod, .title = title, .filter = ""};
    rln_status status = rln__lod_init(&lod, reader, NULL, UINT64_MAX, err);

    if (status)
        return status;
    if (most)
        lod.most_buckets = most;
    status = rln__lod_build(&lod, err);
    if (!status)
        status = rln__query_save(&asked, out, err);
    rln__lod_clear(&lod);
    return status;
}

int main(int argc, char **argv)
{
    const char *path = argc > 2 ? argv[1] : "";
    rln_reader *reader = NULL;
    struct rln__buf saved = {0};
    rln_error err = {0};
    rln_status status = rln_reader_open(&path, 1, &reader, &err);
    FILE *file = NULL;

    if (!status)
        status = save(reader, path, argc > 3 ? strtoull(argv[3], NULL, 10) : 0, &saved,
                      &err);
    if (!status)
        file = fopen(argv[2], "wb");
    if (!file)
        (void)fprintf(stderr, "save_index: %s\n", err.message);
    else if (fwrite(saved.bytes, 1, saved.length, file) != saved.length || fclose(file))
        file = NULL;
    rln__buf_clear(&saved);
    rln_reader_close(reader);
    return file ? 0 : 1;
}
