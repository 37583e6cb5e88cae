# A flipped bit anywhere is an error or loses some events, but never causes a crash. Only
# every FLIPPED_EACH-th bit is flipped, for builds in which the command starts slowly.
each=${FLIPPED_EACH:-1}
try() { # NAME COMMAND...: what remains of the trace with one bit flipped
    name=$1
    shift
    cp "$name.rln" flipped.rln
    byte=$(od -An -tu1 -j "$at" -N 1 "$name.rln")
    printf "\\x$(printf %x $((byte ^ 1 << at / 8 % 8)))" |
        dd of=flipped.rln bs=1 seek="$at" conv=notrunc status=none
    for command; do
        # shellcheck disable=SC2086
        rangeline $command flipped.rln >stdout 2>stderr
        status=$?
        [ $status -le 1 ] || echo "$name at $at: $command: exit $status"
        [ $status -eq 0 ] || [ -s stderr ] || echo "$name at $at: $command: no reason"
    done
}

golden nested
for at in $(seq 0 $((64 * each)) 8192) $(seq 65536 $((24 * each)) 69000) \
    $(seq 81920 $((24 * each)) 85000); do
    [ "$at" -ge "$(stat -c %s nested.rln)" ] ||
        try nested 'print --json' 'print --ranges' info stats
done
# Events other than ranges: flips bits in nonzero bytes, in chunks of all kinds.
sums='stats -r mark_sum,category_sum,counter_sum,payload_sum,sync_sum'
for name in payloads counters deferred group pool locks; do
    golden $name
    for at in $(od -An -v -tu1 -w1 "$name.rln" | awk -v each=$((37 * each)) \
        '$1 && n++ % each == 0 { print NR - 1 }'); do
        try $name 'print --json' 'info --json' "$sums"
    done
done
echo done
