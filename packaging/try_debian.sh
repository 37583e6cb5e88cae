#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_debian.sh - installs the Debian packages of this version into a minimal Debian of
# this release, for which they were built, and uses them as their users would.
#
# First the command alone, then the rest with a compiler, since a dependency that is
# missing is not noticed where a compiler brings it.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
needs mmdebstrap mmdebstrap
packages=("$output"/*rangeline*_"$version"-1_"$(dpkg --print-architecture)".deb)
[ ${#packages[@]} = 3 ] || die "not three packages of $version in $output: run debian.sh"
work=$root/build/try-debian
rm -rf "$work"
mkdir -p "$work/try"
cp -R "${packages[@]}" "$root/examples/projects" "$work/try"

cat >"$work/try/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(try LANGUAGES C)
find_package(rangeline REQUIRED)
add_executable(annotated projects/find_package/annotated.c)
target_link_libraries(annotated PRIVATE nvtx3-c)
add_executable(self_recording projects/find_package/annotated.c)
target_link_libraries(self_recording PRIVATE nvtx3-c rangeline::collect-static)
add_executable(count_ranges projects/find_package/count_ranges.c)
target_link_libraries(count_ranges PRIVATE rangeline::rangeline)
END
cat >"$work/try/try.sh" <<'END'
set -eux
export DEBIAN_FRONTEND=noninteractive
cd /try
# The user of apt that downloads cannot read all folders; root can.
apt-get -q -y -o APT::Sandbox::User=root install ./rangeline_*.deb
rangeline --version
rangeline help profile >help
apt-get -q -y -o APT::Sandbox::User=root install --no-install-recommends \
    ./librangeline*.deb gcc libc6-dev pkg-config cmake make man-db
man rangeline | grep 'rangeline-profile'
man rangeline-stats | grep 'rangeline-stats'
cmake -B build .
cmake --build build
cd build
cc ../projects/pkg_config/made.c $(pkg-config --cflags --libs nvtx3) -o made
cc ../projects/pkg_config/made_reader.c $(pkg-config --cflags --libs rangeline) -o reader
rangeline profile -o x ./made
rangeline stats x.rln | grep whole
./reader x.rln
rangeline view --html x.html x.rln
rangeline export -t sqlite x.rln
rangeline export -t otf2 x.rln
ls -l x*
rangeline profile -o y ./annotated
./count_ranges y.rln | grep 'ranges: 1'
RANGELINE_OUTPUT=z.rln ./self_recording
./count_ranges z.rln | grep 'ranges: 1'
rangeline --cmake-dir
apt-get -q -y purge '*rangeline*'
[ -z "$(find /usr /etc -name '*rangeline*')" ]
END
log=$work/log
say "installing into a minimal $suite and using it"
mmdebstrap --variant=apt --customize-hook="copy-in $work/try /" \
    --chrooted-customize-hook='sh /try/try.sh' "$suite" /dev/null >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    die "that failed: $log"
}
say "all of it works"
