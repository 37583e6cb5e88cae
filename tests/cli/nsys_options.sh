# Options of `nsys profile` that record other data are accepted with one note, whether
# their value is behind = or the next word, and the program is not taken for a value.
check() { # WORD...: prints what is not as it should be
    n_checked=$((n_checked + 1))
    found=$(rangeline profile "$@" echo ran 2>&1 | sed -n 1,2p)
    [ "$found" = "rangeline: note: --$name has no effect: only NVTX events, GPU work \
and switches are recorded
ran" ] || printf '%s:\n%s\n' "$*" "$found"
}

n_checked=0
while read -r name value; do
    check "--$name=$value"
    check "--$name" "$value"
    case $value in
    true | false) check "--$name" ;;
    esac
done <<'END'
accelerator-trace none
backtrace dwarf
clock-frequency-changes true
cpu-cluster-events none
cpu-core-events 2
cpu-core-metrics 0,1
cpu-metrics none
cpu-socket-events none
cpu-socket-metrics none
cuda-event-trace auto
cuda-memory-usage true
cuda-trace-scope process-tree
cuda-um-cpu-page-faults true
cuda-um-gpu-page-faults false
cudabacktrace kernel:500,sync
debug-symbols /usr/lib/debug
discard-environment true
dts-api-port 9117
event-sample system-wide
event-sampling-frequency 3
event-sampling-interval 10
event-sampling-multiplex-interval 10
flush-on-cudaprofilerstop false
ftrace sched/sched_switch
ftrace-keep-user-config true
gds-libs-path /usr/lib
gds-metrics driver
gpu-metrics-frequency 20000
gpu-metrics-set ga100
gpu-video-device all
gpuctxsw true
ib-net-info-devices mlx5_0
ib-net-info-files net.db_csv
ib-net-info-output net
ib-switch-congestion-device 0x1
ib-switch-congestion-devices 0x1
ib-switch-congestion-nic-device mlx5_0
ib-switch-congestion-percent 50
ib-switch-congestion-threshold-high 75
ib-switch-metrics-device 0x1
ib-switch-metrics-devices 0x1
ib-switch-metrics-nic-device mlx5_0
mpi-impl openmpi
nccl-trace api,rt
nic-metrics hf-via-dts
opengl-gpu-workload false
os-events 1
osrt-backtrace-depth 24
osrt-backtrace-stack-size 6144
osrt-backtrace-threshold 80000
osrt-file-access true
osrt-threshold 1000
process-scope main
python-backtrace cuda
python-sampling true
python-sampling-frequency 1000
resolve-symbols false
sample none
samples-per-backtrace 4
sampling-frequency 1000
sampling-period 1000000
sampling-trigger perf
show-output true
show-source-info true
stop-on-exit true
storage-metrics --storage-devices=all
syscall process-tree
trace-fork-before-exec true
vulkan-gpu-workload batch
END
echo "$n_checked command lines"

# All of them share a note, and so do names of -t; a session has its own reason.
rangeline profile -s none -b none --gpuctxsw --osrt-threshold 5 --gpuctxsw=false \
    -t nvtx,osrt,cudnn,nccl --session-new=mine echo ran 2>&1 | sed -n 1,4p

# Of nsys's plugins, one samples GPUs, as --gpu-metrics-devices=all does.
rangeline profile --enable=network_interface,-i100 --enable nvml_metricses echo ran 2>&1 | sed -n 1,3p

# Suffixes of --cuda-graph-trace say what nsys does with graphs beside recording them.
rangeline profile --cuda-graph-trace=node:nvtx-precapture:host-only -t cuda -o t true 2>&1 | head -n 1

# Options in files: those of the command line come last.
cat >one.txt <<'END'
-o "in one"
  -f true --env-var='SAYS=a b' -s none
END
echo "-o two --env-var=AND=c" >two.txt
rangeline profile --command-file=one.txt --command-file two.txt sh -c \
    "echo \$SAYS \$AND; $BIN/say mark a" 2>&1 | tidy
rangeline profile -o named --command-file=two.txt "$BIN/say" mark a 2>&1 | tidy
for line in 'touch started' '--command-file=two.txt' "-o 'x" '--kil=none'; do
    echo "# $line"
    echo "$line" >wrong.txt
    rangeline profile --command-file=wrong.txt touch started 2>&1
    echo "$?"
done
rangeline profile --command-file=none.txt touch started 2>&1
echo "$?"
rangeline profile --command-file=/dev/zero touch started 2>&1 # it has no end
echo "$?"

# A command that uses the trace, after the exports.
rangeline profile -o ready -t nvtx --export=json \
    --after-report-ready="echo \$NSYS_CALLBACK_NAME; rangeline print --json \$NSYS_REPORT_PATH |
        grep -c mark; ls ready.*; exit 3" "$BIN/say" mark a 2>&1 | tidy | sed 's/[0-9]* bytes/SIZE/'
rangeline profile -o no --after-report-ready='echo ready' true 2>&1 | head -n 1
rangeline profile -o ready -f --after-report-ready= "$BIN/say" mark a 2>&1 | tidy

# Those that decide which NVTX events exist, or when, are refused before the program
# starts, with what there is instead.
while read -r words; do
    echo "# $words"
    # shellcheck disable=SC2086 # words
    rangeline profile $words touch started 2>&1
    echo "$?"
done <<'END'
-c hotkey
--cuda-graph-trace=nodes
--cuda-graph-trace=graph:
--cuda-graph-trace=graph:nvtx
--capture-range=hotkey
--hotkey-capture=F11
--hotkey-capture F11
--duration-frames=60
--start-frame-index=10
--run-as=me
--python-functions-trace=annotations.json
--dask=functions-trace
--after-collection-start=true
--auto-report-name=true
--session=mine
--dx12-gpu-workload=true
--wddm-backtraces=true
--soc-metrics=true
--xhv-trace=file
--gpu-metrics-devicse=all
END
for words in 'start --session=mine' 'stop --session mine' 'status --session=mine' \
    'stop --keep=5' 'start -o run' 'start --output=run'; do
    echo "# $words"
    # shellcheck disable=SC2086 # words
    rangeline $words 2>&1
    echo "$?"
done
ls
