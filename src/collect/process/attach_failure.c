/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/attach_failure.h"

#include "collect/process/config.h"

static struct rln__attach_reports *attach(const struct rln__config *config)
{
    const char *text = rln__config_variable(RLN__REPORT_VARIABLE);
    struct rln__attach_reports *reports;
    long id = 0, address;

    if (!text || !*text || !config->has_run_id)
        return NULL;
    for (; *text >= '0' && *text <= '9' && id <= INT32_MAX; text++)
        id = id * 10 + (*text - '0');
    if (*text || id > INT32_MAX)
        return NULL;
    address = rln__sys3(SYS_shmat, id, 0, 0);
    if (address < 0 && address > -4096)
        return NULL;
    reports =
        (struct rln__attach_reports *)address; /* the launcher made it large enough */
    for (size_t i = 0; i < sizeof config->run_id; i++) {
        if (reports->run_id[i] == config->run_id[i])
            continue;
        rln__sys3(SYS_shmdt, address, 0, 0);
        return NULL;
    }
    return reports;
}

void rln__attach_failure(const struct rln__config *config, enum rln__attach_step step,
                         int error, const char *path)
{
    struct rln__attach_reports *reports = attach(config);
    struct rln__attach_report *r;
    uint32_t n;

    if (!reports)
        return;
    n = __atomic_fetch_add(&reports->n, 1, __ATOMIC_RELAXED);
    if (n < RLN__MAX_REPORTS) {
        r = &reports->entries[n];
        r->error = error < 0 && error > -4096 ? -error : 0;
        r->pid = rln__sys_getpid();
        r->uid = (uint32_t)rln__sys3(SYS_geteuid, 0, 0, 0);
        for (size_t i = 0; path && path[i] && i < sizeof r->path - 1; i++)
            r->path[i] = path[i];
        __atomic_store_n(&r->step, step, __ATOMIC_RELEASE);
    }
    rln__sys3(SYS_shmdt, (long)reports, 0, 0);
}
