#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_cpp.sh BUILD_DIR - compares our nvtx3.hpp with itself and with NVIDIA's.
#
#   cpp_api.cpp        what the compiler can check: types, conversions, constants
#   cpp_interface.py   every public name of NVIDIA's is in ours, as clang sees them
#   cpp_calls.cpp      every call: with the toy tool, one log whichever header was used
#   cpp_extension_calls.cpp    the same for the additions of version 1.2
#   cpp_misuse.cpp     what must not compile, and the compiler's messages
#   cpp_styles.cpp     how libraries use it; and real ones, if available
#   cpp_unit.cpp       files built with ours and theirs, linked together
#
# Ours is also built on NVIDIA's C headers, of four releases, and theirs on ours.
#
#   CC, CXX            the compilers; without them cc and c++, and clang++ if there is one
#   NVTX_HEADERS_DIR   holds cu11, cu12, cu13, cu135, cccl, rmm (tools/fetch_nvtx_headers)
#   COMPAT_QUICK=1     one compiler, two of NVIDIA's releases, none of the real libraries
#   COMPAT_UPDATE=1    write the expected files again, from our header
#
# Ends with `N passed, N failed, N skipped`; exits 1 if anything failed.
# shellcheck disable=SC2086 # flags are words
set -u

[ $# -eq 1 ] || { echo "usage: $0 BUILD_DIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
ours=$(cd "$here/../../include" && pwd) || exit 2
mkdir -p "$1" || exit 2
build=$(cd "$1" && pwd)
cd "$build" || exit 2
unset NVTX_INJECTION64_PATH NVTX_INJECTION32_PATH TOY_LOG

n_passed=0 n_failed=0 n_skipped=0
pass() { n_passed=$((n_passed + 1)); }
fail() { n_failed=$((n_failed + 1)); echo "FAILED: $*"; }
skip() { n_skipped=$((n_skipped + 1)); echo "skipped: $*"; }

check() { # NAME COMMAND...: passes if the command succeeds, shows its output if not
    checked=$1
    shift
    if "$@" >check.out 2>&1; then
        pass
    else
        fail "$checked"
        sed 's/^/    /' check.out | head -n 20
    fi
}

same() { # NAME EXPECTED ACTUAL
    check "$1 is not $(basename "$2")" diff -u "$2" "$3"
}

# ---- Compilers and headers -----------------------------------------------------------

cc=${CC:-cc}
compilers=${CXX:-c++}
command -v "$compilers" >/dev/null || { echo "skipped: there is no C++ compiler"; exit 77; }
if [ -n "${COMPAT_QUICK:-}" ]; then
    :
elif [ -z "${CXX:-}" ] && command -v clang++ >/dev/null; then
    compilers="$compilers clang++"
elif [ -z "${CXX:-}" ]; then
    skip "second compiler: clang++ is not installed"
fi
strict="-Wall -Wextra -pedantic -Wconversion -Wshadow -Werror"

theirs() { # VERSION: the include folder of NVIDIA's headers
    find "${NVTX_HEADERS_DIR:-/nonexistent}/$1" -path '*/nvtx3/nvToolsExt.h' \
        2>/dev/null | sed 's|/nvtx3/nvToolsExt.h$||' | head -n 1
}

# A folder for each combination: include/ours, include/ours-on-cu11, ...
rm -rf include
mkdir include
cp -R "$ours" include/ours
headers=ours
on_theirs=
releases="cu11 cu12 cu13 cu135"
[ -z "${COMPAT_QUICK:-}" ] || releases="cu13 cu135"
for version in $releases; do
    from=$(theirs $version)
    [ -n "$from" ] || {
        skip "NVIDIA's headers $version: not in NVTX_HEADERS_DIR=${NVTX_HEADERS_DIR:-}" \
            "(run tools/fetch_nvtx_headers DIR)"
        continue
    }
    mkdir "include/ours-on-$version"
    cp -R "$from/nvtx3" "include/ours-on-$version"
    cp "$ours/nvtx3/nvtx3.hpp" "include/ours-on-$version/nvtx3"
    cp "$ours"/nvtx3/nvtxDetail/nvtx_cpp_* "include/ours-on-$version/nvtx3/nvtxDetail"
    headers="$headers ours-on-$version"
    on_theirs="$on_theirs ours-on-$version"
done
theirs=
if [ -d include/ours-on-cu13 ]; then
    theirs=cu13
    mkdir include/cu13
    cp -R "$(theirs cu13)/nvtx3" include/cu13
    cp -R "$ours" include/cu13-on-ours
    cp include/cu13/nvtx3/nvtx3.hpp include/cu13-on-ours/nvtx3
    rm include/cu13-on-ours/nvtx3/nvtxDetail/nvtx_cpp_*
    headers="$headers cu13 cu13-on-ours"
fi
extended=ours # the headers that have version 1.2
newest=
if [ -d include/ours-on-cu135 ]; then
    newest=cu135
    mkdir include/cu135
    cp -R "$(theirs cu135)/nvtx3" include/cu135
    cp -R "$ours" include/cu135-on-ours
    cp include/cu135/nvtx3/nvtx3.hpp include/cu135-on-ours/nvtx3
    rm include/cu135-on-ours/nvtx3/nvtxDetail/nvtx_cpp_*
    extended="ours ours-on-cu135 cu135 cu135-on-ours"
fi

compile() { # COMPILER STANDARD HEADERS ARGUMENTS...: NVIDIA's warnings are not ours
    compile_with=$1
    flags="-std=$2 -Iinclude/$3 -w"
    [ "$3" != ours ] || flags="-std=$2 -I$ours $strict"
    shift 3
    "$compile_with" $flags "$@"
}

check "toy tool does not build" "$cc" -std=c11 "-I$ours" -shared -fPIC \
    "$here"/toy_*.c -o toy_tool.so -ldl
[ $n_failed -eq 0 ] || { echo "$n_passed passed, $n_failed failed"; exit 1; }

with_toy() { # LOG COMMAND...: what the toy tool sees, without how it was attached
    log=$1
    shift
    rm -f "$log.all"
    TOY_LOG="$log.all" NVTX_INJECTION64_PATH=$build/toy_tool.so \
        NVTX_INJECTION32_PATH=$build/toy_tool.so "$@"
    grep -v -e ^attach -e ^module "$log.all" >"$log"
}

# ---- What the compiler knows ---------------------------------------------------------

for compiler in $compilers; do
    for which in $headers; do
        standards="c++11 c++20"
        case $which in
        ours) standards="c++11 c++14 c++17 c++20" ;;
        cu13) standards="c++11 c++14 c++20" ;;
        esac
        for standard in $standards; do
            check "cpp_api.cpp: $which, $compiler, $standard" compile "$compiler" \
                $standard $which -fsyntax-only "$here/cpp_api.cpp"
        done
    done
done

if [ -z "$theirs" ]; then
    :
elif ! command -v clang++ >/dev/null || ! command -v python3 >/dev/null; then
    skip "every name of NVIDIA's nvtx3.hpp: clang++ and python3 find them"
else
    for standard in c++11 c++20; do
        for which in $theirs $newest; do
            check "ours lacks a name ($which, $standard)" python3 \
                "$here/cpp_interface.py" clang++ $standard include/$which "$ours"
        done
    done
fi

# ---- What is recorded ----------------------------------------------------------------

update() { # SOURCE: its expected files
    compile "${compilers%% *}" c++17 ours "$here/$1.cpp" -o update -ldl || exit 1
    with_toy update.log ./update >"$here/$1.toy.stdout" || exit 1
    cp update.log "$here/$1.toy.log"
}
if [ "${COMPAT_UPDATE:-}" = 1 ]; then
    update cpp_calls
    update cpp_extension_calls
    update cpp_styles
    echo "expected files written: read their diff before you commit them"
fi

run_with_toy() { # SOURCE PROGRAM
    with_toy "$2.log" "./$2" >"$2.stdout"
    same "$2: output" "$here/$1.toy.stdout" "$2.stdout"
    same "$2: log" "$here/$1.toy.log" "$2.log"
}

for compiler in $compilers; do
    for which in $headers; do
        standards=c++11
        case $which in
        ours | cu13) standards="c++11 c++20" ;;
        esac
        for standard in $standards; do
            program=cpp_calls-$compiler-$which-$standard
            check "$program does not build" compile "$compiler" $standard $which -O2 \
                "$here/cpp_calls.cpp" -o "$program" -ldl
            run_with_toy cpp_calls "$program"
            "./$program" >"$program.none"
            same "$program: output without a tool" "cpp_calls-${compilers%% *}-ours-c++11.none" \
                "$program.none"
        done
        lent=
        case $which in
        cu13*) lent="-DLENT_BEFORE -include nvtx3/nvtx3.hpp" ;;
        esac
        program=cpp_styles-$compiler-$which
        check "$program does not build" compile "$compiler" c++17 $which $lent \
            "$here/cpp_styles.cpp" -o "$program" -ldl
        run_with_toy cpp_styles "$program"
    done
done

for compiler in $compilers; do
    for which in $extended; do
        standards=c++11
        [ $which != ours ] || standards="c++11 c++14 c++20"
        for standard in $standards; do
            program=cpp_extension_calls-$compiler-$which-$standard
            check "$program does not build" compile "$compiler" $standard $which -O2 \
                "$here/cpp_extension_calls.cpp" -o "$program" -ldl
            run_with_toy cpp_extension_calls "$program"
            "./$program" >"$program.none"
            same "$program: output without a tool" \
                "cpp_extension_calls-${compilers%% *}-ours-c++11.none" "$program.none"
        done
    done
done

# Setting an attribute twice is refused where the compiler can detect it.
cat >twice.cpp <<'END'
#include <nvtx3/nvtx3.hpp>
#include <cstdio>
int main()
{
    nvtx3::counter_semantic s;
    s.interpolation_point().valuetype_delta();
    try {
        s.interpolation_linear();
    } catch (std::logic_error const &error) {
        std::puts(error.what());
    }
    try {
        s.valuetype_delta();
    } catch (std::logic_error const &error) {
        std::puts(error.what());
    }
}
END
compile "${compilers%% *}" c++11 ours twice.cpp -o twice -ldl
./twice >twice.stdout
check "a second interpolation and type of values are not refused" \
    test "$(grep -c 'can be set only once' twice.stdout)" -eq 2
check "without exceptions it does not build" compile "${compilers%% *}" c++11 ours \
    -fno-exceptions -fno-rtti -fsyntax-only "$here/cpp_extension_calls.cpp"

# ---- What must not compile -----------------------------------------------------------

says_so() { # COMPILER CASE TEXT: one error, with this text
    if "$1" -std=c++11 "-I$ours" -w -DCASE="$2" -fsyntax-only "$here/cpp_misuse.cpp" \
        >misuse.out 2>&1; then
        echo "it compiles"
        return 1
    fi
    # gcc reports rejected candidates as errors, too.
    grep 'error: ' misuse.out | grep -v "'*no type named .type. in" >misuse.errors
    cat misuse.errors
    [ "$(wc -l <misuse.errors)" -eq 1 ] && grep -qF "$3" misuse.errors
}

sed -n 's/.*CASE == \([0-9]*\) *.. says: \(.*\)/\1 \2/p' "$here/cpp_misuse.cpp" >misuse.cases
check "there are no cases of misuse" test "$(wc -l <misuse.cases)" -ge 10
for compiler in $compilers; do
    check "misuse: without a case it does not compile" compile "$compiler" c++11 ours \
        -DCASE=0 -fsyntax-only "$here/cpp_misuse.cpp"
    while read -r number text; do
        check "misuse $number, $compiler: not one error with \"$text\"" \
            says_so "$compiler" "$number" "$text"
    done <misuse.cases
done

# ---- Order of inclusion, and the copy in use -----------------------------------------

includes() { # NAME HEADERS...; the source follows on standard input
    name=$1
    which=$2
    cat >order.cpp
    for compiler in $compilers; do
        check "$name, $compiler" compile "$compiler" c++11 "$which" -fsyntax-only order.cpp
    done
}

both() { # FIRST SECOND: two headers in one file, each with an explicit version and not
    for explicit in "first" "none"; do
        {
            [ $explicit = none ] || echo "#define NVTX3_CPP_REQUIRE_EXPLICIT_VERSION"
            echo "#include \"$build/include/$1/nvtx3/nvtx3.hpp\""
            echo "#undef NVTX3_CPP_REQUIRE_EXPLICIT_VERSION"
            echo "#include \"$build/include/$2/nvtx3/nvtx3.hpp\""
            echo "void f() { NVTX3_V1_FUNC_RANGE(); nvtx3::v1::mark(\"x\"); }"
            [ $explicit-$1 = first-ours ] && [ "$2" != ours ] ||
                echo "void g() { NVTX3_FUNC_RANGE(); nvtx3::mark(\"x\"); }"
        } | includes "$1, then $2, explicit version: $explicit" cu13
    done
}

both ours ours
if [ -n "$theirs" ]; then
    both ours cu13
    both cu13 ours
fi
if [ -n "$newest" ]; then
    both ours cu135
    both cu135 ours
fi
echo '#define NVTX3_CPP_INLINED_VERSION_MAJOR 2
#include <nvtx3/nvtx3.hpp>' >order.cpp
check "another major version is not refused" sh -c \
    "! ${compilers%% *} -I$ours -fsyntax-only order.cpp 2>order.out &&
    grep -q 'another major version' order.out"
printf '%s\n' '#include <nvtx3/nvtx3.hpp>' 'int main() { NVTX3_FUNC_RANGE(); }' >order.cpp
check "NVTX3_STATIC_ASSERT cannot be replaced" compile "${compilers%% *}" c++11 ours \
    '-DNVTX3_STATIC_ASSERT(c,m)=static_cast<void>(c)' -DCASE=1 -fsyntax-only \
    "$here/cpp_misuse.cpp"

# ---- Units of ours and theirs in one program -------------------------------------------

unit() { # NAME COMPILER STANDARD HEADERS FLAGS...
    unit=$1
    shift
    check "unit $unit does not build" compile "$@" -g0 "-DUNIT=$unit" -c \
        "$here/cpp_unit.cpp" -o "cpp_$unit.o"
}

first=${compilers%% *}
last=${compilers##* }
other=ours
[ -z "$theirs" ] || other=cu13
unit one "$first" c++11 ours -O0
unit two "$last" c++20 ours -O2
unit three "$first" c++17 $other -O0
unit four "$last" c++14 $other -O2
unit library "$first" c++11 ours -O0 -fPIC
unit other_library "$last" c++20 $other -O0 -fPIC
check "library does not link" "$first" -shared cpp_library.o -o libcpp_library.so -ldl
check "other library does not link" "$first" -shared cpp_other_library.o \
    -o libcpp_other.so -ldl
compile "$first" c++11 ours -c "$here/cpp_units_main.cpp" -o cpp_main.o
link_units() { # NAME OBJECT...: the linker keeps the first of equal functions
    name=$1
    shift
    check "$name does not link" "$first" "$@" cpp_main.o "$build/libcpp_library.so" \
        "$build/libcpp_other.so" -rdynamic -o "$name" -ldl
    with_toy "$name.log" "./$name"
    check "$name: not 36 unique ranges and 36 handles" test \
        "$(grep -c ^DomainRangeStartEx "$name.log")" -eq 72
    check "$name: some range is not ended" test \
        "$(grep -c '^DomainRangeEnd domain=1 ' "$name.log")" -eq 72
    check "$name: a range is ended twice" test \
        "$(grep ^DomainRangeEnd "$name.log" | sort -u | wc -l)" -eq 72
    check "$name: not 36 marks in function ranges" test \
        "$(grep -c '^DomainRangePop domain=1 -> 0' "$name.log")" -eq 36
    check "$name: an event is in another domain" sh -c \
        "! grep -e domain=0 -e domain=2 '$name.log'"
    check "$name: attributes are lost on the way" test \
        "$(grep -c 'color=1:ff010203 payload=i32 4 reserved=0 message="unique"' \
            "$name.log")" -eq 36
}
link_units units-ours-first cpp_one.o cpp_two.o cpp_three.o cpp_four.o
link_units units-theirs-first cpp_four.o cpp_three.o cpp_two.o cpp_one.o

# Functions that only use plain values may come from any library.
exports_no_client() {
    nm -DC --defined-only libcpp_library.so | sed 's/^[0-9a-f]* . //' >library.names
    grep -q '^library_nest' library.names &&
        ! grep -v -e '^library_' -e '^std::' -e '::unique_range_in(.*&&)$' \
            -e '::get_handle() const$' -e '::domain::operator nvtxDomain' \
            -e '^nvtx3::v1::\(range_handle\|event_attributes\|message\|payload\)::' \
            -e '^nvtx3::v1::\(a*rgb\|color\|category\)::' library.names | grep nvtx
}
check "a library built with ours exports what reaches its client" exports_no_client

# A disabled library that is loaded first must not provide its functions to others.
printf '%s\n' '#include <nvtx3/nvtx3.hpp>' \
    'struct D { static constexpr char const *name{"D"}; };' \
    'extern "C" void FUNCTION() { nvtx3::unique_range_in<D> r{"FUNCTION"};' \
    '  nvtx3::scoped_range_in<D> s{"FUNCTION"}; nvtx3::mark_in<D>("FUNCTION"); }' \
    >lends.cpp
compile "$first" c++17 ours -O0 -fPIC -shared -DNVTX_DISABLE -DFUNCTION=disabled \
    lends.cpp -o liblends_disabled.so
compile "$first" c++17 ours -O0 -fPIC -shared -DFUNCTION=enabled lends.cpp \
    -o liblends_enabled.so -ldl
echo 'void disabled(void); void enabled(void);
int main(void) { disabled(); enabled(); return 0; }' |
    "$cc" -x c - -x none "$build/liblends_disabled.so" "$build/liblends_enabled.so" -o lends
with_toy lends.log ./lends
check "a disabled library disables another" test "$(grep -c 'DomainRange' lends.log)" -eq 4

# dlclose() unloads a library: it has nothing that the process must keep.
cat >unload.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    void (*enabled)(void);

    *(void **)&enabled = dlsym(library, "enabled");
    enabled();
    dlclose(library);
    return dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD) != 0;
}
END
"$cc" unload.c -o unload -ldl
check "a library built with ours stays loaded" ./unload "$build/liblends_enabled.so"
check "a library with counters and payloads does not build" compile "$first" c++11 ours \
    -O0 -fPIC -shared "$here/cpp_extension_calls.cpp" -o libextension.so -ldl
check "a library with counters and payloads stays loaded, for what is unique" sh -c \
    "nm -D --defined-only libextension.so | grep ' T main' &&
    ! nm -D --defined-only libextension.so | grep ' u '"

# ---- Disabled ------------------------------------------------------------------------

for compiler in $compilers; do
    for source in cpp_calls cpp_extension_calls cpp_styles; do
        check "NVTX_DISABLE: $source does not build, $compiler" compile "$compiler" c++11 \
            ours -O2 -DNVTX_DISABLE -c "$here/$source.cpp" -o "$source-disabled.o"
        # Semantics are still constructed, because they may throw.
        names=' nvtx'
        [ $source != cpp_extension_calls ] || names=' nvtx[^3]'
        check "NVTX_DISABLE leaves names in $source, $compiler" sh -c \
            "nm -C $source-disabled.o | grep ' main$' &&
            ! nm -C $source-disabled.o | grep -i -e '$names' -e rln__ -e Injection"
    done
    check "NVTX_DISABLE leaves guards of what is never created, $compiler" sh -c \
        "! nm -C cpp_calls-disabled.o | grep guard"
    check "NVTX_DISABLE: program does not link" "$compiler" cpp_calls-disabled.o \
        -o cpp_calls-disabled
    rm -f disabled.log.all
    : >disabled.log.all
    TOY_LOG=disabled.log.all NVTX_INJECTION64_PATH=$build/toy_tool.so \
        ./cpp_calls-disabled >disabled.stdout
    same "NVTX_DISABLE: output" "cpp_calls-${compilers%% *}-ours-c++11.none" disabled.stdout
    check "NVTX_DISABLE: a tool is attached" test ! -s disabled.log.all
done

if [ -n "${COMPAT_QUICK:-}" ]; then
    echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
    [ $n_failed -eq 0 ] || exit 1
    exit 0
fi

# ---- Real libraries --------------------------------------------------------------------

library_headers() { # NAME FILE: the folder from which FILE is included
    find "${NVTX_HEADERS_DIR:-/nonexistent}/$1" -path "*/$2" 2>/dev/null |
        sed "s|/$2\$||" | head -n 1
}

real() { # NAME COMPILERS FLAGS...; the source follows on standard input
    name=$1 with=$2
    shift 2
    cat >"$name.cpp"
    for compiler in $with; do
        for which in ours $theirs; do
            check "$name does not build: $compiler, $which" "$compiler" -std=c++17 -Wall \
                -Wextra -Werror "-Iinclude/$which" "$@" "$name.cpp" -o "$name-$which" -ldl
            with_toy "$name-$which.log" "./$name-$which"
            check "$name records nothing: $compiler, $which" \
                grep -q ^DomainRangePushEx "$name-$which.log"
            same "$name: log, $compiler, $which" "$name-ours.log" "$name-$which.log"
        done
    done
}

cccl=$(library_headers cccl cuda/__nvtx/nvtx.h)
if [ -n "$cccl" ]; then
    real thrust "$compilers" -isystem "$cccl" -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP <<'END'
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
int main()
{
    thrust::device_vector<int> v(100, 3);
    thrust::sort(v.begin(), v.end());
    return thrust::reduce(v.begin(), v.end()) - 300;
}
END
else
    skip "Thrust: its headers are not in NVTX_HEADERS_DIR (run tools/fetch_nvtx_headers)"
fi

rmm=$(library_headers rmm rmm/detail/nvtx/ranges.hpp)
if [ -n "$rmm" ] && [ -n "$cccl" ]; then
    # Its folder also has NVIDIA's nvtx3: take only RMM's own files.
    rm -rf rmm_include
    mkdir rmm_include
    cp -R "$rmm/rmm" rmm_include
    # Clang 14 does not accept the position of its attributes.
    real rmm "${compilers%% *}" -isystem rmm_include -isystem "$cccl" -DRMM_NVTX <<'END'
#include <rmm/detail/nvtx/ranges.hpp>
static int allocate(int n_bytes)
{
    RMM_FUNC_RANGE();
    rmm::scoped_range range{"allocate", nvtx3::payload{n_bytes}};
    return n_bytes;
}
int main() { return allocate(64) - 64; }
END
else
    skip "RMM: its headers are not in NVTX_HEADERS_DIR (run tools/fetch_nvtx_headers)"
fi

echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed -eq 0 ] || exit 1
[ $n_skipped -eq 0 ] || exit 77
