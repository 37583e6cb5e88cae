/* SPDX-License-Identifier: Apache-2.0 */
/* write_export.c TRACE TYPE FILE - writes a trace in another format, such as perfetto
 * or csv.
 */
#include <rangeline/rangeline.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    rln_export_options options = {.size = sizeof(options)};
    const char *paths[1];
    rln_reader *reader = NULL;
    rln_error err;
    rln_status status;

    if (argc != 4)
        return 2;
    paths[0] = argv[1];
    options.format = argv[2];
    options.path = argv[3];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_export_trace(reader, &options, &err);
    rln_reader_close(reader);
    if (status)
        fprintf(stderr, "write_export: %s\n", err.message);
    else
        printf("%s, written by version %s\n", options.path, rln_version());
    return status != RLN_OK;
}
