/* SPDX-License-Identifier: Apache-2.0 */
/* test_nvtx_numbers.c - the constants of counters, times and memory equal those of the
 * client headers, which the reading side does not include. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NVTX_NO_IMPL
#include "format/nvtx_counter.h"
#include "format/nvtx_time.h"
#include "nvtx3/nvToolsExtCounters.h"
#include "nvtx3/nvToolsExtMem.h"
#include "nvtx3/nvToolsExtMemCudaRt.h"
#include "nvtx3/nvToolsExtSemanticsCounters.h"
#include "rangeline/values.h"

static void numbers_of_counters_are_nvtx_s(void **state)
{
    (void)state;
    assert_int_equal(RLN__COUNTER_NORMALIZE, NVTX_COUNTER_FLAG_NORMALIZE);
    assert_int_equal(RLN__COUNTER_LIMIT_MIN, NVTX_COUNTER_FLAG_LIMIT_MIN);
    assert_int_equal(RLN__COUNTER_LIMIT_MAX, NVTX_COUNTER_FLAG_LIMIT_MAX);
    assert_int_equal(RLN__COUNTER_VALUE_TYPE(NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE),
                     1 + RLN_VALUE_ABSOLUTE);
    assert_int_equal(RLN__COUNTER_VALUE_TYPE(NVTX_COUNTER_FLAG_VALUETYPE_DELTA),
                     1 + RLN_VALUE_DELTA);
    assert_int_equal(
        RLN__COUNTER_VALUE_TYPE(NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START),
        1 + RLN_VALUE_SINCE_START);
    assert_int_equal(RLN__COUNTER_INTERPOLATION(NVTX_COUNTER_FLAG_INTERPOLATION_POINT),
                     RLN_INTERPOLATION_POINT);
    assert_int_equal(
        RLN__COUNTER_INTERPOLATION(NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST),
        RLN_INTERPOLATION_SINCE_LAST);
    assert_int_equal(
        RLN__COUNTER_INTERPOLATION(NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT),
        RLN_INTERPOLATION_UNTIL_NEXT);
    assert_int_equal(RLN__COUNTER_INTERPOLATION(NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR),
                     RLN_INTERPOLATION_LINEAR);
    assert_int_equal(RLN__LIMIT_I64, NVTX_COUNTER_LIMIT_I64);
    assert_int_equal(RLN__LIMIT_U64, NVTX_COUNTER_LIMIT_U64);
    assert_int_equal(RLN__LIMIT_F64, NVTX_COUNTER_LIMIT_F64);
    assert_int_equal(RLN_NO_VALUE_ZERO, 1 + NVTX_COUNTER_SAMPLE_ZERO);
    assert_int_equal(RLN_NO_VALUE_UNCHANGED, 1 + NVTX_COUNTER_SAMPLE_UNCHANGED);
    assert_int_equal(RLN_NO_VALUE_UNAVAILABLE, 1 + NVTX_COUNTER_SAMPLE_UNAVAILABLE);
    assert_true(RLN__BATCH_BEGIN_INTERVAL ==
                NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR);
    assert_true(RLN__BATCH_END_INTERVAL ==
                NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR);
}

#define CLOCK(ours, theirs)                                                            \
    assert_int_equal(RLN__TIME_##ours, NVTX_TIMESTAMP_TYPE_##theirs)
#define EVENT(ours, theirs)                                                            \
    assert_int_equal(RLN__SCHEMA_EVENT(NVTX_PAYLOAD_SCHEMA_FLAG_##theirs),             \
                     RLN__SCHEMA_IS_##ours)

static void numbers_of_time_are_nvtx_s(void **state)
{
    (void)state;
    CLOCK(NONE, NONE);
    CLOCK(TOOL, TOOL_PROVIDED);
    CLOCK(TSC, CPU_TSC);
    CLOCK(TSC_PHYSICAL, CPU_TSC_NONVIRTUALIZED);
    CLOCK(REALTIME, CPU_CLOCK_GETTIME_REALTIME);
    CLOCK(REALTIME_COARSE, CPU_CLOCK_GETTIME_REALTIME_COARSE);
    CLOCK(MONOTONIC, CPU_CLOCK_GETTIME_MONOTONIC);
    CLOCK(MONOTONIC_RAW, CPU_CLOCK_GETTIME_MONOTONIC_RAW);
    CLOCK(MONOTONIC_COARSE, CPU_CLOCK_GETTIME_MONOTONIC_COARSE);
    CLOCK(BOOTTIME, CPU_CLOCK_GETTIME_BOOTTIME);
    CLOCK(C_TIME, C_TIME);
    CLOCK(TIMESPEC_GET, C_TIMESPEC_GET);
    CLOCK(STEADY_CLOCK, CPP_STEADY_CLOCK);
    CLOCK(HIGH_RESOLUTION_CLOCK, CPP_HIGH_RESOLUTION_CLOCK);
    CLOCK(SYSTEM_CLOCK, CPP_SYSTEM_CLOCK);
    CLOCK(UTC_CLOCK, CPP_UTC_CLOCK);
    CLOCK(TAI_CLOCK, CPP_TAI_CLOCK);
    CLOCK(GPS_CLOCK, CPP_GPS_CLOCK);
    assert_int_equal(RLN__TIMER_UNIX_EPOCH, NVTX_TIMER_START_UNIX_EPOCH);
    assert_int_equal(RLN__TIMER_WIN_FILETIME, NVTX_TIMER_START_WIN_FILETIME);
    assert_int_equal(RLN__FIRST_TIME_DOMAIN_ID, NVTX_TIME_DOMAIN_ID_STATIC_START);
    EVENT(COUNTERS, COUNTER_GROUP);
    EVENT(PUSHPOP, RANGE_PUSHPOP);
    EVENT(STARTEND, RANGE_STARTEND);
    EVENT(MARK, MARK);
    EVENT(PUSH, RANGE_PUSH);
    EVENT(POP, RANGE_POP);
    EVENT(START, RANGE_START);
    EVENT(END, RANGE_END);
    assert_int_equal(RLN__ENTRY_EVENT(NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN),
                     RLN__ENTRY_OF_BEGIN);
    assert_int_equal(RLN__ENTRY_EVENT(NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END),
                     RLN__ENTRY_OF_END);
    assert_int_equal(RLN__ENTRY_EVENT(NVTX_PAYLOAD_ENTRY_FLAG_MARK),
                     RLN__ENTRY_OF_MARK);
    assert_int_equal(RLN__ENTRY_EVENT(NVTX_PAYLOAD_ENTRY_FLAG_COUNTER),
                     RLN__ENTRY_OF_COUNTER);
}

#define CALL(ours, theirs)                                                             \
    assert_int_equal(RLN_MEMORY_##ours, NVTX3EXT_CBID_nvtxMem##theirs)

static void numbers_of_memory_calls_are_nvtx_s(void **state)
{
    (void)state;
    CALL(HEAP_REGISTER, HeapRegister);
    CALL(HEAP_UNREGISTER, HeapUnregister);
    CALL(HEAP_RESET, HeapReset);
    CALL(REGIONS_REGISTER, RegionsRegister);
    CALL(REGIONS_RESIZE, RegionsResize);
    CALL(REGIONS_UNREGISTER, RegionsUnregister);
    CALL(REGIONS_NAME, RegionsName);
    CALL(PERMISSIONS_ASSIGN, PermissionsAssign);
    CALL(PERMISSIONS_CREATE, PermissionsCreate);
    CALL(PERMISSIONS_DESTROY, PermissionsDestroy);
    CALL(PERMISSIONS_RESET, PermissionsReset);
    CALL(PERMISSIONS_BIND, PermissionsBind);
    CALL(PERMISSIONS_UNBIND, PermissionsUnbind);
    CALL(CUDA_PROCESS_WIDE, CudaGetProcessWidePermissions);
    CALL(CUDA_DEVICE_WIDE, CudaGetDeviceWidePermissions);
    CALL(CUDA_PEER_ACCESS, CudaSetPeerAccess);
    CALL(CUDA_MARK_INITIALIZED, CudaMarkInitialized);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_counters_are_nvtx_s),
        cmocka_unit_test(numbers_of_time_are_nvtx_s),
        cmocka_unit_test(numbers_of_memory_calls_are_nvtx_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
