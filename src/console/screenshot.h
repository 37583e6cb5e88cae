/* SPDX-License-Identifier: Apache-2.0 */
/* screenshot.h - draws a page with a browser that shows no window.
 *
 *     page.html --> Chromium (devtools.h) --> the bytes of a PNG
 */
#ifndef RLN_CONSOLE_SCREENSHOT_H
#define RLN_CONSOLE_SCREENSHOT_H

#include "base/buf.h"

struct rln__screenshot {
    const char *browser; /* path */
    const char *page;    /* path */
    const char *address; /* of what the page shows: what comes after #; may be "" */
    const char *drawn;   /* an expression in JavaScript: a promise that is kept once all
                            is drawn */
    unsigned width, height;
};

/* Appends the picture, a PNG, to *out. Ends the command on failure, after it has
 * removed the page. Signals that end the command wait meanwhile. */
void rln__screenshot(const struct rln__screenshot *shot, struct rln__buf *out);

#endif
