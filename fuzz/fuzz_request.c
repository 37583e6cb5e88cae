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

static void check(const struct rln__request *r)
{
    if (r->trace > 1 || r->n_rows > RLN__MAX_TILE_ROWS || r->pixels > RLN__MAX_PIXELS ||
        !is_time(r->from) || !is_time(r->to) || !is_time(r->start) ||
        !is_time(r->after) || r->from > r->to || r->text.length > RLN__MAX_TEXT_BYTES ||
        r->filter_name.length > RLN__MAX_TEXT_BYTES ||
        (r->question == RLN__QUERY_TILE && r->pixels == 0))
        abort();
    for (size_t i = 0; i < r->n_rows; i++) {
        if (r->rows[i] == UINT32_MAX)
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
        check(&request);
    rln__request_clear(&request);
    rln__callers_header(&caller, "Host", target);
    rln__callers_header(&caller, "Origin", target);
    free(target);
    return 0;
}
