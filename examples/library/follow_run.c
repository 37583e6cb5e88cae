/* SPDX-License-Identifier: Apache-2.0 */
/* follow_run.c TRACE - prints each second what a run does, until it has ended. */
#include <rangeline/rangeline.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static void print_refresh(const rln_live *live)
{
    size_t n_rows, n_threads;
    const rln_live_row *rows = rln_live_rows(live, &n_rows);
    const rln_live_thread *threads = rln_live_threads(live, &n_threads);

    printf("%" PRIu64 " events so far\n", rln_live_get_totals(live)->n_all);
    for (size_t i = 0; i < n_rows; i++)
        printf("  %.*s: %" PRIu64 " ended\n", (int)rows[i].message.length,
               rows[i].message.bytes, rows[i].n_ended);
    for (size_t i = 0; i < n_threads; i++)
        printf("  thread %" PRIu32 " is in %zu ranges\n", threads[i].tid,
               threads[i].n_stack);
}

int main(int argc, char **argv)
{
    const char *paths[1];
    rln_reader *reader = NULL;
    rln_live *live = NULL;
    rln_error err;
    rln_status status;
    int is_finished = 0;

    if (argc != 2)
        return 2;
    paths[0] = argv[1];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_live_new(reader, &live, &err);
    while (!status && !is_finished) {
        is_finished = rln_reader_is_finished(reader); /* first: nothing comes later */
        status = rln_live_refresh(live, &err);
        if (!status)
            print_refresh(live);
        if (!status && !is_finished)
            sleep(1);
    }
    rln_live_free(live);
    rln_reader_close(reader);
    if (status)
        fprintf(stderr, "follow_run: %s\n", err.message);
    return status != RLN_OK;
}
