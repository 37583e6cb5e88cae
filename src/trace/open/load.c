/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - opens traces: files, chunks, names and times. */
#include "trace/open/load.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/monotonic.h"
#include "format/attributes.h"
#include "format/gpu_schemas.h"
#include "import/import.h"
#include "trace/open/clock_tuples.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MOST_HELD 64u

/* --- Time ------------------------------------------------------------------------- */

static int is_same_boot(const struct rln__part *a, const struct rln__part *b)
{
    return a->super.boot_id[0] &&
           !memcmp(a->super.boot_id, b->super.boot_id, sizeof(a->super.boot_id));
}

uint32_t rln__clock_part(const struct rln__layout *layout, uint32_t part)
{
    uint32_t first = 0;

    while (first < part && !is_same_boot(&layout->parts[first], &layout->parts[part]))
        first++;
    return first;
}

/* What to add to the CLOCK_MONOTONIC of `part` to get the time since the first part
 * began. */
static int64_t offset_of(const struct rln__layout *layout, uint32_t part)
{
    const uint32_t clock = rln__clock_part(layout, part);
    const struct rln__clock_tuple *zero = &layout->parts[0].super.created[0];
    const struct rln__clock_tuple *own = &layout->parts[clock].super.created[0];

    if (clock == 0)
        return (int64_t)(0 - zero->monotonic_ns);
    return (int64_t)(own->realtime_ns - own->monotonic_ns - zero->realtime_ns);
}

/* Whether the part is of this machine's current boot. */
static int is_this_boot(const struct rln__part *part)
{
    char boot_id[sizeof(part->super.boot_id)] = {0};
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    int answer;

    if (fd < 0)
        return 0;
    answer =
        read(fd, boot_id, 36) == 36 && memcmp(boot_id, part->super.boot_id, 36) == 0;
    (void)close(fd);
    return answer;
}

int rln__reader_now(const rln_reader *r, int64_t *t_ns)
{
    if (r->layout.n_parts == 0 || !is_this_boot(&r->layout.parts[0]))
        return 0;
    *t_ns = (int64_t)(uint64_t)rln__monotonic_ns() + r->clock_fits[0].offset_ns;
    return 1;
}

/* The bytes of the trace alone decide, so that it reads the same each time: a clock
 * tuple of the reader's own would improve the rate of a short run, but differ at each
 * reading. */
static int build_clock_fit(rln_reader *r, uint32_t part,
                           struct rln__clock_tuple *tuples, size_t n)
{
    const struct rln__part *p = &r->layout.parts[part];

    if (rln__clock_fit_build(&r->clock_fits[part], tuples, n, p->super.ticks_per_s,
                             offset_of(&r->layout, part)))
        return -1;
    rln__clock_fit_shift(&r->clock_fits[part], &r->shifts[part]);
    return 0;
}

static rln_status build_clock_fits(rln_reader *r, rln_error *err)
{
    struct rln__clock_tuples tuples;
    int failed = rln__clock_tuples_gather(r, &tuples);

    for (uint32_t i = 0; i < r->layout.n_parts && !failed; i++)
        failed = build_clock_fit(r, i, tuples.all + tuples.begins[i], tuples.n[i]);
    rln__clock_tuples_clear(&tuples);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

/* --- Opening ---------------------------------------------------------------------- */

static rln_status add_threads(rln_reader *r, rln_error *err)
{
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk_info *c = &r->layout.chunks[i];
        uint32_t process;

        if (c->kind != RLN__CHUNK_EVENTS && c->kind != RLN__CHUNK_RING)
            continue;
        process = rln__names_process(&r->names, c->part, c->process);
        if (process == RLN__NONE ||
            rln__reader_thread(r, process, c->thread, c->tid) == RLN__NONE)
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

/* Adds the streams of GPUs: the scopes of the domain for GPU work. */
static rln_status add_streams(rln_reader *r, rln_error *err)
{
    struct rln__names *names = &r->names;

    for (size_t i = 0; i < names->registry.n_scopes; i++) {
        const struct rln__scope *scope = &names->registry.scopes[i];
        const uint32_t process = scope->from.process;
        int is_unknown;
        const uint32_t domain =
            rln__names_domain(names, process, scope->from.domain_id, &is_unknown);
        uint32_t thread;

        if (domain == RLN__NONE)
            return rln__fail_nomem(err);
        if (!rln__is_gpu_domain(
                rln__strings_get(&names->strings, names->domains[domain].name)))
            continue;
        thread = rln__reader_add_stream(r, process, i);
        if (thread == RLN__NONE)
            return rln__fail_nomem(err);
        r->threads[thread].system_name = rln__names_string(names, process, scope->path);
    }
    return RLN_OK;
}

/* How many files of a reader keep a descriptor, which makes reading them faster. */
static size_t most_held(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return 0;
    return limit.rlim_cur < 4 * MOST_HELD ? (size_t)limit.rlim_cur / 4 : MOST_HELD;
}

static rln_status open_files(rln_reader *r, const char *const *paths, size_t n_paths,
                             rln_error *err)
{
    const size_t n_held = most_held();

    r->files = rln__alloc(n_paths, sizeof(struct rln__input *));
    if (!r->files)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < n_paths; i++) {
        struct rln__input *file = rln__alloc(1, sizeof(*file));
        rln_status status;

        if (!file)
            return rln__fail_nomem(err);
        status = rln__import_open(file, paths[i], &r->damages, err);
        if (status) {
            rln__free(file);
            return status;
        }
        if (r->n_files >= n_held)
            rln__input_rest(file);
        r->files[r->n_files++] = file;
        r->names.cache_bytes_left += file->size * 8;
    }
    return RLN_OK;
}

/* Loads clock_fits, and what depends on them. */
static rln_status load_times(rln_reader *r, rln_error *err)
{
    rln_status status = build_clock_fits(r, err);

    if (!status)
        status = rln__overwritten_chunks_load(r, err);
    if (!status)
        status = rln__windows_load(&r->windows, &r->layout, r->clock_fits, err);
    return status;
}

static rln_status load(rln_reader *r, rln_error *err)
{
    rln_status status = rln__names_load(&r->names, &r->layout, err);

    if (!status)
        status = add_threads(r, err);
    if (!status)
        status = add_streams(r, err);
    if (!status)
        status = load_times(r, err);
    if (!status && r->selected < r->windows.n)
        r->span = rln__windows_span(&r->windows, r->selected);
    return status;
}

rln_status rln__reader_shift(rln_reader *r, const struct rln__shift *shifts,
                             rln_error *err)
{
    int is_same = 1;

    for (size_t i = 0; i < r->layout.n_parts; i++) {
        const struct rln__shift shift = shifts ? shifts[i] : (struct rln__shift){0};

        is_same = is_same && !memcmp(&r->shifts[i], &shift, sizeof(shift));
        r->shifts[i] = shift;
    }
    r->selected = RLN_ALL_WINDOWS;
    memset(&r->span, 0, sizeof(r->span));
    return is_same ? RLN_OK : load_times(r, err);
}

rln_status rln_reader_open(const char *const *paths, size_t n_paths, rln_reader **out,
                           rln_error *err)
{
    rln_reader *r; /* owned until it is handed to the caller */
    rln_status status;

    *out = NULL;
    if (n_paths == 0)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot open traces: no path");
    r = rln__alloc(1, sizeof(*r));
    if (!r)
        return rln__fail_nomem(err);
    r->selected = RLN_ALL_WINDOWS;
    status = rln__names_init(&r->names, err);
    if (!status)
        status = open_files(r, paths, n_paths, err);
    if (!status)
        status = rln__reader_find_layout(r, &r->layout, err);
    if (status)
        goto fail;
    r->clock_fits = rln__alloc(r->layout.n_parts, sizeof(*r->clock_fits));
    r->shifts = rln__alloc(r->layout.n_parts, sizeof(*r->shifts));
    status = r->clock_fits && r->shifts ? load(r, err) : rln__fail_nomem(err);
    if (status)
        goto fail;
    *out = r;
    return RLN_OK;

fail:
    rln_reader_close(r);
    return status;
}

void rln_reader_close(rln_reader *r)
{
    if (!r)
        return;
    for (size_t i = 0; r->clock_fits && i < r->layout.n_parts; i++)
        rln__clock_fit_clear(&r->clock_fits[i]);
    rln__free(r->clock_fits);
    rln__free(r->shifts);
    for (size_t i = 0; i < r->n_files; i++) {
        rln__input_close(r->files[i]);
        rln__free(r->files[i]);
    }
    rln__free(r->files);
    rln__damages_clear(&r->damages);
    rln__windows_clear(&r->windows);
    rln__overwritten_chunks_clear(&r->overwritten);
    rln__gpus_clear(&r->gpus);
    rln__layout_clear(&r->layout);
    rln__names_clear(&r->names);
    rln__decoder_clear(&r->attribute_decoder);
    rln__payload_segments_clear(&r->payload_segments);
    rln__map_clear(&r->threads_by_number);
    rln__free(r->threads);
    rln__free(r);
}

rln_status rln__reader_rename(rln_reader *r, const char *const *rules, size_t n_rules,
                              rln_error *err)
{
    struct rln__renaming renaming = {0};
    rln_status status = RLN_OK;

    if (r->names.renaming.n)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot rename: the reader already has rules");
    for (size_t i = 0; i < n_rules && !status; i++)
        status = rln__renaming_add(&renaming, rules[i], err);
    if (status) {
        rln__renaming_clear(&renaming);
        return status;
    }
    r->names.renaming = renaming;
    return rln__names_rename(&r->names) ? rln__fail_nomem(err) : RLN_OK;
}

rln_status rln__reader_refresh(rln_reader *r, rln_error *err)
{
    struct rln__layout layout = {0};
    struct rln__layout old = r->layout;
    rln_status status = rln__reader_find_layout(r, &layout, err);

    if (!status && layout.n_parts != old.n_parts)
        status = rln__fail(err, RLN_ERR_ARGUMENT, 0,
                           "cannot refresh: a part was appended; open the trace again");
    if (status) {
        rln__layout_clear(&layout);
        return status;
    }
    r->layout = layout;
    rln__layout_clear(&old);
    rln__names_forget_unknown(&r->names);
    r->n_futile = 0;
    return load(r, err);
}

const char *rln__reader_path(const rln_reader *r, size_t index)
{
    return index < r->n_files ? r->files[index]->path : NULL;
}

void rln__reader_set_jobs(rln_reader *reader, unsigned n_jobs)
{
    reader->n_jobs = n_jobs;
}

void rln__reader_set_progress(rln_reader *reader,
                              void (*progress)(void *context, double share),
                              void *context)
{
    reader->progress = progress;
    reader->progress_context = context;
    reader->n_chunks_begun = 0;
}
