/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/program_cupti.h"
#include "gpu/activities.h"
#include "gpu/recording.h"

#include <dlfcn.h>
#include <pthread.h>

#define EXPORTED __attribute__((visibility("default")))

static const struct rln__cupti *ours; /* NULL: nothing is recorded */
/* Around all below. Nothing is flushed with it: that calls the program's callbacks,
 * which may wait for a lock of its own. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*subscribe_again)(void);
static rln__cupti_request *request;
static rln__cupti_complete *complete;
static uint64_t kinds; /* those that the program enabled, a bit each */

int rln__program_was_first(void)
{
    union {
        void *symbol;
        int (*call)(void);
    } is_in_use;

    is_in_use.symbol = dlsym(RTLD_DEFAULT, "rln_cuda_cupti_is_in_use");
    return is_in_use.symbol && is_in_use.call();
}

void rln__program_begin(const struct rln__cupti *cupti, int (*subscribe)(void))
{
    subscribe_again = subscribe;
    __atomic_store_n(&ours, cupti, __ATOMIC_RELEASE);
}

static const struct rln__cupti *recording_cupti(void)
{
    return rln__is_recording() ? __atomic_load_n(&ours, __ATOMIC_ACQUIRE) : NULL;
}

int rln__program_is_recording(void)
{
    int is_recording;

    (void)pthread_mutex_lock(&lock);
    is_recording = kinds != 0;
    (void)pthread_mutex_unlock(&lock);
    return is_recording;
}

EXPORTED int rln_gpu_register(int (*real)(rln__cupti_request *, rln__cupti_complete *),
                              rln__cupti_request *their_request,
                              rln__cupti_complete *their_complete)
{
    const struct rln__cupti *cupti = recording_cupti();

    if (!cupti || real != cupti->register_buffers || !their_request || !their_complete)
        return real(their_request, their_complete);
    (void)pthread_mutex_lock(&lock);
    request = their_request;
    complete = their_complete;
    if (kinds)
        rln__recording_lend(request, complete, kinds);
    (void)pthread_mutex_unlock(&lock);
    return real(rln__on_request, rln__on_complete);
}

/* What CUPTI has not handed over by then has no times afterwards. */
EXPORTED int rln_gpu_set_clock(int (*real)(rln__cupti_clock *), rln__cupti_clock *now)
{
    const struct rln__cupti *cupti = recording_cupti();
    int result;

    if (!cupti || real != cupti->set_clock)
        return real(now);
    (void)cupti->flush(0);
    rln__recording_set_clock(now); /* records may come before `real` returns */
    result = real(now);
    if (result)
        rln__recording_set_clock(NULL);
    return result;
}

static uint64_t bit_of(int kind)
{
    return kind >= 0 && kind < 64 ? UINT64_C(1) << kind : 0;
}

EXPORTED int rln_gpu_enable(int (*real)(int), int kind)
{
    const struct rln__cupti *cupti = recording_cupti();
    int result;

    if (!cupti || real != cupti->enable)
        return real(kind);
    if (!rln__program_is_recording())
        (void)cupti->flush(0); /* what is complete by now is ours alone */
    (void)pthread_mutex_lock(&lock);
    if (!kinds && request)
        rln__activities_disable(cupti);
    result = real(kind);
    if (!result && request) {
        kinds |= bit_of(kind);
        rln__recording_lend(request, complete, kinds);
    }
    if (!kinds && request) /* it failed */
        (void)rln__activities_enable(cupti);
    (void)pthread_mutex_unlock(&lock);
    return result;
}

EXPORTED int rln_gpu_disable(int (*real)(int), int kind)
{
    const struct rln__cupti *cupti = recording_cupti();
    int had_any, result;

    if (!cupti || real != cupti->disable)
        return real(kind);
    (void)pthread_mutex_lock(&lock);
    had_any = kinds != 0;
    result = real(kind);
    kinds &= ~bit_of(kind);
    if (had_any && !kinds) {
        rln__recording_take_back();
        (void)rln__activities_enable(cupti);
    }
    (void)pthread_mutex_unlock(&lock);
    return result;
}

/* It takes all subscriptions, callbacks and activities away. */
EXPORTED int rln_gpu_finalize(int (*real)(void))
{
    const struct rln__cupti *cupti = recording_cupti();
    int result;

    if (!cupti)
        return real();
    (void)pthread_mutex_lock(&lock);
    result = real();
    kinds = 0;
    rln__recording_take_back();
    if (subscribe_again())
        rln__recording_note_finalized(
            "nodes of CUDA graphs after the program's cuptiFinalize()");
    if (cupti->register_buffers(rln__on_request, rln__on_complete) ||
        rln__activities_enable(cupti))
        rln__recording_note_finalized("GPU work after the program's cuptiFinalize()");
    (void)pthread_mutex_unlock(&lock);
    return result;
}
