#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheels.sh ARCH [VERSION...] - builds a wheel for each CPython whose headers are here,
# and prints their paths. The drop-in, rangeline-nvtx, is one wheel for all.
#
# All but the extension is the same in each, so it is built once, as a wheel without the
# extension. Headers are taken from installed interpreters, else from the package
# libpythonX.Y-dev of any Debian release. Those of an x86-64 interpreter serve aarch64,
# too: their pyconfig.h differs in no size of a type.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
use_arch "${1:?usage: wheels.sh ARCH [VERSION...]}"
shift
[ $# = 0 ] || pythons=$*
needs cmake cmake
[ "$arch" = x86_64 ] || needs qemu-aarch64 qemu-user
[ -e "$prefix/built-from" ] || "$(dirname "$0")/dependencies.sh" "$arch"
work=$root/build/wheels/$arch
mkdir -p "$work"
rm -rf "$work/base" "$work/contents"

headers() { # VERSION: the folder with its Python.h, or nothing
    local python folder
    for python in ~/.pyenv/versions/"$1".*/bin/python3 "$(command -v "python$1" || true)"; do
        [ -x "$python" ] || continue
        folder=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])' \
            2>/dev/null) || continue
        [ ! -e "$folder/Python.h" ] || {
            echo "$folder"
            return
        }
    done
    folder=$cache/headers/usr/include/python$1
    [ -e "$folder/Python.h" ] || fetch_headers "$1"
    [ ! -e "$folder/Python.h" ] || echo "$folder"
}

fetch_headers() { # VERSION: both processors have one pyconfig.h each
    local debian package
    mkdir -p "$cache/headers"
    apt_list binary trixie forky sid
    for debian in amd64 arm64; do
        (
            cd "$cache/headers"
            apt -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" update
            apt -o "APT::Architecture=$debian" -o "APT::Architectures=$debian" \
                download "libpython$1-dev:$debian"
        ) || return 0
    done
    for package in "$cache/headers/libpython$1"-dev_*.deb; do
        dpkg-deb -x "$package" "$cache/headers"
    done
}

build_base() {
    local define=(-C "cmake.define.CMAKE_TOOLCHAIN_FILE=$root/packaging/zig.cmake"
        -C cmake.define.RLN_PYTHON=OFF -C cmake.define.RLN_EXAMPLES=OFF
        -C cmake.define.CMAKE_DISABLE_FIND_PACKAGE_OTF2=ON
        -C "build-dir=$work/core")
    "$(tool pip)" wheel --quiet --disable-pip-version-check --no-deps \
        --no-build-isolation "${define[@]}" -w "$work/base" "$root"
    "$(tool wheel)" unpack --dest "$work/contents" "$work"/base/*.whl
}

build_extension() { # VERSION HEADERS
    local flags=(-O2 -std=gnu11 -fPIC -fvisibility=hidden -g0 -shared
        "-ffile-prefix-map=$root=." -D_GNU_SOURCE)
    # shellcheck disable=SC2046 # no path has a space
    "$ZIG_BIN/cc" "${flags[@]}" -I"$root/python/native" -isystem "$root/include" \
        -isystem "$2" -isystem "$2/.." $(cd "$root" && find python/native -name '*.c' | sort |
            sed "s|^|$root/|") \
        -o "$work/_native.so"
}

pack() { # VERSION
    local tag=cp${1/./} contents=("$work"/contents/rangeline-*) info native
    info=${contents[0]}/rangeline-$version.dist-info
    native=${contents[0]}/rangeline/_native.cpython-${1/./}-$arch-linux-gnu.so
    rm -f "${contents[0]}"/rangeline/_native.*.so
    install -m 755 "$work/_native.so" "$native"
    sed -i "s/^Tag: .*/Tag: $tag-$tag-manylinux_2_28_$arch/" "$info/WHEEL"
    "$(tool wheel)" pack --dest-dir "$output" "${contents[0]}"
}

say "building all but the extension for $arch"
log_to "$work/log"
build_base
contents=("$work"/contents/rangeline-*)
cp -r "$prefix/licenses" "${contents[0]}/rangeline-$version.dist-info/"
for python in $pythons; do
    folder=$(headers "$python")
    if [ -z "$folder" ]; then
        say "left out: CPython $python: its headers are not here"
        continue
    fi
    say "building the extension for CPython $python"
    build_extension "$python" "$folder"
    pack "$python"
done
say "building the drop-in"
"$(tool pip)" wheel --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation -w "$output" "$root/python/dropin"
log_no_more
ls "$output"/rangeline-"$version"-*"_$arch.whl" "$output"/rangeline_nvtx-*.whl
