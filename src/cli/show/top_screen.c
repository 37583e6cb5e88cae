/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/top_screen.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "console/pager.h"
#include "console/stdout_error.h"

/* No cursor, and no line wrapping. */
#define OTHER_PAGE "\033[?1049h\033[?25l\033[?7l"
#define FIRST_PAGE "\033[?7h\033[?25h\033[?1049l"
#define TO_THE_TOP "\033[H"
#define REST_OF_LINE "\033[K"
#define REST_OF_PAGE "\033[J"

static void say(const char *bytes, size_t n)
{
    (void)fwrite(bytes, 1, n, stdout);
    (void)rln__flush_output();
}

static void take(const struct rln__screen *screen)
{
    struct termios keys = screen->before;

    keys.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    keys.c_lflag |= NOFLSH; /* or Ctrl-C may take back what is printed at the end */
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    if (screen->has_keys)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
    say(OTHER_PAGE, strlen(OTHER_PAGE));
}

static void give_back(const struct rln__screen *screen)
{
    say(FIRST_PAGE, strlen(FIRST_PAGE));
    if (screen->has_keys)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->before);
}

bool rln__screen_begin(struct rln__screen *screen)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
    sigset_t set;

    if (!rln__is_screen())
        return false;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        (void)sigaddset(&set, signals[i]);
    screen->signals = signalfd(-1, &set, SFD_CLOEXEC);
    if (screen->signals < 0 || sigprocmask(SIG_BLOCK, &set, NULL) < 0)
        return false;
    screen->has_keys = tcgetattr(STDIN_FILENO, &screen->before) == 0;
    take(screen);
    return true;
}

void rln__screen_end(struct rln__screen *screen)
{
    give_back(screen);
    (void)close(screen->signals);
}

struct rln__screen_size rln__screen_size(void)
{
    struct winsize size = {0};

    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return (struct rln__screen_size){
        .rows = size.ws_row ? size.ws_row : 24,
        .columns = size.ws_col ? size.ws_col : 80,
    };
}

void rln__screen_draw(struct rln__buf *lines)
{
    const size_t most = rln__screen_size().rows;
    struct rln__buf page = {0};
    const char *at = lines->bytes;
    const char *const end = at + lines->length;

    rln__buf_text(&page, TO_THE_TOP);
    for (size_t i = 0; i < most && at < end; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);

        if (i)
            rln__buf_text(&page, "\r\n");
        rln__buf_add(&page, at, length);
        rln__buf_text(&page, REST_OF_LINE);
        at += length + (stop != NULL);
    }
    rln__buf_text(&page, REST_OF_PAGE);
    say(page.bytes, page.length);
    rln__buf_clear(&page);
    rln__buf_clear(lines);
}

/* --- Waiting ---------------------------------------------------------------------- */

/* Stops as if there were no screen: where no shell could continue us, the kernel does
 * not stop us. */
static void stop(const struct rln__screen *screen)
{
    sigset_t set;

    give_back(screen);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTSTP);
    (void)raise(SIGTSTP);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    take(screen);
}

/* The request that a signal makes. */
static int heed(struct rln__screen *screen)
{
    struct signalfd_siginfo info;

    if (read(screen->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return RLN__SCREEN_ENDS;
    if (info.ssi_signo == SIGWINCH)
        return RLN__SCREEN_RESIZED;
    if (info.ssi_signo != SIGTSTP)
        return RLN__SCREEN_ENDS;
    stop(screen);
    return RLN__SCREEN_RESIZED;
}

static int read_key(void)
{
    unsigned char key;

    return read(STDIN_FILENO, &key, 1) == 1 ? key : RLN__SCREEN_ENDS;
}

int rln__screen_wait(struct rln__screen *screen, int64_t until_ns)
{
    struct pollfd sources[] = {
        {.fd = screen->signals, .events = POLLIN},
        {.fd = screen->has_keys ? STDIN_FILENO : -1, .events = POLLIN},
    };

    for (;;) {
        const int64_t left_ns = until_ns - rln__monotonic_ns();
        const int64_t left_ms = (left_ns + 999999) / 1000000;

        if (left_ns <= 0 || poll(sources, 2, left_ms > 1000 ? 1000 : (int)left_ms) < 0)
            return RLN__SCREEN_TIME_IS_UP;
        if (sources[0].revents)
            return heed(screen);
        if (sources[1].revents)
            return read_key();
    }
}
