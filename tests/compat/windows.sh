#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# windows.sh BUILD_DIR - our NVTX headers on Windows, without Windows.
#
# clang reads them in Microsoft's dialect, with windows_stand_in.h in place of Microsoft's
# headers. MinGW compiles them with its own headers; a program then runs in Wine with
# windows_tool.c as a DLL, and must print windows_calls.expected.
#
#   COMPAT_QUICK=1     only clang, the strictest C and C++
#   COMPAT_UPDATE=1    write the expected file again
#
# Ends with `N passed, N failed, N skipped`; exits 1 if anything failed, and 77 if nothing
# could be tested.
# shellcheck disable=SC2086 # flags are words
set -u

[ $# -eq 1 ] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
ours=$(cd "$here/../../include" && pwd) || exit 2
mkdir -p "$1" || exit 2
cd "$1" || exit 2
unset NVTX_INJECTION64_PATH NVTX_INJECTION32_PATH
warnings="-Wall -Wextra -Wpedantic -Werror"

n_passed=0 n_failed=0 n_skipped=0
skip() { n_skipped=$((n_skipped + 1)); echo "skipped: $*"; }
check() { # NAME COMMAND...: passes if the command succeeds, shows its output if not
    name=$1
    shift
    if "$@" >check.out 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' check.out | head -n 20
        return 1
    fi
}

# every_way NAME LANGUAGES COMMAND...: the command compiles windows_headers.c in each
# language, with each switch that selects other code.
every_way() {
    what=$1 languages=$2
    shift 2
    for language in $languages; do
        case $language in
        c++98) set_of="-x c++ -DWITHOUT_HELPER" ;;
        c++*) set_of="-x c++" ;;
        c90) set_of="-x c -DWITHOUT_HELPER" ;;
        *) set_of="-x c" ;;
        esac
        for switch in "" -DNVTX_DISABLE -DNVTX_NO_IMPL -DNVTX_EXPORT_API -DUNICODE \
            -DNVTX_SUPPORT_ALREADY_INJECTED_LIBRARY=1 -DNVTX_SUPPORT_ENV_VARS=0 \
            -DNVTX_SUPPORT_STATIC_INJECTION_LIBRARY=1; do
            check "$what, $language $switch: does not compile" \
                "$@" -std=$language $set_of $switch "$here/windows_headers.c"
        done
    done
}

# ---- Microsoft's dialect -------------------------------------------------------------

mkdir -p msvc || exit 2
for header in errno.h stdio.h stdlib.h string.h wchar.h windows.h; do
    echo "#include \"$here/windows_stand_in.h\"" >"msvc/$header"
done
for header in cstddef cstdint cstdlib memory stdexcept string type_traits utility; do
    echo "#include \"$here/windows_stand_in.hpp\"" >"msvc/$header"
done

if command -v clang >/dev/null; then
    machines="x86_64 i686 aarch64" languages="c90 c11 c++14 c++17"
    [ -z "${COMPAT_QUICK:-}" ] || machines="x86_64 i686" languages="c90 c++14"
    for machine in $machines; do
        microsoft="clang --target=$machine-pc-windows-msvc -fms-extensions
            -fms-compatibility -fms-compatibility-version=19.20 -fsyntax-only
            -Wall -Wextra -Werror -I$ours -isystem msvc"
        every_way "Microsoft's dialect, $machine" "$languages" $microsoft
        for language in c++11 c++17; do
            check "Microsoft's dialect, $machine: nvtx3.hpp in $language" \
                $microsoft -std=$language "$here/windows_api.cpp"
        done
    done
else
    skip "Microsoft's dialect: clang is not installed"
fi

finish() {
    echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
    [ $n_failed -eq 0 ] || exit 1
    [ $n_passed -ne 0 ] || exit 77
    exit 0
}
[ -z "${COMPAT_QUICK:-}" ] || finish

# ---- MinGW ---------------------------------------------------------------------------

for machine in x86_64 i686; do
    gcc=$machine-w64-mingw32-gcc gxx=$machine-w64-mingw32-g++
    if ! command -v $gcc >/dev/null || ! command -v $gxx >/dev/null; then
        skip "MinGW for $machine: $gcc and $gxx are not installed"
        continue
    fi
    every_way "MinGW, $machine" "c90 c11" $gcc $warnings -I"$ours" -c -o headers.o
    every_way "MinGW, $machine" "c++98 c++11 c++20" \
        $gxx $warnings -I"$ours" -c -o headers.o
    check "MinGW, $machine: nvtx3.hpp" \
        $gxx -std=c++11 $warnings -I"$ours" "$here/windows_api.cpp" -o api.exe
done

# ---- Wine ----------------------------------------------------------------------------

gcc=x86_64-w64-mingw32-gcc gxx=x86_64-w64-mingw32-g++
if ! command -v $gcc >/dev/null || ! command -v $gxx >/dev/null; then
    skip "running in Wine: MinGW for x86_64 is not installed"
    finish
elif ! command -v wine >/dev/null; then
    skip "running in Wine: wine is not installed"
    finish
fi
# Not in the build: it has a link to /, which what walks through a source tree follows.
WINEPREFIX=$(mktemp -d)
trap 'wineserver -k 2>/dev/null; rm -rf "$WINEPREFIX"' EXIT
export WINEPREFIX WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= LC_ALL=C.UTF-8
if ! timeout 300 wine wineboot -i >wineboot.log 2>&1; then
    skip "running in Wine: it does not start: $(tail -n 1 wineboot.log)"
    finish
fi

# The path has letters that no 8-bit code page of this machine has.
mkdir -p "tool é€"
check "the tool does not build" $gcc -std=c11 $warnings -I"$ours" -shared \
    "$here/windows_tool.c" -o "tool é€/tool.dll" -Wl,--kill-at
tool="Z:$(printf '%s' "$PWD" | tr / '\\')\\tool é€\\tool.dll"

run() { # OUTPUT TOOL COMMAND...
    out=$1 path=$2
    shift 2
    NVTX_INJECTION64_PATH=$path timeout 120 wine "$@" 2>/dev/null | tr -d '\r' >"$out"
}
for language in c90 c++98; do
    case $language in
    c++*) compiler="$gxx -x c++" ;;
    *) compiler=$gcc ;;
    esac
    for level in -O0 -O2; do
        program=calls-$language$level
        compile="$compiler -std=$language $warnings $level -I$ours -c $here/windows_calls.c"
        check "$program: does not compile" $compile -o one.o || continue
        check "$program: second file does not compile" \
            $compile -DSECOND_FILE -o two.o || continue
        check "$program: does not link" $gxx -static one.o two.o -o $program.exe ||
            continue
        run $program.out "$tool" ./$program.exe
        [ "${COMPAT_UPDATE:-}" != 1 ] || cp $program.out "$here/windows_calls.expected"
        check "$program: what the tool sees" \
            diff -u "$here/windows_calls.expected" $program.out
        run $program.none 'Z:\no such.dll' ./$program.exe
        check "$program: without a tool" \
            test "$(tr '\n' , <$program.none)" = "errors 7 1234,depths -2 -2,enabled 0,"
    done
done
finish
