# A flipped bit anywhere is an error, or costs some events; it never is a crash.
golden nested
size=$(stat -c %s nested.rln)
for at in $(seq 0 64 8192) $(seq 65536 24 69000) $(seq 81920 24 85000); do
    [ "$at" -lt "$size" ] || continue
    cp nested.rln flipped.rln
    byte=$(od -An -tu1 -j "$at" -N 1 nested.rln)
    printf "\\x$(printf %x $((byte ^ 1 << at / 8 % 8)))" |
        dd of=flipped.rln bs=1 seek="$at" conv=notrunc status=none
    for command in 'print --json' 'print --ranges' info stats; do
        # shellcheck disable=SC2086
        rangeline $command flipped.rln >stdout 2>stderr
        status=$?
        [ $status -le 1 ] || echo "at $at: $command: exit $status"
        [ $status -eq 0 ] || [ -s stderr ] || echo "at $at: $command: no reason given"
    done
done
echo done
