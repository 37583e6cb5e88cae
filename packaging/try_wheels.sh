#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_wheels.sh ARCH [VERSION...] - installs each wheel where there is no compiler, and
# uses it. Ends with `N passed, N failed, N skipped` over all of them.
#
# Each CPython runs in the Debian release that has it, so with glibc 2.31 and newer. An
# x86-64 version that no release has is copied from pyenv, if it is there.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
use_arch "${1:?usage: try_wheels.sh ARCH [VERSION...]}"
shift
[ $# = 0 ] || pythons=$*
needs mmdebstrap mmdebstrap
case $arch in
x86_64)
    debian=amd64
    needs unshare util-linux
    ;;
aarch64)
    debian=arm64
    needs qemu-aarch64 qemu-user
    ;;
esac
# pip needs distutils in Python 3.9.
declare -A suites=([3.9]='bullseye python3-distutils' [3.11]=bookworm [3.13]=trixie [3.14]=forky
    [3.15]="sid python3.15-minimal libpython3.15-stdlib")
roots=$cache/$arch/roots
mkdir -p "$roots"

make_root() { # NAME SUITE PACKAGE...: unpacked, not set up: that runs on any processor
    local root=$roots/$1 suite=$2
    shift 2
    [ ! -e "$root/complete" ] || return 0
    rm -rf "$root"
    say "unpacking Debian $suite for $debian"
    # A mirror's copy of an unreleased suite may be old.
    mmdebstrap --arch="$debian" --variant=extract \
        --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --aptopt='Acquire::Check-Valid-Until "false"' \
        --include="base-files,dash,coreutils,$(IFS=, && echo "$*")" \
        "$suite" "$root" "deb $(mirror) $suite main" >"$roots/log" 2>&1 ||
        die "mmdebstrap failed: $roots/log"
    ln -sf dash "$root/bin/sh"
    touch "$root/complete"
}

# Sets python, in a root of that name; false if there is none.
find_python() { # VERSION
    local pyenv=(~/.pyenv/versions/"$1".*/)
    if [ -n "${suites[$1]:-}" ]; then
        # shellcheck disable=SC2086 # a suite and packages
        make_root "$1" ${suites[$1]} python3-minimal libpython3-stdlib libstdc++6
        python=/usr/bin/python$1
    elif [ "$arch" = x86_64 ] && [ -d "${pyenv[0]}" ]; then
        make_root "$1" bookworm libffi8 libsqlite3-0 libssl3 libstdc++6 zlib1g
        # It looks for its library where it was built.
        cp -ru --parents "${pyenv[0]}" "$roots/$1" || die "cannot copy ${pyenv[0]}"
        python=${pyenv[0]}bin/python$1
    else
        return 1
    fi
}

# What the wheels are tried with, for all Pythons: pip's wheel, and pyarrow where it is.
fetch_others() { # VERSION
    local pip=("$(tool pip)" download --quiet --disable-pip-version-check --no-deps)
    [ -n "$(ls "$roots"/pip-*.whl 2>/dev/null)" ] || "${pip[@]}" -d "$roots" pip==25.3
    [ "$arch" != x86_64 ] || [ -n "$(ls "$roots"/pyarrow-*-"cp${1/./}"-*.whl 2>/dev/null)" ] ||
        "${pip[@]}" -d "$roots" --only-binary :all: --python-version "$1" \
            --platform manylinux_2_28_x86_64 --platform manylinux2014_x86_64 pyarrow 2>/dev/null || true
}

n_passed=0 n_failed=0 n_skipped=0
for version_of_python in $pythons; do
    wheel=rangeline-$version-cp${version_of_python/./}-cp${version_of_python/./}
    wheel=$output/$wheel-manylinux_2_28_$arch.whl
    [ -e "$wheel" ] || die "no wheel for CPython $version_of_python: $wheel"
    if ! find_python "$version_of_python"; then
        echo "skipped: $(basename "$wheel"): no CPython $version_of_python for $arch"
        n_skipped=$((n_skipped + 1))
        continue
    fi
    fetch_others "$version_of_python"
    place=$roots/$version_of_python/wheels
    rm -rf "$place"
    mkdir "$place"
    cp "$wheel" "$output"/rangeline_nvtx-*.whl "$roots"/pip-*.whl "$place"
    cp "$roots"/pyarrow-*-"cp${version_of_python/./}"-*.whl "$place" 2>/dev/null || true
    say "trying CPython $version_of_python on $arch"
    names=("$place"/rangeline-*.whl "$place"/rangeline_nvtx-*.whl "$place"/pyarrow-*.whl)
    paths=()
    for name in "${names[@]}"; do
        [ ! -e "$name" ] || paths+=("/wheels/$(basename "$name")")
    done
    python3 "$root/packaging/try_wheel.py" "$arch" "$roots/$version_of_python" "$python" \
        "/wheels/$(basename "$place"/pip-*.whl)" "${paths[@]}" | tee "$roots/result" || true
    read -r passed failed skipped < <(sed -nE \
        's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' \
        "$roots/result") || die "CPython $version_of_python: the trial broke off"
    n_passed=$((n_passed + passed)) n_failed=$((n_failed + failed))
    n_skipped=$((n_skipped + skipped))
done
echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
[ "$n_failed" = 0 ]
