/* SPDX-License-Identifier: Apache-2.0 */
/* titled.c HOW - gives its process a title and makes a range:
 *
 *     before    by overwriting its arguments, and then the range
 *     later     the other way round; it ends when the trace has the title
 *     domain    after it has created a domain, and before the range
 *     name      by naming its main thread
 *     plain     it gives none
 */
#include <nvtx3/nvToolsExt.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static void overwrite(char **argv, const char *title)
{
    char *end = argv[0];

    for (size_t i = 0; argv[i]; i++)
        end = argv[i] + strlen(argv[i]);
    memset(argv[0], 0, (size_t)(end - argv[0]));
    memcpy(argv[0], title, strlen(title));
}

static int trace_has(const char *text)
{
    static char bytes[1 << 22];
    const int fd = open(getenv("RANGELINE_OUTPUT"), O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof bytes);

    (void)close(fd);
    return n > 0 && memmem(bytes, (size_t)n, text, strlen(text));
}

int main(int argc, char **argv)
{
    const char how = argc > 1 ? argv[1][0] : 0;
    const time_t deadline = time(NULL) + 60;

    if (how == 'b')
        overwrite(argv, "serve: worker 0");
    if (how == 'd') {
        (void)nvtxDomainCreateA("domain");
        overwrite(argv, "serve: worker 2");
    }
    if (how == 'n')
        (void)prctl(PR_SET_NAME, "scheduler");
    nvtxRangePushA("work");
    nvtxRangePop();
    if (how == 'l')
        overwrite(argv, "serve: worker 1");
    while (how == 'l' && !trace_has("serve: worker 1") && time(NULL) < deadline)
        (void)usleep(10000);
    return 0;
}
