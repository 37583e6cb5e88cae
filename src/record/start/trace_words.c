/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/trace_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/count.h"
#include "console/die.h"

/* What nsys can trace. The first three are recorded as GPU work: nsys has the hardware
 * write the times of kernels for "cuda-hw", for "cuda" where it can, and not for
 * "cuda-sw", which scripts for MIG, vGPU and WSL therefore ask for. */
enum { CUDA_WORDS = 3, GIL_WORD = CUDA_WORDS, MPI_WORD, NVTX_WORD };
static const char *const known[] = {
    "cuda",
    "cuda-hw",
    "cuda-sw",
    "python-gil",
    "mpi",
    "nvtx",
    "none",
    "cublas",
    "cublas-verbose",
    "cudla",
    "cudla-verbose",
    "cudnn",
    "cufile",
    "cusolver",
    "cusolver-verbose",
    "cusparse",
    "cusparse-verbose",
    "dx11",
    "dx11-annotations",
    "dx12",
    "dx12-annotations",
    "gds",
    "nccl",
    "nvvideo",
    "openacc",
    "opengl",
    "opengl-annotations",
    "openmp",
    "openxr",
    "openxr-annotations",
    "osrt",
    "oshmem",
    "syscall",
    "tegra-accelerators",
    "ucx",
    "vulkan",
    "vulkan-annotations",
    "wddm",
};

/* Notes what a word asks for; adds it to those that have no effect, with commas
 * between. */
static void read_word(const char *word, size_t length, struct rln__traced *traced,
                      struct rln__buf *ignored)
{
    size_t i = 0;

    while (i < RLN_COUNT(known) &&
           (strlen(known[i]) != length || strncmp(known[i], word, length) != 0))
        i++;
    if (i == RLN_COUNT(known)) {
        rln__complain("cannot record: trace=\"%.*s\": there is nothing of that name",
                      (int)length, word);
        rln__hint("use `-t nvtx` or, to record GPU work, too, `-t cuda,nvtx`");
        exit(RLN__EXIT_USAGE);
    }
    traced->gpu |= i < CUDA_WORDS;
    traced->python_gil |= i == GIL_WORD;
    traced->mpi |= i == MPI_WORD;
    if (strcmp(known[i], "none") == 0)
        rln__note("-t none has no effect: NVTX events are always recorded");
    else if (i > NVTX_WORD)
        rln__buf_format(ignored, "%s%s", ignored->length ? "," : "", known[i]);
}

struct rln__traced rln__trace_words(const struct rln__args *args, unsigned row)
{
    struct rln__traced traced = {0};
    struct rln__buf ignored = {0};
    const char *list;
    size_t at = 0;

    while ((list = rln__args_next(args, row, &at))) {
        while (*list) {
            const size_t length = strcspn(list, ",");

            if (length)
                read_word(list, length, &traced, &ignored);
            list += length + (list[length] == ',');
        }
    }
    if (ignored.length && !ignored.has_failed)
        rln__note("-t %s %s no effect: only NVTX events, GPU work, calls of MPI and "
                  "waits for Python's GIL are recorded",
                  ignored.bytes, strchr(ignored.bytes, ',') ? "have" : "has");
    rln__buf_clear(&ignored);
    return traced;
}
