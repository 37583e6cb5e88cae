/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/request.h"

#include <string.h>

/* Takes the same time however much of the token is right. */
static int has_token(const char *target, const char *token)
{
    unsigned differs = 0;

    if (strnlen(target, RLN__TOKEN_CHARS + 2) < RLN__TOKEN_CHARS + 2)
        return 0;
    for (size_t i = 0; i < RLN__TOKEN_CHARS; i++)
        differs |= (unsigned)(target[1 + i] ^ token[i]);
    return !differs && target[0] == '/' && target[1 + RLN__TOKEN_CHARS] == '/';
}

int rln__request_parse(const char *target, const char *token, unsigned n_traces,
                       struct rln__request *out)
{
    const char *path;
    size_t length;

    memset(out, 0, sizeof(*out));
    if (!has_token(target, token))
        return 404;
    path = target + 1 + RLN__TOKEN_CHARS + 1;
    if (path[0] >= '0' && path[0] <= '9' && path[1] == '/') {
        out->kind = RLN__REQUEST_QUESTION;
        return rln__question_parse(path, n_traces, &out->question);
    }
    if (strcmp(path, "events") == 0) {
        out->kind = RLN__REQUEST_EVENTS;
        return 200;
    }
    /* The page may have a query, which is ignored; a file may not. */
    length = path[0] == '?' ? 0 : strnlen(path, RLN__MAX_FILE_NAME + 1);
    if (length > RLN__MAX_FILE_NAME)
        return 404;
    memcpy(out->file, path, length);
    return 200;
}

void rln__request_clear(struct rln__request *request)
{
    rln__question_clear(&request->question);
}
