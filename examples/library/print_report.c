/* SPDX-License-Identifier: Apache-2.0 */
/* print_report.c TRACE NAME [ARGUMENT] - prints the texts and counts of a report of
 * `rangeline stats`, such as nvtx_sum or tree:thread. */
#include <rangeline/rangeline.h>

#include <inttypes.h>
#include <stdio.h>

static void print_row(const rln_report *report, size_t row)
{
    const rln_report_column *column;

    if (rln_report_is_heading(report, row))
        printf("\n");
    for (size_t i = 0; (column = rln_report_column_at(report, i)); i++) {
        const rln_cell cell = rln_report_cell(report, row, i);

        if (cell.kind == RLN_CELL_TEXT)
            printf("%s=%.*s ", column->header, (int)cell.text.length, cell.text.bytes);
        else if (cell.kind == RLN_CELL_COUNT)
            printf("%s=%" PRIu64 " ", column->header, cell.bits);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *paths[1];
    rln_report_request request = {0};
    rln_reader *reader = NULL;
    rln_report *report = NULL;
    rln_error err;
    rln_status status;

    if (argc < 3)
        return 2;
    paths[0] = argv[1];
    request.name = argv[2];
    request.argument = argv[3];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_report_build(reader, &request, &report, &err);
    if (!status) {
        for (size_t i = 0; i < rln_report_count_rows(report); i++)
            print_row(report, i);
        status = rln_report_status(report, &err);
    }
    rln_report_free(report);
    rln_reader_close(reader);
    if (status)
        fprintf(stderr, "print_report: %s\n", err.message);
    return status != RLN_OK;
}
