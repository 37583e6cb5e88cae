/* SPDX-License-Identifier: Apache-2.0 */
#include "web/page_reader.h"

#include <string.h>

#include "base/alloc.h"
#include "query/query.h"
#include "query/query_report.h"
#include "rangeline/reader.h"
#include "timeline/lod_build.h"
#include "timeline/lod_saved.h"

static struct {
    struct rln__buf argument, answer;
    struct rln__buf title; /* terminated */
    rln_reader *reader;
    struct rln__buf compared_path; /* terminated; empty: the trace is the only one */
    rln_reader *compared;          /* NULL: no question was about it */
    struct rln__lod lod;
    int has_lod;
    struct rln__asked_report report;
    int64_t from_ns, to_ns; /* what it will cover, at least */
} page;

static int fail(const rln_error *err)
{
    rln__buf_text(&page.answer, err->message);
    return 500;
}

static void forget_answer(void)
{
    rln__buf_clear(&page.answer);
}

/* Of a very large file no more: memory has 4 GiB. */
static uint64_t budget_of(const rln_reader *reader)
{
    const uint64_t most = (uint64_t)2 << 30, usual = rln__lod_budget(reader);

    return usual < most ? usual : most;
}

char *rln_page_argument(size_t n_bytes)
{
    char *at;

    rln__buf_clear(&page.argument);
    if (n_bytes == SIZE_MAX)
        return NULL;
    at = rln__buf_room(&page.argument, n_bytes + 1);
    if (!at)
        return NULL;
    page.argument.length = n_bytes + 1;
    at[n_bytes] = '\0';
    return at;
}

int rln_page_open(void)
{
    const char *path;
    rln_error err = {0};
    rln_status status;

    rln_page_close();
    if (!page.argument.length)
        return 400;
    path = page.argument.bytes;
    status = rln_reader_open(&path, 1, &page.reader, &err);
    if (!status)
        status =
            rln__lod_init(&page.lod, page.reader, NULL, budget_of(page.reader), &err);
    if (status)
        return fail(&err);
    page.has_lod = 1;
    rln__query_expected_span(page.reader, &page.from_ns, &page.to_ns);
    rln__buf_add(&page.title, path, strlen(path) + 1);
    return page.title.has_failed ? 500 : 200;
}

int rln_page_compare(void)
{
    forget_answer();
    if (!page.reader || !page.argument.length || page.compared_path.length)
        return 400;
    rln__buf_add(&page.compared_path, page.argument.bytes,
                 strlen(page.argument.bytes) + 1);
    return page.compared_path.has_failed ? 500 : 200;
}

int rln_page_open_index(void)
{
    void *bytes = page.argument.bytes;
    const size_t n_bytes = page.argument.length;
    rln_error err = {0};

    rln_page_close();
    if (!n_bytes)
        return 400;
    page.argument = (struct rln__buf){0}; /* the index has it */
    page.has_lod = 1;
    if (!rln__lod_load(&page.lod, bytes, n_bytes, &err))
        return 200;
    rln_page_close();
    return fail(&err);
}

int rln_page_read(void)
{
    rln_error err = {0};
    rln_status status;

    forget_answer();
    if (!page.has_lod)
        return 400;
    if (page.lod.is_complete)
        return 200;
    status = rln__lod_build_step(&page.lod, &err);
    if (!status)
        return 202;
    return status == RLN_END ? 200 : fail(&err);
}

/* Opened once there is a question about it, when the trace itself has been read. */
static rln_status open_compared(const struct rln__question *question, rln_error *err)
{
    const char *path = page.compared_path.bytes;

    if (!path || page.compared || !page.lod.is_complete ||
        !rln__query_is_diff(question))
        return RLN_OK;
    return rln_reader_open(&path, 1, &page.compared, err);
}

int rln_page_ask(void)
{
    struct rln__question question;
    struct rln__query_context asked = {.question = &question,
                                       .lod = &page.lod,
                                       .title = page.title.bytes,
                                       .filter = "",
                                       .kept = &page.report,
                                       .is_compared = 1, /* perhaps */
                                       .from_ns = page.from_ns,
                                       .to_ns = page.to_ns,
                                       .can_diff = page.compared_path.bytes != NULL};
    rln_error err = {0};
    int status;

    forget_answer();
    if (!page.has_lod || !page.argument.length)
        return 400;
    status = rln__question_parse(page.argument.bytes, 1, &question);
    if (status != 200)
        return status;
    if (open_compared(&question, &err)) {
        status = fail(&err);
    } else {
        asked.compared = page.compared;
        status = rln__query(&asked, &page.answer);
    }
    rln__question_clear(&question);
    if (page.answer.has_failed)
        status = 500;
    if (status != 200 && !err.message[0])
        forget_answer();
    return status;
}

const char *rln_page_answer(void)
{
    return page.answer.bytes;
}

size_t rln_page_answer_bytes(void)
{
    return page.answer.length;
}

void rln_page_close(void)
{
    forget_answer();
    rln__asked_report_clear(&page.report);
    if (page.has_lod)
        rln__lod_clear(&page.lod);
    page.has_lod = 0;
    rln_reader_close(page.reader);
    page.reader = NULL;
    rln_reader_close(page.compared);
    page.compared = NULL;
    rln__buf_clear(&page.compared_path);
    rln__buf_clear(&page.title);
}
