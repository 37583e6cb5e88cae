/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/gpu_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "console/choices.h"
#include "console/die.h"
#include "record/start/collector_path.h"
#include "record/start/preload.h"

/* What the recorder reads, in a variable each. */
static const struct {
    unsigned row;
    const char *variable;
} passed[] = {
    {RLN__GPU_CUPTI, "RANGELINE_CUPTI"},
    {RLN__GPU_CUDA_API, "RANGELINE_CUDA_API"},
    {RLN__GPU_GRAPH_TRACE, "RANGELINE_CUDA_GRAPH_TRACE"},
    {RLN__GPU_FLUSH_INTERVAL, "RANGELINE_CUDA_FLUSH_INTERVAL"},
    {RLN__GPU_CUDA_OWN, "RANGELINE_CUDA_OWN"},
};

const char *rln__gpu_variable(size_t index)
{
    return index < RLN_COUNT(passed) ? passed[index].variable : NULL;
}

const char *rln__gpu_way_out(const char *name)
{
    return strcmp(name, "cuda-trace-all-apis") == 0 ? "use --cuda-api=all" : NULL;
}

/* A name without a folder is the loader's to find. */
static void check_cupti(const char *path)
{
    struct stat st;

    if (*path && !strchr(path, '/'))
        return;
    if (stat(path, &st))
        rln__complain("cannot record: cupti=\"%s\": %s", path, strerror(errno));
    else if (S_ISREG(st.st_mode))
        return;
    else
        rln__complain("cannot record: cupti=\"%s\": not a file", path);
    rln__hint("without --cupti, the program's own CUPTI is used");
    exit(RLN__EXIT_USAGE);
}

static void check_flush_interval(const struct rln__args *args, unsigned row)
{
    enum { LEAST_MS = 10, MOST_MS = 3600000 };
    const uint64_t ms = rln__args_count(args, row);

    if (ms >= LEAST_MS && ms <= MOST_MS)
        return;
    rln__complain("cannot record: cuda-flush-interval=\"%s\": %s",
                  rln__args_text(args, row), ms < LEAST_MS ? "too small" : "too large");
    rln__hint("use %s; full buffers are written at once",
              args->command->options[row].range);
    exit(RLN__EXIT_USAGE);
}

/* Whether the first bytes of `text` are one of "a|b|c". */
static bool is_word_of(const char *words, const char *text, size_t length)
{
    char word[32];

    return snprintf(word, sizeof(word), "%.*s", (int)length, text) < 32 &&
           rln__is_choice(words, word);
}

/* "node" or "graph", and nsys's suffixes in any order. */
static bool is_graph_mode(const char *mode)
{
    size_t n = strcspn(mode, ":");

    if (!is_word_of("node|graph", mode, n))
        return false;
    for (mode += n; *mode == ':'; mode += n) {
        n = strcspn(++mode, ":");
        if (!is_word_of("host-only|host-and-device|nvtx-live|nvtx-precapture", mode, n))
            return false;
    }
    return true;
}

static void check_graph_trace(const char *mode)
{
    if (!is_graph_mode(mode)) {
        rln__complain("cannot record: cuda-graph-trace=\"%s\": not node or graph, with "
                      "suffixes of nsys",
                      mode);
        rln__hint("use --cuda-graph-trace=node or --cuda-graph-trace=graph");
        exit(RLN__EXIT_USAGE);
    }
    if (strstr(mode, "nvtx-precapture"))
        rln__note("nvtx-precapture has no effect: calls before a window are not "
                  "recorded");
}

static void note_unused(const struct rln__args *args, unsigned first)
{
    for (size_t i = 0; i < RLN_COUNT(passed); i++) {
        const unsigned row = first + passed[i].row;

        if (rln__args_has(args, row))
            rln__note("--%s has no effect without -t cuda",
                      args->command->options[row].name);
    }
}

/* The recorder has the same defaults. */
static void pass_given(const struct rln__args *args, unsigned first,
                       struct rln__variables *variables)
{
    for (size_t i = 0; i < RLN_COUNT(passed); i++) {
        const unsigned row = first + passed[i].row;

        if (rln__args_has(args, row))
            rln__variables_add(variables, passed[i].variable,
                               rln__args_text(args, row));
    }
}

/* A number of nvidia-smi, or the begin of a UUID, "GPU-8932f937". */
static bool is_gpu(const char *text, size_t length)
{
    const bool is_number = length && length < 5 && strspn(text, "0123456789") >= length;

    return is_number || (length > 4 && strncmp(text, "GPU-", 4) == 0);
}

static bool is_gpu_list(const char *list)
{
    for (;;) {
        const size_t length = strcspn(list, ",");

        if (!is_gpu(list, length))
            return false;
        if (!list[length])
            return true;
        list += length + 1;
    }
}

/* CUDA uses those before the first that is not valid, "-1". Its numbers are those of
 * nvidia-smi if all GPUs are alike or CUDA_DEVICE_ORDER is PCI_BUS_ID. NULL: none. */
static const char *visible_gpus(const struct rln__variables *variables,
                                bool inherits_environment)
{
    static char valid[1024];
    const char *list =
        rln__variables_find(variables, "CUDA_VISIBLE_DEVICES", inherits_environment);
    size_t n = 0;

    if (!list || strncmp(list, "MIG-", 4) == 0)
        return "all";
    for (;;) {
        size_t length;

        list += strspn(list, " ");
        length = strcspn(list, ", ");
        if (!is_gpu(list, length) || n + length + 2 > sizeof(valid))
            break;
        n += (size_t)snprintf(valid + n, sizeof(valid) - n, "%s%.*s", n ? "," : "",
                              (int)length, list);
        list += length;
        list += strspn(list, " ");
        if (*list++ != ',')
            break;
    }
    return n ? valid : NULL;
}

/* "nvml_metrics", or with the plugin's arguments, "nvml_metrics,-i100". */
static bool is_nvml_plugin(const char *plugin)
{
    static const char name[] = "nvml_metrics";

    return strcspn(plugin, ",") == sizeof(name) - 1 &&
           strncmp(plugin, name, sizeof(name) - 1) == 0;
}

const char *rln__gpu_metrics_request(const struct rln__args *args, unsigned first)
{
    const char *list = rln__args_text(args, first + RLN__GPU_METRICS);
    const char *plugin;
    size_t at = 0;

    if (!list)
        list = rln__args_text(args, first + RLN__GPU_METRICS_OLD);
    while (!list && (plugin = rln__args_next(args, first + RLN__GPU_PLUGINS, &at)))
        if (is_nvml_plugin(plugin))
            list = "all";
    return list;
}

static void note_plugins(const struct rln__args *args, unsigned first)
{
    const char *plugin;
    size_t at = 0;

    while ((plugin = rln__args_next(args, first + RLN__GPU_PLUGINS, &at)))
        if (!is_nvml_plugin(plugin))
            rln__note("--enable=%s has no effect: of nsys's plugins, only nvml_metrics "
                      "has one here",
                      plugin);
}

const char *rln__gpu_metrics_choice(const struct rln__args *args, unsigned first,
                                    const struct rln__variables *variables,
                                    bool inherits_environment, bool records_gpu)
{
    const char *list = rln__gpu_metrics_request(args, first);

    note_plugins(args, first);
    if (!list)
        list = records_gpu ? "cuda-visible" : "none";
    if (strcmp(list, "none") == 0)
        return NULL;
    if (strcmp(list, "cuda-visible") == 0) {
        list = visible_gpus(variables, inherits_environment);
        if (!list && rln__gpu_metrics_request(args, first))
            rln__note("GPUs are not sampled: CUDA_VISIBLE_DEVICES has none");
        return list;
    }
    if (strcmp(list, "all") == 0 || is_gpu_list(list))
        return list;
    rln__complain("cannot record: gpu-metrics-devices=\"%s\": not a list of GPUs",
                  list);
    rln__hint("use cuda-visible, all, none, or numbers of `nvidia-smi`, as 0,2");
    exit(RLN__EXIT_USAGE);
}

void rln__gpu_explain_none(void)
{
    /* Of Linux, of Jetson, of WSL. */
    static const char *const devices[] = {"/dev/nvidiactl", "/dev/nvgpu", "/dev/dxg"};

    for (size_t i = 0; i < RLN_COUNT(devices); i++) {
        if (access(devices[i], F_OK) == 0)
            return;
    }
    rln__hint("there is no NVIDIA GPU here, or no driver (/dev/nvidiactl); a container "
              "needs `--gpus all`");
}

struct rln__traced rln__gpu_variables(const struct rln__args *args, unsigned first,
                                      struct rln__variables *variables,
                                      bool inherits_environment, bool keeps_newest)
{
    static const char injection[] = "CUDA_INJECTION64_PATH";
    struct rln__traced traced;
    const char *given;

    check_graph_trace(rln__args_text(args, first + RLN__GPU_GRAPH_TRACE));
    traced = rln__trace_words(args, first + RLN__GPU_TRACE);
    if (traced.python_gil)
        rln__preload(variables, rln__gil_path(), inherits_environment);
    if (traced.mpi)
        rln__preload(variables, rln__mpi_path(), inherits_environment);
    if (!traced.gpu) {
        note_unused(args, first);
        return traced;
    }
    if (keeps_newest) {
        rln__complain("cannot record: trace=\"cuda\": --buffer cannot keep GPU work");
        rln__hint("leave out one of the two");
        exit(RLN__EXIT_USAGE);
    }
    if (rln__args_has(args, first + RLN__GPU_CUPTI))
        check_cupti(rln__args_text(args, first + RLN__GPU_CUPTI));
    check_flush_interval(args, first + RLN__GPU_FLUSH_INTERVAL);
    given = rln__variables_find(variables, injection, inherits_environment);
    if (given && *given && strcmp(given, rln__gpu_recorder_path()) != 0) {
        rln__note("GPU work is not recorded: %s=\"%s\" is another tool's", injection,
                  given);
        rln__hint("unset it, and record again");
        traced.gpu = false;
        return traced;
    }
    rln__variables_add(variables, injection, rln__gpu_recorder_path());
    pass_given(args, first, variables);
    return traced;
}
