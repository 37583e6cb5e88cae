#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debian.sh [TARBALL] - builds the Debian packages of a source tarball, by default that of
# HEAD, for this processor, checks them with lintian, and prints their paths.
#
# Their bytes depend on the tarball and on the installed compiler and libraries, not on
# the folder, the time or the environment. The maintainer is DEBFULLNAME with the address
# DEBEMAIL, if that is set.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
PATH=/usr/sbin:/usr/bin:/sbin:/bin # Debian's tools
needs dpkg-buildpackage dpkg-dev
needs lintian lintian
needs xz xz-utils
tarball=$(realpath "${1:-$("$(dirname "$0")/tarball.sh")}")
version=$(basename "$tarball" .tar.xz)
version=${version#rangeline-}
work=$root/build/debian
source=$work/rangeline-$version
rm -rf "$work"
mkdir -p "$work" "$output"
tar -C "$work" -xf "$tarball"
cp -R "$source/packaging/debian" "$source"
cd "$source"

# The files of a tarball have the time of its commit.
SOURCE_DATE_EPOCH=$(stat -c %Y CMakeLists.txt)
[ -z "${DEBEMAIL:-}" ] || # as dch writes it
    sed -i "s|^Maintainer: .*|Maintainer: ${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>|" \
        debian/control
cat >debian/changelog <<END
rangeline ($version-1) unstable; urgency=medium

  * Release $version; the changes are in changelog.gz.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
END
missing=$(dpkg-checkbuilddeps 2>&1) ||
    die "$missing: apt-get build-dep $source"

say "building the Debian packages"
log_to "$work/log"
env -i PATH="$PATH" LC_ALL=C.UTF-8 HOME="$work" \
    DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)" dpkg-buildpackage -us -uc -b
log_no_more
# No bug report of Debian asks for the first of these packages.
lintian --allow-root --fail-on error,warning \
    --suppress-tags initial-upload-closes-no-bugs "$work"/*.changes >&2
cp "$work"/*.deb "$output"
(cd "$work" && for package in *.deb; do echo "$output/$package"; done)
