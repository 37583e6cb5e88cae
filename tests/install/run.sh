#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder, moves that elsewhere, and uses it as those do who have it.
#   run.sh BUILD_DIR       (UPDATE=1 writes files.expected instead of comparing)
# Ends with `N passed, N failed[, N skipped]`.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$build/tests/install.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n_passed=0 n_failed=0 n_skipped=0

check() { # NAME COMMAND...: that it succeeds
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

prints() { # EXPECTED COMMAND...: that it prints this line
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

# ---- What lies where -----------------------------------------------------------------

check "it installs" env DESTDIR= cmake --install "$build" --prefix "$work/first"
prefix=$work/moved
mv "$work/first" "$prefix" || exit 1
lib=$(dirname "$(find "$prefix" -name librangeline-collect.so)")
version=$("$prefix/bin/rangeline" --version | sed 's/.* //')
(cd "$prefix" && find . ! -type d -printf '%P\n') | LC_ALL=C sort |
    sed "s|^${lib#"$prefix/"}/|LIB/|; s|\.so\.$version|.so.VERSION|
         s|targets-[a-z]*\.cmake|targets-BUILD_TYPE.cmake|" >"$work/files"
[ -z "${UPDATE:-}" ] || cp "$work/files" "$here/files.expected"
check "these files" diff -u "$here/files.expected" "$work/files"
check "no file holds a path of the build" sh -c \
    "! grep -rl --binary-files=without-match '$build' '$prefix'"

# ---- pkg-config ----------------------------------------------------------------------

export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"
mkdir "$work/by-pkg-config"
if command -v pkg-config >/dev/null; then
    # shellcheck disable=SC2046 # flags are words
    check "pkg-config nvtx3" cc "$here/consumer/annotated.c" \
        $(pkg-config --cflags --libs nvtx3) -o "$work/by-pkg-config/annotated-c"
    # shellcheck disable=SC2046
    check "pkg-config rangeline" cc "$here/consumer/reader.c" \
        $(pkg-config --cflags --libs rangeline) -o "$work/by-pkg-config/reader"
else
    skip "pkg-config: it is not installed"
fi

# ---- find_package --------------------------------------------------------------------

by_cmake() {
    cmake -S "$here/consumer" -B "$work/by-cmake" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/by-cmake"
}

if command -v c++ >/dev/null; then
    check "find_package(rangeline)" by_cmake
else
    skip "find_package: there is no C++ compiler"
fi

# ---- What they built, recorded and read ----------------------------------------------

for program in by-pkg-config/annotated-c by-cmake/annotated-c by-cmake/annotated-cpp; do
    [ -x "$work/$program" ] || continue
    check "$program is recorded" "$prefix/bin/rangeline" profile -o "$work/trace" \
        -f true "$work/$program"
    for reader in by-pkg-config by-cmake; do
        [ ! -x "$work/$reader/reader" ] || check "$reader/reader" \
            prints "version $version, ranges: 1" "$work/$reader/reader" "$work/trace.rln"
    done
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
