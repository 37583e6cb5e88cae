/* SPDX-License-Identifier: Apache-2.0 */
#include "console/screenshot.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/percent.h"
#include "base/remove_tree.h"
#include "console/devtools.h"
#include "console/die.h"
#include "console/unfinished.h"

#define MOST_SECONDS 120

/* file:///tmp/page.html#t=0,10 */
static void put_url(struct rln__buf *out, const struct rln__screenshot *shot)
{
    char page[PATH_MAX]; /* TMPDIR may be relative */
    const char *path = realpath(shot->page, page) ? page : shot->page;

    rln__buf_text(out, "file://");
    rln__buf_percent(out, path, strlen(path), "/");
    rln__buf_format(out, "#%s", shot->address);
}

/* Asks with one parameter, a text. */
static const char *ask_with(struct rln__devtools *d, const char *method,
                            const char *key, const char *text, const char *more)
{
    struct rln__buf params = {0};
    const char *answer = NULL;

    rln__buf_format(&params, "{\"%s\":", key);
    rln__buf_json(&params, text, strlen(text));
    rln__buf_text(&params, more);
    rln__buf_char(&params, '\0');
    if (!params.has_failed)
        answer = rln__devtools_ask(d, method, params.bytes);
    rln__buf_clear(&params);
    return answer;
}

/* Whether the page was found: the answer has an error else, and loads another page. */
static bool navigate(struct rln__devtools *d, const char *url)
{
    const char *const answer = ask_with(d, "Page.navigate", "url", url, "}");
    size_t length;

    return answer && !rln__devtools_text(answer, "errorText", &length);
}

/* Goes on with a page of its own. */
static bool open_page(struct rln__devtools *d)
{
    char target[64];
    size_t length = 0;
    const char *text = rln__devtools_text(
        rln__devtools_ask(d, "Target.createTarget", "{\"url\":\"about:blank\"}"),
        "targetId", &length);

    if (!text || length >= sizeof(target))
        return false;
    (void)snprintf(target, sizeof(target), "%.*s", (int)length, text);
    text = rln__devtools_text(
        ask_with(d, "Target.attachToTarget", "targetId", target, ",\"flatten\":true}"),
        "sessionId", &length);
    if (!text || length >= sizeof(d->session))
        return false;
    (void)snprintf(d->session, sizeof(d->session), "%.*s", (int)length, text);
    return true;
}

static int digit_of(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

static void add_base64(struct rln__buf *out, const char *text, size_t length)
{
    uint32_t bits = 0;
    unsigned n_bits = 0;

    for (size_t i = 0; i < length && digit_of(text[i]) >= 0; i++) {
        bits = bits << 6 | (uint32_t)digit_of(text[i]);
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            rln__buf_char(out, (char)(bits >> n_bits));
        }
    }
}

static bool draw(struct rln__devtools *d, const struct rln__screenshot *shot,
                 struct rln__buf *out)
{
    struct rln__buf url = {0};
    char size[128];
    const char *data = NULL;
    size_t length = 0;
    bool is_there;

    (void)snprintf(size, sizeof(size),
                   "{\"width\":%u,\"height\":%u,\"deviceScaleFactor\":1,"
                   "\"mobile\":false}",
                   shot->width, shot->height);
    put_url(&url, shot);
    rln__buf_char(&url, '\0');
    is_there = !url.has_failed && open_page(d) &&
               rln__devtools_ask(d, "Emulation.setDeviceMetricsOverride", size) &&
               rln__devtools_ask(d, "Page.enable", "{}") && navigate(d, url.bytes) &&
               rln__devtools_wait(d, "Page.loadEventFired") &&
               ask_with(d, "Runtime.evaluate", "expression", shot->drawn,
                        ",\"awaitPromise\":true}");
    rln__buf_clear(&url);
    if (is_there)
        data = rln__devtools_text(
            rln__devtools_ask(d, "Page.captureScreenshot", "{\"format\":\"png\"}"),
            "data", &length);
    if (data)
        add_base64(out, data, length);
    return data && length;
}

void rln__screenshot(const struct rln__screenshot *shot, struct rln__buf *out)
{
    const char *const temporary = getenv("TMPDIR");
    char folder[PATH_MAX], reason[600];
    struct rln__devtools d;
    bool is_drawn = false;
    int error;

    (void)snprintf(folder, sizeof(folder), "%s/rangeline-XXXXXX",
                   temporary && temporary[0] ? temporary : "/tmp");
    rln__unfinished_begin(NULL);
    if (!mkdtemp(folder)) {
        (void)snprintf(reason, sizeof(reason), "%.400s: %s", folder, strerror(errno));
    } else {
        error = rln__devtools_start(&d, shot->browser, folder, MOST_SECONDS);
        is_drawn = !error && draw(&d, shot, out);
        if (error)
            (void)snprintf(reason, sizeof(reason), "%s", strerror(error));
        else
            rln__devtools_end(&d, folder, reason, sizeof(reason));
        rln__remove_tree(folder);
    }
    if (!is_drawn)
        (void)unlink(shot->page);
    rln__unfinished_is(NULL);
    if (!is_drawn)
        rln__die(RLN__EXIT_FAILED, "cannot draw picture: program=\"%s\": %s",
                 shot->browser, reason);
}
