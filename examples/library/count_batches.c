/* SPDX-License-Identifier: Apache-2.0 */
/* count_batches.c TRACE - counts the columns and rows of the table of ranges, which
 * libraries that know Apache Arrow import as it is. */
#include <rangeline/rangeline.h>

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *paths[1];
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    rln_error err;
    int64_t n_rows = 0;

    if (argc != 2)
        return 2;
    paths[0] = argv[1];
    if (rln_arrow_open(paths, 1, RLN_ARROW_RANGES, NULL, &stream, &err) != RLN_OK) {
        fprintf(stderr, "count_batches: %s\n", err.message);
        return 1;
    }
    if (stream.get_schema(&stream, &schema) == 0) {
        printf("%" PRId64 " columns, from %s\n", schema.n_children,
               schema.children[0]->name);
        schema.release(&schema);
    }
    while (stream.get_next(&stream, &batch) == 0 && batch.release) {
        n_rows += batch.length;
        batch.release(&batch);
    }
    printf("%" PRId64 " rows\n", n_rows);
    stream.release(&stream);
    return 0;
}
