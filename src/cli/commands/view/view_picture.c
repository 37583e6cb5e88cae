/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/view/view_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/inputs/input_traces.h"
#include "console/devtools.h"
#include "console/die.h"
#include "console/ends_with.h"
#include "console/screenshot.h"
#include "console/written.h"
#include "output/output.h"

#define LEAST 100u
#define MOST 8000u

/* The page says when it has drawn. Then its buttons go, and a frame after it has drawn
 * again it is on the screen. It is painted again then: edges of what was painted over
 * differ by a shade, depending on when. */
#define DRAWN                                                                          \
    "new Promise((done) => { const { style } = document.documentElement, "             \
    "later = (what) => requestAnimationFrame(() => requestAnimationFrame(what)), "     \
    "show = () => { style.visibility = ''; later(done); }, "                           \
    "hide = () => { style.visibility = 'hidden'; later(show); }, "                     \
    "look = (then) => document.querySelector('#pictures[aria-busy=false]') ? "         \
    "then() : setTimeout(look, 10, then); "                                            \
    "look(() => { rangeline.setBare(true); look(() => later(hide)); }); })"

static void check_size(struct rln__view_picture *picture)
{
    int end = 0;

    if (sscanf(picture->size, "%5ux%5u%n", &picture->width, &picture->height, &end) ==
            2 &&
        picture->size[end] == '\0' && picture->width >= LEAST &&
        picture->width <= MOST && picture->height >= LEAST && picture->height <= MOST)
        return;
    rln__complain("cannot draw picture: size=\"%s\": not WIDTHxHEIGHT in pixels, each "
                  "%u to %u",
                  picture->size, LEAST, MOST);
    rln__hint("for example 1200x600");
    exit(RLN__EXIT_USAGE);
}

static void open_output(const struct rln__view_picture *picture,
                        struct rln__output *output)
{
    rln_error err = {0};

    rln__die_if(rln__output_open(output, picture->path, picture->may_replace,
                                 RLN__OUTPUT_STREAM, &err),
                &err);
}

void rln__view_picture_check(struct rln__view_picture *picture)
{
    struct rln__output output;

    check_size(picture);
    if (strcmp(picture->path, "-") != 0 && !rln__ends_with(picture->path, ".png")) {
        rln__complain("cannot draw picture: path=\"%s\": pictures are PNG",
                      picture->path);
        rln__hint("give it a name that ends in .png");
        exit(RLN__EXIT_USAGE);
    }
    if (!rln__devtools_find(picture->browser)) {
        rln__complain("cannot draw picture: PATH has no Chromium, Chrome or Edge");
        rln__hint(
            "install chromium, or write a page with --html and open it elsewhere");
        exit(RLN__EXIT_FAILED);
    }
    open_output(picture, &output);
    rln__output_clear(&output);
}

/* What comes after # in the browser's line, which may be given whole. */
static const char *shown_at(const char *address)
{
    const char *const hash = strchr(address, '#');

    return hash ? hash + 1 : address;
}

void rln__view_picture_write(const struct rln__view_picture *picture, const char *page)
{
    const struct rln__screenshot shot = {
        .browser = picture->browser,
        .page = page,
        .drawn = DRAWN,
        .address = shown_at(picture->address),
        .width = picture->width,
        .height = picture->height,
    };
    struct rln__output output;
    struct rln__buf drawn = {0};
    rln_error err = {0};
    rln_status status;

    rln__screenshot(&shot, &drawn);
    (void)unlink(page);
    open_output(picture, &output);
    rln__buf_add(&output.buf, drawn.bytes, drawn.length);
    rln__buf_clear(&drawn);
    status = rln__output_end(&output, &err);
    rln__output_clear(&output);
    rln__die_if(status, &err);
    rln__written_note(picture->path);
}
