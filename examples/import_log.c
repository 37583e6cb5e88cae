/* SPDX-License-Identifier: Apache-2.0 */
/* import_log.c - where did the time of requests go that another program logged? Writes a
 * trace of events that are past, with the times that they had: NVTXW, NVTX's writer
 * interface.
 *
 *   cc -O2 -Iinclude examples/import_log.c -o build/examples/import_log -ldl
 *   export NVTXW3_LIBRARY=$(build/bin/rangeline --nvtxw-library)
 *   build/examples/import_log
 *   build/bin/rangeline stats -r tree,counter_sum requests.rln
 */
#include <nvtxw3/nvtxw3_helpers.h>

#include <stdio.h>

/* Nanoseconds since the log began. */
static const struct {
    int64_t begin, end;
    const char *what;
} log_lines[] = {
    {1000000, 9000000, "GET /"},    {2000000, 5000000, "query"},
    {6000000, 8000000, "render"},   {10000000, 14000000, "GET /logo"},
    {15000000, 21000000, "GET /"},  {16000000, 17000000, "query"},
    {18000000, 20500000, "render"},
};
static const struct {
    int64_t time;
    int64_t n_waiting;
} samples[] = {{0, 0}, {5000000, 3}, {10000000, 2}, {20000000, 0}};

/* Ends the program if a call failed. */
static void need(nvtxwResultCode_t result, const char *what)
{
    char why[256];

    if (result == NVTXW_RESULT_SUCCESS)
        return;
    nvtxwGetError(result, why, sizeof why);
    fprintf(stderr, "import_log: cannot %s: %s\n", what, why);
    exit(1);
}

int main(void)
{
    const nvtxwInterface_t *writer;
    nvtxwSessionAttributes_t requests;
    nvtxwSessionHandle_t session;
    nvtxDomainHandle_t http;
    nvtxwEventWriter_t worker;
    uint64_t waiting;

    need(nvtxwLoadInterfaceDefault(&writer, NULL), "load a backend");
    nvtxwSessionAttributesInit(&requests);
    requests.name = "requests"; /* becomes requests.rln */
    need(writer->SessionBegin(&requests, &session), "begin a session");
    need(nvtxwDomainRegister(writer, session, "http", &http), "register a domain");

    /* Ranges nest within a stream: one for each thread of the log. */
    need(nvtxwEventWriterOpen(writer, session, "worker 1", http, NULL,
                              NVTX_TIME_DOMAIN_ID_NONE, &worker),
         "open a stream");
    for (size_t i = 0; i < sizeof log_lines / sizeof log_lines[0]; i++) {
        const nvtxwEventAttributesUtf8_t range = {.message = log_lines[i].what};

        need(nvtxwRangePushPopWriteUtf8(&worker, log_lines[i].begin, log_lines[i].end,
                                        range),
             "write a range");
    }

    need(nvtxwCounterInt64Register(writer, http, "waiting", NULL, &waiting),
         "register a counter");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        need(nvtxwCounterInt64Write(writer, worker.stream, samples[i].time, waiting,
                                    samples[i].n_waiting),
             "write a sample");

    need(writer->SessionEnd(session), "end the session");
    return 0;
}
