#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same_trace.sh BUILD_DIR - a source gives the same trace with every copy of the headers
# and every way of attaching. UPDATE=1 writes the expected traces, from our headers.
#
# core_calls.c and cpp_calls.cpp of tests/compat, which make every call of the core, are
# compiled with our headers and with those of NVIDIA's releases, as C and as C++; so are
# says_*.c, which use every construct of the extensions, as C, and
# cpp_extension_calls.cpp, each with the first release that supports it. Each is
# recorded with the collector injected, linked in, and both at once.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
ours=$here/../../include
dir=${NVTX_HEADERS_DIR:-$build/nvtx-headers}
work=$(mktemp -d "$build/tests/collect/same.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n_compared=0
mkdir "$work/injected" "$work/linked"
unset NVTX_INJECTION64_PATH RANGELINE_OUTPUT RANGELINE_RUN

injected=$build/lib/librangeline-collect.so
linked="-x none -Wl,-u,rln_linked_collector $build/lib/librangeline-collect.a -lpthread"
ways="injected linked both"
# Linking the collector would require linking a sanitizer, too.
! grep -q '^RLN_SANITIZE:[^=]*=.' "$build/CMakeCache.txt" || ways=injected

run() { # WAY: the program, in an empty folder, into t.rln
    program=$work/$1/calls
    [ "$1" != both ] || program=$work/linked/calls
    rm -rf "$work/run"
    mkdir "$work/run"
    cd "$work/run" || exit 1
    case $1 in
    linked) RANGELINE_OUTPUT=t.rln "$program" ;;
    *) NVTX_INJECTION64_PATH=$injected RANGELINE_OUTPUT=t.rln "$program" ;;
    esac >"$work/stdout" || exit 1
    [ "$(ls)" = t.rln ] || {
        echo "not one trace: $source, $name, $1: $(ls)"
        exit 1
    }
}

record() { # NAME SOURCE COMPILE...
    name=$1 source=$2 file=$here/$2
    expected=$here/same_trace.$source.expected
    shift 2
    [ -e "$file" ] || file=$here/../compat/$source
    "$@" "$file" -o "$work/injected/calls" -ldl || exit 1
    # shellcheck disable=SC2086 # flags are words
    case $ways in
    *linked*) "$@" "$file" -o "$work/linked/calls" $linked -ldl || exit 1 ;;
    esac
    for way in $ways; do
        run "$way"
        "$build/bin/rangeline" print --json t.rln >"$work/json" || exit 1
        awk -f "$here/normalize.awk" "$work/json" >"$work/trace"
        [ -z "${UPDATE:-}" ] || cp "$work/trace" "$expected"
        UPDATE=
        [ -e "$work/$source.stdout" ] || cp "$work/stdout" "$work/$source.stdout"
        diff -u "$expected" "$work/trace" || {
            echo "another trace: $source, $name, $way"
            exit 1
        }
        diff -u "$work/$source.stdout" "$work/stdout" || exit 1
        n_compared=$((n_compared + 1))
    done
}

update=${UPDATE:-}
record ours-c core_calls.c cc -std=c11 "-I$ours"
record ours-c++ core_calls.c c++ -std=c++17 -x c++ "-I$ours"
UPDATE=$update
record ours cpp_calls.cpp c++ -std=c++17 "-I$ours"
UPDATE=$update
record ours cpp_extension_calls.cpp c++ -std=c++17 "-I$ours"
foreign=-I$here/../compat/foreign
for says in payloads counters deferred objects; do
    UPDATE=$update
    record ours says_$says.c cc -std=gnu11 -Wall -Wextra "-I$ours" "$foreign"
done
for version in cu11 cu12 cu13 cu135; do
    file=$(find "$dir/$version" -path '*/nvtx3/nvToolsExt.h' 2>/dev/null | head -n 1)
    if [ -z "$file" ]; then
        echo "skipped: NVIDIA's headers $version are not in $dir:" \
            "run tools/fetch_nvtx_headers $dir"
        exit 77
    fi
    include=${file%/nvtx3/nvToolsExt.h}
    [ $version != cu135 ] || {
        record $version cpp_extension_calls.cpp c++ -std=c++17 -w "-I$include"
        continue
    }
    record $version-c core_calls.c cc -std=gnu11 -w "-I$include"
    record $version-c++ core_calls.c c++ -std=c++17 -w -x c++ "-I$include"
    [ ! -e "$include/nvtx3/nvtx3.hpp" ] ||
        record $version cpp_calls.cpp c++ -std=c++17 -w "-I$include"
    [ $version != cu13 ] ||
        for says in payloads counters deferred objects; do
            record $version says_$says.c cc -std=gnu11 -w "-I$include" "$foreign"
        done
done
echo "$n_compared recordings, one trace of each source"
