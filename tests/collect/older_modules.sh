#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# older_modules.sh BUILD_DIR PROGRAM - memory calls of programs built with older headers
# are recorded; info and check print that extensions of an unknown layout are not.
set -eu
build=$1 program=$2
work=$(mktemp -d "$build/tests/collect/older.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
# An extension that nothing else of the program follows.
"$build/bin/rangeline" profile -o alone "$program" alone 2>&1 | sed 's/^\(rangeline: \).*alone.rln/\1alone.rln/; s/: [0-9].*events/: events/' >alone
"$build/bin/rangeline" info alone.rln | grep ^refused >>alone
diff -u - alone <<END
rangeline: alone.rln: events, 1 process, 0 threads
note: calls of NVTX's extensions were not recorded: extensions=1: their headers have an unknown layout
refused     1 extension of NVTX has headers of an unknown layout
END

NVTX_INJECTION64_PATH=$build/lib/librangeline-collect.so RANGELINE_OUTPUT=$work/t.rln \
    "$program"
rangeline=$build/bin/rangeline
{
    "$rangeline" print --json t.rln |
        sed -n 's/.*"operation":"\([a-z_]*\)","heap":\([0-9]*\).*"name":"\([^"]*\)".*/\1 \2 \3/p
            s/.*"operation":"\(heap_reset\)","heap":\([0-9]*\).*/\1 \2/p'
    "$rangeline" info t.rln | sed -n '/^refused/,+1p'
    "$rangeline" info --json t.rln | grep -o '"modules_refused":[0-9]*'
    "$rangeline" check t.rln | sed -n 's/process [0-9]*/process P/; s/^ *\(3 x .*\)/\1/p'
} >found
diff -u - found <<END
heap_register 1 2021
heap_reset 1
heap_register 2 2024
heap_reset 2
heap_register 3 segment 0
heap_reset 3
heap_register 4 today
heap_reset 4
refused     3 extensions of NVTX have headers of an unknown layout
              their calls are not recorded: build the program with other headers, such as those of \`rangeline --include-dir\`
"modules_refused":3
3 x  in process P: extensions have headers of an unknown layout: calls are not recorded
END
