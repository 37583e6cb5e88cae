#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_wheels.sh - checks that each wheel of this version runs where its name says: what
# it needs of the system, and at most 4 MB.
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "$0")/common.sh"
needs readelf binutils
make_tools
work=$root/build/check-wheels
for wheel in "$output"/rangeline-"$version"-*.whl; do
    [ -e "$wheel" ] || die "no wheels in $output: packaging/wheels.sh makes them"
    name=$(basename "$wheel") platform=${wheel##*-}
    [ "$(stat -c %s "$wheel")" -le 4000000 ] || die "$name has more than 4 MB"
    "$(tool auditwheel)" show "$wheel" | tr '\n' ' ' |
        grep -q "consistent with the following platform tag: \"${platform%.whl}\"" ||
        die "$name needs a newer glibc: auditwheel show $wheel"
    rm -rf "$work"
    "$(tool wheel)" unpack --dest "$work" "$wheel" >/dev/null
    dynamic=$(find "$work" -type f \( -name '*.so*' -o -path '*/bin/rangeline' \) -print0 |
        xargs -0 readelf --dynamic)
    needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic" | sort -u |
        { grep -vE '^(libc|libm|libpthread|libdl|ld-linux-.*)\.so\.[0-9]+$' || true; })
    [ -z "$needed" ] || die "$name needs ${needed//$'\n'/ }"
done
say "the wheels need glibc $glibc and nothing else"
