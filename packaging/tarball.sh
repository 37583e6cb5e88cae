#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tarball.sh [REF] - makes the source tarball of a commit, HEAD if none is given, and
# prints its path.
#
# Its bytes depend on the commit alone: the files' times are that of the commit.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
ref=${1:-HEAD}
needs git git
needs xz xz-utils
git -C "$root" rev-parse -q --verify "$ref^{commit}" >/dev/null ||
    die "$root has no commit $ref: where there is no repository, name a tarball"
mkdir -p "$output"
version=$(git -C "$root" show "$ref:CMakeLists.txt" |
    sed -n 's/^project(rangeline VERSION \([0-9.]*\).*/\1/p')
tarball=$output/rangeline-$version.tar.xz
# Without umask and time zone of this machine; one thread, since more make other blocks.
git -C "$root" -c tar.umask=0022 archive --format=tar --prefix="rangeline-$version/" \
    "$ref" | xz -6 -T1 >"$tarball.part"
mv "$tarball.part" "$tarball"
echo "$tarball"
