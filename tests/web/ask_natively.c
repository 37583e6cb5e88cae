/* SPDX-License-Identifier: Apache-2.0 */
/* ask_natively.c FILE [COMPARED] - the reader of a page as a program: opens the file, a
 * trace or *.index, then reads all of it, then answers the questions that it reads, one
 * per line, those about two traces with the other one. Each answer, the first being that
 * of opening, is a line "STATUS BYTES", and the bytes. */
#include <stdio.h>
#include <string.h>

#include "web/page_reader.h"

static int give_argument(const char *text)
{
    const size_t n_bytes = strlen(text);
    char *argument = rln_page_argument(n_bytes);

    if (!argument)
        return -1;
    memcpy(argument, text, n_bytes);
    return 0;
}

/* A saved index is the argument itself. */
static int open_index(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *argument = NULL;
    long n_bytes = -1;

    if (file && !fseek(file, 0, SEEK_END) && (n_bytes = ftell(file)) >= 0)
        argument = rln_page_argument((size_t)n_bytes);
    if (argument) {
        rewind(file);
        if (fread(argument, 1, (size_t)n_bytes, file) != (size_t)n_bytes)
            argument = NULL;
    }
    if (file)
        (void)fclose(file);
    return argument ? rln_page_open_index() : 500;
}

static int is_index(const char *path)
{
    const size_t n = strlen(path);

    return n > 6 && strcmp(path + n - 6, ".index") == 0;
}

static int answer(int status)
{
    const size_t n_bytes = rln_page_answer_bytes();

    (void)printf("%d %zu\n", status, n_bytes);
    if (n_bytes)
        (void)fwrite(rln_page_answer(), 1, n_bytes, stdout);
    return fflush(stdout);
}

int main(int argc, char **argv)
{
    static char line[20000];
    int status;

    if (argc < 2 || argc > 3 || give_argument(argv[1]))
        return 2;
    status = is_index(argv[1]) ? open_index(argv[1]) : rln_page_open();
    if (status == 200 && argc == 3)
        status = give_argument(argv[2]) ? 500 : rln_page_compare();
    for (status = status == 200 ? 202 : status; status == 202;)
        status = rln_page_read();
    if (answer(status))
        return 1;
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (give_argument(line) || answer(rln_page_ask()))
            return 1;
    }
    rln_page_close();
    return 0;
}
