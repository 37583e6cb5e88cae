/* SPDX-License-Identifier: Apache-2.0 */
/* lifecycle.c - lets a process join the run, and a forked child join it again.
 *
 * No handler runs at fork. The child finds `rln__process_context` and its thread's
 * structure wiped, so its first event comes here, however the child was made. It gets
 * an index and blocks of its own, and keeps its parent's ids of names.
 */
#include "collect/process/lifecycle.h"

#include "collect/capture/capture.h"
#include "collect/capture/domain_filter.h"
#include "collect/event/block.h"
#include "collect/event/intern.h"
#include "collect/event/row_flags.h"
#include "collect/event/shared_chunk.h"
#include "collect/payload/schema.h"
#include "collect/process/attach_failure.h"
#include "collect/process/config.h"
#include "collect/ring/ring_buffer.h"
#include "format/job_variables.h"
#include "format/process_title.h"
#include "format/trace_path.h"
#include "format/windows.h"

struct rln__collector rln__collector;
uint32_t rln__default_is_excluded;

/* --- the file --------------------------------------------------------------------- */

static int create(struct rln__collector *c, const char *path,
                  enum rln__clock_kind clock)
{
    const int result = rln__file_create(&c->file, path, c->config.run_id, clock,
                                        RLN__FIRST_BLOCK_BYTES, c->config.buffer_bytes);

    if (result == 0)
        rln__gate_begin(c->file.super, rln__capture_first_gate(&c->config));
    return result;
}

/* Creates a file next to an existing one: NAME-<suffix>.rln, NAME-<suffix>-2.rln, ...
 */
static int create_beside(struct rln__collector *c, const char *suffix,
                         enum rln__clock_kind clock)
{
    static char path[RLN__MAX_PATH];
    char tail[128];
    int result = -EEXIST;

    for (unsigned n = 1; n < 100 && result == -EEXIST; n++) {
        size_t used = 0;

        tail[used++] = '-';
        for (size_t i = 0; suffix[i] && used < 80; i++)
            tail[used++] = suffix[i];
        tail[used] = 0;
        if (n > 1) {
            tail[used++] = '-';
            rln__path_decimal(tail + used, n);
        }
        if (!rln__config_path_with(path, c->config.path, tail))
            return -ENAMETOOLONG;
        if (c->config.has_run_id) {
            result = rln__file_join(&c->file, path, c->config.run_id);
            if (result == 0)
                break;
        }
        result = create(c, path, clock);
    }
    if (result == 0) {
        for (size_t i = 0; i < sizeof path; i++)
            c->config.path[i] = path[i];
    }
    return result;
}

static int create_beside_pid(struct rln__collector *c, enum rln__clock_kind clock)
{
    char pid[24];

    rln__path_decimal(pid, rln__sys_getpid());
    return create_beside(c, pid, clock);
}

/* Joins the launcher's trace. A process that may not open it, because the program has
 * dropped privileges, gets a file of its own, if it may create one in that folder. */
static int join(struct rln__collector *c, enum rln__clock_kind clock)
{
    const int failure = rln__file_join(&c->file, c->config.path, c->config.run_id);
    struct utsname host;
    int result = failure;

    if (failure == 0)
        return 0;
    if (failure == RLN__JOIN_ELSEWHERE)
        result =
            rln__sys_uname(&host) < 0 ? -EIO : create_beside(c, host.nodename, clock);
    else if (failure == RLN__JOIN_FOREIGN || failure == -EACCES || failure == -EPERM)
        result = create_beside_pid(c, clock);
    rln__attach_failure(&c->config, result ? RLN__ATTACH_OPEN : RLN__ATTACH_BESIDE,
                        failure, result ? NULL : c->config.path);
    return result;
}

static int open_file(struct rln__collector *c)
{
    enum rln__clock_kind clock = (enum rln__clock_kind)c->config.clock_kind;
    int result;

    if (!clock)
        clock = rln__clock_choose();
    if (c->config.has_run_id)
        return join(c, clock);
    result = create(c, c->config.path, clock);
    return result == -EEXIST ? create_beside_pid(c, clock) : result;
}

static struct rln__process_context *wiped_process(void)
{
    const size_t n_bytes =
        (sizeof(struct rln__process_context) + 65535) & ~(size_t)65535;
    struct rln__process_context *p = rln__sys_zeros(n_bytes);

    if (p && rln__sys_madvise(p, n_bytes, MADV_WIPEONFORK) < 0) {
        rln__sys_munmap(p, n_bytes);
        return NULL; /* a kernel before 4.14: a child would not notice the fork */
    }
    return p;
}

/* The unit for pauses: the ticks of 100 ms, or slightly fewer. If the clock does not
 * report its rate, it is estimated from two tuples, read one after the other. An
 * interruption while either was read would look like a faster clock, so this computes
 * the lowest rate that they allow. */
static uint64_t ticks_per_100_ms(const struct rln__superblock *s)
{
    static const uint64_t slowest = 100000000u; /* 1 GHz, for such counters */
    const struct rln__clock_tuple *a = &s->created[0], *b = &s->created[1];
    const uint64_t rate = s->ticks_per_s;
    const uint64_t ns = b->monotonic_ns - a->monotonic_ns;
    const uint64_t most_wrong = (a->uncertainty_ticks + b->uncertainty_ticks) / 2 + 1;
    uint64_t ticks = b->ticks - a->ticks;

    if (rate)
        return rate / 10;
    if (!ns || ticks <= most_wrong)
        return slowest;
    ticks = (ticks - most_wrong) * (100000000u / ns);
    return ticks > slowest ? ticks : slowest;
}

static void set_clock(struct rln__collector *c)
{
    const struct rln__superblock *s = c->file.super;

    c->has_counter = s->clock_kind != RLN__CLOCK_MONOTONIC_RAW;
    c->ticks_per_100_ms = ticks_per_100_ms(s);
}

int rln__trace_open(void)
{
    struct rln__collector *c = &rln__collector;

    if (!rln__config_read(&c->config))
        return 0;
    rln__flags_begin();
    c->process = wiped_process();
    if (!c->process)
        rln__attach_failure(&c->config, RLN__ATTACH_MEMORY, 0, NULL);
    if (!c->process || open_file(c) < 0)
        return 0;
    if (!rln__clock_is_allowed((enum rln__clock_kind)c->file.clock_kind)) {
        rln__attach_failure(&c->config, RLN__ATTACH_CLOCK, 0, NULL);
        rln__file_close(&c->file);
        return 0;
    }
    rln__file_hold_high(&c->file);
    rln__control = &c->file.super->control;
    rln__block_first(c->process);
    set_clock(c);
    rln__ring_buffer_limit(c);
    rln__small_payload_bytes = c->config.payload_bytes < RLN__SMALL_PAYLOAD_BYTES
                                   ? c->config.payload_bytes
                                   : RLN__SMALL_PAYLOAD_BYTES;
    rln__default_is_excluded = (uint32_t)rln__domain_is_excluded(NULL, 0);
    return 1;
}

/* --- the process ------------------------------------------------------------------ */

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

static size_t note_bytes(struct rln__process_context *p, const char *key,
                         const char *text, long n_bytes)
{
    if (n_bytes <= 0)
        return 0;
    rln__names_note(p, key, text, (size_t)n_bytes);
    return (size_t)n_bytes;
}

static void note_link(struct rln__process_context *p, const char *key, const char *path)
{
    char text[512];

    (void)note_bytes(p, key, text, rln__sys_readlink(path, text, sizeof text));
}

/* What was executed, and the title that the program has given itself by now. */
static void note_program(struct rln__process_context *p)
{
    char exe[512], command[RLN__TITLE_ARGUMENT_BYTES], name[16];
    struct rln__process_words words = {
        .executable = exe,
        .n_executable = note_bytes(
            p, "exe", exe, rln__sys_readlink("/proc/self/exe", exe, sizeof exe)),
        .arguments = command,
        .n_arguments =
            note_bytes(p, "command", command,
                       read_file("/proc/self/cmdline", command, sizeof command)),
        .name = name,
    };
    const long n_name = read_file("/proc/self/comm", name, sizeof name);
    const char *title;
    size_t n_title;

    words.n_name = n_name > 1 ? (size_t)n_name - 1 : 0; /* a new line follows it */
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
    note_program(p);
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
    r->flags = p->parent ? RLN__PROCESS_FORKED : 0;
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
