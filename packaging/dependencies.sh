#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dependencies.sh ARCH - builds zlib, zstd, SQLite and libmicrohttpd as static libraries
# from the sources of this Debian release, with its security fixes, into the cache.
#
# libmicrohttpd (LGPL) is without TLS and authentication: the viewer's server listens on
# the loopback alone. SQLite is without what none of our statements uses: it is in the
# command and in the library, and a wheel has at most 4 MB.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
use_arch "${1:?usage: dependencies.sh ARCH}"
sources=$cache/sources
packages='zlib libzstd sqlite3 libmicrohttpd'
flags='-O2 -fPIC -fvisibility=hidden -g0'
omitted='AUTHORIZATION DECLTYPE DEPRECATED JSON LOAD_EXTENSION PROGRESS_CALLBACK SHARED_CACHE TRACE'
needs tclsh tcl
needs dpkg-source dpkg-dev

fetch() {
    [ ! -e "$sources/complete" ] || return 0
    rm -rf "$sources"
    mkdir -p "$sources"
    say "fetching the sources of $packages"
    apt_list source bookworm
    # shellcheck disable=SC2086 # names of packages are words
    (cd "$sources" && apt source $packages) >&2
    (cd "$sources" && sha256sum ./*.tar.* | sort -k 2 >sums)
    touch "$sources/complete"
}

unpacked() { # PACKAGE: a fresh copy of its sources, in the current folder
    local from=("$sources/$1"-*/)
    mkdir -p "$prefix/licenses"
    cp "${from[0]}/debian/copyright" "$prefix/licenses/$1"
    rm -rf "$1"
    cp -r "${from[0]}" "$1"
}

build() {
    local host=$arch-linux-gnu
    export CC=$ZIG_BIN/cc AR=$ZIG_BIN/ar RANLIB=$ZIG_BIN/ranlib CFLAGS=$flags
    mkdir -p "$prefix/lib" "$prefix/include"

    unpacked zlib
    (cd zlib && CHOST=$host ./configure --static --prefix="$prefix" &&
        make libz.a && cp libz.a "$prefix/lib" && cp zlib.h zconf.h "$prefix/include")

    unpacked libzstd
    make -C libzstd/lib libzstd.a CC="$CC" AR="$AR" CFLAGS="$flags"
    cp libzstd/lib/libzstd.a "$prefix/lib"
    cp libzstd/lib/*.h "$prefix/include"

    unpacked sqlite3
    (cd sqlite3 && make_amalgamation)
    # shellcheck disable=SC2046,SC2086 # flags are words
    "$CC" $flags $(printf -- '-DSQLITE_OMIT_%s ' $omitted) -DSQLITE_THREADSAFE=1 \
        -c sqlite3/sqlite3.c -o sqlite3/sqlite3.o
    rm -f "$prefix/lib/libsqlite3.a"
    "$AR" rc "$prefix/lib/libsqlite3.a" sqlite3/sqlite3.o
    cp sqlite3/sqlite3.h "$prefix/include"

    unpacked libmicrohttpd
    (cd libmicrohttpd && ./configure --host="$host" --disable-https --disable-shared \
        --disable-curl --disable-doc --disable-examples --disable-dauth \
        --disable-bauth --disable-postprocessor &&
        make -C src/microhttpd libmicrohttpd.la)
    cp libmicrohttpd/src/microhttpd/.libs/libmicrohttpd.a "$prefix/lib"
    cp libmicrohttpd/src/include/microhttpd.h "$prefix/include"
}

fetch
stamp=$(cat "$sources/sums" "$0" "$(dirname "$0")/common.sh" | sha256sum | cut -d' ' -f1)
[ "$(cat "$prefix/built-from" 2>/dev/null)" != "$stamp" ] || exit 0
say "building $packages for $arch"
log_to "$cache/$arch/dependencies.log"
mkdir -p "$cache/$arch/dependencies"
cd "$cache/$arch/dependencies"
build
echo "$stamp" >"$prefix/built-from"
