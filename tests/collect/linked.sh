#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# linked.sh BUILD_DIR - a program linked with librangeline-collect.a records itself, with
# or without the launcher. same_trace.sh compares its events with an injected collector's.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=${NVTX_HEADERS_DIR:-$build/nvtx-headers}
work=$(mktemp -d "$build/tests/collect/linked.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
unset NVTX_INJECTION64_PATH RANGELINE_OUTPUT RANGELINE_RUN
cd "$work" || exit 1

if grep -q '^RLN_SANITIZE:[^=]*=.' "$build/CMakeCache.txt"; then
    echo "skipped: a program without the sanitizer cannot have this collector inside"
    exit 77
fi
collector="-Wl,-u,rln_linked_collector $build/lib/librangeline-collect.a -lpthread"
injected=$build/lib/librangeline-collect.so
include=$here/../../include

fail() {
    echo "$*"
    exit 1
}

# runs PUSHES NAME COMMAND...: makes one new trace NAME with that many pushes, and no
# other
runs() {
    n_pushes=$1 name=$2
    shift 2
    "$@" >output 2>&1 || fail "$name: $(cat output)"
    [ "$(find . -name '*.rln' | wc -l)" -eq 1 ] || fail "$name: not one trace: $(ls ./*.rln)"
    n_found=$("$build/bin/rangeline" print --json ./*.rln | grep -c '"type":"push"')
    [ "$n_found" -eq "$n_pushes" ] || fail "$name: $n_found pushes, not $n_pushes"
    rm -f ./*.rln
}

# A program and a library that it is linked with: two clients.
cat >unit.c <<'END'
#include <nvtx3/nvToolsExt.h>
void UNIT(void);
void UNIT(void)
{
    nvtxRangePushA("in a unit");
    nvtxRangePop();
}
END
cc -I"$include" -DUNIT=in_program -c unit.c -o unit.o || exit 1
cat >main.c <<'END'
void in_program(void);
void in_library(void);
int main(void)
{
    in_program();
    in_library();
    return 0;
}
END
library() { # NAME INCLUDE: the program NAME with a library that uses these headers
    cc -w "-I$2" -DUNIT=in_library -fPIC -shared unit.c -o "lib$1.so" -ldl ||
        exit 1
    # shellcheck disable=SC2086 # flags are words
    cc main.c unit.o "$work/lib$1.so" $collector -o "$1" -ldl || exit 1
}
library ours "$include"
runs 2 "program and library" ./ours
runs 2 "an injected collector, too" env NVTX_INJECTION64_PATH="$injected" ./ours
runs 2 "the launcher" "$build/bin/rangeline" profile -o launched ./ours
runs 2 "the name that is asked for" env RANGELINE_OUTPUT=named.rln ./ours
NVTX_INJECTION64_PATH=none ./ours || exit 1
[ "$(find . -name '*.rln')" = "" ] || fail "NVTX_INJECTION64_PATH=none: it records"
# NVIDIA's headers hide the variable, so such a library searches for its own collector.
for version in cu11 cu12 cu13; do
    file=$(find "$dir/$version" -path '*/nvtx3/nvToolsExt.h' 2>/dev/null | head -n 1)
    [ -n "$file" ] || { echo "skipped: $version: not in $dir"; exit 77; }
    library $version "${file%/nvtx3/nvToolsExt.h}"
    runs 1 "a library with the headers of $version" ./$version
    runs 2 "the same, injected" env NVTX_INJECTION64_PATH="$injected" ./$version
done

# Without a dynamic linker, only the collector inside can record.
echo 'void in_library(void); void in_library(void) {}' >nothing.c
# shellcheck disable=SC2086
if cc -static -I"$include" -DNVTX_SUPPORT_DYNAMIC_INJECTION_LIBRARY=0 \
    -DUNIT=in_program main.c nothing.c unit.c $collector -o static \
    2>static.err; then
    # The linker would warn if the program used dlopen().
    [ ! -s static.err ] || fail "statically linked: $(cat static.err)"
    runs 1 "statically linked" ./static
    runs 1 "statically linked, the launcher" \
        "$build/bin/rangeline" profile -o launched ./static
else
    echo "skipped: a statically linked program: there is no static libc"
    exit 77
fi
