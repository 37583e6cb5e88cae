/* SPDX-License-Identifier: Apache-2.0 */
/* view_picture.h - `rangeline view --picture`: a picture of the page, in a file. */
#ifndef RLN_CLI_COMMANDS_VIEW_PICTURE_H
#define RLN_CLI_COMMANDS_VIEW_PICTURE_H

#include <limits.h>
#include <stdbool.h>

struct rln__view_picture {
    const char *path; /* of the picture; - is standard output */
    const char *size; /* "1200x600" */
    const char *address;
    bool may_replace;
    char browser[PATH_MAX];
    unsigned width, height; /* of `size` */
};

/* Ends the command if the picture cannot be drawn: checks what can be known before the
 * page is written. */
void rln__view_picture_check(struct rln__view_picture *picture);

/* Draws the page in a file, and removes it. */
void rln__view_picture_write(const struct rln__view_picture *picture, const char *page);

#endif
