/* SPDX-License-Identifier: Apache-2.0 */
/* run_files.c - main() of a fuzzer without libFuzzer: runs the files named as
 * arguments, so that seeds and past crashes are ordinary tests with any compiler. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    uint8_t *data = size < 0 ? NULL : malloc((size_t)size + 1);
    int status = 1;

    if (data) {
        rewind(file);
        if (fread(data, 1, (size_t)size, file) == (size_t)size)
            status = LLVMFuzzerTestOneInput(data, (size_t)size);
    }
    if (status)
        (void)fprintf(stderr, "cannot run: path=\"%s\"\n", path);
    free(data);
    if (file)
        (void)fclose(file);
    return status;
}

int main(int argc, char **argv)
{
    int status = 0;

    for (int i = 1; i < argc; i++)
        status |= run_file(argv[i]);
    return status;
}
