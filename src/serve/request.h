/* SPDX-License-Identifier: Apache-2.0 */
/* request.h - the requests that a browser may make.
 *
 *   GET /TOKEN/                          the page
 *   GET /TOKEN/script                    a part of it: viewer_parts.h
 *   GET /TOKEN/events                    a stream of `changed` messages
 *   GET /TOKEN/0/tile?from=0&to=9&...    a question: query/question.h
 *
 * A request is refused before any work is done for it. Independent of any HTTP library.
 */
#ifndef RLN_SERVE_REQUEST_H
#define RLN_SERVE_REQUEST_H

#include "query/question.h"

#define RLN__TOKEN_CHARS 32u /* 128 bits in hexadecimal */
#define RLN__MAX_FILE_NAME 64u

enum rln__request_kind {
    RLN__REQUEST_FILE,
    RLN__REQUEST_EVENTS,
    RLN__REQUEST_QUESTION,
};

struct rln__request {
    enum rln__request_kind kind;
    char file[RLN__MAX_FILE_NAME + 1]; /* its name; "" is the page */
    struct rln__question question;     /* owned */
};

/* Returns the HTTP status: 200 and an owned request, or a refusal with nothing owned:
 * 404 (wrong token, or no such thing), or as rln__question_parse(). `target` is what
 * follows GET. */
int rln__request_parse(const char *target, const char *token, unsigned n_traces,
                       struct rln__request *out);
void rln__request_clear(struct rln__request *request);

#endif
