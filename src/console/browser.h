/* SPDX-License-Identifier: Apache-2.0 */
/* browser.h - opens the user's browser, through files that only the user can read. */
#ifndef RLN_CONSOLE_BROWSER_H
#define RLN_CONSOLE_BROWSER_H

#include <stdbool.h>

/* Creates an empty file of mode 0600 with a new name, in XDG_RUNTIME_DIR if possible.
 * Ends the command on failure. Owned; free it with free(). */
char *rln__private_page(void);

/* Opens a file with the user's browser, without waiting for it. Returns whether there
 * is a screen and a program that does it. */
bool rln__open_browser(const char *path);

/* The same for an address with a secret. Words of a command are readable by every user
 * of the machine, so that the browser gets a private file that redirects to `address`.
 * Returns its path, owned, which the caller removes; NULL: no browser was opened. */
char *rln__open_browser_at(const char *address);

#endif
