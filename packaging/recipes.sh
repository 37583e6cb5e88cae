#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipes.sh [TARBALL] - the recipes by which Spack and conda build a source tarball, by
# default that of HEAD: its version and checksum, filled into those of this tree, as one
# archive, whose path it prints.
#
# The tarball will be in the folder RANGELINE_RELEASE_URL, by default where it is now. That a
# recipe lies in the tarball whose checksum it needs is why this is done afterwards.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
tarball=$(realpath "${1:-$("$(dirname "$0")/tarball.sh")}")
[ -f "$tarball" ] || die "$tarball: there is no such tarball"
[[ $(basename "$tarball") =~ ^rangeline-([0-9.]+)\.tar\.xz$ ]] ||
    die "$tarball: a source tarball is rangeline-X.Y.Z.tar.xz"
version=${BASH_REMATCH[1]}
sum=$(sha256sum "$tarball" | cut -d ' ' -f 1)
url=${RANGELINE_RELEASE_URL:-file://$(dirname "$tarball")}
url=${url%/}
work=$root/build/recipes
recipes=$output/rangeline-recipes-$version.tar
rm -rf "$work"
mkdir -p "$work" "$output"
cp -r "$root/packaging/spack" "$root/packaging/conda" "$work"
find "$work" -type f -exec sed -i "s|@VERSION@|$version|
    s|@SHA256@|$sum|
    s|@URL@|${url//[&|\\]/\\&}|" {} +
! grep -rn '@[A-Z0-9]*@' "$work" || die "that is left to fill in"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=go=rX,u+rw -C "$work" -cf "$recipes" spack conda
echo "$recipes"
