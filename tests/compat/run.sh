#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR - compares our NVTX headers with themselves and with NVIDIA's.
#
# *_calls.c, which make every call, are built with each copy of the headers, in each
# language, by each compiler, and run without a tool and with the toy tool attached in
# every way. Output and callback log must equal the expected files here, byte for byte.
#
#   CC, CXX            the compilers; without them cc and c++, and clang if there is one
#   NVTX_HEADERS_DIR   holds cu11, cu12, cu13 (tools/fetch_nvtx_headers); without them
#                      the comparisons are skipped and the exit status is 77
#   COMPAT_QUICK=1     one compiler, NVIDIA's newest release, the strictest C and C++
#   COMPAT_UPDATE=1    write the expected files again, from our header
#
# Ends with `N passed, N failed, N skipped`; exits 1 if anything failed.
# shellcheck disable=SC2034,SC2154 # dir_VERSION and include are read and set by eval
set -u

[ $# -eq 1 ] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
ours=$(cd "$here/../../include" && pwd) || exit 2
mkdir -p "$1" || exit 2
build=$(cd "$1" && pwd)
cd "$build" || exit 2
unset NVTX_INJECTION64_PATH NVTX_INJECTION32_PATH TOY_LOG TOY_DECLINE TOY_DELAY_MS \
    TOY_ONLY_CORE TOY_EXT_DECLINE TOY_NO_IS_ENABLED

n_passed=0 n_failed=0 n_skipped=0
pass() { n_passed=$((n_passed + 1)); }
fail() { n_failed=$((n_failed + 1)); echo "FAILED: $*"; }
skip() { n_skipped=$((n_skipped + 1)); echo "skipped: $*"; }

# check NAME COMMAND...: passes if the command succeeds, shows its output if not.
check() {
    name=$1
    shift
    if "$@" >check.out 2>&1; then
        pass
    else
        fail "$name"
        sed 's/^/    /' check.out | head -n 20
    fi
}

# same NAME EXPECTED FILE: passes if both files have the same contents.
same() { check "$1 is not $(basename "$2")" diff -u "$2" "$3"; }

case $(uname -m) in
*64* | s390x) path_variable=NVTX_INJECTION64_PATH ;;
*) path_variable=NVTX_INJECTION32_PATH ;;
esac
with_tool() { # PATH COMMAND...
    tool=$1
    shift
    env "$path_variable=$tool" "$@"
}

# ---- Compilers and headers -----------------------------------------------------------

cc=${CC:-cc} cxx=${CXX:-c++}
compilers="$cc|$cxx"
if [ -n "${CC:-}${COMPAT_QUICK:-}" ]; then
    :
elif command -v clang >/dev/null && command -v clang++ >/dev/null; then
    compilers="$compilers clang|clang++"
else
    skip "second compiler: clang and clang++ are not installed"
fi

headers="ours"
releases="cu11 cu12 cu13"
[ -z "${COMPAT_QUICK:-}" ] || releases=cu13
for version in $releases; do
    file=$(find "${NVTX_HEADERS_DIR:-/nonexistent}/$version" \
        -path '*/nvtx3/nvToolsExt.h' 2>/dev/null | head -n 1)
    if [ -n "$file" ]; then
        eval "dir_$version=\${file%/nvtx3/nvToolsExt.h}"
        headers="$headers $version"
    else
        skip "NVIDIA's headers $version: not in" \
            "NVTX_HEADERS_DIR=${NVTX_HEADERS_DIR:-} (run tools/fetch_nvtx_headers DIR)"
    fi
done
dir_ours=$ours

strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

# compile CC LANGUAGE HEADERS ARGUMENTS...: ignores warnings of NVIDIA's headers. The C
# of cu11 and cu12 needs GNU's dialect (`inline` in C90, PATH_MAX).
compile() {
    compile_with=$1 standard=$2 from=$3
    shift 3
    eval "include=\$dir_$from"
    case $from-$standard in
    *-c++*) set -- -x c++ "$@" ;;
    cu1[12]-c*) standard=gnu${standard#c} ;;
    # cu13's definition for C lacks a parenthesis.
    cu13-c*) set -- '-DNVTX_POINTER_AS_PAYLOAD_ULLVALUE(p)=((uint64_t)(uintptr_t)(p))' \
        "$@" ;;
    esac
    # Our headers do not need those of CUDA and OpenCL.
    if [ "$from" = ours ]; then
        warnings=$strict
    else
        warnings=-I$here/foreign
    fi
    "$compile_with" "-std=$standard" $warnings "-I$include" "$@"
}

tool_flags="-std=c11 $strict -I$ours"
check "toy tool does not build" "$cc" $tool_flags -shared -fPIC "$here"/toy_*.c \
    -o toy_tool.so -ldl
for file in "$here"/toy_*.c; do
    check "toy tool does not build for static linking" "$cc" $tool_flags -DTOY_STATIC \
        -c "$file" -o "static_$(basename "$file" .c).o"
done
check "do-nothing tool does not build" "$cc" $tool_flags -O2 -shared -fPIC \
    "$here/noop_tool.c" -o noop_tool.so
if [ $n_failed -ne 0 ]; then
    echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
    exit 1
fi

# ---- The same calls, however built ---------------------------------------------------

programs="core naming payload memory helper"

# The headers that have the program's calls.
headers_of() { # PROGRAM
    case $1 in
    core | naming) echo "$headers" ;;
    *) for which in $headers; do
        case $which in ours | cu13) echo "$which" ;; esac
    done ;;
    esac
}

# Older languages lack variadic macros.
languages_of() { # PROGRAM
    case $1${COMPAT_QUICK:+, quick} in
    "helper, quick") echo c99 c++11 ;;
    *quick) echo c90 c++98 ;;
    helper) echo c99 c11 c++11 c++20 ;;
    *) echo c90 c11 c++98 c++11 c++20 ;;
    esac
}

if [ "${COMPAT_UPDATE:-}" = 1 ]; then
    for program in $programs; do
        calls=$here/${program}_calls
        compile "$cc" c99 ours "$calls.c" -o update -ldl || exit 1
        rm -f update.log
        ./update >"$calls.none.stdout" || exit 1
        TOY_LOG=update.log with_tool "$build/toy_tool.so" ./update \
            >"$calls.toy.stdout" || exit 1
        cp update.log "$calls.toy.log"
    done
    echo "expected files written: read their diff before you commit them"
fi

# run NAME COMMAND...: its output goes to BINARY.out, its log to BINARY.log.
# like_expected compares them or, without an expected file, like_first.
run() {
    way=$1
    shift
    rm -f "$binary.log"
    TOY_LOG="$binary.log" "$@" >"$binary.out"
}

like_expected() { # EXPECTED: none or toy
    same "$binary, $way: output" "$calls.$1.stdout" "$binary.out"
    case $1 in
    none) check "$binary, $way: has a log" test ! -e "$binary.log" ;;
    *) same "$binary, $way: log" "$calls.$1.log" "$binary.log" ;;
    esac
}

like_first() { # compares with the first binary's output and log, from our headers
    reference=first_$program-$(echo "$way" | tr -c 'a-z\n' _)
    if [ "$is_first" = 1 ]; then
        cp "$binary.out" "$reference.out"
        cp "$binary.log" "$reference.log" 2>/dev/null || : >"$reference.log"
    fi
    [ -e "$binary.log" ] || : >"$binary.log"
    same "$binary, $way: output" "$reference.out" "$binary.out"
    same "$binary, $way: log" "$reference.log" "$binary.log"
}

run_all_ways() { # the program $binary, and $binary.static with the toy tool inside
    run "no tool" "./$binary"
    like_expected none
    run "toy tool" with_tool "$build/toy_tool.so" "./$binary"
    like_expected toy
    run "linked toy tool" "./$binary.static"
    like_expected toy
    run "path to nowhere" with_tool "$build/no such file.so" "./$binary"
    like_expected none
    run "path to nowhere rules out the linked tool" \
        with_tool "$build/no such file.so" "./$binary.static"
    like_expected none
    run "path to no library" with_tool "$here/run.sh" "./$binary"
    like_expected none
    run "declining tool" env TOY_DECLINE=1 "$path_variable=$build/toy_tool.so" \
        "./$binary"
    like_first
    run "do-nothing tool" with_tool "$build/noop_tool.so" "./$binary"
    check "$binary, do-nothing tool: output" grep -q '^# done' "$binary.out"
    case $program in core | naming) return ;; esac
    like_first # a tool that knows no extensions
    run "tool that declines extensions" env TOY_EXT_DECLINE=1 \
        "$path_variable=$build/toy_tool.so" "./$binary"
    like_first
    run "tool that leaves a slot alone" env TOY_NO_IS_ENABLED=1 \
        "$path_variable=$build/toy_tool.so" "./$binary"
    like_first
}

for program in $programs; do
    calls=$here/${program}_calls
    is_first=1
    for pair in $compilers; do
        for language in $(languages_of $program); do
            case $language in
            c++*) compiler=${pair#*|} ;;
            *) compiler=${pair%|*} ;;
            esac
            for which in $(headers_of $program); do
                # For older releases, the oldest languages and the newest are enough.
                case $which-$language in cu1[12]-c*11) continue ;; esac
                binary=${program}_calls-$(basename "$compiler")-$language-$which
                if compile "$compiler" $language $which -O2 -c "$calls.c" \
                    -o "$binary.o" >compile.out 2>&1 &&
                    "$compiler" "$binary.o" -o "$binary" -ldl &&
                    "$compiler" "$binary.o" static_toy_*.o -o "$binary.static" -ldl; then
                    run_all_ways
                else
                    fail "$binary does not build"
                    head -n 20 compile.out
                fi
                is_first=0
            done
        done
    done
done
check "declining tool: not its slots alone are filled" \
    test "$(grep -vc '^module' first_core-declining_tool.log)" -eq 1
check "tool without extensions: nvtxDomainIsEnabled is not 1" \
    grep -q 'IsEnabled (first) = 0x0000000000000001' \
    first_payload-do_nothing_tool.out

# ---- Linker names --------------------------------------------------------------------

# Symbols that one object file shares with others of the program.
global_names() { nm "$1" | awk '$(NF - 1) ~ /^[A-TV-Zuvw]$/ {print $NF}' | sort -u; }
defined_names() {
    nm "$1" | awk '$(NF - 1) ~ /^[A-TV-Zuv]$/ && NF == 3 {print $NF}' | sort -u
}

no_common_names() { # OURS THEIRS
    defined_names "$1" | grep -v '^main$' >names.ours
    global_names "$2" | grep -v '^main$' >names.theirs
    if ! [ -s names.ours ] || ! [ -s names.theirs ]; then
        echo "no names at all"
        return 1
    fi
    ! comm -12 names.ours names.theirs | grep .
}

only_our_names() {
    ! defined_names "$1" | grep -v -e '^main$' -e '^rln__nvtx3_'
}

nothing_of_nvtx() { # no undefined names; optimized, none but main at all
    nm "$1" >names.disabled
    if grep ' U ' names.disabled | grep -v -e 'printf$' -e '_GLOBAL_OFFSET_TABLE_$' \
        -e ' puts$' -e ' putchar$' -e ' mem[a-z]*$' -e '__stack_chk_fail$'; then
        return 1
    fi
    ! defined_names "$1" | grep -i -e '^nvtx' -e Injection
}

check_names() { # OBJECT LANGUAGE COMPILER OPTIMIZATION
    for which in $(headers_of $program); do
        compile "$3" "$2" $which "$4" -c "$calls.c" -o "$1-$which.o" 2>/dev/null ||
            fail "$1-$which does not build"
        if [ $which = ours ]; then
            check "$1: a name of ours is not one of rln__nvtx3_*" \
                only_our_names "$1-ours.o"
        else
            check "$1: a name in common with $which" \
                no_common_names "$1-ours.o" "$1-$which.o"
        fi
    done
    check "$1: does not build with NVTX_DISABLE" \
        compile "$3" "$2" ours "$4" -DNVTX_DISABLE -c "$calls.c" -o "$1-disabled.o"
    check "$1: NVTX_DISABLE leaves names" nothing_of_nvtx "$1-disabled.o"
    if [ "$4" = -O2 ]; then
        check "$1: NVTX_DISABLE leaves local names" \
            sh -c "! nm '$1-disabled.o' | grep -i -e ' nvtx' -e rln__"
    fi
    "$3" "$1-disabled.o" -o "$1-disabled" &&
        TOY_LOG=disabled.log with_tool "$build/toy_tool.so" "./$1-disabled" >"$1.out"
    same "$1: NVTX_DISABLE: output" "$calls.none.stdout" "$1.out"
}

for program in $programs; do
    calls=$here/${program}_calls
    for pair in $compilers; do
        for language in c99 c++11; do
            case $language in
            c++*) compiler=${pair#*|} ;;
            *) compiler=${pair%|*} ;;
            esac
            for optimisation in -O0 -O2; do
                check_names "names-$program-$(basename "$compiler")-$language$optimisation" \
                    $language "$compiler" $optimisation
            done
        done
    done
done

# ---- One client in each linkage unit -------------------------------------------------

unit() { # NAME COMPILER LANGUAGE HEADERS FLAGS...
    unit=$1
    shift
    check "unit $unit does not build" compile "$@" -O1 "-DUNIT=$unit" -c \
        "$here/unit.c" -o "unit_$unit.o"
}

last=${compilers##* } # mixes compilers if there are two
case $headers in # mixes headers where there are others with extensions
*cu13*) other=cu13 n_clients=4 ;;
*) other=ours n_clients=3 ;;
esac
unit c_one "$cc" c90 ours
unit c_two "${last%|*}" c11 ours
unit cxx_one "$cxx" c++98 ours
unit cxx_two "${last#*|}" c++20 ours
unit other_headers "$cc" c11 $other
unit library_one "$cc" c90 ours -fPIC
unit library_two "$cxx" c++98 ours -fPIC
unit their_library "$cxx" c++98 $other -fPIC
check "shared library does not link" "$cxx" -shared unit_library_one.o \
    unit_library_two.o -o libunits.so -ldl
check "shared library of other headers does not link" "$cxx" -shared \
    unit_their_library.o -o libtheirs.so -ldl
"$cc" -std=c11 -c "$here/units_main.c" -o units_main.o
check "program of many units does not link" "$cxx" units_main.o unit_c_one.o \
    unit_c_two.o unit_cxx_one.o unit_cxx_two.o unit_other_headers.o \
    "$build/libunits.so" "$build/libtheirs.so" -o units -ldl
rm -f units.log
TOY_LOG=units.log with_tool "$build/toy_tool.so" ./units
is_said() { # TIMES PATTERN
    times=$(grep -c "$2" units.log)
    check "units: \"$2\" $times times, not $1" test "$times" -eq "$1"
}
is_said $n_clients '^attach'
is_said $n_clients '^extension 2' # the payload module of each client
is_said $n_clients '^extension 4' # counters
is_said 8 '^RangePushA'
is_said 8 '^RangePop .*-> 0'
is_said 8 '^MarkPayload'
is_said 8 '^CounterSampleInt64'
is_said 8 '^DomainSyncUserDestroy'
check "units: something is exported" \
    sh -c "! nm -D --defined-only libunits.so units | grep -i nvtx | grep -v _fnptr"

# ---- What only ours does -------------------------------------------------------------

for pair in $compilers; do
    for language in c99 c++11; do
        case $language in
        c++*) compiler=${pair#*|} ;;
        *) compiler=${pair%|*} ;;
        esac
        what=ours_only-$(basename "$compiler")-$language
        check "$what does not build" compile "$compiler" $language ours \
            "$here/ours_only.c" -o "$what" -ldl
        check "$what: a claim is not so" "./$what"
    done
done

# ---- Two copies in one file ----------------------------------------------------------

both_copies() { # NAME COMPILER LANGUAGE FLAGS...
    what="both copies, $1"
    shift
    check "$what: does not build" \
        "$@" "-I$here/foreign" "$here/both_copies.c" -o both_copies -ldl
    rm -f both_copies.log
    TOY_LOG=both_copies.log with_tool "$build/toy_tool.so" ./both_copies
    check "$what: not one client" \
        test "$(grep -c ^attach both_copies.log)" -eq 1
    check "$what: a call is not recorded" \
        test "$(grep -c -e MarkPayload -e CounterSampleInt64 -e MemHeapReset \
            -e NameCudaDeviceA -e DomainSyncUserDestroy -e RangePushA both_copies.log)" \
        -eq 6
}

case $headers in
*cu13*)
    for language in c11 c++11; do
        # -w: NVIDIA's copy defines a few macros again.
        both_copies "$language, ours first" "$cc" -x "${language%11}" -std=$language -w \
            "-DFIRST=$ours/nvtx3" "-DSECOND=$dir_cu13/nvtx3"
        both_copies "$language, theirs first" "$cc" -x "${language%11}" -std=$language \
            -Werror "-DFIRST=$dir_cu13/nvtx3" "-DSECOND=$ours/nvtx3"
    done
    ;;
*) skip "both copies in one file: there is only ours" ;;
esac

# ---- Functions in a library of their own ---------------------------------------------

check "NVTX_EXPORT_API does not build" "$cc" -std=c90 $strict "-I$ours" -shared -fPIC \
    "$here/../../src/interop/nvtx3interop.c" -o libexported.so -ldl
for program in $programs; do
    calls=$here/${program}_calls
    binary=${program}_calls-no-impl
    check "NVTX_NO_IMPL: $program does not build" compile "$cc" c99 ours \
        -DNVTX_NO_IMPL "$calls.c" "$build/libexported.so" -o "$binary"
    run "NVTX_NO_IMPL" with_tool "$build/toy_tool.so" "./$binary"
    like_expected toy
    check "NVTX_NO_IMPL: $program defines a function of NVTX" \
        sh -c "! nm '$binary' | grep -E ' [^U] (nvtx|rln__)'"
done

# ---- The writer's headers ------------------------------------------------------------

# Each alone, in each language.
for header in "$ours"/nvtxw3/*.h; do
    header=${header#"$ours"/}
    printf '#include <%s>\nint writes(void) { return NVTXW_INTERFACE_VERSION; }\n' \
        "$header" >writer_header.c
    for pair in $compilers; do
        for language in c90 c11 c++98 c++11 c++20; do
            case $language in c++*) with=${pair#*|} ;; *) with=${pair%|*} ;; esac
            check "$header: $with, $language" compile "$with" $language ours \
                -c writer_header.c -o writer_header.o
        done
    done
done

# ---- Other machines, other settings --------------------------------------------------

# Identifiers that programs may define themselves, as macros and as names of <elf.h>.
for header in "$ours"/nvtx3/*.h "$ours"/nvtxw3/*.h; do
    header=${header#"$ours"/}
    printf '#include <%s>\nenum elf { ET_NONE, PT_LOAD, EM_CUDA };\n' "$header" \
        >enum_names.c
    for word in CORE CORE2 CUDA CUDART OPENCL SYNC MEM PAYLOAD COUNTERS; do
        check "$header, -D$word" cc "-I$ours" "-D$word" -c enum_names.c -o words.o
    done
done
printf '#include <nvtx3/nvToolsExtOpenCL.h>\ncl_only_here there;\n' >enum_names.c
check "types of OpenCL, where its headers are" \
    cc "-I$here/../../include" "-I$here/foreign" -c enum_names.c -o words.o

if [ -n "${COMPAT_QUICK:-}" ]; then
    :
elif ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip "aarch64: aarch64-linux-gnu-gcc is not installed"
elif ! command -v qemu-aarch64 >/dev/null; then
    skip "aarch64: qemu-aarch64 is not installed"
else
    check "toy tool does not build for aarch64" aarch64-linux-gnu-gcc $tool_flags \
        -shared -fPIC "$here"/toy_*.c -o toy_tool-aarch64.so -ldl
    for program in $programs; do
        calls=$here/${program}_calls
        binary=${program}_calls-aarch64
        check "$binary does not build" compile aarch64-linux-gnu-gcc c99 ours -O2 \
            "$calls.c" -o "$binary" -ldl
        run "toy tool" env NVTX_INJECTION64_PATH="$build/toy_tool-aarch64.so" \
            qemu-aarch64 -L /usr/aarch64-linux-gnu "./$binary"
        like_expected toy
    done
fi
check "UNICODE: names without A or W are not the wide ones" compile "$cc" c90 ours \
    -DUNICODE -x c - -o unicode -ldl <<'END'
#include <nvtx3/nvToolsExt.h>
int main(void)
{
    const nvtxDomainHandle_t domain = nvtxDomainCreate(L"domain");
    nvtxMark(L"mark");
    nvtxRangeEnd(nvtxRangeStart(L"start"));
    nvtxNameCategory(1, L"category");
    nvtxNameOsThread(1, L"thread");
    nvtxDomainNameCategory(domain, 1, L"category");
    return nvtxDomainRegisterString(domain, L"string") || nvtxRangePush(L"push") >= 0;
}
END
system_header() { # COMPILER FLAGS...: no warning about our headers
    "$@" -Werror -DNVTX_AS_SYSTEM_HEADER "-I$ours" -fsyntax-only -x c - <<'END'
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtPayloadHelper.h>
#include <nvtx3/nvToolsExtSync.h>
int main(void);
int main(void)
{
    nvtxMarkA("x");
    nvtxDomainSyncUserDestroy(NULL);
    return 0;
}
END
}
# Without that, the warnings that careful C++ projects enable. Our casts are for C.
cat >careful.cpp <<'END'
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvToolsExtSync.h>
int main()
{
    nvtxMarkA("x");
    nvtxMemHeapReset(nullptr, NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE);
    nvtxMemPermissionsReset(nullptr, NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL);
}
END
for pair in $compilers; do
    check "careful C++: warnings of ${pair#*|}" compile "${pair#*|}" c++17 ours \
        -Wold-style-cast -Wzero-as-null-pointer-constant -Wsign-conversion -Wcast-qual \
        -Wcast-align -Wundef -Wdouble-promotion careful.cpp -o careful -ldl
done
check "NVTX_AS_SYSTEM_HEADER: warnings of $cc" system_header "$cc" -std=c90 -Wall -Wextra \
    -Wpedantic -Wconversion -Wshadow -Wcast-qual -Wcast-align -Wundef -Wbad-function-cast
if [ "${compilers##* }" != "$compilers" ]; then
    check "NVTX_AS_SYSTEM_HEADER: warnings of clang" system_header clang -std=c90 \
        -Weverything -Wno-declaration-after-statement
fi
for switch in ENV_VARS DYNAMIC_INJECTION_LIBRARY STATIC_INJECTION_LIBRARY \
    CUDA_DRIVER_INJECTION_LIBRARY; do
    check "NVTX_SUPPORT_$switch=0 does not build" compile "$cxx" c++11 ours \
        "-DNVTX_SUPPORT_$switch=0" "$here/payload_calls.c" -o payload_calls-switch -ldl
    check "NVTX_SUPPORT_$switch=0 does not run" ./payload_calls-switch
done
check "NVTX_SUPPORT_*=0 does not build" compile "$cc" c90 ours \
    -DNVTX_SUPPORT_ENV_VARS=0 -DNVTX_SUPPORT_STATIC_INJECTION_LIBRARY=0 \
    "$here/core_calls.c" -o core_calls-no-tool -ldl
TOY_LOG=no-tool.log with_tool "$build/toy_tool.so" ./core_calls-no-tool >no-tool.out
same "NVTX_SUPPORT_ENV_VARS=0: output" "$here/core_calls.none.stdout" no-tool.out

# ---- A tool in the CUDA driver -------------------------------------------------------

# Root's announcement would be in /run, so these run as another user, in a folder that
# everyone can read.
if [ "$(id -u)" != 0 ]; then
    unprivileged=
elif command -v setpriv >/dev/null; then
    unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
    unprivileged=none
fi
if [ "$unprivileged" = none ]; then
    skip "tool in the CUDA driver: we are root, and setpriv is not installed"
elif [ -e /run/nvidia/nvtx/nvtx-cuda.yaml ]; then
    skip "tool in the CUDA driver: there is a real one"
else
    public=$(mktemp -d)
    trap 'rm -rf "$public"' EXIT
    mkdir -p "$public/driver" "$public/runtime/nvidia/nvtx" "$public/log"
    chmod 755 "$public"
    chmod 777 "$public/log"
    : >"$public/runtime/nvidia/nvtx/nvtx-cuda.yaml"
    check "driver does not build" "$cc" $tool_flags -shared -fPIC "$here"/toy_*.c \
        "$here/cuda_driver.c" -o "$public/driver/libcuda.so.1" -ldl
    for program in core payload; do
        calls=$here/${program}_calls
        binary=$public/log/$program
        compile "$cc" c99 ours "$calls.c" -o "$public/$program" -ldl
        announced="env XDG_RUNTIME_DIR=$public/runtime LD_LIBRARY_PATH=$public/driver"
        run "driver has the tool" $unprivileged $announced "$public/$program"
        like_expected toy
        run "not announced" $unprivileged env XDG_RUNTIME_DIR="$public" \
            LD_LIBRARY_PATH="$public/driver" "$public/$program"
        like_expected none
        run "announced, no driver" $unprivileged env XDG_RUNTIME_DIR="$public/runtime" \
            "$public/$program"
        like_expected none
        run "announced, path to nowhere" $unprivileged $announced "$path_variable=./." \
            "$public/$program"
        like_expected none
        compile "$cc" c99 ours -DNVTX_SUPPORT_CUDA_DRIVER_INJECTION_LIBRARY=0 "$calls.c" \
            -o "$public/$program" -ldl
        run "announced, switched off" $unprivileged $announced "$public/$program"
        like_expected none
    done
fi

# ---- A tool that is already loaded ---------------------------------------------------

# It has entry points of these names, for programs that look them up.
check "tool to be preloaded does not build" "$cc" $tool_flags -shared -fPIC \
    -DInitializeInjectionNvtx2=InitializeInjectionNvtx2Preinject \
    -DInitializeInjectionNvtxExtension=InitializeInjectionNvtxExtensionPreinject \
    "$here"/toy_*.c -o present_tool.so -ldl
for kind in $headers; do
    case $kind in ours | cu13) ;; *) continue ;; esac
    for program in core payload; do
        calls=$here/${program}_calls
        binary=${program}-$kind-preloaded
        check "$binary does not build" compile "$cc" c99 $kind \
            -DNVTX_SUPPORT_ALREADY_INJECTED_LIBRARY=1 "$calls.c" -o "$binary" -ldl
        run "preloaded tool" env LD_PRELOAD="$build/present_tool.so" "./$binary"
        like_expected toy
        run "no tool" "./$binary"
        like_expected none
        run "path to nowhere rules it out" env LD_PRELOAD="$build/present_tool.so" \
            "$path_variable=$build/no such file.so" "./$binary"
        like_expected none
        check "$binary does not build" compile "$cc" c99 $kind "$calls.c" -o "$binary" -ldl
        run "preloaded tool, not asked for" env LD_PRELOAD="$build/present_tool.so" \
            "./$binary"
        like_expected none
    done
done

# ---- Threads -------------------------------------------------------------------------

threads() { # NAME FLAGS...: program and tool built with the flags
    program=$1
    shift
    check "$program does not build" compile "$cc" c11 ours -O1 "$@" "$here/threads.c" \
        -o "$program" -pthread -ldl
    check "tool of $program does not build" "$cc" $tool_flags "$@" -shared -fPIC \
        "$here"/toy_*.c -o "$program.tool.so" -ldl
    echo "8 of 8 threads recorded" >threads.expected
    rm -f "$program.log"
    TOY_DELAY_MS=50 TOY_LOG="$program.log" with_tool "$build/$program.tool.so" \
        "./$program" >"$program.out" 2>&1
    same "$program: output" threads.expected "$program.out"
    check "$program: not one attachment" test "$(grep -c ^attach "$program.log")" -eq 1
    check "$program: not every push is in the log" \
        test "$(grep -c ^RangePushA "$program.log")" -eq 8
    check "$program: the extension did not attach once" \
        test "$(grep -c ^extension "$program.log")" -eq 1
    check "$program: not every call of the extension is in the log" \
        test "$(grep -c ^DomainIsEnabled "$program.log")" -eq 8
}

threads threads
if echo 'int main(void) { return 0; }' |
    "$cc" -fsanitize=thread -x c - -o tsan_works 2>/dev/null &&
    ./tsan_works 2>/dev/null; then
    threads threads-tsan -fsanitize=thread
else
    skip "threads under ThreadSanitizer: it does not work here"
fi

# ---- Manners -------------------------------------------------------------------------

check "manners does not build" compile "$cc" c90 ours -O1 -rdynamic "$here/manners.c" \
    -o manners -ldl
check "manners does not build as C++" compile "$cxx" c++98 ours -O0 "$here/manners.c" \
    -o manners-cxx -ldl

says() { # NAME EXPECTED ACTUAL
    check "$1: \"$3\", not \"$2\"" test "$2" = "$3"
}
says "errno, path to nowhere" "errno = 42" \
    "$(with_tool "$build/no such file.so" ./manners errno)"
rm -f manners.log
export TOY_LOG=manners.log
says "errno, toy tool" "errno = 42" "$(with_tool "$build/toy_tool.so" ./manners errno)"
says "call during attach" "push during attach = -2 push after attach = 0" \
    "$(with_tool "$build/toy_tool.so" timeout 10 ./manners reenter | xargs)"
says "call of an extension during attach" "is enabled during attach = 0 \
is enabled during attach = 0 is enabled after attach = 7 errno = 42" \
    "$(with_tool "$build/toy_tool.so" timeout 10 ./manners reenter-ext | xargs)"
says "declining tool" "tool is gone" "$(TOY_DECLINE=1 with_tool "$build/toy_tool.so" \
    ./manners closed "$build/toy_tool.so")"
says "accepting tool" "tool is loaded" "$(with_tool "$build/toy_tool.so" \
    ./manners closed "$build/toy_tool.so")"
says "slots left alone" "push = 0, domain is NULL, domain pop = -2" \
    "$(TOY_ONLY_CORE=1 with_tool "$build/toy_tool.so" timeout 10 ./manners left)"
for program in manners manners-cxx; do
    says "$program, addresses, no tool" "push = -2, pop = -2" "$(./$program addresses)"
    says "$program, addresses, toy tool" "push = 0, pop = 0" \
        "$(with_tool "$build/toy_tool.so" ./$program addresses)"
done

echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed -eq 0 ] || exit 1
case ${COMPAT_QUICK:+quick }$headers in
*cu11*cu12*cu13* | quick*cu13) exit 0 ;;
esac
echo "not compared with NVIDIA's headers: NVTX_HEADERS_DIR lacks some of them"
exit 77
