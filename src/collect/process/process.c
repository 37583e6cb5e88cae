/* SPDX-License-Identifier: Apache-2.0 */
/* process.c - lets a process join the run, and a forked child join it again.
 *
 * No handler runs at fork. The child finds `rln__process_context` and its thread's
 * structure wiped, so its first event comes here, however the child was made. It gets
 * an index and blocks of its own, and keeps its parent's ids of names.
 */
#include "collect/process/process.h"

#include "collect/event/ids.h"
#include "collect/event/shared_chunk.h"
#include "collect/process/config.h"
#include "format/job_variables.h"
#include "format/process_title.h"

static long read_file(const char *path, char *text, size_t size)
{
    const int fd = rln__sys_open(path, O_RDONLY | O_CLOEXEC, 0);
    long n_bytes;

    if (fd < 0)
        return fd;
    n_bytes = rln__sys_read(fd, text, size);
    rln__sys_close(fd);
    return n_bytes;
}

static void note_bytes(struct rln__process_context *p, const char *key,
                       const char *text, long n_bytes)
{
    if (n_bytes > 0)
        rln__names_note(p, key, text, (size_t)n_bytes);
}

static void note_link(struct rln__process_context *p, const char *key, const char *path)
{
    char text[512];

    note_bytes(p, key, text, rln__sys_readlink(path, text, sizeof text));
}

/* What was executed, and the title that the program has given itself by now; or only
 * the latter. */
static void note_program(struct rln__process_context *p, int is_title_only)
{
    char exe[512], command[RLN__TITLE_ARGUMENT_BYTES], name[16];
    const long n_exe = rln__sys_readlink("/proc/self/exe", exe, sizeof exe);
    const long n_command = read_file("/proc/self/cmdline", command, sizeof command);
    const long n_name = read_file("/proc/self/comm", name, sizeof name);
    const struct rln__process_words words = {
        .executable = exe,
        .n_executable = n_exe > 0 ? (size_t)n_exe : 0,
        .arguments = command,
        .n_arguments = n_command > 0 ? (size_t)n_command : 0,
        .name = name,
        .n_name = n_name > 1 ? (size_t)n_name - 1 : 0, /* a new line follows it */
    };
    const char *title;
    size_t n_title;

    if (!is_title_only) {
        note_bytes(p, "exe", exe, n_exe);
        note_bytes(p, "command", command, n_command);
    }
    title = rln__process_title(&words, &n_title);
    if (title)
        rln__names_note(p, "title", title, n_title);
}

static void note_directory(struct rln__process_context *p)
{
    char text[512];
    const long n_bytes = rln__sys_getcwd(text, sizeof text); /* includes the final 0 */

    if (n_bytes > 1)
        rln__names_note(p, "directory", text, (size_t)n_bytes - 1);
}

static void note_variables(struct rln__process_context *p)
{
    static const char *const names[] = {RLN__RANK_VARIABLES, RLN__JOB_VARIABLES};

    for (size_t i = 0; i < RLN_COUNT(names); i++) {
        const char *value = rln__config_variable(names[i]);
        size_t n_bytes = 0;

        while (value && value[n_bytes] && n_bytes < 64)
            n_bytes++;
        if (n_bytes)
            rln__names_note(p, names[i], value, n_bytes);
    }
}

/* When the kernel began the process, which executing a program does not change: field
 * 22, where the second ends in the last parenthesis. */
static void note_start(struct rln__process_context *p)
{
    char text[512];
    const long n_bytes = read_file("/proc/self/stat", text, sizeof text);
    long begin = n_bytes, end;

    while (begin > 0 && text[begin - 1] != ')')
        begin--;
    for (unsigned field = 2; field < 22 && begin < n_bytes; begin++)
        field += text[begin] == ' ';
    for (end = begin; end < n_bytes && text[end] >= '0' && text[end] <= '9';)
        end++;
    if (end > begin && end < n_bytes)
        rln__names_note(p, "start", text + begin, (size_t)(end - begin));
}

static void note_all(struct rln__process_context *p)
{
    note_program(p, 0);
    note_directory(p);
    note_link(p, "pid_namespace", "/proc/self/ns/pid");
    note_start(p);
    note_variables(p);
}

int rln__process_has_record(struct rln__process_context *p)
{
    const enum rln__clock_kind clock =
        (enum rln__clock_kind)rln__collector.file.clock_kind;
    struct rln__process_record *r, *none = NULL;
    uint64_t *second;

    if (__atomic_load_n(&p->record, __ATOMIC_ACQUIRE))
        return 1;
    r = (struct rln__process_record *)(void *)rln__names_take(p, RLN__PROCESS_WORDS);
    if (!r)
        return 0;
    rln__clock_read(clock, &r->clock[0]);
    r->clock[1] = r->clock[0];
    r->process = p->index;
    r->parent = p->parent;
    r->pid = p->pid;
    r->ppid = rln__sys_getppid();
    r->inherited_strings = p->inherited_strings;
    r->inherited_attributes = p->inherited_attributes;
    r->inherited_domains = p->inherited_domains;
    r->flags = (p->parent ? RLN__PROCESS_FORKED : 0) |
               (rln__collector.config.is_sampler ? RLN__PROCESS_SAMPLER : 0);
    if (!__atomic_compare_exchange_n(&p->record, &none, r, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED))
        return 1; /* another thread was faster; ours stays a hole */
    rln__count_early(p);
    rln__names_put(&r->word, RLN__SUB_PROCESS, RLN__PROCESS_WORDS);
    note_all(p);
    /* Writing the notes took long enough for a second reading of the clocks. */
    second = rln__names_take(p, 5);
    if (second) {
        rln__clock_read(clock, (struct rln__clock_tuple *)(void *)(second + 1));
        rln__names_put(second, RLN__SUB_CLOCK, 5);
    }
    return 1;
}

void rln__process_note_title(struct rln__process_context *p)
{
    if (!__atomic_load_n(&p->has_events, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&p->has_events, 1, __ATOMIC_RELAXED) &&
        __atomic_load_n(&p->record, __ATOMIC_ACQUIRE))
        note_program(p, 1);
}

static void set_up(struct rln__process_context *p)
{
    struct rln__collector *c = &rln__collector;

    p->parent = c->process_index; /* 0 in the process that opened the trace */
    rln__intern_limits(&p->inherited_strings, &p->inherited_attributes,
                       &p->inherited_domains);
    if (!p->parent)
        p->inherited_strings = p->inherited_attributes = p->inherited_domains = 0;
    p->pid = rln__sys_getpid();
    p->index = rln__file_next_process(&c->file);
    c->process_index = p->index;
}

int rln__is_vfork_child(struct rln__process_context *p)
{
    const uint32_t pid = rln__sys_getpid();

    if (pid == __atomic_load_n(&p->pid, __ATOMIC_RELAXED))
        return 0;
    if (rln__sys_getppid() == __atomic_load_n(&p->pid, __ATOMIC_RELAXED))
        return 1;
    /* A vfork child that is gone made the process's first event: correct the pid. */
    __atomic_store_n(&p->pid, pid, __ATOMIC_RELAXED);
    return 0;
}

struct rln__process_context *rln__process_ready(void)
{
    struct rln__process_context *p;

    /* NVTX's headers load a slot without ordering: another thread may call the callback
     * that we stored there before it sees our earlier stores. */
    while (__atomic_load_n(&rln__collector.state, __ATOMIC_ACQUIRE) != RLN__OPENED)
        rln__sys_yield();
    p = rln__collector.process;
    for (;;) {
        uint32_t unset = RLN__UNSET;
        const uint32_t state = __atomic_load_n(&p->state, __ATOMIC_ACQUIRE);

        if (RLN_LIKELY(state == RLN__READY))
            return p;
        if (state == RLN__UNSET &&
            __atomic_compare_exchange_n(&p->state, &unset, RLN__SETTING_UP, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            set_up(p);
            __atomic_store_n(&p->state, RLN__READY, __ATOMIC_RELEASE);
            return p;
        }
        rln__sys_yield();
    }
}
