/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/event_filter.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/shell_word.h"
#include "format/attributes.h"
#include "ranges/payload_condition_read.h"
#include "trace/open/rank.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rln_status rln_filter_new(rln_filter **out, rln_error *err)
{
    *out = rln__alloc(1, sizeof(**out));
    return *out ? RLN_OK : rln__fail_nomem(err);
}

rln_status rln_filter_add(rln_filter *f, rln_filter_kind kind, const char *pattern,
                          rln_error *err)
{
    struct rln__pattern *patterns;
    rln_status status;

    if (kind == RLN_FILTER_PAYLOAD)
        return rln__payload_tests_add(&f->payload, pattern, err);
    if ((unsigned)kind >= RLN__N_PATTERN_FILTERS)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot filter: kind=%d: no such kind", (int)kind);
    patterns = rln__grow(f->patterns[kind], &f->capacity[kind], f->n[kind] + 1,
                         sizeof(*patterns));
    if (!patterns)
        return rln__fail_nomem(err);
    f->patterns[kind] = patterns;
    status = rln__pattern_init(&patterns[f->n[kind]], pattern, err);
    f->n[kind] += !status;
    return status;
}

void rln_filter_set_min_duration(rln_filter *f, int64_t ns)
{
    f->least_ns = ns;
}

int rln__filter_is_empty(const struct rln_filter *f)
{
    for (size_t i = 0; i < RLN__N_PATTERN_FILTERS; i++)
        if (f->n[i])
            return 0;
    return f->least_ns <= 0 && !f->payload.n_choices;
}

void rln_filter_free(rln_filter *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < RLN__N_PATTERN_FILTERS; i++) {
        for (size_t k = 0; k < f->n[i]; k++)
            rln__pattern_clear(&f->patterns[i][k]);
        rln__free(f->patterns[i]);
    }
    rln__payload_tests_clear(&f->payload);
    rln__free(f);
}

void rln_reader_set_filter(rln_reader *reader, const rln_filter *filter)
{
    reader->filter = filter && !rln__filter_is_empty(filter) ? filter : NULL;
}

int rln__reader_is_restricted(const rln_reader *reader)
{
    return reader->filter || reader->span.is_window;
}

/* --- As text ---------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The patterns of an option, each once. */
static void append_options(struct rln__buf *out, const char *option, const char **texts,
                           size_t n)
{
    if (n)
        qsort(texts, n, sizeof(*texts), by_text);
    for (size_t i = 0; i < n; i++) {
        if (i && strcmp(texts[i], texts[i - 1]) == 0)
            continue;
        rln__buf_format(out, "%s--%s ", out->length ? " " : "", option);
        rln__buf_shell_word(out, texts[i], strlen(texts[i]));
    }
}

int rln__filter_describe(const struct rln_filter *f, struct rln__buf *out)
{
    static const char *const options[] = {"process",  "thread", "domain",
                                          "category", "name",   "filter-payload"};
    const char **texts;

    for (size_t i = 0; f && i < RLN__N_FILTERS; i++) {
        const size_t n = i < RLN__N_PATTERN_FILTERS ? f->n[i] : f->payload.n_choices;

        texts = rln__alloc(n + 1, sizeof(const char *));
        if (!texts)
            return -1;
        for (size_t k = 0; k < n; k++)
            texts[k] = i < RLN__N_PATTERN_FILTERS ? f->patterns[i][k].text
                                                  : f->payload.choices[k].given;
        append_options(out, options[i], texts, n);
        rln__free(texts);
    }
    if (f && f->least_ns > 0)
        rln__buf_format(out, "%s--min-duration %" PRIi64 "ns", out->length ? " " : "",
                        f->least_ns);
    return out->has_failed ? -1 : 0;
}

/* --- Names ------------------------------------------------------------------------ */

static rln_text program_name(const rln_reader *reader, uint32_t process)
{
    rln_text name =
        rln__strings_get(&reader->names.strings, reader->names.processes[process].exe);

    for (size_t i = name.length; i; i--) {
        if (name.bytes[i - 1] == '/')
            return (rln_text){name.bytes + i, name.length - i};
    }
    return name;
}

rln_text rln__process_name(const rln_reader *reader, uint32_t process)
{
    const uint32_t title = reader->names.processes[process].title;

    return title ? rln__strings_get(&reader->names.strings, title)
                 : program_name(reader, process);
}

void rln__process_label(const rln_reader *reader, uint32_t process,
                        struct rln__buf *out)
{
    const rln_text name = rln__process_name(reader, process);
    const uint32_t rank = rln__rank_of(reader, process);

    if (rank != RLN_NO_RANK)
        rln__buf_format(out, "rank %u%s", rank, name.length ? " \xc2\xb7 " : "");
    rln__buf_add(out, name.bytes, name.length);
}

rln_text rln__thread_name(const rln_reader *reader, uint32_t process, uint32_t tid,
                          uint32_t thread)
{
    const struct rln__names *names = &reader->names;
    const uint32_t given = rln__names_thread(names, process, tid);

    if (given)
        return rln__strings_get(&names->strings, given);
    return rln__strings_get(&names->strings, thread < reader->n_threads
                                                 ? reader->threads[thread].system_name
                                                 : 0);
}

/* --- Testing ---------------------------------------------------------------------- */

static int is_number(const char *pattern, uint64_t number)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
    return strcmp(pattern, digits) == 0;
}

static int has(const struct rln_filter *f, rln_filter_kind kind, uint64_t number,
               rln_text name)
{
    const int has_number = kind != RLN_FILTER_DOMAIN && kind != RLN_FILTER_NAME;

    if (!f->n[kind])
        return 1;
    for (size_t i = 0; i < f->n[kind]; i++) {
        const struct rln__pattern *pattern = &f->patterns[kind][i];

        if ((has_number && is_number(pattern->text, number)) ||
            rln__pattern_matches(pattern, name) ||
            (kind == RLN_FILTER_DOMAIN && !number &&
             strcmp(pattern->text, "default") == 0))
            return 1;
    }
    return 0;
}

int rln__filter_has_process(const struct rln_filter *f, const rln_reader *reader,
                            uint32_t process)
{
    const struct rln__trace_process *p = &reader->names.processes[process];

    return has(f, RLN_FILTER_PROCESS, p->record.pid,
               rln__process_name(reader, process)) ||
           (p->title &&
            has(f, RLN_FILTER_PROCESS, p->record.pid, program_name(reader, process)));
}

int rln__filter_has_domain(const struct rln_filter *f, uint32_t domain,
                           rln_text domain_name)
{
    return has(f, RLN_FILTER_DOMAIN, domain, domain_name);
}

int rln__filter_has_thread(const struct rln_filter *f, const rln_reader *reader,
                           uint32_t process, uint32_t thread)
{
    const uint32_t tid =
        thread < reader->n_threads ? reader->threads[thread].tid : UINT32_MAX;

    return rln__filter_has_process(f, reader, process) &&
           has(f, RLN_FILTER_THREAD, tid,
               rln__thread_name(reader, process, tid, thread));
}

int rln__filter_has_attributes(const struct rln_filter *f, const rln_attributes *with)
{
    return rln__filter_has_domain(f, with->domain, with->domain_name) &&
           has(f, RLN_FILTER_CATEGORY, with->category, with->category_name) &&
           has(f, RLN_FILTER_NAME, 0, with->message);
}

int rln__filter_has(const struct rln_filter *f, const rln_reader *reader,
                    const rln_attributes *with, uint32_t process, uint32_t thread)
{
    return rln__filter_has_attributes(f, with) &&
           rln__filter_has_thread(f, reader, process, thread);
}

rln_status rln__filter_test_payloads(const struct rln_filter *f,
                                     struct rln__event_payloads *p, rln_reader *reader,
                                     const struct rln__record_address *address,
                                     uint64_t *held, rln_error *err)
{
    rln_status status;

    if (!address->n_payloads)
        return RLN_OK;
    status = rln__event_payloads_read(p, reader, address, err);
    for (size_t i = 0; i < p->decoder.n_payloads && !status; i++)
        *held |= rln__payload_held_fields(&f->payload, &p->decoder.payloads[i]);
    return status;
}
