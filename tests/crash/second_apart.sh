#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Three marks a second apart, then SIGKILL, without the launcher: printed one second
# apart within 0.1 %.   second_apart.sh BIN LIB FOLDER
set -u
bin=$1 lib=$2 trace=$3/second_apart.rln
rm -f "$trace"
NVTX_INJECTION64_PATH=$lib/librangeline-collect.so RANGELINE_OUTPUT=$trace \
    "$bin/second_apart"
[ $? -eq 137 ] || { echo "it did not die by SIGKILL"; exit 1; }
"$bin/rangeline" print --json "$trace" | awk -F'"t":' '
    /"type":"mark"/ && !/attach/ {
        split($2, field, ",")
        if (n++ && (field[1] - before < 999000000 || field[1] - before > 1001000000)) {
            print "apart: " field[1] - before " ns"
            failed = 1
        }
        before = field[1]
    }
    END { if (n != 3) print n + 0 " marks"; exit failed || n != 3 }'
