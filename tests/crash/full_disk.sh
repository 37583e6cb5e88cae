#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# full_disk.sh disk|ext4|btrfs|freed|limit|memory BIN FOLDER - on a full disk, at a
# file-size limit, and in memory where a cgroup is limited, the program ends as without
# recording; recorded and dropped events add up.
set -u
case=$1 bin=$2 folder=$3/full_disk.$1
marks=3000000
# btrfs reports remaining room late, so it takes more marks to fill. In memory, so many
# do not fit 64 MiB.
case $case in
btrfs | memory) marks=9000000 ;;
esac

if [ "$case" != limit ] && [ -z "${FULL_DISK_INSIDE:-}" ]; then
    unshare -m true 2>/dev/null || {
        echo "skipped: needs a mount namespace of its own (root)"
        exit 77
    }
    FULL_DISK_INSIDE=1 exec unshare -m "$0" "$@"
fi

fail() {
    echo "$*"
    cat "$folder.stderr" 2>/dev/null
    exit 1
}

skip() {
    echo "skipped: $*"
    exit 77
}

# A file system in a file, mounted where the trace goes. It has 8 MiB left that
# recording may use (which leaves an eighth of so small a disk free).
mount_image() { # KIND MIB
    command -v "mkfs.$1" >/dev/null || skip "mkfs.$1 is not installed"
    truncate -s "$2M" "$folder.image" && "mkfs.$1" -q "$folder.image" >/dev/null ||
        skip "mkfs.$1 makes no image here"
    mount -o loop "$folder.image" "$folder" 2>/dev/null ||
        skip "this kernel mounts no $1 image"
    rm "$folder.image" # freed when unmounted
    available=$(df -k --output=avail "$folder" | tail -n 1)
    head -c "$((available - $2 * 1024 / 8 - 8192))K" /dev/zero >"$folder/ballast"
    sync -f "$folder"
}

# A cgroup of its own, in either version, with a limit of 64 MiB; our parent's cgroup
# keeps its processes.
make_cgroup() {
    ! grep -q __asan_init "$bin/rangeline" || skip "AddressSanitizer needs more memory"
    cgroup=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory:\(.*\)/\1/p' /proc/self/cgroup)
    limit=memory.limit_in_bytes
    if [ ! -e "$cgroup/$limit" ]; then
        cgroup=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
        limit=memory.max
    fi
    cgroup=$cgroup/rangeline_$$
    mkdir "$cgroup" 2>/dev/null || skip "needs a cgroup of its own (root)"
    trap 'rmdir "$cgroup"' EXIT
    { echo 64M >"$cgroup/$limit"; } 2>/dev/null || skip "this cgroup has no memory limit"
}

rm -rf "$folder" && mkdir -p "$folder" || exit 1
case $case in
memory)
    make_cgroup
    mount -t tmpfs -o size=1g none "$folder" || exit 1
    # shellcheck disable=SC2016
    sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$cgroup" \
        "$bin/rangeline" profile -o "$folder/t" "$bin/filler" $marks \
        >"$folder.stdout" 2>"$folder.stderr"
    status=$?
    ;;
limit)
    # 4 MiB, in blocks of 512 bytes.
    (ulimit -f 8192 && exec "$bin/rangeline" profile -o "$folder/t" \
        "$bin/filler" $marks) >"$folder.stdout" 2>"$folder.stderr"
    status=$?
    ;;
disk)
    mount -t tmpfs -o size=8m none "$folder" || exit 1
    "$bin/rangeline" profile -o "$folder/t" "$bin/filler" $marks \
        >"$folder.stdout" 2>"$folder.stderr"
    status=$?
    ;;
ext4 | btrfs)
    mount_image $case 256
    "$bin/rangeline" profile -o "$folder/t" "$bin/filler" $marks \
        >"$folder.stdout" 2>"$folder.stderr"
    status=$?
    ;;
freed)
    mount -t tmpfs -o size=64m none "$folder" || exit 1
    head -c 54525952 /dev/zero >"$folder/ballast"
    "$bin/rangeline" profile -o "$folder/t" "$bin/filler" $marks 1000000 \
        "$folder/ballast" >"$folder.stdout" 2>"$folder.stderr"
    status=$?
    ;;
esac

[ $status -eq 7 ] || fail "exit status: found $status, expected 7"
[ "$(cat "$folder.stdout")" = "$marks marks" ] || fail "the program's output changed"
grep -q 'DROPPED' "$folder.stderr" || fail "the closing line is silent about the loss"
why='the disk or memory was full'
[ "$case" != limit ] || why="the trace reached the limit of a file's size"
[ "$case" != memory ] || why='the trace was in memory, which was full for the program'
grep -q "^hint: $why" "$folder.stderr" || fail "no hint says why"
"$bin/rangeline" info "$folder/t.rln" | grep -qi 'dropped' || fail "info is silent"

# Marks in the trace, and marks counted by its gaps. No event follows the gap at the
# very end to record it; the closing line includes it.
"$bin/rangeline" print --json "$folder/t.rln" >"$folder.json" 2>"$folder.note" ||
    fail "print failed"
grep -q "^note: [0-9]* events were dropped: no space" "$folder.note" || fail "print is silent"
"$bin/rangeline" stats "$folder/t.rln" 2>&1 >/dev/null | grep -q "dropped: no space" ||
    fail "stats is silent"
kept=$(grep -c '"type":"mark"' "$folder.json")
dropped=$(sed -n 's/.*DROPPED[^:]*: \([0-9,]*\) events$/\1/p' "$folder.stderr" | tr -d ,)
[ "$((kept + dropped))" -eq $marks ] || fail "kept $kept + dropped $dropped != $marks"
[ "$kept" -ge 100000 ] || fail "only $kept marks were kept"
if [ "$case" = freed ]; then
    grep -q '"type":"gap"' "$folder.json" || fail "no gap where recording went on"
    tail -n 1 "$folder.json" | grep -q '"message":"met while full"' ||
        fail "it did not go on, or without a name that it met while the disk was full"
fi
rm -f "$folder.json" "$folder.note" "$folder.stdout" "$folder.stderr"
