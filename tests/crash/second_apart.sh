#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# second_apart.sh BIN LIB FOLDER - of three marks a second apart before a SIGKILL, without
# the launcher, the printed distances match the clock within 0.1 %.
set -u
bin=$1 lib=$2 trace=$3/second_apart.rln
rm -f "$trace"
NVTX_INJECTION64_PATH=$lib/librangeline-collect.so RANGELINE_OUTPUT=$trace \
    "$bin/second_apart"
[ $? -eq 137 ] || { echo "it did not die by SIGKILL"; exit 1; }
"$bin/rangeline" print --json "$trace" | awk '
    function number(key) {
        match($0, "\"" key "\":[0-9]+")
        return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
    }
    /"message":"mark"/ {
        t = number("t")
        clock = number("payload")
        apart = t - t_before
        should_be = clock - clock_before
        if (n++ && (apart < should_be * 0.999 || apart > should_be * 1.001)) {
            print "apart: " apart " ns, by the clock " should_be " ns"
            failed = 1
        }
        t_before = t
        clock_before = clock
    }
    END { if (n != 3) print n + 0 " marks"; exit failed || n != 3 }'
