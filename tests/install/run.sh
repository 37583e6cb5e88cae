#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD_DIR - installs into a folder, moves it elsewhere, and uses it as users
# would. UPDATE=1 writes files.expected instead of comparing.
#
# Ends with `N passed, N failed[, N skipped]`.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$build/tests/install.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n_passed=0 n_failed=0 n_skipped=0

check() { # NAME COMMAND...: passes if it succeeds
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        cat "$work/log"
        echo "FAILED: $what"
        n_failed=$((n_failed + 1))
    fi
}

skip() { # NAME: REASON
    echo "skipped: $*"
    n_skipped=$((n_skipped + 1))
}

fails() { # COMMAND...
    ! "$@"
}

prints() { # EXPECTED COMMAND...: whether it prints this line
    expected=$1
    shift
    found=$("$@")
    [ "$found" = "$expected" ] && return
    echo "found \"$found\", expected \"$expected\""
    return 1
}

if grep -q '^RLN_SANITIZE:[^=]*=.' "$build/CMakeCache.txt"; then
    echo "programs built without sanitizers cannot use these libraries"
    exit 77
fi

# ---- Installed files -----------------------------------------------------------------

check "it installs" env DESTDIR= cmake --install "$build" --prefix "$work/first"
prefix=$work/moved
mv "$work/first" "$prefix" || exit 1
lib=$(dirname "$(find "$prefix" -name librangeline.so)")
version=$("$prefix/bin/rangeline" --version | sed 's/.* //')
(cd "$prefix" && find . ! -type d -printf '%P\n') | LC_ALL=C sort |
    sed "s|^${lib#"$prefix/"}/|LIB/|; s|\.so\.$version|.so.VERSION|
         s|targets-[a-z]*\.cmake|targets-BUILD_TYPE.cmake|" >"$work/files"
[ -z "${UPDATE:-}" ] || cp "$work/files" "$here/files.expected"
# rangeline.html is there if its compiler is.
[ -e "$build/rangeline.html" ] && left_out='^$' || left_out='/rangeline\.html$'
grep -v "$left_out" "$here/files.expected" >"$work/expected"
check "these files" diff -u "$work/expected" "$work/files"
check "no file holds a path of the build" sh -c \
    "! grep -rl --binary-files=without-match '$build' '$prefix'"

# ---- The example projects, built as their users would ----------------------------------

check "it says where the headers are" test -f \
    "$("$prefix/bin/rangeline" --include-dir)/rangeline/reader.h"
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"
unset NVTX_INJECTION64_PATH RANGELINE_OUTPUT RANGELINE_RUN
projects=$here/../../examples/projects
source=$(cd "$here/../.." && pwd)

by_cmake() { # PROJECT ARGUMENTS...
    project=$1
    shift
    cmake -S "$projects/$project" -B "$work/$project" "$@" &&
        cmake --build "$work/$project"
}

if command -v pkg-config >/dev/null; then
    cp -R "$projects/pkg_config" "$work"
    check "nvtx3 has NVTX's version" pkg-config --atleast-version=3.1 nvtx3
    check "pkg_config" make -C "$work/pkg_config" CFLAGS="-Wall -Werror"
else
    skip "pkg_config: pkg-config is not installed"
fi
if command -v c++ >/dev/null; then
    check "find_package" by_cmake find_package \
        "-DCMAKE_PREFIX_PATH=$("$prefix/bin/rangeline" --cmake-dir)"
    check "fetch_content" by_cmake fetch_content \
        "-DFETCHCONTENT_SOURCE_DIR_RANGELINE=$source"
    check "fetch_content: no more is built than it uses" \
        test ! -e "$work/fetch_content/_deps/rangeline-build/bin/rangeline"
    check "fetch_content: installs only what is its own" prints fetched sh -c \
        "cmake --install '$work/fetch_content' --prefix '$work/fetched' >/dev/null &&
        find '$work/fetched' -type f -printf '%f\\n'"
else
    skip "find_package, fetch_content: there is no C++ compiler"
fi
check "add_subdirectory" by_cmake add_subdirectory "-DRANGELINE_DIR=$source"
check "add_subdirectory: no more is built than it uses" sh -c \
    "! find '$work/add_subdirectory' -name '*.o' | grep -v vendored"

# A project that looks for NVIDIA's package finds ours.
mkdir "$work/nvidia"
cat >"$work/nvidia/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(nvidia LANGUAGES C)
if(NOT VERSION)
  set(VERSION 3.1)
endif()
find_package(nvtx3 ${VERSION} CONFIG REQUIRED)
get_target_property(ours nvtx3::nvtx3-c INTERFACE_LINK_LIBRARIES)
if(NOT ours STREQUAL "rangeline::nvtx3-c" OR NOT TARGET nvtx3-cpp)
  message(FATAL_ERROR "${ours}")
endif()
foreach(target nvtx3::nvtx3-c nvtx3::nvtx3-cpp nvtx3::nvtxw3-loader nvtx3-c nvtx3-cpp
    nvtxw3-loader)
  get_target_property(folder ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT EXISTS "${folder}/nvtx3/nvToolsExt.h")
    message(FATAL_ERROR "${target} has its headers in \"${folder}\"")
  endif()
endforeach()
END
check "find_package(nvtx3)" cmake -S "$work/nvidia" -B "$work/nvidia/build" \
    "-DCMAKE_PREFIX_PATH=$prefix"

# Versions: those of its minor version and older ones.
for asked in 3 3.1.9 3.2 3.2.1 3.2.99; do
    check "find_package(nvtx3 $asked)" cmake --log-level=ERROR -S "$work/nvidia" \
        -B "$work/nvidia/$asked" -DVERSION=$asked "-DCMAKE_PREFIX_PATH=$prefix"
done
for asked in 2 3.3 3.20.1 4.2.1; do
    check "find_package(nvtx3 $asked) finds none" fails cmake -S "$work/nvidia" \
        -B "$work/nvidia/$asked" -DVERSION=$asked "-DCMAKE_PREFIX_PATH=$prefix"
done

# A project that expects NVIDIA's repository, whose CMake project is in the folder `c`.
mkdir "$work/rapids"
cat >"$work/rapids/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(rapids LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(nvtx3 URL nowhere SOURCE_SUBDIR c)
FetchContent_MakeAvailable(nvtx3)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/user.cpp
  "#include <nvtx3/nvtx3.hpp>\nint main() { nvtx3::mark(\"used\"); }\n")
add_executable(user ${CMAKE_CURRENT_BINARY_DIR}/user.cpp)
target_link_libraries(user PRIVATE nvtx3::nvtx3-cpp)
END
if command -v c++ >/dev/null; then
    check "SOURCE_SUBDIR c" cmake -S "$work/rapids" -B "$work/rapids/build" \
        "-DFETCHCONTENT_SOURCE_DIR_NVTX3=$source"
    check "SOURCE_SUBDIR c: it builds" cmake --build "$work/rapids/build"
else
    skip "SOURCE_SUBDIR c: there is no C++ compiler"
fi

# Target names that another project already uses are not redefined.
mkdir "$work/other"
cat >"$work/other/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(other LANGUAGES C)
add_library(nvtx3-c INTERFACE)
target_compile_definitions(nvtx3-c INTERFACE THEIRS)
if(BY_PACKAGE)
  find_package(rangeline REQUIRED)
else()
  add_subdirectory(${RANGELINE_DIR} rangeline)
endif()
get_target_property(theirs nvtx3-c INTERFACE_COMPILE_DEFINITIONS)
if(NOT theirs STREQUAL "THEIRS" OR NOT TARGET rangeline::nvtx3-c OR
    NOT TARGET nvtx3::nvtx3-cpp)
  message(FATAL_ERROR "${theirs}")
endif()
END
check "find_package leaves others' names alone" cmake -S "$work/other" \
    -B "$work/other/package" "-DCMAKE_PREFIX_PATH=$prefix" -DBY_PACKAGE=ON
check "add_subdirectory leaves others' names alone" cmake -S "$work/other" \
    -B "$work/other/folder" "-DRANGELINE_DIR=$source"

# ---- Recording and reading -----------------------------------------------------------

check "the collector is found" prints \
    "export NVTX_INJECTION64_PATH='$lib/rangeline/librangeline-collect.so';" \
    "$prefix/bin/rangeline" env

for program in pkg_config/made find_package/annotated find_package/annotated_cpp \
    fetch_content/fetched add_subdirectory/vendored; do
    [ -x "$work/$program" ] || continue
    n_ranges=1
    [ $program != pkg_config/made ] || n_ranges=2
    check "$program: output" prints 55 "$work/$program"
    check "$program: is recorded" "$prefix/bin/rangeline" profile -o "$work/trace" \
        -f true "$work/$program"
    [ ! -x "$work/find_package/count_ranges" ] || check "$program: ranges" \
        prints "version $version, ranges: $n_ranges" \
        "$work/find_package/count_ranges" "$work/trace.rln"
    [ $program != pkg_config/made ] || check "pkg_config/made_reader: depths" \
        prints "1 0" sh -c "'$work/pkg_config/made_reader' '$work/trace.rln' | xargs"
done
for program in "$work"/*/*self_recording; do
    [ -x "$program" ] || continue
    rm -f "$work/trace.rln"
    check "$program: output" env RANGELINE_OUTPUT="$work/trace.rln" "$program"
    check "$program: records itself" sh -c \
        "'$prefix/bin/rangeline' print '$work/trace.rln' | grep -q ' push '"
done

# ---- Man pages and completions -------------------------------------------------------

for page in "$prefix"/share/man/man1/*.1; do
    name=$(basename "$page" .1)
    check "$name.1 is about $name" grep -qi "^\.TH $name 1" "$page"
    if command -v mandoc >/dev/null; then
        check "$name.1 is well-formed" mandoc -T lint -W warning "$page"
    else
        skip "$name.1: mandoc is not installed"
    fi
done
if command -v bash >/dev/null; then
    # shellcheck disable=SC2016 # for bash to expand
    check "bash completes commands" prints profile bash -c '
        source "$0"
        COMP_WORDS=(rangeline prof) COMP_CWORD=1
        _rangeline
        echo "${COMPREPLY[*]}"' "$prefix/share/bash-completion/completions/rangeline"
fi
if command -v zsh >/dev/null; then
    # shellcheck disable=SC2016 # for zsh to expand
    check "zsh completes commands at the first try" prints "command commands" zsh -f -c '
        fpath=($0)
        _describe() { echo $* }
        compdef() { echo not yet }
        autoload -U _rangeline
        words=(rangeline prof) CURRENT=2
        _rangeline' "$prefix/share/zsh/site-functions"
else
    skip "completions of zsh: it is not installed"
fi

echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ $n_failed -eq 0 ]
