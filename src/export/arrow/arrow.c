/* SPDX-License-Identifier: Apache-2.0 */
/* arrow.c - a stream of one table: opened, filled batch by batch, released. */
#include "base/alloc.h"
#include "base/fail.h"
#include "export/arrow/arrow_tables.h"

#include <errno.h>
#include <string.h>

#define BATCH_ROWS 65536

/* --- The stream ------------------------------------------------------------------- */

static void free_stream(struct rln__arrow_stream *s)
{
    rln_ranges_close(s->ranges);
    rln_events_close(s->events);
    rln__stats_free(s->stats);
    rln__cpu_times_clear(&s->cpu_times);
    rln__tree_free(s->tree);
    rln_reader_close(s->reader);
    rln__arrow_batch_clear(&s->batch);
    rln_filter_free(s->filter);
    rln__free(s);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const struct rln__arrow_stream *s = stream->private_data;

    return rln__arrow_schema(s->rows->fields, s->rows->n_fields, out);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct rln__arrow_stream *s = stream->private_data;
    rln_status status = RLN_OK;

    memset(out, 0, sizeof(*out)); /* released: the end */
    if (!s->is_open) /* not earlier: a caller that needs only the schema does not wait
                      */
        status = s->rows->open(s);
    s->is_open = !status;
    while (!status && !s->is_over && s->batch.n_rows < BATCH_ROWS &&
           !s->batch.has_failed) {
        status = s->rows->next(s);
        s->is_over = status == RLN_END;
    }
    if (status && !s->is_over)
        return status == RLN_ERR_NOMEM ? ENOMEM : EIO;
    if (!s->batch.has_failed && s->batch.n_rows == 0)
        return 0;
    if (!rln__arrow_batch_take(&s->batch, out))
        return 0;
    (void)rln__fail_nomem(&s->err);
    return ENOMEM;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const struct rln__arrow_stream *s = stream->private_data;

    return s->err.message[0] ? s->err.message : NULL;
}

static void release(struct ArrowArrayStream *stream)
{
    free_stream(stream->private_data);
    stream->release = NULL;
}

/* --- Omitted rows ----------------------------------------------------------------- */

static int kind_of(const char *filter, size_t length)
{
    static const char *const kinds[RLN__N_FILTERS] = {
        [RLN_FILTER_PROCESS] = "process", [RLN_FILTER_THREAD] = "thread",
        [RLN_FILTER_DOMAIN] = "domain",   [RLN_FILTER_CATEGORY] = "category",
        [RLN_FILTER_NAME] = "name",       [RLN_FILTER_PAYLOAD] = "payload",
    };

    for (int i = 0; i < RLN__N_FILTERS; i++)
        if (strlen(kinds[i]) == length && memcmp(kinds[i], filter, length) == 0)
            return i;
    return -1;
}

static const char rename_kind[] = "rename=";

static rln_status read_renames(struct rln__arrow_stream *s, const char *const *filters,
                               rln_error *err)
{
    const size_t length = strlen(rename_kind);
    const char **rules; /* owned */
    size_t n = 0;
    rln_status status;

    while (filters[n])
        n++;
    rules = rln__alloc(n + 1, sizeof(*rules));
    if (!rules)
        return rln__fail_nomem(err);
    n = 0;
    for (const char *const *f = filters; *f; f++)
        if (strncmp(*f, rename_kind, length) == 0)
            rules[n++] = *f + length;
    status = rln__reader_rename(s->reader, rules, n, err);
    rln__free(rules);
    return status;
}

/* Copies the texts: the caller's are gone when the stream is read. */
static rln_status read_filters(struct rln__arrow_stream *s, const char *const *filters,
                               rln_error *err)
{
    rln_status status = rln_filter_new(&s->filter, err);

    if (status)
        return status;
    for (const char *const *f = filters; *f; f++) {
        const size_t length = strcspn(*f, "=");
        const int kind = (*f)[length] ? kind_of(*f, length) : -1;

        if (strncmp(*f, rename_kind, strlen(rename_kind)) == 0)
            continue;
        if (kind < 0)
            return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                             "cannot filter: filter=\"%.200s\": not KIND=PATTERN", *f);
        status = rln_filter_add(s->filter, (rln_filter_kind)kind, *f + length + 1, err);
        if (status)
            return status;
    }
    return RLN_OK;
}

static rln_status read_options(struct rln__arrow_stream *s,
                               const struct rln_arrow_options *options, rln_error *err)
{
    rln_status status = RLN_OK;

    if (!options)
        return RLN_OK;
    if (options->size < sizeof(*options))
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot read options: size=%zu",
                         options->size);
    s->min_duration_ns = options->min_duration_ns;
    if (options->window != RLN_ALL_WINDOWS)
        status = rln_reader_select_window(s->reader, options->window, err);
    if (!status && options->filters)
        status = read_filters(s, options->filters, err);
    if (!status && options->filters)
        status = read_renames(s, options->filters, err);
    rln_reader_set_filter(s->reader, s->filter);
    return status;
}

rln_status rln_arrow_open(const char *const *paths, size_t n_paths,
                          rln_arrow_table table,
                          const struct rln_arrow_options *options,
                          struct ArrowArrayStream *out, rln_error *err)
{
    struct rln__arrow_stream *s;
    rln_status status;

    memset(out, 0, sizeof(*out));
    if ((unsigned)table >= RLN__ARROW_TABLES || !rln__arrow_tables[table].fields)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot find table: index=%u",
                         (unsigned)table);
    s = rln__alloc(1, sizeof(*s));
    if (!s)
        return rln__fail_nomem(err);
    s->rows = &rln__arrow_tables[table];
    status = rln_reader_open(paths, n_paths, &s->reader, err);
    if (!status)
        status = read_options(s, options, err);
    if (!status && rln__arrow_batch_init(&s->batch, s->rows->fields, s->rows->n_fields))
        status = rln__fail_nomem(err);
    if (status) {
        free_stream(s);
        return status;
    }
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release, s};
    return RLN_OK;
}
