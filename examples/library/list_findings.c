/* SPDX-License-Identifier: Apache-2.0 */
/* list_findings.c TRACE - prints what a trace contains, and the mistakes in it. */
#include <rangeline/rangeline.h>

#include <inttypes.h>
#include <stdio.h>

static void print_contents(const rln_info *info)
{
    const rln_totals *totals = rln_info_totals(info);
    const rln_domain_info *domain;
    const rln_part_info *part;

    for (uint32_t i = 0; (part = rln_info_part(info, i)); i++)
        printf("part %" PRIu32 ": %s\n", i,
               part->is_finished ? "finished" : "not finished");
    printf("%" PRIu64 " events, %" PRIu64 " lost\n", totals->n_events, totals->n_lost);
    for (uint32_t i = 0; (domain = rln_info_domain(info, i)); i++)
        printf("domain %.*s: %" PRIu64 " events\n",
               domain->name.bytes ? (int)domain->name.length : 7,
               domain->name.bytes ? domain->name.bytes : "default", domain->n_events);
}

static void print_findings(const rln_check *check)
{
    const rln_finding *finding;

    for (size_t i = 0; (finding = rln_check_at(check, i)); i++)
        printf("%s, %" PRIu64 " times: %.*s\n", finding->name, finding->n,
               (int)finding->message.length,
               finding->message.bytes ? finding->message.bytes : "");
}

int main(int argc, char **argv)
{
    const char *paths[1];
    rln_reader *reader = NULL;
    rln_info *info = NULL;
    rln_check *check = NULL;
    rln_error err;
    rln_status status;

    if (argc != 2)
        return 2;
    paths[0] = argv[1];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_info_open(reader, &info, &err);
    if (!status)
        status = rln_check_new(reader, &check, &err);
    if (!status) {
        print_contents(info);
        print_findings(check);
    }
    rln_check_free(check);
    rln_info_close(info);
    rln_reader_close(reader);
    if (status)
        fprintf(stderr, "list_findings: %s\n", err.message);
    return status != RLN_OK;
}
