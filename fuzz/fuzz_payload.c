/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_payload.c - decodes and prints payloads of arbitrary schemas and bytes.
 *
 *   {words of names:32, payloads:32} [words of a chunk of names] [segments]
 *
 * tests/unit/test_payload_decode.c writes its cases in this form to the folder that
 * RLN_SEEDS names; seeds/fuzz_payload has them. */
#include <stdlib.h>
#include <string.h>

#include "format/names.h"
#include "format/payload_segments.h"
#include "format/registry_lookup.h"
#include "trace/payload/payload_decode.h"
#include "trace/payload/payload_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_names(struct rln__names *names, const uint64_t *words, size_t n)
{
    for (size_t at = 0; at < n;) {
        uint32_t n_words = rln__record_words(words[at]);
        struct rln__record r = {words + at, at * 8, n_words};

        if (words[at] && n_words && n_words <= n - at)
            (void)rln__names_add(names, 0, 0, &r);
        else
            n_words = 1;
        at += n_words;
    }
    rln__registry_sort(&names->registry);
}

static void decode(struct rln__names *names,
                   const struct rln__payload_segments *segments)
{
    const struct rln__payload_context context = {.names = names,
                                                 .types =
                                                     rln__registry_types(names, 0, 1),
                                                 .ticks = 1001000,
                                                 .domain_id = 1,
                                                 .pid = 100};
    struct rln__decoder decoder = {.n_fields = 0};
    struct rln__buf buf = {0};

    if (!rln__decode(&decoder, &context, segments, NULL)) {
        (void)rln__json_of_payloads(&buf, decoder.payloads, decoder.n_payloads);
        for (size_t i = 0; i < decoder.n_payloads; i++)
            rln__text_of_payload(&buf, &decoder.payloads[i]);
    }
    rln__buf_clear(&buf);
    rln__decoder_clear(&decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t n_words = size / 8;
    uint64_t *words = malloc(n_words * 8 + 8); /* an aligned copy of the exact length */
    struct rln__names names;
    struct rln__payload_segments segments = {0};
    size_t n_names;

    if (!words || !n_words || rln__names_init(&names, NULL)) {
        free(words);
        return 0;
    }
    memcpy(words, data, n_words * 8);
    n_names = (uint32_t)words[0] % n_words;
    if (!rln__names_process(&names, 0, 1))
        add_names(&names, words + 1, n_names);
    if (rln__payload_segments_read(&segments, words + 1 + n_names,
                                   n_words - 1 - n_names,
                                   (size_t)(words[0] >> 32) & 7) == 0)
        decode(&names, &segments);
    rln__payload_segments_clear(&segments);
    rln__names_clear(&names);
    free(words);
    return 0;
}
