/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_request.c - parses arbitrary targets of requests to the viewer's server, and
 * checks that accepted values lie within their bounds. */
#include <stdlib.h>
#include <string.h>

#include "serve/foreign_pages.h"
#include "serve/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TOKEN "0123456789abcdef0123456789abcdef"

static int is_time(int64_t ns)
{
    return ns >= -RLN__MAX_TIME_NS && ns <= RLN__MAX_TIME_NS;
}

static void check(const struct rln__question *q)
{
    if (q->trace > 1 || q->n_rows > RLN__MAX_TILE_ROWS || q->pixels > RLN__MAX_PIXELS ||
        !is_time(q->from) || !is_time(q->to) || !is_time(q->start) ||
        !is_time(q->after) || q->from > q->to || q->text.length > RLN__MAX_TEXT_BYTES ||
        q->filter_name.length > RLN__MAX_TEXT_BYTES ||
        (q->kind == RLN__QUERY_TILE && q->pixels == 0))
        abort();
    for (size_t i = 0; i < q->n_rows; i++) {
        if (q->rows[i] == UINT32_MAX)
            abort();
    }
}

/* Prepends the token, unless the input begins with a slash: few inputs would guess it.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char front[] = "/" TOKEN "/";
    const int has_front = size && data[0] == '/';
    const size_t n_front = has_front ? 0 : strlen(front);
    char *target = malloc(n_front + size + 1);
    struct rln__request request;
    struct rln__caller caller = {.port = 80};

    if (!target)
        return 0;
    memcpy(target, front, n_front);
    memcpy(target + n_front, data, size);
    target[n_front + size] = 0;
    if (rln__request_parse(target, TOKEN, 2, &request) == 200)
        check(&request.question);
    rln__request_clear(&request);
    rln__callers_header(&caller, "Host", target);
    rln__callers_header(&caller, "Origin", target);
    rln__callers_header(&caller, "Accept-Encoding", target + n_front);
    free(target);
    return 0;
}
