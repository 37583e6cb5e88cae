# `env` has capture options, for programs that record themselves.
rangeline env -c nvtx -p "it's@io" --capture-nth 1..2 --capture-range-end repeat:5:sync |
    sed 1d
rangeline env --shell csh -c nvtx -p 's!' | sed 1d
eval "$(rangeline env -o t -c nvtx -p step)"
say mark a push step mark b pop mark c
rangeline print t.rln | tidy
rangeline env -c nvtx -p a --capture-range-end stop-shutdown
echo $?
rangeline env -c cudaProfilerApi
echo $?
rangeline env -p step
echo $?
