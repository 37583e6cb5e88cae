# SPDX-License-Identifier: Apache-2.0
# common.sh - sourced by the other scripts: where results are, what they are built with,
# and functions that several of them use.
#
# zig's clang and its copies of glibc's headers and symbol lists make programs that run
# with glibc 2.28, on both processors, which Debian's compilers cannot.
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$(sed -n 's/^project(rangeline VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
# Shared by releases: nothing in it depends on Rangeline's sources.
cache=$(realpath -m "${RANGELINE_RELEASE_CACHE:-$root/build/release}")
output=$(realpath -m "${RANGELINE_RELEASE_OUTPUT:-$root/build/release/files}")
glibc=2.28
zig_version=0.17.1
pythons='3.9 3.10 3.11 3.12 3.13 3.14 3.15'
# The commit's time; in a source tarball, files have it.
[ ! -e "$root/.git" ] || : "${SOURCE_DATE_EPOCH:=$(git -C "$root" log -1 --format=%ct)}"
: "${SOURCE_DATE_EPOCH:=$(stat -c %Y "$root/CMakeLists.txt")}"
export SOURCE_DATE_EPOCH

say() { echo "release: $*" >&2; }
die() {
    say "$*"
    exit 1
}
[[ $root != *[[:space:]]* ]] || die "$root: the path of the tree has a space"

needs() { # COMMAND PACKAGE
    command -v "$1" >/dev/null || die "$1 is missing: apt-get install $2"
}

# The programs of a release that come from PyPI.
tool() { echo "$cache/tools/bin/$1"; }
make_tools() {
    [ ! -e "$cache/tools/made-$zig_version" ] || return 0
    say "installing zig and what makes wheels"
    python3 -m venv "$cache/tools" || die "python3 has no venv"
    "$cache/tools/bin/pip" install --quiet --disable-pip-version-check \
        "ziglang==$zig_version" scikit-build-core==1.1.2 wheel==0.48.0 auditwheel==6.8.2 ||
        die "pip cannot install zig"
    touch "$cache/tools/made-$zig_version"
}

# Sets arch and prefix, and exports what zig.cmake reads.
use_arch() { # x86_64|aarch64
    case $1 in
    x86_64 | aarch64) arch=$1 ;;
    *) die "unknown processor: \"$1\": x86_64 or aarch64" ;;
    esac
    make_tools
    prefix=$cache/$arch/prefix
    export ZIG_ARCH=$arch ZIG_PREFIX=$prefix ZIG_BIN=$cache/$arch/zig
    export ZIG_GLOBAL_CACHE_DIR=$cache/zig-cache ZIG_LOCAL_CACHE_DIR=$cache/zig-cache
    mkdir -p "$ZIG_BIN" "$prefix" "$output"
    wrapper cc cc -target "$arch-linux-gnu.$glibc"
    wrapper ar ar
    wrapper ranlib ranlib
}

wrapper() { # NAME WORD...
    cat >"$ZIG_BIN/$1" <<END
#!/bin/sh
exec "$(tool python)" -m ziglang ${*:2} "\$@"
END
    chmod +x "$ZIG_BIN/$1"
}

# What is printed from here on goes into FILE, which is named if a command fails.
log_to() { # FILE
    set -E
    # shellcheck disable=SC2064 # the name as it is now
    trap "tail -n 5 '$1' >&2; die 'that failed: $1'" ERR
    exec 3>&1 >"$1" 2>&1
    say() { echo "release: $*" >&3; }
}
# Ends it: standard output is again what it was.
log_no_more() {
    trap - ERR
    exec >&3 2>&3
}

# The system's Debian mirror.
mirror() {
    local found
    found=$(sed -nE 's/^URIs: *([^ ]*).*|^deb (\[[^]]*\] )?([^ ]*).*/\1\3/p' \
        /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
        head -n 1) || true
    [ -n "$found" ] || die "no Debian mirror in /etc/apt: this step needs Debian"
    echo "$found"
}

# `apt` for the packages of other Debian releases or of source packages: with a list of its
# own, made from the system's, whose mirror and keys it uses.
apt_list() { # source|binary SUITE...
    local kind=deb mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg suite
    [ "$1" = binary ] || kind=deb-src
    mirror=$(mirror)
    apt_folder=$cache/apt/$1
    mkdir -p "$apt_folder/partial"
    shift
    : >"$apt_folder.list"
    for suite; do
        echo "$kind [signed-by=$keys] $mirror $suite main" >>"$apt_folder.list"
        [ "$suite" != bookworm ] ||
            echo "$kind [signed-by=$keys] ${mirror%/}-security bookworm-security main" \
                >>"$apt_folder.list"
    done
    apt update
}
apt() { # WORD...
    apt-get -q -o "Dir::Etc::sourcelist=$apt_folder.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::Lists=$apt_folder" -o APT::Get::List-Cleanup=0 \
        -o APT::Sandbox::User=root "$@" >>"$cache/apt.log" 2>&1 ||
        die "apt-get $1 failed: $cache/apt.log"
}

# SQLite as one file, in the current folder, which has its sources.
make_amalgamation() {
    CC=cc CFLAGS='' ./configure --disable-tcl
    make sqlite3.c
}
