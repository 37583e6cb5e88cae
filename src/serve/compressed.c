/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/compressed.h"
#include "output/codec.h"

#include <string.h>
#include <strings.h>

#define LEAST_BYTES 1024u /* fewer are one packet in any case */
#define BLANKS " \t"

/* Whether what follows the name of an encoding, `;q=0.5`, does not refuse it. */
static int is_taken(const char *at)
{
    size_t n_digits;
    int is_zero;

    at += strspn(at, BLANKS);
    if (*at != ';')
        return !*at || *at == ',';
    at++;
    at += strspn(at, BLANKS);
    if (strncasecmp(at, "q=", 2) != 0)
        return 0;
    at += 2;
    n_digits = strspn(at, "0123456789.");
    is_zero = strcspn(at, "123456789") >= n_digits;
    at += n_digits;
    at += strspn(at, BLANKS);
    return !is_zero && (!*at || *at == ',');
}

static int is_named(rln_text name, const char *expected)
{
    return name.length == strlen(expected) &&
           strncasecmp(name.bytes, expected, name.length) == 0;
}

void rln__encodings_add(struct rln__encodings *encodings, const char *value)
{
    while (value && *value) {
        const rln_text name = {value, strcspn(value, BLANKS ";,")};
        const int taken = is_taken(value + name.length);

        if (is_named(name, "gzip") || is_named(name, "x-gzip")) {
            encodings->takes_gzip |= taken;
            encodings->refuses_gzip |= !taken;
        } else if (is_named(name, "*")) {
            encodings->takes_any |= taken;
        }
        value += strcspn(value, ",");
        value += strspn(value, BLANKS ",");
    }
}

int rln__encodings_have_gzip(const struct rln__encodings *encodings)
{
    return !encodings->refuses_gzip && (encodings->takes_gzip || encodings->takes_any);
}

int rln__compress(struct rln__buf *answer)
{
    struct rln__buf packed = {0};
    struct rln__codec *codec;
    rln_status status = RLN_OK;
    rln_text piece;

    if (answer->length < LEAST_BYTES || rln__codec_new("answer.gz", &codec, NULL))
        return 0;
    rln__codec_begin(codec, (rln_text){answer->bytes, answer->length}, 1);
    while (rln__codec_next(codec, &piece, &status, NULL))
        rln__buf_add(&packed, piece.bytes, piece.length);
    rln__codec_free(codec);
    if (status || packed.has_failed) {
        rln__buf_clear(&packed);
        return 0;
    }
    rln__buf_clear(answer);
    *answer = packed;
    return 1;
}

rln_status rln__unpack(const struct rln__viewer_part *part, struct rln__buf *out)
{
    char *room = rln__buf_reserve(out, part->n_unpacked);
    rln_status status;

    if (!room)
        return RLN_ERR_NOMEM;
    status = rln__codec_unpack((rln_text){(const char *)part->bytes, part->n_bytes},
                               room, part->n_unpacked, NULL);
    if (status)
        rln__buf_clear(out);
    else
        out->length += part->n_unpacked;
    return status;
}
