# A program that has CUDA's device open, here a child of the program in a /dev of its own,
# gets a note if its GPU work is not recorded.
unshare -m true 2>/dev/null || {
    echo "skipped: needs a mount namespace" >&2
    exit 77
}
export BIN
unshare -m bash -c '
    mkdir old
    mount --bind /dev old && mount -t tmpfs none /dev || {
        echo "skipped: needs to mount" >&2
        exit 77
    }
    for name in null zero urandom; do
        touch /dev/$name && mount --bind old/$name /dev/$name
    done
    touch /dev/nvidia-uvm /dev/nvidiactl
    run() { rangeline profile -f -o run "$@" 2>&1 | grep -E "^(note|hint)" || echo "no note"; }
    child() { echo "(exec 3</dev/$1; $BIN/everything .; sleep 1.6); :"; }
    echo "== a child has it open"
    run sh -c "$(child nvidia-uvm)"
    echo "== another device"
    run sh -c "$(child nvidiactl)"
    echo "== -t nvtx"
    run -t nvtx sh -c "$(child nvidia-uvm)"
    echo "== no annotations"
    run sh -c "exec 3</dev/nvidia-uvm; sleep 1.6; :"'
