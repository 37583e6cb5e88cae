/* SPDX-License-Identifier: Apache-2.0 */
/* page.c - the viewer's page with traces in it: each as its file, or as an index.
 *
 *   bytes --> gzip --> digits of base 85 --> <script type="application/gzip">
 *
 * A browser unpacks that by itself, and likewise the parts of the viewer. Four bytes
 * become five digits, none of which has to be escaped in HTML, in an attribute or in
 * JSON. Without zlib no trace is compressed.
 */
#include "serve/page.h"

#include <string.h>

#include "base/fail.h"
#include "base/markup.h"
#include "base/utf8.h"
#include "output/codec.h"
#include "query/query_saved.h"
#include "serve/viewer_parts.h"
#include "timeline/lod_build.h"

#define MOST_FILE_BYTES (32u << 20) /* a larger trace is in the page as its index */
#define PIECE_BYTES 65536u

static const char mark[] = "@DATA@"; /* where parts and traces go */

/* --- Digits ----------------------------------------------------------------------- */

struct block {
    struct rln__output *output; /* borrowed */
    struct rln__codec *codec;   /* owned; NULL: this build cannot compress */
    uint32_t rest;              /* bytes that are no four yet */
    unsigned n_rest;
};

/* Those of Z85, except `&`, `<` and `>`. */
static void put_word(struct rln__buf *out, uint32_t word, unsigned n_digits)
{
    static const char digits[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR"
        "STUVWXYZ.-:+=^!/*?,;_()[]{}@%$#";
    char text[5];

    for (unsigned i = 5; i-- > 0; word /= 85)
        text[i] = digits[word % 85];
    rln__buf_add(out, text, n_digits);
}

static rln_status put_digits(struct block *b, const char *bytes, size_t n,
                             rln_error *err)
{
    for (size_t i = 0; i < n; i++) {
        b->rest = b->rest << 8 | (unsigned char)bytes[i];
        if (++b->n_rest == 4) {
            put_word(&b->output->buf, b->rest, 5);
            b->n_rest = 0;
        }
    }
    return rln__output_flush_full(b->output, err);
}

/* Fewer than four bytes have one digit more than there are. */
static void end_digits(struct block *b)
{
    if (b->n_rest)
        put_word(&b->output->buf, b->rest << 8 * (4 - b->n_rest), b->n_rest + 1);
}

static rln_status put(struct block *b, const char *bytes, size_t n, int is_end,
                      rln_error *err)
{
    rln_status status = RLN_OK;
    rln_text packed;

    if (!b->codec)
        return put_digits(b, bytes, n, err);
    rln__codec_begin(b->codec, (rln_text){bytes, n}, is_end);
    while (!status && rln__codec_next(b->codec, &packed, &status, err))
        status = put_digits(b, packed.bytes, packed.length, err);
    return status;
}

/* The viewer's style, scripts and reader. */
static rln_status put_parts(struct rln__output *output, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < rln__n_viewer_parts && !status; i++) {
        const struct rln__viewer_part *part = &rln__viewer_parts[i];
        struct block b = {.output = output};

        if (!*part->name)
            continue;
        rln__buf_format(&output->buf, "<script type=\"application/gzip\" id=\"%s\">",
                        part->name);
        status = put_digits(&b, (const char *)part->bytes, part->n_bytes, err);
        end_digits(&b);
        rln__buf_text(&output->buf, "</script>\n");
    }
    return status;
}

/* --- A trace ---------------------------------------------------------------------- */

/* As much of it as has been read. */
static rln_status put_file(struct block *b, const struct rln__input *file,
                           rln_error *err)
{
    uint64_t piece[PIECE_BYTES / sizeof(uint64_t)];
    rln_status status = RLN_OK;
    size_t n;

    for (uint64_t at = 0; at < file->size && !status; at += n) {
        n = file->size - at < sizeof(piece) ? (size_t)(file->size - at) : sizeof(piece);
        status = rln__input_read(file, at, piece, n, NULL, err);
        if (!status)
            status = put(b, (const char *)piece, n, at + n == file->size, err);
    }
    return status;
}

static rln_status put_index(struct block *b, struct rln__lod *lod,
                            const struct rln__page_options *options, rln_error *err)
{
    const struct rln__question question = {.n_traces = 1};
    const struct rln__query_context asked = {.question = &question,
                                             .lod = lod,
                                             .title = options->title,
                                             .filter = options->filter};
    struct rln__buf saved = {0};
    rln_status status = rln__query_save(&asked, &saved, err);

    if (!status)
        status = put(b, saved.bytes, saved.length, 1, err);
    rln__buf_clear(&saved);
    return status;
}

/* Whether the file says all that the page shows, and nothing else: nothing was changed
 * or merged, no ring buffer is written, and no export says more. */
static int may_be_whole(const struct rln__lod *lod,
                        const struct rln__page_options *options)
{
    const rln_reader *reader = lod->reader;

    return !options->is_changed && !lod->resolution_ns && reader->n_files == 1 &&
           reader->files[0]->live_fd < 0 && !reader->files[0]->is_import &&
           reader->files[0]->size <= MOST_FILE_BYTES;
}

static void put_title(struct rln__buf *out, const char *title)
{
    struct rln__buf text = {0};

    (void)rln__buf_printable(&text, title, strlen(title));
    rln__buf_markup(out, text.bytes, text.length);
    out->has_failed |= text.has_failed;
    rln__buf_clear(&text);
}

static rln_status put_block(struct rln__lod *lod,
                            const struct rln__page_options *options,
                            struct rln__output *output, rln_error *err)
{
    struct block b = {.output = output};
    const int is_whole = may_be_whole(lod, options);
    rln_status status = rln__codec_new("page.gz", &b.codec, NULL);

    if (status && status != RLN_ERR_ARGUMENT)
        return rln__fail_nomem(err);
    rln__buf_format(&output->buf,
                    "<script type=\"application/%s\" class=\"%s\" title=\"",
                    b.codec ? "gzip" : "octet-stream", is_whole ? "trace" : "index");
    put_title(&output->buf, options->title);
    rln__buf_text(&output->buf, "\">");
    status = is_whole ? put_file(&b, lod->reader->files[0], err)
                      : put_index(&b, lod, options, err);
    end_digits(&b);
    rln__buf_text(&output->buf, "</script>\n");
    rln__codec_free(b.codec);
    return status;
}

static rln_status put_trace(rln_reader *reader, const struct rln__page_options *options,
                            struct rln__output *output, rln_error *err)
{
    struct rln__lod lod;
    rln_status status = rln__lod_init(&lod, reader, NULL, 0, err);

    if (status)
        return status;
    lod.most_buckets =
        options->most_ranges ? (size_t)options->most_ranges : RLN__PAGE_RANGES;
    status = rln__lod_build(&lod, err);
    if (options->is_empty)
        *options->is_empty = !lod.n_buckets;
    if (options->is_overview)
        *options->is_overview = lod.resolution_ns != 0;
    if (!status)
        status = put_block(&lod, options, output, err);
    rln__lod_clear(&lod);
    return status;
}

/* --- Outside ---------------------------------------------------------------------- */

int rln__page_is_there(void)
{
    return !*rln__viewer_page_lack;
}

rln_status rln__page_write(rln_reader *const *readers,
                           const struct rln__page_options *options, size_t n_traces,
                           struct rln__output *output, rln_error *err)
{
    const rln_text page = rln__viewer_page;
    const char *at = memmem(page.bytes, page.length, mark, strlen(mark));
    const char *rest = at + strlen(mark);
    rln_status status;

    rln__buf_add(&output->buf, page.bytes, (size_t)(at - page.bytes));
    status = put_parts(output, err);
    for (size_t i = 0; i < n_traces && !status; i++)
        status = put_trace(readers[i], &options[i], output, err);
    rln__buf_add(&output->buf, rest, page.length - (size_t)(rest - page.bytes));
    return status ? status : rln__output_flush_full(output, err);
}
